// What the inserters of all tables and sizes of states share: the buffers of a batch, the states that wait until their
// shard is free, and those that found no room.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/system/memory_map.h"
#include "store/key/counting_sort.h"
#include "store/table/table_sizes.h"
#include "store/table/visited_set.h"

namespace strata {

class BatchBuffers : public Inserter {
 public:
  void keep_refused() override { keeps_refused_ = true; }
  const std::vector<uint8_t>& refused() const override { return refused_; }
  std::vector<uint8_t> take_refused() override { return std::exchange(refused_, {}); }

 protected:
  BatchBuffers(const TableSizes& sizes, uint64_t state_bytes);

  bool concurrent() const { return sizes_.threads > 1; }
  void keep_if_refused(const uint8_t* state);
  // Copies the states of a group whose shard another thread has locked, so that they can be inserted later. False: the
  // buffer for such states is full.
  bool put_aside(const ShardGroup& group);

  // The shards that this thread has locked, two at most. An exception (out of memory) unlocks them, because other
  // threads wait for them.
  class Held {
   public:
    ~Held() UNCHECKED_LOCKS {
      for (SpinLock* lock : locks_)
        if (lock != nullptr) lock->unlock();
    }
    void add(SpinLock& lock) { (locks_[0] == nullptr ? locks_[0] : locks_[1]) = &lock; }
    void unlock(SpinLock& lock) RELEASE(lock) {
      (locks_[0] == &lock ? locks_[0] : locks_[1]) = nullptr;
      lock.unlock();
    }

   private:
    SpinLock* locks_[2] = {nullptr, nullptr};
  };

  const TableSizes& sizes_;
  // The batch at hand, ordered by shard.
  UntouchedVector<uint64_t> unordered_, items_;
  UntouchedVector<uint32_t> places_, unordered_places_;
  UntouchedVector<uint16_t> unordered_shards_;
  CountingSort<uint32_t> sort_;
  uint64_t batch_ = 0;
  std::vector<ShardGroup> blocked_;
  // Copies of states put aside until their shard is free.
  std::vector<ShardGroup> waiting_;
  uint64_t waiting_count_ = 0;

 private:
  const uint64_t state_bytes_;
  UntouchedVector<uint8_t> waiting_states_;
  UntouchedVector<uint64_t> waiting_items_;
  std::vector<uint32_t> counting_;  // 0, 1, 2, ...
  bool keeps_refused_ = false;
  std::vector<uint8_t> refused_;
};

}  // namespace strata
