#include "view/fold/node_table.h"

#include <algorithm>
#include <bit>

namespace strata {

namespace {

// The first segment is a small part of the whole, so that little is lost where the last one cannot be as large as it should.
constexpr uint64_t kLeastFirst = kPageBytes, kMostFirst = 8 << 20, kPartOfFirst = 64;
constexpr uint64_t kMostNumbers = uint64_t{1} << 32;

uint64_t first_bytes(uint64_t limit) {
  return std::bit_floor(std::clamp(limit / kPartOfFirst, kLeastFirst, kMostFirst));
}

}  // namespace

NodeTable::NodeTable(uint64_t limit)
    : budget_(std::min(limit, (kMostNumbers - 1) * sizeof(Pair))),
      first_bits_(static_cast<unsigned>(std::countr_zero(first_bytes(limit) / sizeof(Pair)))),
      first_pairs_(uint64_t{1} << first_bits_),
      number_bits_(static_cast<unsigned>(std::bit_width(budget_.limit() / sizeof(Pair)))) {}

// The segment that others have added meanwhile, or a new one; null: there is no room for it.
const NodeTable::Segment* NodeTable::add_segment(unsigned k) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const Segment* there = segments_[k].load(std::memory_order_acquire)) return there;
  const uint64_t left = round_down(budget_.limit() - budget_.used(), kPageBytes);
  const uint64_t bytes = std::min((first_pairs_ << k) * sizeof(Pair), left);
  // The last one, which is smaller, is the end.
  const bool after_last = k > 0 && owned_[k - 1]->buckets * kWays < first_pairs_ << (k - 1);
  if (bytes == 0 || after_last || !budget_.reserve(bytes)) return nullptr;
  auto segment = std::make_unique<Segment>();
  Result<MemoryMap> memory = MemoryMap::reserve(bytes);
  const MemoryMap::Pages pages =
      bytes >= 2 * kHugePageBytes ? MemoryMap::Pages::huge : MemoryMap::Pages::small;
  if (!memory.ok() || !memory->commit(0, bytes, pages)) {
    budget_.release(bytes);
    return nullptr;
  }
  segment->memory = std::move(*memory);
  segment->pairs = reinterpret_cast<Pair*>(segment->memory.data());
  segment->buckets = bytes / sizeof(Pair) / kWays;
  segment->first = static_cast<uint32_t>(1 + (first_pairs_ << k) - first_pairs_);
  owned_[k] = std::move(segment);
  segments_[k].store(owned_[k].get(), std::memory_order_release);
  return owned_[k].get();
}

uint64_t NodeTable::size() const {
  uint64_t count = 0;
  for (const std::unique_ptr<Segment>& segment : owned_)
    for (uint64_t i = 0; segment && i < segment->buckets * kWays; ++i) count += segment->pairs[i] != 0;
  return count;
}

}  // namespace strata
