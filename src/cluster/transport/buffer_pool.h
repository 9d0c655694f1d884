// Buffers of one size that are used again and again: a batch of tens of KiB would otherwise be fetched from
// the system and given back each time. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace strata::cluster {

using Buffer = std::vector<uint8_t>;

class BufferPool {
 public:
  // Buffers of this size are kept, as many as that; others are not.
  void keep(uint64_t bytes, uint64_t buffers) {
    const std::lock_guard lock(mutex_);
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
    const std::lock_guard lock(mutex_);
    if (bytes_ > 0 && buffer.capacity() >= bytes_ && buffer.capacity() < 2 * bytes_ && spare_.size() < most_)
      spare_.push_back(std::move(buffer));
  }

 private:
  // Small messages are not worth one.
  Buffer spare(uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    if (spare_.empty() || bytes > bytes_ || bytes < 1024) return {};
    Buffer buffer = std::move(spare_.back());
    spare_.pop_back();
    return buffer;
  }

  std::mutex mutex_;
  uint64_t bytes_ = 0, most_ = 0;
  std::vector<Buffer> spare_;
};

}  // namespace strata::cluster
