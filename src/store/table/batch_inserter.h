// One thread's way into a table of shards: the batch pipeline that state_table.h describes.
//
// `Access` has what differs between the tables: Bytes, the operations on states of one size; item(), the word by which
// a state is found, its hash() or the state itself; and find(), which looks for a group of states of one shard and
// fetches the lines that insert() will read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "store/key/thread_cache.h"
#include "store/table/batch_buffers.h"

namespace strata {

template <class Access>
class BatchInserter final : public BatchBuffers {
  using Table = typename Access::Table;

 public:
  // The caller has drawn TableSizes::inserter_bytes() from the budget; the destructor gives them back.
  explicit BatchInserter(Table& table);
  ~BatchInserter() override;

  InsertCounts insert(const uint8_t* states, uint64_t n, Outcome* outcomes) override;
  InsertCounts insert(const uint8_t* states, uint64_t n) override;
  InsertCounts finish() override;

 private:
  // Some states of a group, and what find() found for them.
  struct Block : ShardGroup {
    bool last;  // of its group
    typename Access::Found found;

    uint64_t take(const ShardGroup& group, uint64_t done) {
      shard = group.shard;
      base = group.base;
      places = group.places + done;
      items = group.items + done;
      count = std::min(Access::kBlock, group.count - done);
      last = done + count == group.count;
      return count;
    }
  };

  // Shards are locked only where there are several threads, two at a time, and Held unlocks them: the analysis cannot
  // follow that.
  InsertCounts insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes) UNCHECKED_LOCKS;
  void order_by_shard(const uint8_t* states, uint64_t n, Outcome* outcomes);
  void fetch_block(uint64_t begin);
  void look_up(Block& block);
  void insert_block(const Block& block, Outcome* outcomes, InsertCounts& counts, Held& held);
  void work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts) UNCHECKED_LOCKS;
  void work_off_locked(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts);
  void retry_waiting(bool block, InsertCounts& counts) UNCHECKED_LOCKS;

  const Access access_;
  const typename Access::Bytes bytes_;
  const uint64_t charged_;
  // States inserted lately: each of them is in the table, or waits in this inserter. As a state that found no room is
  // in neither, this is cleared then.
  ThreadCache<typename Access::Bytes> latest_;
};

template <class Access>
BatchInserter<Access>::BatchInserter(Table& table)
    : BatchBuffers(table.sizes(), table.state_bytes()),
      access_(table),
      bytes_{table.state_bytes()},
      charged_(sizes_.inserter_bytes()) {
  latest_.resize(bytes_, latest_.memory(bytes_.size(), sizes_.recent));
}

template <class Access>
BatchInserter<Access>::~BatchInserter() {
  access_.budget().release(charged_);
}

template <class Access>
InsertCounts BatchInserter<Access>::insert(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  InsertCounts counts;
  for (uint64_t i = 0; i < n; i += sizes_.batch) {
    counts += insert_batch(states + i * bytes_.size(), std::min(sizes_.batch, n - i), outcomes + i);
  }
  return counts;
}

template <class Access>
InsertCounts BatchInserter<Access>::insert(const uint8_t* states, uint64_t n) {
  InsertCounts counts;
  retry_waiting(false, counts);
  for (uint64_t i = 0; i < n; i += sizes_.batch) {
    counts += insert_batch(states + i * bytes_.size(), std::min(sizes_.batch, n - i), nullptr);
  }
  return counts;
}

template <class Access>
InsertCounts BatchInserter<Access>::finish() {
  InsertCounts counts;
  retry_waiting(true, counts);
  return counts;
}

// Blocks of the ordered batch pass through three stages: its buckets are fetched, its candidates are looked up and
// fetched, it is inserted; each while the block before it is in the next stage. So up to two shards are locked at a
// time; as the second lock is only tried, there is no deadlock.
template <class Access>
InsertCounts BatchInserter<Access>::insert_batch(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  InsertCounts counts;
  order_by_shard(states, n, outcomes);
  counts.seen += n - batch_;
  blocked_.clear();
  Block blocks[2];
  Block* last = nullptr;
  Held held;
  for (uint64_t begin = 0; begin < batch_;) {
    const uint64_t shard = access_.shard_of(items_[begin], access_.hash(items_[begin]));
    const uint64_t end = sort_.end(shard);
    // Another thread had these lines last; fetching them takes about as long as working off a group.
    if (concurrent() && shard + 2 < sizes_.shards.shards()) access_.shard(shard + 2).fetch_head();
    const ShardGroup group{shard, states, places_.data() + begin, items_.data() + begin, end - begin};
    if (concurrent() && !access_.shard(shard).lock.try_lock()) {
      if (outcomes != nullptr || !put_aside(group)) blocked_.push_back(group);
      begin = end;
      fetch_block(begin);
      continue;
    }
    if (concurrent()) held.add(access_.shard(shard).lock);
    for (uint64_t done = 0; done < group.count; done += Access::kBlock) {
      Block& block = blocks[last == blocks];
      begin += block.take(group, done);
      fetch_block(begin);
      look_up(block);
      if (last != nullptr) insert_block(*last, outcomes, counts, held);
      last = &block;
    }
  }
  if (last != nullptr) insert_block(*last, outcomes, counts, held);
  for (const ShardGroup& group : blocked_) work_off(group, outcomes, counts);
  if (counts.full > 0) latest_.clear();
  return counts;
}

// Finds the item of each state, drops states that were seen lately, and orders the rest by shard; the states themselves
// are not moved.
template <class Access>
void BatchInserter<Access>::order_by_shard(const uint8_t* states, uint64_t n, Outcome* outcomes) {
  sort_.begin(sizes_.shards.shards());
  batch_ = 0;
  for (uint64_t begin = 0; begin < n; begin += Access::kBlock) {
    const uint64_t count = std::min(Access::kBlock, n - begin);
    uint64_t items[Access::kBlock], hashes[Access::kBlock];
    for (uint64_t i = 0; i < count; ++i) {
      items[i] = access_.item(states + (begin + i) * bytes_.size());
      hashes[i] = access_.hash(items[i]);
      latest_.fetch(hashes[i]);
    }
    for (uint64_t i = 0; i < count; ++i) {
      if (latest_.meet(states + (begin + i) * bytes_.size(), hashes[i])) {
        if (outcomes != nullptr) outcomes[begin + i] = Outcome::seen;
        continue;
      }
      unordered_[batch_] = items[i];
      const uint64_t shard = access_.shard_of(items[i], hashes[i]);
      unordered_shards_[batch_] = static_cast<uint16_t>(shard);
      unordered_places_[batch_++] = static_cast<uint32_t>(begin + i);
      sort_.count(shard);
    }
  }
  sort_.sum();
  for (uint64_t i = 0; i < batch_; ++i) {
    const uint32_t place = sort_.place(unordered_shards_[i]);
    items_[place] = unordered_[i];
    places_[place] = unordered_places_[i];
  }
  fetch_block(0);
}

// Fetches the index buckets of the block of the ordered batch that begins here.
template <class Access>
void BatchInserter<Access>::fetch_block(uint64_t begin) {
  if (begin >= batch_) return;
  const uint64_t shard = access_.shard_of(items_[begin], access_.hash(items_[begin]));
  const uint64_t end = std::min<uint64_t>(begin + Access::kBlock, sort_.end(shard));
  access_.fetch(shard, items_.data() + begin, end - begin);
}

template <class Access>
void BatchInserter<Access>::look_up(Block& block) {
  access_.find(block, block.found);
}

// Inserts the states of a block, and unlocks the shard after its last block.
template <class Access>
void BatchInserter<Access>::insert_block(const Block& block, Outcome* outcomes, InsertCounts& counts,
                                         Held& held) {
  uint64_t fresh = 0, full = 0;
  access_.insert(block, block.found, [&](uint64_t i, Outcome outcome) {
    fresh += outcome == Outcome::fresh;
    if (outcome == Outcome::full) {
      ++full;
      if (outcomes == nullptr) keep_if_refused(block.base + block.places[i] * bytes_.size());
    }
    if (outcomes != nullptr) outcomes[block.places[i]] = outcome;
  });
  counts += {block.count - fresh - full, fresh, full};
  if (block.last && concurrent()) held.unlock(access_.shard(block.shard).lock);
}

// Works off one group; waits for its shard.
template <class Access>
void BatchInserter<Access>::work_off(const ShardGroup& group, Outcome* outcomes, InsertCounts& counts) {
  access_.shard(group.shard).lock.lock();
  work_off_locked(group, outcomes, counts);
}

template <class Access>
void BatchInserter<Access>::work_off_locked(const ShardGroup& group, Outcome* outcomes,
                                            InsertCounts& counts) {
  Block block;
  Held held;
  held.add(access_.shard(group.shard).lock);
  for (uint64_t done = 0; done < group.count; done += block.count) {
    block.take(group, done);
    look_up(block);
    insert_block(block, outcomes, counts, held);
  }
}

// Works off groups that were put aside: those whose shards are free, or if `block` all of them.
template <class Access>
void BatchInserter<Access>::retry_waiting(bool block, InsertCounts& counts) {
  if (waiting_.empty()) return;
  std::erase_if(waiting_, [&](const ShardGroup& group) {
    if (block) {
      work_off(group, nullptr, counts);
    } else if (access_.shard(group.shard).lock.try_lock()) {
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
