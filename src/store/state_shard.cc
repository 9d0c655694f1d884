#include "store/state_shard.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

namespace strata {

namespace {

// A search over a bucket chain stays short up to this load; when the budget refuses a larger index the last reserve
// is used up to the second figure.
constexpr double kMaxLoad = 0.92;
constexpr double kLastLoad = 0.97;

// The smallest index, in buckets.
constexpr uint64_t kFirstBuckets = 16;

// Six bits of tag at least.
constexpr uint64_t kMostEntries = uint64_t{1} << 26;

}  // namespace

void SpinLock::lock() {
  for (unsigned tries = 0; !try_lock(); ++tries) {
    if (tries > 64) std::this_thread::yield();
  }
}

void StateShard::attach(uint64_t number, const ShardPlan& plan, PieceArena& arena) {
  plan_ = &plan;
  arena_ = &arena;
  state_bytes_ = plan.state_bytes;
  array_bits_ = plan.array_bits;
  bucket_bits_ = plan.bucket_bits;
  const double phase = static_cast<double>(number) / static_cast<double>(plan.shards());
  index_ideal_ = static_cast<double>(kFirstBuckets) * std::pow(plan.growth, phase - 1);
}

bool StateShard::extend_array() {
  uint8_t* piece = arena_->allocate(state_bytes_ << array_bits_);
  if (piece == nullptr) return false;
  array_.push_back(piece);
  array_limit_ = array_.size() << array_bits_;
  return true;
}

bool StateShard::extend_index() {
  // Where the budget refuses the regular step, smaller ones are tried: the last memory is worth more work.
  const double regular = plan_->growth - 1;
  const uint64_t piece = uint64_t{1} << bucket_bits_;
  for (const double share : {regular, regular / 2, regular / 4, regular / 8}) {
    const double ideal = index_ideal_ * (1 + share);
    uint64_t wanted = static_cast<uint64_t>(ideal);
    if (wanted > piece) wanted = round_up(wanted, piece);
    if (wanted <= buckets()) wanted = buckets() < piece ? piece : buckets() + piece;
    if (!resize_index(wanted)) continue;
    index_ideal_ = ideal;
    index_refused_ = false;
    return true;
  }
  if (!index_refused_) {
    index_refused_ = true;
    const uint64_t entries = buckets() * IndexBucket::kSlots;
    index_limit_ = std::max(index_limit_, static_cast<uint64_t>(static_cast<double>(entries) * kLastLoad));
  }
  return false;
}

bool StateShard::resize_index(uint64_t new_buckets) {
  const uint64_t entries = new_buckets * IndexBucket::kSlots;
  if (entries > kMostEntries) return false;
  // Pieces that a refused attempt has left behind stay in the list and serve a later one.
  while (index_.size() << bucket_bits_ < new_buckets) {
    uint8_t* piece = arena_->allocate(sizeof(IndexBucket) << bucket_bits_);
    if (piece == nullptr) return false;
    index_.push_back(piece);
  }
  const uint64_t old = buckets();
  for (uint64_t done = 0; done < old; done += uint64_t{1} << bucket_bits_) {
    const uint64_t part = std::min(old - done, uint64_t{1} << bucket_bits_);
    std::memset(static_cast<void*>(bucket(done)), 0, part * sizeof(IndexBucket));
  }
  number_bits_ = static_cast<unsigned>(std::bit_width(entries));
  index_limit_ = static_cast<uint64_t>(static_cast<double>(entries) * kMaxLoad);
  bucket_count_.store(new_buckets, std::memory_order_release);
  return true;
}

}  // namespace strata
