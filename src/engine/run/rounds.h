// What a rank does together with the other ranks of its search: rounds, in which they send each other states, and
// levels, which are over when all ranks have expanded theirs. A rank that is alone goes through the same steps, with
// nobody to wait for.
//
//   between_levels   no level has begun, or the last one is done
//   in_level         states of a level are left at some rank
//   ended            the ranks agreed that there is no further level
//
//                    enter_level()   end_round()                   another_level()
//   between_levels   in_level        in_level or between_levels    in_level or ended
//   in_level         in_level        in_level or between_levels    in_level or ended
//   ended            in_level        in_level or between_levels    in_level or ended
//
// All ranks make these calls in the same order. A rank that has to leave the search earlier makes the calls that the
// others expect from it (end_together).
//
// Cost. Alone: a null check per batch, and nothing else until a round ends. With others: collectives at the end of
// rounds and levels.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "engine/contract/search_context.h"
#include "engine/ranks/search_ranks.h"
#include "engine/run/run_limits.h"
#include "engine/run/run_result.h"
#include "engine/run/saving.h"
#include "engine/run/search_worker.h"

namespace strata {

class Rounds {
 public:
  Rounds(const SearchContext& context, const SearchRanks& ranks, RunLimits& limits, Saving& saving,
         RunResult& result, SearchThreads& threads)
      : context_(context),
        ranks_(ranks),
        limits_(limits),
        saving_(saving),
        result_(result),
        threads_(threads),
        shared_(context.model.capabilities().shared) {}

  // ---- by any thread

  // Before states are expanded: takes in what other ranks found for this one, so that they need not wait. True:
  // nothing may be expanded now. worker.out then has states of other ranks, or none, because states for other ranks
  // could not be sent yet; out.consumed is 0.
  bool receive(SearchWorker& worker) { return shared_ != nullptr && receive_some(worker); }
  // Whether failures are recorded with states of the whole model, because other ranks do not know this rank's.
  bool finds_whole_states() const { return shared_ != nullptr; }

  // ---- REQUIRES: all threads are idle

  // Stores what is in worker.out, and clears worker.unstored when all of it is stored. False: it has no room for more.
  using Store = std::function<bool(SearchWorker& worker)>;
  // When no thread has states left to expand, or all rest: sends what is left for other ranks, and stores what they
  // send, until the round is over. False: `store` said so. What was stored remains; the rest comes when drain() is
  // called again.
  bool drain(const Store& store);
  // Ends the round after drain(). `rests`: states of the level are left, because the threads stopped for a checkpoint,
  // which is made now; `reason` then ends the search. Whether the level continues: states of it are left at any rank.
  bool end_round(bool rests, StopReason reason = StopReason::none);
  // Asks the other ranks to rest, too.
  void call_rest() const { ranks_.call_end(); }
  // Ends a level. Whether there is another one: a rank has found states for it, and nothing ends the search.
  bool another_level(bool found);

  // The search continues in a level, from what was saved.
  void enter_level() { place_ = Place::in_level; }
  // Gives states of the whole model to the ranks that they belong to, and stores those that come here, from any rank.
  void hand_out(const uint8_t* states, uint64_t n, const Store& store);
  // At the end of a search: a rank that cannot continue, wherever it is, keeps in step with the others until all end.
  void end_together();

  enum class Place { between_levels, in_level, ended };
  Place place() const { return place_; }

 private:
  bool receive_some(SearchWorker& worker);
  bool halted() { return limits_.halted(saving_.requests()); }
  bool store_arrivals(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  void send_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  void take_all(SearchWorker& worker, const Store& store, std::atomic<bool>& refused);
  void drop_arrivals();
  void save(StopReason reason);
  void agree_to_stop(uint64_t reason);
  void agree_on_number();
  void retire_old_ranks();

  const SearchContext& context_;
  const SearchRanks& ranks_;
  RunLimits& limits_;
  Saving& saving_;
  RunResult& result_;
  SearchThreads& threads_;
  const SharedStates* const shared_;  // null: all states belong to this process
  Place place_ = Place::between_levels;
};

}  // namespace strata
