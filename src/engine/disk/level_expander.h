// Expands states that are read from disk, on all threads, and gives the successors, batch by batch, to a sink. The sink
// returns false when it has no room; the threads then pause, and go on where they were when run() is called again.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "engine/disk/disk_run.h"

namespace strata {

// The states of some ranges.
class LevelExpander {
 public:
  LevelExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level);
  virtual ~LevelExpander();
  LevelExpander(const LevelExpander&) = delete;
  LevelExpander& operator=(const LevelExpander&) = delete;

  // Stores the states of a batch from `done` on.
  using Sink = std::function<bool(DiskWorker&, Batch&)>;
  // True: all is done, or the search is to end. False: the threads paused.
  bool run(const Sink& sink);
  // They paused because a checkpoint is wanted, and have nothing in hand.
  bool rests() const { return !paused() && rested_.load(std::memory_order_relaxed); }
  // The states that are still to be expanded, then.
  virtual std::vector<LogRange> rest() const;

 protected:
  explicit LevelExpander(DiskRun& run) : run_(run), places_(run.threads()) {}

  // The threads pause as soon as each has given away its batch. Any thread may ask for it.
  void pause() { paused_.store(true, std::memory_order_relaxed); }
  bool paused() const { return paused_.load(std::memory_order_relaxed); }
  // One thread stops for a checkpoint, with nothing in hand; the others will.
  void stop_to_rest() { rested_.store(true, std::memory_order_relaxed); }
  // Gives a thread a scan, whose states were found at `level`; null: it reads otherwise.
  void open(unsigned thread, std::shared_ptr<StateScan> scan, uint64_t level);
  const StateScan* scan_of(unsigned thread) const { return places_[thread].scan.get(); }
  // Whether one thread is enough. Asked when no thread works.
  virtual bool is_short() { return places_[0].scan->records() < kWorthSharing; }
  // The next states of a thread, in place until the next call; none: its scan is at its end.
  virtual Result<StateScan::Span> next_states(unsigned thread) {
    return run_.disk_worker(thread).level_reader->next();
  }
  // Whether threads may rest in the midst of a scan.
  virtual bool rests_anywhere() const { return true; }
  // Asked by a thread whose scan is at its end: whether it has opened another one.
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
