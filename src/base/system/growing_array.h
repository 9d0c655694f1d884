// An array that grows at its end within a MemoryBudget and never moves: a range of addresses that fills with
// memory step by step. Elements that were never written are zero. Thread safety: threads may extend it concurrently.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/locks/spin_lock.h"
#include "base/memory_budget.h"
#include "base/status.h"
#include "base/system/memory_map.h"

namespace strata {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit GrowingArray(MemoryBudget& budget) : budget_(budget) {}
  ~GrowingArray() { budget_.release(committed_); }
  GrowingArray(const GrowingArray&) = delete;
  GrowingArray& operator=(const GrowingArray&) = delete;

  // Reserves addresses for as much as the budget can ever lend.
  Status open() {
    Result<MemoryMap> memory = MemoryMap::reserve(round_up(budget_.limit(), kPageBytes) + kFirstSteps);
    if (!memory.ok()) return memory.status();
    memory_ = std::move(*memory);
    return {};
  }

  // Room for this many elements; false when the budget refuses.
  [[nodiscard]] bool extend(uint64_t elements) {
    return elements * sizeof(T) <= committed_.load(std::memory_order_acquire) || commit(elements * sizeof(T));
  }
  T& operator[](uint64_t i) { return reinterpret_cast<T*>(memory_.data())[i]; }
  const T& operator[](uint64_t i) const { return reinterpret_cast<const T*>(memory_.data())[i]; }

 private:
  static constexpr uint64_t kFirstSteps = 64 << 10;  // up to here, the array doubles

  bool commit(uint64_t bytes) {
    const SpinLockGuard lock(lock_);
    const uint64_t committed = committed_.load(std::memory_order_relaxed);
    if (bytes <= committed) return true;
    // In steps that grow with the array; if the budget refuses, only what is needed.
    const uint64_t more = std::max(committed / 8, std::min(committed, kFirstSteps));
    for (const uint64_t wanted : {std::max(bytes, committed + more), bytes}) {
      const uint64_t step = round_up(wanted, kPageBytes) - committed;
      if (committed + step > memory_.size() || !budget_.reserve(step)) continue;
      if (memory_.commit(committed, step, MemoryMap::Pages::small)) {
        committed_.store(committed + step, std::memory_order_release);
        return true;
      }
      budget_.release(step);
    }
    return false;
  }

  MemoryBudget& budget_;
  MemoryMap memory_;
  SpinLock lock_;  // held while the array is extended
  std::atomic<uint64_t> committed_{0};
};

// A stack on such an array.
template <class T>
class GrowingStack {
 public:
  explicit GrowingStack(MemoryBudget& budget) : array_(budget) {}

  Status open() { return array_.open(); }
  [[nodiscard]] bool push(const T& value) {
    if (!array_.extend(size_ + 1)) return false;
    array_[size_++] = value;
    return true;
  }
  // Makes room for this many more elements.
  [[nodiscard]] bool reserve(uint64_t more) { return array_.extend(size_ + more); }
  T pop() { return array_[--size_]; }
  T& top() { return array_[size_ - 1]; }
  uint64_t size() const { return size_; }
  const T& operator[](uint64_t i) const { return array_[i]; }

 private:
  GrowingArray<T> array_;
  uint64_t size_ = 0;
};

}  // namespace strata
