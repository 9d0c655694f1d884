// One thread's way into a StateTable; the batch pipeline that state_table.h describes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/memory_map.h"
#include "store/state_table.h"

namespace strata {

// The states of one shard within a batch: state i is at base + places[i] * state_bytes.
struct ShardGroup {
  uint64_t shard;
  const uint8_t* base;
  const uint32_t* places;
  const uint64_t* hashes;
  uint64_t count;
};

// How much an inserter may put aside until a shard is free.
inline uint64_t waiting_states(const StateTable& table) { return table.concurrent() ? 2 * table.batch_size() : 0; }
inline uint64_t waiting_groups(const StateTable& table) {
  return table.concurrent() ? 4 * table.shard_count() : 0;
}

// The bytes of an inserter's buffers.
inline uint64_t inserter_bytes(const StateTable& table) {
  return table.batch_size() * (2 * sizeof(uint64_t) + sizeof(uint32_t)) +
         table.shard_count() * (sizeof(uint32_t) + sizeof(ShardGroup)) +
         waiting_groups(table) * sizeof(ShardGroup) +
         waiting_states(table) * (table.state_bytes() + sizeof(uint64_t) + sizeof(uint32_t));
}

template <unsigned kBytes>
class TableInserter final : public Inserter {
 public:
  // The caller has drawn inserter_bytes() from the budget; the destructor gives them back.
  explicit TableInserter(StateTable& table);
  ~TableInserter() override;

  InsertCounts insert(const uint8_t* states, uint64_t n, Outcome* outcomes) override;
  InsertCounts insert(const uint8_t* states, uint64_t n) override;
  InsertCounts finish() override;

 private:
  static constexpr uint64_t kBuckets = 32;     // index buckets are fetched this far ahead,
  static constexpr uint64_t kCandidates = 16;  // states to compare with this far

  InsertCounts insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes);
  void order_by_shard(const uint8_t* states, uint64_t n);
  void fetch_next();
  // The caller holds the shard's lock.
  void work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts);
  bool put_aside(const ShardGroup& group);
  void retry_waiting(bool block, InsertCounts& counts);

  StateTable& table_;
  const StateBytes<kBytes> bytes_;
  uint64_t charged_;
  // The batch at hand, ordered by shard.
  UntouchedVector<uint64_t> unordered_, hashes_;
  UntouchedVector<uint32_t> places_;
  std::vector<uint32_t> starts_;  // of each shard's part, one more at the end
  uint64_t batch_ = 0;
  // How far index buckets are fetched, and the shard at that place.
  uint64_t fetched_ = 0, fetch_end_ = 0;
  StateShard::View fetch_view_{};
  std::vector<ShardGroup> blocked_;
  // Copies of states put aside until their shard is free.
  UntouchedVector<uint8_t> waiting_states_;
  UntouchedVector<uint64_t> waiting_hashes_;
  std::vector<uint32_t> counting_;  // 0, 1, 2, ...
  std::vector<ShardGroup> waiting_;
  uint64_t waiting_count_ = 0;
};

template <unsigned kBytes>
TableInserter<kBytes>::TableInserter(StateTable& table)
    : table_(table), bytes_{table.state_bytes()}, charged_(inserter_bytes(table)) {
  const uint64_t waiting = waiting_states(table);
  unordered_.resize(table.batch_size());
  hashes_.resize(table.batch_size());
  places_.resize(table.batch_size());
  starts_.resize(table.shard_count() + 1);
  blocked_.reserve(table.shard_count());
  waiting_.reserve(waiting_groups(table));
  waiting_states_.resize(waiting * bytes_.size());
  waiting_hashes_.resize(waiting);
  for (uint64_t i = 0; i < waiting; ++i) counting_.push_back(static_cast<uint32_t>(i));
}

template <unsigned kBytes>
TableInserter<kBytes>::~TableInserter() {
  table_.budget_.release(charged_);
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::insert(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  InsertCounts counts;
  for (uint64_t i = 0; i < n; i += table_.batch_size()) {
    counts += insert_batch(states + i * bytes_.size(), std::min(table_.batch_size(), n - i), outcomes + i);
  }
  return counts;
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::insert(const uint8_t* states, uint64_t n) {
  InsertCounts counts;
  retry_waiting(false, counts);
  for (uint64_t i = 0; i < n; i += table_.batch_size()) {
    counts += insert_batch(states + i * bytes_.size(), std::min(table_.batch_size(), n - i), nullptr);
  }
  return counts;
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::finish() {
  InsertCounts counts;
  retry_waiting(true, counts);
  return counts;
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  InsertCounts counts;
  order_by_shard(states, n);
  blocked_.clear();
  for (uint64_t begin = 0; begin < n;) {
    const uint64_t shard = table_.plan_.shard_of(hashes_[begin]);
    const uint64_t end = starts_[shard + 1];
    const ShardGroup group{shard, states, places_.data() + begin, hashes_.data() + begin, end - begin};
    begin = end;
    if (!table_.concurrent_) {
      work_off(group, outcomes, counts);
    } else if (SpinLock& lock = table_.shards_[shard].lock; lock.try_lock()) {
      work_off(group, outcomes, counts);
      lock.unlock();
    } else if (outcomes != nullptr || !put_aside(group)) {
      blocked_.push_back(group);
    }
  }
  for (const ShardGroup& group : blocked_) {
    SpinLock& lock = table_.shards_[group.shard].lock;
    lock.lock();
    work_off(group, outcomes, counts);
    lock.unlock();
  }
  return counts;
}

// Hashes the batch and orders it by shard (a counting sort); the states stay where they are.
template <unsigned kBytes>
void TableInserter<kBytes>::order_by_shard(const uint8_t* states, uint64_t n) {
  const ShardPlan& plan = table_.plan_;
  std::fill(starts_.begin(), starts_.end(), 0);
  for (uint64_t i = 0; i < n; ++i) {
    const uint64_t hash = unordered_[i] = bytes_.hash(states + i * bytes_.size());
    ++starts_[plan.shard_of(hash)];
  }
  uint32_t sum = 0;
  for (uint32_t& start : starts_) sum += std::exchange(start, sum);
  // Afterwards starts_[s] is where the part of shard s + 1 begins; shift it back into place.
  for (uint64_t i = 0; i < n; ++i) {
    const uint32_t place = starts_[plan.shard_of(unordered_[i])]++;
    hashes_[place] = unordered_[i];
    places_[place] = static_cast<uint32_t>(i);
  }
  std::copy_backward(starts_.begin(), starts_.end() - 1, starts_.end());
  starts_[0] = 0;
  batch_ = n;
  fetched_ = fetch_end_ = 0;
  for (uint64_t i = 0; i < kBuckets; ++i) fetch_next();
}

// Fetches the index bucket of one more state of the ordered batch.
template <unsigned kBytes>
void TableInserter<kBytes>::fetch_next() {
  if (fetched_ == batch_) return;
  if (fetched_ == fetch_end_) {
    const uint64_t shard = table_.plan_.shard_of(hashes_[fetched_]);
    fetch_view_ = table_.shards_[shard].view();
    fetch_end_ = starts_[shard + 1];
  }
  fetch_view_.fetch_bucket(hashes_[fetched_++]);
}

// State i is compared or added while state i + kCandidates waits for its candidate and a state further on for its
// bucket.
template <unsigned kBytes>
void TableInserter<kBytes>::work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts) {
  StateShard& shard = table_.shards_[group.shard];
  StateShard::View view = shard.view();
  const uint8_t* candidates[kCandidates];
  uint64_t fresh = 0, full = 0;
  for (uint64_t next = 0; next < group.count + kCandidates; ++next) {
    if (next >= kCandidates) {
      const uint64_t i = next - kCandidates;
      const uint8_t* candidate = candidates[i % kCandidates];
      const uint8_t* state = group.base + group.places[i] * bytes_.size();
      Outcome outcome = Outcome::seen;
      if (candidate == nullptr || !bytes_.equal(candidate, state)) {
        outcome = shard.insert(bytes_, state, group.hashes[i]);
        fresh += outcome == Outcome::fresh;
        full += outcome == Outcome::full;
        view = shard.view();
      }
      if (outcomes != nullptr) outcomes[group.places[i]] = outcome;
    }
    if (next < group.count) {
      fetch_next();
      candidates[next % kCandidates] = StateShard::fetch_candidate(view, bytes_, group.hashes[next]);
    }
  }
  counts += {group.count - fresh - full, fresh, full};
}

template <unsigned kBytes>
bool TableInserter<kBytes>::put_aside(const ShardGroup& group) {
  if (waiting_.size() == waiting_.capacity()) return false;
  if (waiting_count_ + group.count > waiting_hashes_.size()) return false;
  uint8_t* base = waiting_states_.data() + waiting_count_ * bytes_.size();
  for (uint64_t i = 0; i < group.count; ++i) {
    bytes_.copy(base + i * bytes_.size(), group.base + group.places[i] * bytes_.size());
    waiting_hashes_[waiting_count_ + i] = group.hashes[i];
  }
  waiting_.push_back({group.shard, base, counting_.data(), waiting_hashes_.data() + waiting_count_, group.count});
  waiting_count_ += group.count;
  return true;
}

// Works off what was put aside, as far as locks are to be had, or all of it.
template <unsigned kBytes>
void TableInserter<kBytes>::retry_waiting(bool block, InsertCounts& counts) {
  if (waiting_.empty()) return;
  std::erase_if(waiting_, [&](const ShardGroup& group) {
    SpinLock& lock = table_.shards_[group.shard].lock;
    if (block) {
      lock.lock();
    } else if (!lock.try_lock()) {
      return false;
    }
    work_off(group, nullptr, counts);
    lock.unlock();
    return true;
  });
  if (waiting_.empty()) waiting_count_ = 0;
}

}  // namespace strata
