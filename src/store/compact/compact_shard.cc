#include "store/compact/compact_shard.h"

#include <algorithm>
#include <bit>

namespace strata {

namespace {

// How full an index may be before it grows, and when the budget refuses that.
constexpr double kMostLoad = 0.85;
constexpr double kLoadAtEnd = 0.97;
// A small index is doubled, to save time; a large one grows by a fifth, to save memory.
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
    set_limit(kLoadAtEnd);
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

// Builds an index for these bits, of at least this step. False: the budget refused it, and the old index is unchanged.
bool CompactShard::rebuild(const UsedBits& used, unsigned step) {
  const auto level_bits = static_cast<unsigned>(std::bit_width(plan_->level));
  if (level_bits > CompactLayout::kMostLevelBits) return false;
  for (;; ++step) {
    if (step > CompactLayout::kLastStep) return false;
    const CompactLayout layout(used, step, level_bits);
    if (static_cast<double>(layout.buckets() * layout.slots()) * kMostLoad <= static_cast<double>(count_))
      continue;
    PieceList index;
    bool there = true;
    while (there && index.size() << bucket_bits_ < layout.buckets())
      there = index.add(*arena_, piece_bytes());
    // Counting the slots in use of each bucket on the side is faster than looking at the buckets.
    const BudgetedBytes filled(arena_->budget(), there ? layout.buckets() : 0);
    there = there && filled.data() != nullptr;
    const bool entered = there && enter_all(layout, index, filled.data());
    if (entered) {
      index_.swap(index);
      layout_ = layout;
      index_limit_ = 0;
      ++made_;
      set_limit(kMostLoad);
    }
    index.clear(*arena_, piece_bytes());
    if (entered || !there) return entered;
  }
}

// False: all buckets of some key are full.
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

std::string CompactShard::check_invariants() const {
  InvariantCheck check("CompactShard");
  check.holds(5, count_ <= queue_.size() << queue_bits_, "the queue has memory for all keys");
  check.holds(1, made_ != 0 || count_ == 0, "without an index there are no keys");
  if (!check.ok() || made_ == 0) return check.broken();
  check.part(check_slots());
  if (check.ok()) check.part(check_queue());
  return check.broken();
}

std::string CompactShard::check_slots() const {
  InvariantCheck check("CompactShard");
  uint64_t used = 0;
  for (uint64_t b = 0; b < layout_.buckets() && check.ok(); ++b) {
    const IndexBucket* in = bucket(b);
    const uint64_t base = layout_.mixed_base(b);
    for (unsigned slot = layout_.first_slot(); slot < IndexBucket::kSlots && check.ok(); ++slot) {
      const uint32_t word = in->slots[slot];
      if (word == 0) continue;
      ++used;
      check.holds(3, slot == layout_.first_slot() || in->slots[slot - 1] != 0,
                  "a bucket is filled from the front", b);
      const uint64_t rest = layout_.rest(word, layout_.extra_bytes() == 0 ? 0 : extra(layout_, in, slot));
      const unsigned probe = layout_.probe(word);
      check.holds(2, probe != 0, "a slot that is in use has a probe", b);
      if (!check.ok()) break;
      const uint64_t home = layout_.home_bucket(b, probe, rest);
      const uint64_t mixed = (probe == 1 ? base : layout_.mixed_base(home)) + rest,
                     key = layout_.unmix(mixed);
      const Place place{home, rest};
      for (unsigned before = 1; before < probe; ++before) {
        const IndexBucket* other = bucket(before == 1 ? home : layout_.bucket(place, before));
        check.holds(2, other->full(), "the buckets before a key's are full", b);
        check.holds(2, !has(layout_, other, rest, before), "no two slots have equal keys", b);
      }
      for (unsigned same = layout_.first_slot(); same < slot; ++same)
        check.holds(2,
                    layout_.probe(in->slots[same]) != probe ||
                        layout_.rest(in->slots[same],
                                     layout_.extra_bytes() == 0 ? 0 : extra(layout_, in, same)) != rest,
                    "no two slots of a bucket have equal keys", b);
      const Place back = layout_.home(layout_.mix(plan_->key(number_, key >> shard_bits_)));
      check.holds(4, back.bucket == home && back.rest == rest, "a slot is the place of its key", b);
    }
  }
  check.holds(1, used == count_, "as many slots are in use as there are keys");
  return check.broken();
}

std::string CompactShard::check_queue() const {
  InvariantCheck check("CompactShard");
  for (uint64_t i = dropped_ << queue_bits_; i < count_ && check.ok(); ++i) {
    const uint64_t key = load_key(published_state(i), key_bytes_);
    check.holds(1, known(key) && look(place(key)).probe == 0, "a key of the queue has a slot", i);
  }
  return check.broken();
}

}  // namespace strata
