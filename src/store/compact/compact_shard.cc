#include "store/compact/compact_shard.h"

#include <algorithm>
#include <bit>

namespace strata {

namespace {

// How full an index may be before it grows, and when the budget refuses that.
constexpr double kMaxLoad = 0.85;
constexpr double kLastLoad = 0.97;
// A small index is doubled, which costs the least time; a large one grows by a fifth, which costs the least memory.
constexpr unsigned kSmallStep = 4 * 5, kLargeStep = 4 * 8;

unsigned next_step(unsigned step) {
  return step < kSmallStep ? step + 4 : step < kLargeStep ? step + 2 : step + 1;
}

}  // namespace

void CompactShard::attach(uint64_t number, const CompactPlan& plan, ChunkArena& arena) {
  number_ = number;
  plan_ = &plan;
  arena_ = &arena;
  key_bytes_ = plan.shards.state_bytes;
  shard_bits_ = plan.shards.shard_bits;
  queue_bits_ = plan.shards.array_bits;
  bucket_bits_ = plan.shards.bucket_bits;
  layout_ = CompactLayout(UsedBits(shard_bits_), 0, 0);
}

Outcome CompactShard::insert(uint64_t key) {
  if (known(key)) {
    const Place home = place(key);
    const Found found = look(home);
    if (found.probe == 0) return Outcome::seen;
    if (found.probe <= CompactLayout::kProbes && room()) {
      put(found.in, home.rest, found.probe, key);
      return Outcome::fresh;
    }
  }
  if (!make_room(key)) return Outcome::full;
  while (true) {
    const Place home = place(key);
    const Found found = look(home);
    if (found.probe <= CompactLayout::kProbes) {
      put(found.in, home.rest, found.probe, key);
      return Outcome::fresh;
    }
    if (refused_ || !rebuild(layout_.used(), layout_.step() + 1)) {
      refused_ = true;
      return Outcome::full;
    }
  }
}

bool CompactShard::make_room(uint64_t key) {
  if (count_ >= queue_limit_ && !extend_queue()) return false;
  const bool fits = known(key) && plan_->level <= low_mask(layout_.level_bits());
  const unsigned step = layout_.step();
  if (!fits && (refused_ || !rebuild(layout_.used().and_of(key), step))) {
    refused_ = true;
    return false;
  }
  if (count_ >= index_limit_ && (refused_ || !rebuild(layout_.used(), next_step(step)))) {
    refused_ = true;
    set_limit(kLastLoad);
    if (count_ >= index_limit_) return false;
  }
  limit_ = std::min(queue_limit_, index_limit_);
  return true;
}

bool CompactShard::extend_queue() {
  if (!queue_.add(*arena_, piece_bytes())) return false;
  queue_limit_ = queue_.size() << queue_bits_;
  return true;
}

void CompactShard::drop_before(uint64_t number) {
  for (; dropped_ < number >> queue_bits_; ++dropped_) queue_.drop(*arena_, dropped_, piece_bytes());
  refused_ = false;
}

void CompactShard::set_limit(double load) {
  const uint64_t slots = layout_.buckets() * layout_.slots();
  index_limit_ = std::max(index_limit_, static_cast<uint64_t>(static_cast<double>(slots) * load));
  limit_ = std::min(queue_limit_, index_limit_);
}

// An index for these bits, of this many buckets at least. False: refused, the old one stands unchanged.
bool CompactShard::rebuild(const UsedBits& used, unsigned step) {
  const auto level_bits = static_cast<unsigned>(std::bit_width(plan_->level));
  if (level_bits > CompactLayout::kMostLevelBits) return false;
  for (;; ++step) {
    if (step > CompactLayout::kLastStep) return false;
    const CompactLayout layout(used, step, level_bits);
    if (static_cast<double>(layout.buckets() * layout.slots()) * kMaxLoad <= static_cast<double>(count_))
      continue;
    PieceList index;
    bool there = true;
    while (there && index.size() << bucket_bits_ < layout.buckets())
      there = index.add(*arena_, piece_bytes());
    // How full each bucket is is counted on the side, which is faster than looking.
    const BudgetedBytes filled(arena_->budget(), there ? layout.buckets() : 0);
    there = there && filled.data() != nullptr;
    const bool entered = there && enter_all(layout, index, filled.data());
    if (entered) {
      index_.swap(index);
      layout_ = layout;
      index_limit_ = 0;
      ++made_;
      set_limit(kMaxLoad);
    }
    index.clear(*arena_, piece_bytes());
    if (entered || !there) return entered;
  }
}

// False: there is a key all of whose buckets are full.
bool CompactShard::enter_all(const CompactLayout& to, const PieceList& index, uint8_t* counts) const {
  const CompactLayout layout = to;
  const bool same = layout.used().bits() == layout_.used().bits() && layout.key_bits() == layout_.key_bits();
  bool all = true;
  each_slot([&](uint64_t mixed, uint64_t level) {
    const Place home = layout.home(same ? mixed : layout.mix(layout_.unmix(mixed)));
    uint64_t at = home.bucket;
    unsigned probe = 1;
    while (counts[at] == layout.slots() && probe < CompactLayout::kProbes) at = layout.bucket(home, ++probe);
    if (counts[at] < layout.slots())
      write(layout, bucket(index, at), layout.first_slot() + counts[at]++, home.rest, probe, level);
    else
      all = false;
  });
  return all;
}

}  // namespace strata
