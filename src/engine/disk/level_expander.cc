#include "engine/disk/level_expander.h"

#include <utility>

namespace strata {

LevelExpander::LevelExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level)
    : LevelExpander(run) {
  const auto scan = std::make_shared<StateScan>(std::move(ranges));
  for (unsigned i = 0; i < places_.size(); ++i) open(i, scan, level);
}

LevelExpander::~LevelExpander() {
  for (unsigned i = 0; i < places_.size(); ++i)
    if (places_[i].scan) run_.disk_worker(i).level_reader->close();
}

void LevelExpander::open(unsigned thread, std::shared_ptr<StateScan> scan, uint64_t level) {
  if (scan) run_.disk_worker(thread).level_reader->open(*scan);
  places_[thread].scan = std::move(scan);
  places_[thread].level = level;
}

bool LevelExpander::run(const Sink& sink) {
  paused_ = rested_ = false;
  if (is_short()) {
    work(0, sink);
  } else {
    run_.pool().run([&](unsigned i) {
      try {
        work(i, sink);
      } catch (...) {
        pause();  // otherwise the others would wait for this thread's states
        throw;
      }
    });
  }
  return !paused() && !rested_;
}

void LevelExpander::work(unsigned i, const Sink& sink) {
  Place& place = places_[i];
  while (!run_.halted()) {
    if (!place.waiting && place.count == 0 && rests_anywhere() && run_.saving().pause_wanted())
      return stop_to_rest();
    if (!place.waiting && !expand_next(i)) return;
    place.waiting = !sink(run_.disk_worker(i), place.batch);
    // If one thread has no room, none has; the others stop where they are.
    if (place.waiting) pause();
    if (paused()) return;
  }
}

std::vector<LogRange> LevelExpander::rest() const {
  std::vector<LogRange> ranges = places_.front().scan->unclaimed();
  for (unsigned i = 0; i < places_.size(); ++i) run_.disk_worker(i).level_reader->add_claimed(ranges);
  return ranges;
}

// False: nothing is left for this thread, or the search has to end.
bool LevelExpander::read_next(unsigned i) {
  Place& place = places_[i];
  while (true) {
    const Result<StateScan::Span> span = next_states(i);
    if (!span.ok()) {
      run_.fail(span.status());
      return false;
    }
    place.states = span->records;
    place.count = span->count;
    if (span->count > 0) return true;
    if (!open_next(i)) return false;
  }
}

bool LevelExpander::expand_next(unsigned i) {
  Place& place = places_[i];
  DiskWorker& worker = run_.disk_worker(i);
  if (place.count == 0 && !read_next(i)) return false;
  Expansion& out = worker.base.out;
  if (!run_.receive(worker.base)) run_.expand(worker.base, place.states, place.count, place.level);
  const uint8_t* parents = place.states;
  place.states += out.consumed * run_.state_bytes();
  place.count -= out.consumed;
  if (!run_.charge(worker.base, out.count)) {
    run_.fail(run_.no_room_for_successors(out.count));
    return false;
  }
  const auto begin = Clock::now();
  place.batch = {parents, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count),
                 0};
  worker.base.seconds.insert += seconds_between(begin, Clock::now());
  return true;
}

}  // namespace strata
