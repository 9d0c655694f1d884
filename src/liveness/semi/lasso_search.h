// The part of one thread of `minimal` (minimal.cc has the algorithm): the shortest lasso through one accepting state
// after another.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/locks/mutex.h"
#include "liveness/semi/semi_external.h"
#include "store/queue/keyed_queue.h"
#include "store/queue/state_queue.h"

namespace strata {

constexpr uint64_t kInfinity = UINT32_MAX;

// The best lasso so far.
class Optimum {
 public:
  uint64_t length() const { return length_.load(std::memory_order_relaxed); }
  void improve(uint64_t length, const PackedState& seed, const PackedState& accepting) {
    const MutexLock lock(mutex_);
    if (length >= length_) return;
    length_ = length;
    ++improvements_;
    seed_ = seed;
    accepting_ = accepting;
  }
  // REQUIRES: no thread is in improve().
  const PackedState& seed() const UNCHECKED_LOCKS { return seed_; }
  const PackedState& accepting() const UNCHECKED_LOCKS { return accepting_; }
  uint64_t improvements() const UNCHECKED_LOCKS { return improvements_; }
  void serialize(Image& image) UNCHECKED_LOCKS {
    image.value("length", length_);
    image.list("seed", seed_);
    image.list("accepting", accepting_);
    image.value("improvements", improvements_);
  }

 private:
  std::atomic<uint64_t> length_{kInfinity};
  Mutex mutex_;
  PackedState seed_ GUARDED_BY(mutex_), accepting_ GUARDED_BY(mutex_);
  uint64_t improvements_ GUARDED_BY(mutex_) = 0;
};

// The accepting states one by one, level by level. Any thread.
class AcceptingStates {
 public:
  // Without the first ones.
  AcceptingStates(SemiExternal& semi, uint64_t without) : semi_(semi), without_(without) {}
  ~AcceptingStates() { reader().close(); }
  // False: there are no more, or the search is to end.
  bool next(PackedState& state, uint64_t& depth, uint64_t& number);
  // REQUIRES: no thread is in next().
  bool all_given() const UNCHECKED_LOCKS { return all_given_; }

 private:
  ScanReader& reader() { return *semi_.run().disk_worker(0).level_reader; }
  bool open_level() REQUIRES(mutex_);

  SemiExternal& semi_;
  const uint64_t without_;
  Mutex mutex_;
  uint64_t count_ GUARDED_BY(mutex_) = 0;  // accepting states
  std::unique_ptr<StateScan> scan_ GUARDED_BY(mutex_);
  StateScan::Span span_ GUARDED_BY(mutex_);
  // States of the span; levels that were opened.
  uint64_t done_ GUARDED_BY(mutex_) = 0, levels_ GUARDED_BY(mutex_) = 0;
  bool all_given_ GUARDED_BY(mutex_) = false;
};

// The search for the shortest lasso through one accepting state after another; one for each thread.
class LassoSearch {
 public:
  LassoSearch(SemiExternal& semi, const LassoPlan& plan, unsigned thread, BitArray& bits, Optimum& optimum);

  Status open();
  // False: the search is to end.
  bool search(const PackedState& accepting, uint64_t depth);
  uint64_t expansions = 0;

 private:
  bool collect_seeds();
  bool find_way_back();
  bool admit_seeds(uint64_t time, uint64_t& waiting);
  template <class Visit>
  bool expand_level(uint64_t waiting, const Visit& visit);
  void mark(uint64_t number);
  void clear_marks();
  bool check(const Status& status) { return status.ok() || semi_.fail(status); }
  bool ends() { return semi_.run().halted() || semi_.run().saving().end_wanted(); }
  bool is_root(const uint8_t* state) const { return equal_bytes(state, root_.data(), bytes_); }

  SemiExternal& semi_;
  const unsigned thread_;
  const uint64_t bytes_, together_;
  BitArray& bits_;
  Optimum& optimum_;
  StateQueue queue_;  // states, in Prio-min with their seeds
  KeyedQueue seeds_;
  std::vector<uint64_t> marked_;  // numbers whose bits are set, while they are few
  bool many_ = false;
  UntouchedVector<uint8_t> batch_, states_;
  PackedState root_;
  uint64_t depth_ = 0;
};

}  // namespace strata
