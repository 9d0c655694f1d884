#include "store/table/state_shard.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <thread>

namespace strata {

namespace {

// Probe sequences stay short up to the first load. When the budget refuses a larger index, the index is filled up to
// the second one.
constexpr double kMaxLoad = 0.92;
constexpr double kLastLoad = 0.97;

// Doubling an index costs the least time, small steps the least memory.
constexpr double kSmallGrowth = 1.3;
constexpr double kLargeGrowth = 2.0;

// The memory of a process besides the table, and the number of states below which that alone misses the goal of
// growth().
constexpr double kProcessBytes = 8 << 20;
constexpr double kSmallTable = 1 << 20;  // states

// The smallest index, in buckets.
constexpr uint64_t kFirstBuckets = 16;

// Five bits of tag at least.
constexpr uint64_t kMostEntries = uint64_t{1} << 26;

}  // namespace

// The goal is that a process takes at most 1.35 * state_bytes + 4 bytes a state. With indexes that grow by g and are
// spread evenly between just grown and about to grow, the mean is (g - 1) / ln(g) times the smallest, which is solved
// for g here (by a parabola, exact to 1 %). A small table misses the goal whatever its index, and may as well be fast.
double ShardPlan::growth(uint64_t shard_states) const {
  const double states = static_cast<double>(shard_states * shards());
  if (states < kSmallTable) return kLargeGrowth;
  const double index_bytes = 0.35 * static_cast<double>(state_bytes) + 4 - kProcessBytes / states;
  const double spare = index_bytes * kMaxLoad / sizeof(uint32_t) - 1;
  return std::clamp(1 + 2 * spare + spare * spare * 2 / 3, kSmallGrowth, kLargeGrowth);
}

void StateShard::attach(uint64_t number, const ShardPlan& plan, ChunkArena& arena) {
  plan_ = &plan;
  arena_ = &arena;
  state_bytes_ = plan.state_bytes;
  array_bits_ = plan.array_bits;
  bucket_bits_ = plan.bucket_bits;
  const double phase = static_cast<double>(number) / static_cast<double>(plan.shards());
  index_ideal_ = static_cast<double>(kFirstBuckets) * std::pow(kLargeGrowth, phase - 1);
}

bool StateShard::extend_array() {
  if (!array_.add(*arena_, state_bytes_ << array_bits_)) return false;
  array_limit_ = array_.size() << array_bits_;
  return true;
}

bool StateShard::extend_index() {
  // Where the budget refuses the regular step, smaller ones are tried: the last memory is worth more work.
  const double regular = plan_->growth(count_) - 1;
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
    if (!index_.add(*arena_, sizeof(IndexBucket) << bucket_bits_)) return false;
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

std::string StateShard::check_invariants() const {
  InvariantCheck check("StateShard");
  check.holds(5, count_ <= array_.size() << array_bits_, "there is memory for all states");
  check.holds(5, count_ == 0 || count_ < buckets() * IndexBucket::kSlots, "some bucket is not full");
  if (!check.ok()) return check.broken();
  std::vector<uint8_t> entered(count_);
  check.part(check_entries(entered));
  for (uint64_t i = 0; i < count_ && check.ok(); ++i)
    check.holds(1, entered[i] != 0, "every state has an entry", i);
  if (check.ok()) check.part(check_probes());
  return check.broken();
}

std::string StateShard::check_entries(std::vector<uint8_t>& entered) const {
  InvariantCheck check("StateShard");
  for (uint64_t b = 0; b < buckets() && check.ok(); ++b) {
    for (unsigned slot = 0; slot < IndexBucket::kSlots; ++slot) {
      const uint32_t entry = bucket(b)->slots[slot];
      if (entry == 0) continue;
      check.holds(3, slot == 0 || bucket(b)->slots[slot - 1] != 0, "a bucket is filled from the front", b);
      const uint32_t number = number_of(entry);
      check.holds(1, number != 0 && number <= count_, "an entry names a state", b);
      if (!check.ok()) break;
      check.holds(1, entered[number - 1]++ == 0, "a state has one entry", number - 1);
    }
  }
  return check.broken();
}

// Walks the probe sequence of each state up to its entry. All states have one.
std::string StateShard::check_probes() const {
  InvariantCheck check("StateShard");
  const StateBytes<0> bytes{state_bytes_};
  for (uint64_t i = 0; i < count_ && check.ok(); ++i) {
    const uint64_t hash = bytes.hash(state(i));
    Probe probe(hash, buckets());
    for (bool found = false; !found && check.ok(); probe.advance()) {
      const IndexBucket* in = bucket(probe.at);
      for (SlotSet same = in->matching(tag(hash), number_bits_); !same.empty(); same.drop_first()) {
        const uint32_t number = number_of(in->slots[same.first()]);
        if (number == 0) break;
        found |= number == i + 1;
        check.holds(4, number == i + 1 || !bytes.equal(state(number - 1), state(i)), "all states differ", i);
      }
      check.holds(2, found || in->full(), "the buckets before a state's entry are full", i);
    }
  }
  return check.broken();
}

}  // namespace strata
