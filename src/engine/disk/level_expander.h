// Expands states that are read from disk, on all threads, and passes the successors to a sink, batch by batch. The sink
// returns false when it has no room: the threads then pause, and the next run() continues where they paused.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/disk/disk_run.h"

namespace strata {

// Over the states of some ranges.
class LevelExpander {
 public:
  LevelExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level);
  virtual ~LevelExpander();
  LevelExpander(const LevelExpander&) = delete;
  LevelExpander& operator=(const LevelExpander&) = delete;

  // Stores the states of a batch from `done` on. False: no room.
  using Sink = std::function<bool(DiskWorker&, Batch&)>;
  // True: all states are expanded, or the search has to end. False: the threads paused.
  bool run(const Sink& sink);
  // Whether the threads paused because a checkpoint is due. They then have nothing in hand.
  bool rests() const { return !paused() && rested_.load(std::memory_order_relaxed); }
  // In that case: the states that are not expanded yet.
  virtual std::vector<LogRange> rest() const;

 protected:
  explicit LevelExpander(DiskRun& run) : run_(run), places_(run.threads()) {}

  // Makes all threads pause as soon as they have passed on their batch. By any thread.
  void pause() { paused_.store(true, std::memory_order_relaxed); }
  bool paused() const { return paused_.load(std::memory_order_relaxed); }
  // Stops this thread for a checkpoint, with nothing in hand; the others will follow.
  void stop_to_rest() { rested_.store(true, std::memory_order_relaxed); }
  // Gives a thread a scan, whose states were found at `level`; null: the thread reads in another way.
  void open(unsigned thread, std::shared_ptr<StateScan> scan, uint64_t level);
  const StateScan* scan_of(unsigned thread) const { return places_[thread].scan.get(); }
  // Whether one thread is enough. REQUIRES: no thread works.
  virtual bool is_short() { return places_[0].scan->records() < kWorthSharing; }
  // The next states of a thread, valid until the next call. None: its scan is at its end.
  virtual Result<StateScan::Span> next_states(unsigned thread) {
    return run_.disk_worker(thread).level_reader->next();
  }
  // Whether threads may rest in the middle of a scan.
  virtual bool rests_anywhere() const { return true; }
  // Called by a thread whose scan is at its end. Whether it has opened another one.
  virtual bool open_next(unsigned /*thread*/) { return false; }

  DiskRun& run_;

 private:
  struct alignas(128) Place {
    std::shared_ptr<StateScan> scan;
    uint64_t level = 0;
    const uint8_t* states = nullptr;  // of the scan, still to be expanded
    uint64_t count = 0;
    bool waiting = false;  // the batch is not stored yet
    Batch batch;
  };
  void work(unsigned i, const Sink& sink);
  bool read_next(unsigned i);
  bool expand_next(unsigned i);

  std::vector<Place> places_;
  std::atomic<bool> paused_{false}, rested_{false};
};

}  // namespace strata
