// Immediate duplicate detection: insert says at once whether a state is new or was seen before. States are plain
// bytes, all of one size. Calls carry batches, because an implementation hides the latency of memory by working on
// many states at a time.
//
// Contract (visited_set_test.cc tests it for every implementation):
//  1. Each distinct state is `fresh` exactly once over all threads, and `seen` ever after.
//  2. `full`: the state was not seen and the memory budget refused room for it. Nothing else changed: what was
//     inserted stays, and inserting it again says `seen`. Later states may still be `fresh` where room is left.
//     (If a state is given again to the inserter that found no room for it, or keeps it back, the answer may be
//     `seen`.)
//  3. size() counts the states reported `fresh`; it is exact while no inserter is at work.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strata {

enum class Outcome : uint8_t { seen, fresh, full };

struct InsertCounts {
  uint64_t seen = 0, fresh = 0, full = 0;
  void count(Outcome outcome) {
    seen += outcome == Outcome::seen;
    fresh += outcome == Outcome::fresh;
    full += outcome == Outcome::full;
  }
  InsertCounts& operator+=(const InsertCounts& other) {
    seen += other.seen;
    fresh += other.fresh;
    full += other.full;
    return *this;
  }
};

// One thread's access to a VisitedSet.
class Inserter {
 public:
  virtual ~Inserter() = default;

  // Inserts states[0 .. n * state_bytes) and sets outcomes[0..n).
  virtual InsertCounts insert(const uint8_t* states, uint64_t n, Outcome* outcomes) = 0;
  // The same for callers that only count. May keep copies of some states back if another thread has locked the part of
  // the table where they belong. A later call counts them, at the latest finish().
  virtual InsertCounts insert(const uint8_t* states, uint64_t n) = 0;
  virtual InsertCounts finish() = 0;

  // From now on, the inserter keeps a copy of each state that a call without outcomes counts as `full`.
  virtual void keep_refused() {}
  virtual std::vector<uint8_t> take_refused() { return {}; }
  virtual const std::vector<uint8_t>& refused() const {
    static const std::vector<uint8_t> none;
    return none;
  }
};

class VisitedSet {
 public:
  virtual ~VisitedSet() = default;
  virtual uint64_t state_bytes() const = 0;
  virtual uint64_t size() const = 0;
  // Null if the memory budget has no room for an inserter's buffers. Thread safety: each thread has its own.
  virtual std::unique_ptr<Inserter> inserter() = 0;
  // See base/checks.h. REQUIRES: no inserter is at work.
  virtual std::string check_invariants() const = 0;
};

}  // namespace strata
