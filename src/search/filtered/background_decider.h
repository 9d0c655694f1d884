// Decides which waiting states of FilteredSearch are new while others are expanded. The threads that expand states ask
// the disk for visited ones, keep expanding, and between two batches pass the states that have arrived by the table. So
// neither the disk nor the processors wait for the other, as they do in Decider, which has all threads for itself.
//
//   a round   for some partitions p at a time: ADD W_p to H; ERASE V_p from H; the states left in H are new and go to
//             V_p. Of each W_p those take part that wait when the round comes to it.
//
// A step (ADD, ERASE, and, with signatures, TAKE, which reads W_p again for the states of the signatures that
// are left) is a scan that the threads share. The last one that leaves it ends the step; the first that comes
// then begins the next one.
//
// Invariants
//   1. A state of W_p becomes visited only by this round: the filter knows the state, so no thread finds it fresh.
//   2. A state that equals one of W_p is in V_p before ERASE begins. A thread that found it fresh may have been about
//      to append it when W_p was looked at; ERASE begins when each thread has ended the batch that it was storing then
//      (Storing).
//   3. W_p shrinks when all of its new states are in V_p. So a round can be interrupted at any time, and continues with
//      the partitions that it had in hand: states that these gave to V_p already are erased then.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/locks/mutex.h"
#include "search/filtered/visited_levels.h"
#include "search/filtered/waiting_logs.h"
#include "store/set/waiting_set.h"

namespace strata {

class BackgroundDecider {
 public:
  BackgroundDecider(DiskRun& run, VisitedLevels& visited, WaitingLogs& waiting)
      : run_(run), visited_(visited), waiting_(waiting) {}
  // Call when the run has its threads.
  void open() { threads_ = std::vector<Thread>(run_.threads()); }

  // Lives while a thread stores a batch: finds out what is fresh, and appends it.
  class Storing {
   public:
    Storing(BackgroundDecider& decider, unsigned thread) : batch_(decider.threads_[thread].batch) {
      batch_.store(batch_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }
    ~Storing() { batch_.store(batch_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }
    Storing(const Storing&) = delete;
    Storing& operator=(const Storing&) = delete;

   private:
    std::atomic<uint64_t>& batch_;
  };

  // The bytes of a table for all states that wait in one partition, and for some that will.
  uint64_t table_bytes() const {
    return WaitingSet::bytes_for(run_.key_bytes(), WaitingSet::Labels::none, waiting_.most() / 8 * 9 + 64);
  }
  // Begins a round, with a table in this memory. Fails when that is too small.
  Status begin(uint8_t* memory, uint64_t bytes);
  // Whether there is a round that has not ended.
  bool active() const { return active_.load(std::memory_order_acquire); }
  // Does what can be done without waiting. Any thread that is not storing.
  void work(DiskWorker& worker);

  // The rest is for one thread, while no other works.
  // Does the rest of the round, on all threads.
  void finish();
  // Interrupts the round, so that others can use the readers of the threads; work() or finish() continues it.
  void pause();
  // Ends the round; states that were not decided keep waiting.
  void cancel();

  uint64_t rounds() const { return rounds_; }
  uint64_t found() const { return found_.load(std::memory_order_relaxed); }  // new states

 private:
  enum class Step { add, erase, take };
  struct alignas(128) Thread {
    std::atomic<uint64_t> batch{0};  // odd while one is being stored
    uint64_t batch_at_add = 0;
    bool reads = false;
  };
  static constexpr uint64_t kSpans = 16;

  void work(DiskWorker& worker, bool waits);
  bool join(DiskWorker& worker, bool waits);
  void leave(DiskWorker& worker);
  bool begin_step() REQUIRES(mutex_);
  bool begin_add() REQUIRES(mutex_);
  bool is_stored() const;
  void end_step(unsigned thread) REQUIRES(mutex_);
  void end_partitions() REQUIRES(mutex_);
  Status visit(DiskWorker& worker, const StateScan::Span& span);

  DiskRun& run_;
  VisitedLevels& visited_;
  WaitingLogs& waiting_;
  std::vector<Thread> threads_;
  std::unique_ptr<WaitingSet> table_;  // H
  std::atomic<bool> active_{false};
  std::atomic<uint64_t> found_{0};
  uint64_t rounds_ = 0;

  Mutex mutex_;
  // The step at hand, or the next one while there is no scan. Changed with the lock held, while no thread reads the
  // scan.
  Step step_ = Step::add;
  std::unique_ptr<StateScan> scan_ GUARDED_BY(mutex_);  // of the step at hand
  unsigned readers_ GUARDED_BY(mutex_) = 0;             // threads that read it
  bool claimed_ GUARDED_BY(mutex_) = false;             // all of it was given to some thread
  uint64_t partition_ GUARDED_BY(mutex_) = 0;           // the next one
  LevelMarks::Row goals_ GUARDED_BY(mutex_);            // where the round ends in each W_p, at least
  std::vector<LogRange> some_ GUARDED_BY(mutex_);       // of W, at hand
};

}  // namespace strata
