#include "search/frontier.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {
// Models may read states by whole words.
constexpr uint64_t kReadAhead = 16;
}  // namespace

uint64_t Frontier::largest_piece(uint64_t state_bytes) {
  return std::clamp<uint64_t>((256 << 10) / state_bytes, 16, 2048);
}

void Frontier::load(const LevelStack& levels, unsigned threads) {
  ranges_.clear();
  starts_.assign(1, 0);
  for (uint64_t shard = 0; shard < table_.shard_count(); ++shard) {
    const uint64_t begin = levels.begin(shard), end = levels.end(shard);
    if (begin == end) continue;
    ranges_.push_back({shard, begin});
    starts_.push_back(starts_.back() + end - begin);
  }
  // Pieces small enough that threads finish together, large enough for full batches.
  piece_ = std::clamp<uint64_t>(size() / (uint64_t{8} * threads), 16, largest_piece(table_.state_bytes()));
  next_.store(0, std::memory_order_relaxed);
}

Frontier::Piece Frontier::take(UntouchedVector<uint8_t>& buffer) {
  const uint64_t begin = next_.fetch_add(piece_, std::memory_order_relaxed);
  if (begin >= size()) return {};
  const uint64_t end = std::min(begin + piece_, size());
  const uint64_t bytes = table_.state_bytes();
  uint64_t range =
      static_cast<uint64_t>(std::upper_bound(starts_.begin(), starts_.end(), begin) - starts_.begin()) - 1;
  for (uint64_t next = begin; next < end;) {
    const uint64_t shard = ranges_[range].shard;
    const uint64_t number = ranges_[range].begin + next - starts_[range];
    const uint64_t run = table_.run_length() - number % table_.run_length();
    const uint64_t until = std::min({end, starts_[range + 1], next + run});
    const uint8_t* states = table_.state(shard, number);
    if (next == begin && until == end) return {states, end - begin};
    if (next == begin) buffer.resize((end - begin) * bytes + kReadAhead);
    std::memcpy(buffer.data() + (next - begin) * bytes, states, (until - next) * bytes);
    if (until == starts_[range + 1]) ++range;
    next = until;
  }
  return {buffer.data(), end - begin};
}

}  // namespace strata
