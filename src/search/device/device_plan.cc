#include "search/device/device_plan.h"

#include <algorithm>

#include "device/kernels/arguments.h"

namespace strata {

namespace {

using device::kernels::kBucketBytes;

constexpr uint64_t kReserve = 64;  // of the free memory, this part stays free
// States that can be flagged together, in steps of a level; and the room for them.
constexpr uint64_t kMostFlagged = 4096, kLeastFlagged = 64, kFlaggedShare = 64;
// In two passes, states that can be expanded together, and the room for what is found of them.
constexpr uint64_t kMostTogether = 1 << 20, kLeastTogether = 64, kTogetherShare = 32;
constexpr uint64_t kLeastStaged = 16, kMostStaged = 1 << 20;
// A table begins with this part of its size: a small table is faster, and need not be cleared as a whole.
constexpr uint64_t kFirstPartOfStates = 32, kFirstPartOfPlaces = 8, kFirstBuckets = 64;
constexpr uint64_t kLeastBuckets = 4;
// The tables of pairs of folded states: the part of the memory for both, which are in use in turn, each so many times
// as large as the one before.
constexpr uint64_t kNodeShare = 8, kNodeGrowth = 16, kLeastNodeBuckets = 64;

// From the smallest to the largest, which together with the one before it takes so many bytes.
std::vector<uint64_t> node_tables(uint64_t bytes) {
  using device::kernels::kMostNodes;
  const uint64_t both = std::min(bytes / kBucketBytes, kMostNodes / 8 / kNodeGrowth * (kNodeGrowth + 1));
  std::vector<uint64_t> sizes = {std::max(both / (kNodeGrowth + 1) * kNodeGrowth, kLeastNodeBuckets)};
  while (sizes.size() < 3 && sizes.front() / kNodeGrowth >= kLeastNodeBuckets)
    sizes.insert(sizes.begin(), sizes.front() / kNodeGrowth);
  return sizes;
}

}  // namespace

uint64_t usable_device_memory(uint64_t free, uint64_t limit) {
  const uint64_t usable = free - free / kReserve;
  return limit == 0 ? usable : std::min(usable, limit);
}

uint64_t bytes_of_passes(uint64_t stretch, const KernelShape& shape) {
  const uint64_t groups = shape.groups * sizeof(uint32_t);
  return stretch * (groups + device::kernels::told_bytes(shape.repeated)) + 2 * groups + sizeof(uint32_t);
}

DevicePlan plan_device(const DevicePlanInput& input) {
  DevicePlan plan;
  plan.shares = MemoryPlan(input.memory);
  MemoryPlan& shares = plan.shares;
  const KernelShape& shape = input.shape;
  const uint64_t whole = shape.words * sizeof(uint64_t), state = shape.list_words() * sizeof(uint64_t);
  plan.note_bytes = (input.notes + 63) / 64 * sizeof(uint64_t);
  // The counts of the search, the notes, and two numbers for each rule; all of it again for those that are not wanted.
  plan.counter_bytes =
      (7 + sizeof(device::kernels::Course) / sizeof(uint64_t) + 2 * input.rules) * sizeof(uint64_t) +
      plan.note_bytes;
  shares.give("counts", 2 * plan.counter_bytes);
  shares.give("model", input.data);
  shares.give("local memory", input.lanes_with_memory * input.local_bytes);
  if (shape.queues_in_memory) shares.give("queues", input.warps * shape.queue_bytes);
  // A state that a lane has put into a slot waits here until it is in the list.
  if (shape.slots == SlotForm::places) shares.give("on way", input.lanes * whole);
  plan.flagged =
      std::clamp(shares.left() / kFlaggedShare / (sizeof(uint64_t) + whole), kLeastFlagged, kMostFlagged);
  shares.give("flags", plan.flagged * sizeof(uint64_t));
  plan.staged_words = std::max({plan.flagged * shape.words, kLeastStaged * shape.words,
                                std::min(shares.left() / kFlaggedShare, kMostStaged) / sizeof(uint64_t)});
  shares.give("staging", plan.staged_words * sizeof(uint64_t));
  if (shape.two_passes) {
    const uint64_t state_found = bytes_of_passes(1, shape) - bytes_of_passes(0, shape);
    plan.stretch = std::clamp(shares.left() / kTogetherShare / state_found, kLeastTogether, kMostTogether);
    shares.give("passes", bytes_of_passes(plan.stretch, shape));
  }
  if (shape.folds()) {
    plan.node_buckets = node_tables(shares.left() / kNodeShare);
    const uint64_t last = plan.node_buckets.size() - 1;
    shares.give("parts",
                (plan.node_buckets[last] + (last > 0 ? plan.node_buckets[last - 1] : 0)) * kBucketBytes);
  }
  const auto states_of = [&](uint64_t buckets) {
    return static_cast<uint64_t>(kMostLoad * static_cast<double>(buckets * shape.slots_of_bucket()));
  };
  const double each =
      static_cast<double>(kBucketBytes) + kMostLoad * static_cast<double>(shape.slots_of_bucket() * state);
  const auto most = static_cast<uint64_t>(static_cast<double>(shares.left()) / each);
  plan.buckets = std::max(most, kLeastBuckets);
  plan.capacity = std::min(states_of(plan.buckets), uint64_t{1} << device::kernels::kPlaceBits);
  const uint64_t first_part = shape.slots == SlotForm::places ? kFirstPartOfPlaces : kFirstPartOfStates;
  plan.first_buckets = std::min(plan.buckets, std::max(plan.buckets / first_part, kFirstBuckets));
  shares.give("table", plan.buckets * kBucketBytes);
  shares.give("list", plan.capacity * state);
  return plan;
}

}  // namespace strata
