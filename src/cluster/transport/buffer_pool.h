// Buffers of one size that are used again: otherwise the memory for a batch of tens of KiB would be taken from the
// system and given back each time.
//
// Thread safety: take() and give() may be called by any thread; keep() before the others.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/locks/mutex.h"

namespace strata::cluster {

using Buffer = std::vector<uint8_t>;

class BufferPool {
 public:
  // Keeps up to that many buffers of this size, and no others.
  void keep(uint64_t bytes, uint64_t buffers) {
    const MutexLock lock(mutex_);
    bytes_ = bytes;
    most_ = buffers;
  }

  // A buffer of this size, with any content.
  Buffer take(uint64_t bytes) {
    Buffer buffer = spare(bytes);
    if (buffer.capacity() == 0 && bytes <= bytes_) buffer.reserve(bytes_);
    buffer.resize(bytes);
    return buffer;
  }

  void give(Buffer buffer) {
    const MutexLock lock(mutex_);
    if (bytes_ > 0 && buffer.capacity() >= bytes_ && buffer.capacity() < 2 * bytes_ && spare_.size() < most_)
      spare_.push_back(std::move(buffer));
  }

 private:
  // Small messages get none.
  Buffer spare(uint64_t bytes) {
    const MutexLock lock(mutex_);
    if (spare_.empty() || bytes > bytes_ || bytes < 1024) return {};
    Buffer buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
  }

  Mutex mutex_;
  // Set by keep(), before other threads use the pool.
  uint64_t bytes_ = 0, most_ = 0;
  std::vector<Buffer> spare_ GUARDED_BY(mutex_);
};

}  // namespace strata::cluster
