// A contiguous range of addresses that fills with memory step by step. Reserving costs nothing; committed pages
// count as resident memory when they are touched, and never sooner: transparent huge pages are used on request only, so
// that the process holds what a MemoryBudget lent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/status.h"

namespace strata {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kHugePageBytes = 2ull << 20;

constexpr uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }
constexpr uint64_t round_down(uint64_t value, uint64_t unit) { return value / unit * unit; }

class MemoryMap {
 public:
  enum class Pages { small, huge };

  // Reserves addresses aligned to a huge page; fails when the system refuses so large a range.
  static Result<MemoryMap> reserve(uint64_t bytes);

  MemoryMap() = default;
  MemoryMap(MemoryMap&& other) noexcept;
  MemoryMap& operator=(MemoryMap&& other) noexcept;
  ~MemoryMap();

  uint8_t* data() const { return data_; }
  uint64_t size() const { return bytes_; }

  // Makes [offset, offset + bytes) readable and writable; both are multiples of kPageBytes. False: the system
  // refused, nothing changed.
  [[nodiscard]] bool commit(uint64_t offset, uint64_t bytes, Pages pages);
  // Asks the system to move committed memory to huge pages now, keeping the contents. It may have no effect.
  void collapse(uint64_t offset, uint64_t bytes);
  // A copy of this process (fork) will not have the memory. A device that reads and writes it by itself could otherwise
  // lose it: after a fork, the system may move a page of this process that is written.
  void keep_from_copies();
  // Gives memory back from the page that offset is in; it stays committed, and reads as zeros from then on.
  void forget(uint64_t offset, uint64_t bytes);

 private:
  uint8_t* data_ = nullptr;
  uint64_t bytes_ = 0;
  void* mapping_ = nullptr;
  uint64_t mapping_bytes_ = 0;
};

// An allocator that leaves elements of trivial types uninitialised, so that a large vector of which little is used
// occupies little memory.
template <class T>
struct UntouchedAllocator : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = UntouchedAllocator<U>;
  };
  using std::allocator<T>::allocator;
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Arguments>
  void construct(U* place, Arguments&&... arguments) {
    ::new (static_cast<void*>(place)) U(std::forward<Arguments>(arguments)...);
  }
};

template <class T>
using UntouchedVector = std::vector<T, UntouchedAllocator<T>>;

}  // namespace strata
