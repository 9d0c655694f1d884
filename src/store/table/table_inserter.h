// One thread's way into a StateTable; the batch pipeline that state_table.h describes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/memory_map.h"
#include "store/key/counting_sort.h"
#include "store/key/latest_keys.h"
#include "store/table/state_table.h"

namespace strata {

template <unsigned kBytes>
class TableInserter final : public Inserter {
 public:
  // The caller has drawn TableSizes::inserter_bytes() from the budget; the destructor gives them back.
  explicit TableInserter(StateTable& table);
  ~TableInserter() override;

  InsertCounts insert(const uint8_t* states, uint64_t n, Outcome* outcomes) override;
  InsertCounts insert(const uint8_t* states, uint64_t n) override;
  InsertCounts finish() override;
  void keep_refused() override { keeps_refused_ = true; }
  std::vector<uint8_t> take_refused() override { return std::exchange(refused_, {}); }

 private:
  // Some states of a group, with the states they probably equal.
  struct Block {
    uint64_t shard;
    const uint8_t* base;
    const uint32_t* places;
    const uint64_t* hashes;
    uint64_t count;
    bool last;  // of its group
    const uint8_t* candidates[StateShard::kBlock];

    uint64_t take(const ShardGroup& group, uint64_t done) {
      shard = group.shard;
      base = group.base;
      places = group.places + done;
      hashes = group.hashes + done;
      count = std::min(StateShard::kBlock, group.count - done);
      last = done + count == group.count;
      return count;
    }
  };

  InsertCounts insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes);
  void order_by_shard(const uint8_t* states, uint64_t n, Outcome* outcomes);
  void fetch_block(uint64_t begin);
  void look_up(Block& block);
  void settle(const Block& block, Outcome* outcomes, InsertCounts& counts);
  void work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts);
  void work_off_locked(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts);
  bool put_aside(const ShardGroup& group);
  void retry_waiting(bool block, InsertCounts& counts);

  StateTable& table_;
  const StateBytes<kBytes> bytes_;
  uint64_t charged_;
  // The batch at hand, ordered by shard.
  UntouchedVector<uint64_t> unordered_, hashes_;
  UntouchedVector<uint32_t> places_, unordered_places_;
  // States inserted lately: what stands here is in the table, or in this inserter's hands. A state that found no room is not,
  // so all are forgotten then.
  LatestKeys<StateBytes<kBytes>> latest_;
  CountingSort<uint32_t> sort_;
  uint64_t batch_ = 0;
  std::vector<ShardGroup> blocked_;
  // Copies of states put aside until their shard is free.
  UntouchedVector<uint8_t> waiting_states_;
  UntouchedVector<uint64_t> waiting_hashes_;
  std::vector<uint32_t> counting_;  // 0, 1, 2, ...
  std::vector<ShardGroup> waiting_;
  uint64_t waiting_count_ = 0;
  bool keeps_refused_ = false;
  std::vector<uint8_t> refused_;
};

template <unsigned kBytes>
TableInserter<kBytes>::TableInserter(StateTable& table)
    : table_(table), bytes_{table.state_bytes()}, charged_(table.sizes().inserter_bytes()) {
  const uint64_t batch = table.sizes().batch, waiting = table.sizes().waiting_states();
  unordered_.resize(batch);
  hashes_.resize(batch);
  places_.resize(batch);
  unordered_places_.resize(batch);
  latest_.resize(bytes_, latest_.memory(bytes_.size(), table.sizes().recent));
  blocked_.reserve(table.shard_count());
  waiting_.reserve(table.sizes().waiting_groups());
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
  for (uint64_t i = 0; i < n; i += table_.sizes().batch) {
    counts += insert_batch(states + i * bytes_.size(), std::min(table_.sizes().batch, n - i), outcomes + i);
  }
  return counts;
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::insert(const uint8_t* states, uint64_t n) {
  InsertCounts counts;
  retry_waiting(false, counts);
  for (uint64_t i = 0; i < n; i += table_.sizes().batch) {
    counts += insert_batch(states + i * bytes_.size(), std::min(table_.sizes().batch, n - i), nullptr);
  }
  return counts;
}

template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::finish() {
  InsertCounts counts;
  retry_waiting(true, counts);
  return counts;
}

// Blocks of the ordered batch pass through three stages: its buckets are fetched, its candidates are looked up and
// fetched, it is settled; each while the block before it is in the next stage. So up to two shards are locked at a
// time; as the second lock is only tried, threads cannot block each other.
template <unsigned kBytes>
InsertCounts TableInserter<kBytes>::insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  InsertCounts counts;
  order_by_shard(states, n, outcomes);
  counts.seen += n - batch_;
  blocked_.clear();
  Block blocks[2];
  Block* last = nullptr;
  for (uint64_t begin = 0; begin < batch_;) {
    const uint64_t shard = table_.plan_.shard_of(hashes_[begin]);
    const uint64_t end = sort_.end(shard);
    // Another thread had them last; a group's time is about what it takes to get them.
    if (table_.concurrent() && shard + 2 < table_.shard_count()) table_.shards_[shard + 2].fetch_head();
    const ShardGroup group{shard, states, places_.data() + begin, hashes_.data() + begin, end - begin};
    if (table_.concurrent() && !table_.shards_[shard].lock.try_lock()) {
      if (outcomes != nullptr || !put_aside(group)) blocked_.push_back(group);
      begin = end;
      fetch_block(begin);
      continue;
    }
    for (uint64_t done = 0; done < group.count; done += StateShard::kBlock) {
      Block& block = blocks[last == blocks];
      begin += block.take(group, done);
      fetch_block(begin);
      look_up(block);
      if (last != nullptr) settle(*last, outcomes, counts);
      last = &block;
    }
  }
  if (last != nullptr) settle(*last, outcomes, counts);
  for (const ShardGroup& group : blocked_) work_off(group, outcomes, counts);
  if (counts.full > 0) latest_.clear();
  return counts;
}

// Hashes the batch, drops what was seen lately, and orders the rest by shard; the states stay where they are.
template <unsigned kBytes>
void TableInserter<kBytes>::order_by_shard(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  const ShardPlan& plan = table_.plan_;
  sort_.begin(table_.shard_count());
  batch_ = 0;
  for (uint64_t begin = 0; begin < n; begin += StateShard::kBlock) {
    const uint64_t count = std::min(StateShard::kBlock, n - begin);
    uint64_t hashes[StateShard::kBlock];
    for (uint64_t i = 0; i < count; ++i) {
      hashes[i] = bytes_.hash(states + (begin + i) * bytes_.size());
      latest_.fetch(hashes[i]);
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (latest_.meet(states + (begin + i) * bytes_.size(), hashes[i])) {
        if (outcomes != nullptr) outcomes[begin + i] = Outcome::seen;
        continue;
      }
      unordered_[batch_] = hashes[i];
      unordered_places_[batch_++] = static_cast<uint32_t>(begin + i);
      sort_.count(plan.shard_of(hashes[i]));
    }
  }
  sort_.sum();
  for (uint64_t i = 0; i < batch_; ++i) {
    const uint32_t place = sort_.place(plan.shard_of(unordered_[i]));
    hashes_[place] = unordered_[i];
    places_[place] = unordered_places_[i];
  }
  fetch_block(0);
}

// Fetches the index buckets of the block of the ordered batch that begins here.
template <unsigned kBytes>
void TableInserter<kBytes>::fetch_block(uint64_t begin) {
  if (begin >= batch_) return;
  const uint64_t shard = table_.plan_.shard_of(hashes_[begin]);
  const uint64_t end = std::min<uint64_t>(begin + StateShard::kBlock, sort_.end(shard));
  table_.shards_[shard].fetch_buckets(hashes_.data() + begin, end - begin);
}

template <unsigned kBytes>
void TableInserter<kBytes>::look_up(Block& block) {
  table_.shards_[block.shard].fetch_candidates(bytes_, block.hashes, block.count, block.candidates);
}

// Compares the states of a block with their candidates, inserts those that differ, and unlocks the shard after its last
// block.
template <unsigned kBytes>
void TableInserter<kBytes>::settle(const Block& block, Outcome* outcomes, InsertCounts& counts) {
  StateShard& shard = table_.shards_[block.shard];
  uint64_t fresh = 0, full = 0;
  for (uint64_t i = 0; i < block.count; ++i) {
    const uint8_t* state = block.base + block.places[i] * bytes_.size();
    Outcome outcome = Outcome::seen;
    if (block.candidates[i] == nullptr || !bytes_.equal(block.candidates[i], state)) {
      outcome = shard.insert(bytes_, state, block.hashes[i]);
      fresh += outcome == Outcome::fresh;
      if (outcome == Outcome::full) {
        ++full;
        if (keeps_refused_ && outcomes == nullptr)
          refused_.insert(refused_.end(), state, state + bytes_.size());
      }
    }
    if (outcomes != nullptr) outcomes[block.places[i]] = outcome;
  }
  counts += {block.count - fresh - full, fresh, full};
  if (block.last && table_.concurrent()) shard.lock.unlock();
}

// A group by itself, its shard waited for.
template <unsigned kBytes>
void TableInserter<kBytes>::work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts) {
  table_.shards_[group.shard].lock.lock();
  work_off_locked(group, outcomes, counts);
}

template <unsigned kBytes>
void TableInserter<kBytes>::work_off_locked(const ShardGroup& group, Outcome* outcomes,
                                            InsertCounts& counts) {
  Block block;
  for (uint64_t done = 0; done < group.count; done += block.count) {
    block.take(group, done);
    look_up(block);
    settle(block, outcomes, counts);
  }
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
  waiting_.push_back(
      {group.shard, base, counting_.data(), waiting_hashes_.data() + waiting_count_, group.count});
  waiting_count_ += group.count;
  return true;
}

// Works off what was put aside, as far as locks are to be had, or all of it.
template <unsigned kBytes>
void TableInserter<kBytes>::retry_waiting(bool block, InsertCounts& counts) {
  if (waiting_.empty()) return;
  std::erase_if(waiting_, [&](const ShardGroup& group) {
    if (block) {
      work_off(group, nullptr, counts);
    } else if (table_.shards_[group.shard].lock.try_lock()) {
      work_off_locked(group, nullptr, counts);
    } else {
      return false;
    }
    return true;
  });
  if (waiting_.empty()) waiting_count_ = 0;
  if (counts.full > 0) latest_.clear();
}

}  // namespace strata
