#include "view/fold/node_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace strata {

namespace {

// The first segment is a small part of the whole, so that little is lost where the last one cannot be as large as it should.
constexpr uint64_t kLeastFirst = kPageBytes, kMostFirst = 4 << 20, kPartOfFirst = 64;
// Keys are made of two numbers.
constexpr unsigned kMostNumberBits = 32;

uint64_t first_bytes(uint64_t limit) {
  return std::bit_floor(std::clamp(limit / kPartOfFirst, kLeastFirst, kMostFirst));
}

}  // namespace

template <unsigned kWords>
NodeTable<kWords>::NodeTable(MemoryBudget& budget, uint64_t shape_bytes)
    : budget_(budget),
      first_bits_(static_cast<unsigned>(std::countr_zero(first_bytes(shape_bytes) / kBucketBytes * kStride))),
      first_places_(uint64_t{1} << first_bits_),
      number_bits_(std::min(kMostNumberBits,
                            static_cast<unsigned>(std::bit_width(shape_bytes / kBucketBytes * kStride)))) {}

// The segment that others have added meanwhile, or a new one; null: there is no room for it.
template <unsigned kWords>
const typename NodeTable<kWords>::Segment* NodeTable<kWords>::add_segment(unsigned k) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Segment* there = segments_[k].load(std::memory_order_acquire)) return there;
  const uint64_t wanted = (first_places_ << k) / kStride * kBucketBytes;
  const uint64_t first = 1 + (first_places_ << k) - first_places_;
  const uint64_t left = round_down(budget_.limit() - std::min(budget_.limit(), budget_.used()), kPageBytes);
  const uint64_t numbered = round_down(
      ((uint64_t{1} << number_bits_) - std::min(first, uint64_t{1} << number_bits_)) / kStride * kBucketBytes,
      kPageBytes);
  const uint64_t bytes = std::min({wanted, left, numbered});
  // One that is smaller than it should be is the last, as nothing is left then.
  return bytes == 0 ? nullptr : make_segment(k, bytes);
}

template <unsigned kWords>
const typename NodeTable<kWords>::Segment* NodeTable<kWords>::make_segment(unsigned k, uint64_t bytes) {
  if (!budget_.reserve(bytes)) return nullptr;
  auto segment = std::make_unique<Segment>();
  Result<MemoryMap> memory = MemoryMap::reserve(bytes);
  const MemoryMap::Pages pages =
      bytes >= 2 * kHugePageBytes ? MemoryMap::Pages::huge : MemoryMap::Pages::small;
  if (!memory.ok() || !memory->commit(0, bytes, pages)) {
    budget_.release(bytes);
    return nullptr;
  }
  segment->memory = std::move(*memory);
  segment->buckets_at = reinterpret_cast<Word*>(segment->memory.data());
  segment->buckets = bytes / kBucketBytes;
  segment->first = static_cast<uint32_t>(1 + (first_places_ << k) - first_places_);
  owned_[k] = std::move(segment);
  segments_[k].store(owned_[k].get(), std::memory_order_release);
  return owned_[k].get();
}

// Much of the last segment is free: pieces of zeros are left out.
template <unsigned kWords>
void NodeTable<kWords>::exchange(Image& image) {
  constexpr uint64_t kPiece = 64 << 10;
  uint64_t count = 0;
  while (count < kSegments && owned_[count]) ++count;
  image.value("segments", count);
  for (unsigned k = 0; k < count && image.ok(); ++k) {
    uint64_t bytes = owned_[k] ? owned_[k]->buckets * kBucketBytes : 0;
    image.value("bytes", bytes);
    if (!image.ok()) return;
    if (image.restores() && (k >= kSegments || make_segment(k, bytes) == nullptr))
      return image.fail(Status::limit(fmt::format(
          "--memory is too small: the parts of folded states alone had {} MiB; raise it", bytes >> 20)));
    uint8_t* const data = owned_[k]->memory.data();
    for (uint64_t at = 0; at < bytes; at += kPiece) {
      const uint64_t n = std::min(kPiece, bytes - at);
      bool any =
          !image.restores() && std::any_of(data + at, data + at + n, [](uint8_t byte) { return byte != 0; });
      image.bytes(&any, 1);
      if (any) image.bytes(data + at, n);
    }
  }
}

template <unsigned kWords>
uint64_t NodeTable<kWords>::size() const {
  uint64_t count = 0;
  for (const std::unique_ptr<Segment>& segment : owned_)
    for (uint64_t i = 0; segment && i < segment->buckets * kBucketWords; ++i) {
      const uint64_t word = segment->buckets_at[i].load(std::memory_order_relaxed);
      if constexpr (kWords == 1) count += word != 0;
      if constexpr (kWords > 1) count += i % kBucketWords == 0 ? word & kCount : 0;
    }
  return count;
}

template class NodeTable<1>;
template class NodeTable<2>;
template class NodeTable<4>;
template class NodeTable<8>;

}  // namespace strata
