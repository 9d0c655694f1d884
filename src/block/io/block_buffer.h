// Memory for whole blocks, aligned as files need it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "base/memory_budget.h"
#include "base/system/memory_map.h"

namespace strata {

class BlockBuffer {
 public:
  BlockBuffer() = default;
  // The caller has drawn the bytes from a budget.
  explicit BlockBuffer(uint64_t bytes)
      : data_(static_cast<uint8_t*>(std::aligned_alloc(kPageBytes, round_up(bytes, kPageBytes)))) {
    if (!data_) throw std::bad_alloc();
  }
  uint8_t* data() const { return data_.get(); }

 private:
  struct Free {
    void operator()(uint8_t* data) const { std::free(data); }
  };
  std::unique_ptr<uint8_t, Free> data_;
};

// Some buffers of one size, drawn from a budget. count() is 0 if the budget refused them.
class BlockBuffers {
 public:
  BlockBuffers(MemoryBudget& budget, uint64_t block_bytes, uint64_t count)
      : budget_(budget), bytes_(block_bytes * count) {
    if (!budget.reserve(bytes_)) return;
    all_ = BlockBuffer(bytes_);
    block_bytes_ = block_bytes;
    count_ = count;
  }
  ~BlockBuffers() {
    if (count_ > 0) budget_.release(bytes_);
  }
  BlockBuffers(const BlockBuffers&) = delete;
  BlockBuffers& operator=(const BlockBuffers&) = delete;

  uint64_t count() const { return count_; }
  uint8_t* operator[](uint64_t i) const { return all_.data() + i * block_bytes_; }

 private:
  MemoryBudget& budget_;
  const uint64_t bytes_;
  BlockBuffer all_;
  uint64_t block_bytes_ = 0, count_ = 0;
};

}  // namespace strata
