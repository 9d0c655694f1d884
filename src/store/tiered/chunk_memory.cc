#include "store/tiered/chunk_memory.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace strata {

namespace {

// Eight helpers fill some 20 GB/s with zeros, about half of what a device may want to copy.
constexpr uint64_t kAhead = 8, kLargestStretch = 64 << 20;
// What is made ready ahead is an eighth of the memory at most.
constexpr uint64_t kStretches = 64;

}  // namespace

ChunkMemory::ChunkMemory(MemoryBudget& budget, uint64_t memory, uint64_t chunk_bytes, MemoryUser* user)
    : budget_(budget),
      chunk_bytes_(round_up(chunk_bytes, kPageBytes)),
      memory_(round_down(memory, chunk_bytes_)),
      stretch_bytes_(
          std::max(round_down(std::min(memory_ / kStretches, kLargestStretch), chunk_bytes_), chunk_bytes_)),
      user_(user) {
  Result<MemoryMap> map = MemoryMap::reserve(memory_);
  refused_ = map.status();
  if (!map.ok()) return;
  map_ = std::move(*map);
  map_.keep_from_copies();
}

ChunkMemory::~ChunkMemory() {
  for (Stretch& stretch : coming_)
    if (stretch.helper.joinable()) stretch.helper.join();
  if (user_ != nullptr) {
    static_cast<void>(user_->settle());
    for (void* memory : taken_) user_->drop(memory);
  }
  budget_.release(drawn_);
}

Result<uint8_t*> ChunkMemory::take() {
  if (!refused_.ok()) return refused_;
  if (next_ == ready_end_) {
    while (coming_.size() < kAhead && begin_stretch()) continue;
    if (coming_.empty()) return static_cast<uint8_t*>(nullptr);
    Stretch& stretch = coming_.front();
    if (stretch.helper.joinable()) stretch.helper.join();
    next_ = stretch.begin;
    ready_end_ = stretch.begin + stretch.bytes;
    coming_.pop_front();
  }
  given_ += chunk_bytes_;
  return map_.data() + std::exchange(next_, next_ + chunk_bytes_);
}

// Returns false when the memory is used up, or when a stretch of one chunk is coming: that one needs no helper.
bool ChunkMemory::begin_stretch() {
  if (!coming_.empty() && stretch_bytes_ == chunk_bytes_) return false;
  const uint64_t left = memory_ - drawn_;
  uint64_t bytes = std::min(stretch_bytes_, round_down(left, chunk_bytes_));
  if (bytes == 0) return false;
  if (!budget_.reserve(bytes)) {
    bytes = chunk_bytes_;
    if (!coming_.empty() || !budget_.reserve(bytes)) return false;
  }
  const auto pages = bytes < kHugePageBytes ? MemoryMap::Pages::small : MemoryMap::Pages::huge;
  if (!map_.commit(drawn_, bytes, pages)) {
    budget_.release(bytes);
    return false;
  }
  Stretch& stretch = coming_.emplace_back();
  stretch.begin = std::exchange(drawn_, drawn_ + bytes);
  stretch.bytes = bytes;
  if (user_ != nullptr) taken_.push_back(map_.data() + stretch.begin);
  try {
    if (bytes > chunk_bytes_)
      stretch.helper = std::thread([this, begin = stretch.begin, bytes] { make_ready(begin, bytes); });
  } catch (const std::system_error&) {
    // The system gives no thread.
  }
  if (!stretch.helper.joinable()) make_ready(stretch.begin, bytes);
  return true;
}

void ChunkMemory::make_ready(uint64_t begin, uint64_t bytes) {
  volatile uint8_t* const memory = map_.data() + begin;
  for (uint64_t at = 0; at < bytes; at += kPageBytes) memory[at] = 0;
  if (user_ != nullptr) user_->take(map_.data() + begin, bytes);
}

}  // namespace strata
