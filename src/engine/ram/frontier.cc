#include "engine/ram/frontier.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {
// Models may read states in whole words.
constexpr uint64_t kReadAhead = 16;
}  // namespace

uint64_t Frontier::largest_piece(uint64_t state_bytes) {
  return std::clamp<uint64_t>((256 << 10) / state_bytes, 16, 2048);
}

void Frontier::load(const LevelStack& levels, unsigned threads, const std::vector<uint64_t>& begins) {
  ranges_.clear();
  size_ = 0;
  for (uint64_t shard = 0; shard < table_.shard_count(); ++shard) {
    const uint64_t begin = begins[shard], end = levels.end(shard);
    if (begin == end) continue;
    ranges_.push_back({shard, begin, end - begin});
    size_ += end - begin;
  }
  // Pieces small enough that threads finish together, large enough for full batches.
  const uint64_t most = largest_piece(table_.state_bytes());
  const uint64_t piece = std::clamp<uint64_t>(size_ / (uint64_t{8} * threads), most / 64 + 1, most / 2);
  pieces_ = (size_ + piece - 1) / piece;
  // The remainders of the shards go to different pieces, so that all pieces have about the same size.
  for (uint64_t i = 0; i < ranges_.size(); ++i) ranges_[i].phase = i * pieces_ / ranges_.size();
  next_.store(0, std::memory_order_relaxed);
}

Frontier::Piece Frontier::take(UntouchedVector<uint8_t>& buffer) {
  const uint64_t piece = next_.fetch_add(1, std::memory_order_relaxed);
  if (piece >= pieces_) return {};
  const uint64_t bytes = table_.state_bytes();
  uint64_t count = 0;
  for (const Range& range : ranges_) count += share_end(range, piece) - share_begin(range, piece);
  buffer.resize(count * bytes + kReadAhead);
  uint8_t* to = buffer.data();
  for (const Range& range : ranges_) {
    for (uint64_t next = share_begin(range, piece), end = share_end(range, piece); next < end;) {
      const uint64_t number = range.begin + next;
      const uint64_t n = std::min(end - next, table_.run_length() - number % table_.run_length());
      std::memcpy(to, table_.state(range.shard, number), n * bytes);
      to += n * bytes;
      next += n;
    }
  }
  // Rounding can make a piece empty; more pieces may follow.
  return count > 0 ? Piece{buffer.data(), count} : take(buffer);
}

uint64_t Frontier::untouched(uint64_t shard) const {
  const uint64_t next = std::min(next_.load(std::memory_order_relaxed), pieces_);
  for (const Range& range : ranges_)
    if (range.shard == shard) return range.begin + (next == pieces_ ? range.count : share_begin(range, next));
  return UINT64_MAX;
}

}  // namespace strata
