// A bit for each number below a size, or a few bits: the array as fields of equal width.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "base/memory_budget.h"
#include "liveness/semi/semi_plan.h"

namespace strata {

class BitArray {
 public:
  BitArray(MemoryBudget& budget, uint64_t size) : size_(size), memory_(budget, bytes_of(size)) {}

  static uint64_t bytes_of(uint64_t size) { return bit_array_bytes(size); }
  bool open() const { return memory_.data() != nullptr; }
  void clear() { std::memset(memory_.data(), 0, bytes_of(size_)); }
  bool get(uint64_t i) const { return (words()[i / 64] >> i % 64 & 1) != 0; }
  void set(uint64_t i) { words()[i / 64] |= uint64_t{1} << i % 64; }
  void unset(uint64_t i) { words()[i / 64] &= ~(uint64_t{1} << i % 64); }
  // Sets it on any thread; whether it was set before.
  bool test_and_set(uint64_t i) { return (add(i / 64, uint64_t{1} << i % 64) >> i % 64 & 1) != 0; }

  // Field i of those with this width, a power of two up to 64. On any thread.
  uint64_t field(uint64_t i, uint64_t width) const {
    const uint64_t word = std::atomic_ref<uint64_t>(words()[i * width / 64]).load(std::memory_order_relaxed);
    return word >> i * width % 64 & full_field(width);
  }
  // Adds bits to it; whether that changes it.
  bool add_to_field(uint64_t i, uint64_t width, uint64_t bits) {
    if ((bits & ~field(i, width)) == 0) return false;
    const uint64_t shift = i * width % 64;
    return (bits & ~(add(i * width / 64, bits << shift) >> shift)) != 0;
  }
  static uint64_t full_field(uint64_t width) { return width == 64 ? UINT64_MAX : (uint64_t{1} << width) - 1; }

 private:
  uint64_t* words() const { return reinterpret_cast<uint64_t*>(memory_.data()); }
  uint64_t add(uint64_t word, uint64_t bits) {
    return std::atomic_ref<uint64_t>(words()[word]).fetch_or(bits, std::memory_order_relaxed);
  }

  const uint64_t size_;
  const BudgetedBytes memory_;
};

}  // namespace strata
