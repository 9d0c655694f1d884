// When FilteredSearch decides its waiting states (W), with which memory, and what it notes of the states that
// a decision finds late. decider.h and background_decider.h decide; this class says when.
//
//   a round    in the background while states are expanded, with a part of the cache's memory: begins when as many
//              states wait as may
//   all        at once, all threads, with all of the cache's memory: when the filter has to be made again, when levels
//              are exact, when there is no memory for a round, and when nothing is left to expand
//   sweeps     some partitions at a time, after all were decided once and nothing is left to expand: what is new is
//              expanded at once, so that its successors are decided when the turn of their partition comes, and not
//              after all partitions were read
//
// Invariants
//  1. While a round is active, twice as many states may wait as when it began; otherwise the decider's limit.
//  2. The sieve's memory is reserved from the begin of a round until its end was noted, and at no other time.
//  3. late() counts the states that came to V by decisions. Of the background's finds, those that
//     background.found() has beyond found_ are not counted yet.
//  4. sweeps_ holds only while V and W have not changed by a decision of all since W was decided with nothing left to
//     expand.
#pragma once

#include <functional>
#include <vector>

#include "engine/trace/level_excess.h"
#include "search/filtered/background_decider.h"
#include "search/filtered/decider.h"
#include "search/filtered/sieve_keeper.h"

namespace strata {

class DecisionSchedule {
 public:
  // `in_background`: whether rounds are allowed. They are not where levels are exact or have to be the same for ranks.
  DecisionSchedule(DiskRun& run, VisitedLevels& visited, WaitingLogs& waiting, Decider& decider,
                   BackgroundDecider& background, SieveKeeper& keeper, bool in_background)
      : run_(run),
        visited_(visited),
        waiting_(waiting),
        decider_(decider),
        background_(background),
        keeper_(keeper),
        in_background_(in_background) {}

  // Whether no more states may wait. Any thread.
  bool is_full() const { return waiting_.count() >= most_waiting(); }

  // The rest is for one thread, while all others are idle. `level` is the level at hand.

  // For more waiting states, or for more visited ones: begins a round, or decides all.
  void make_room(uint64_t level);
  // Decides the rest of an active round.
  void finish_round();
  // Leaves an active round for later: the readers of the threads are wanted.
  void pause_round();
  // Ends an active round; what was not decided keeps waiting.
  void cancel_round();
  // Notes what the background has found. All of it comes in the next level.
  void note_found();
  // Decides all.
  void decide(uint64_t level, Outlook outlook = Outlook::goes_on);
  // When nothing is left to expand: decides all once, after looking ahead where that pays. expand() makes the
  // successors of some states wait; forget() is called if some of them were dropped again.
  void begin_sweeps(uint64_t level, const Decider::Expand& expand, const std::function<void()>& forget);
  // Decides some partitions.
  void sweep();

  // States were found late before this search began.
  void continue_late(const LevelExcess& excess) {
    excess_ = excess;
    excess_.begin_level();
  }
  // States begin to wait in this level.
  void begin_waiting(uint64_t level) { excess_.begin_waiting(level); }
  // The search has come to this level.
  void begin_level(uint64_t level) {
    excess_.begin_level();
    if (waiting_.count() == 0) excess_.begin_waiting(level);
  }

  uint64_t late() const { return late_; }
  const LevelExcess& excess() const { return excess_; }
  // For a checkpoint.
  void serialize(Image& image);

 private:
  uint64_t most_waiting() const {
    return background_.active() ? 2 * round_limit_ : decider_.limit(keeper_.cache_memory().bytes);
  }
  bool begin_round(uint64_t level);
  void tell_phase();

  DiskRun& run_;
  VisitedLevels& visited_;
  WaitingLogs& waiting_;
  Decider& decider_;
  BackgroundDecider& background_;
  SieveKeeper& keeper_;
  const bool in_background_;

  uint64_t late_ = 0;
  LevelExcess excess_;
  // Of rounds: what was noted of the states found and of the rounds done; where the last one began, and how many states
  // waited then.
  uint64_t found_ = 0, rounds_ = 0;
  LevelExcess::Since round_;
  uint64_t round_limit_ = 0;
  // Of sweeps: whether they have begun, and the next partition.
  bool sweeps_ = false;
  uint64_t next_ = 0;
};

}  // namespace strata
