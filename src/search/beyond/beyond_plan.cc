#include "search/beyond/beyond_plan.h"

#include <algorithm>
#include <bit>

#include "device/kernels/arguments.h"
#include "search/device/device_plan.h"
#include "search/device/device_states.h"
#include "store/tiered/key_space.h"

namespace strata {

namespace {

using device::kernels::kBucketBytes;

constexpr uint64_t kLargestChunk = 8 << 20;
constexpr uint64_t kMostReaders = 16, kLeastReaders = 2;
// Shares of the device's memory.
constexpr uint64_t kWindowShare = 16, kCandidateShare = 8, kRecentShare = 16;
// With a filter, three eighths are for it, and buffers are smaller.
constexpr uint64_t kEighthsOfFilter = 3, kFilteredShare = 16;
constexpr uint64_t kLeastWindow = 32, kLeastCandidates = 64, kLeastBuckets = 16;
// What keys on disk may add to those in memory: beyond that, a partition is joined in several passes.
constexpr uint64_t kOnDisk = 4;

double bytes_in_room(const KernelShape& shape) {
  const double slot = static_cast<double>(kBucketBytes) / static_cast<double>(shape.slots_of_bucket());
  return slot / kMostLoad + static_cast<double>(shape.list_words() * sizeof(uint64_t));
}

// As many partitions as keep the keys of one within half of a room, if the host's chunks allow so many.
void divide_host(const BeyondInput& input, uint64_t key, BeyondPlan& plan) {
  const uint64_t least = KeySpace::least_chunk(key);
  const auto room = static_cast<uint64_t>(static_cast<double>(input.device) / 2 / bytes_in_room(input.shape));
  const uint64_t wanted = kOnDisk * (input.host / key) / std::max<uint64_t>(room / 2, 1) + 1;
  // Each partition has two logs, and each log a chunk in memory. They take half of the memory at most.
  const uint64_t chunks = input.host / 2 / least;
  plan.readers = std::clamp(chunks / 8, kLeastReaders, kMostReaders);
  const uint64_t beside = plan.readers + 2;
  plan.fits_host = chunks >= beside + 4;
  if (!plan.fits_host) return;
  plan.partitions =
      std::clamp<uint64_t>(wanted, 1, std::min((chunks - beside) / 2, device::kernels::kMostParts));
  const uint64_t logs = 2 * plan.partitions + beside;
  plan.chunk = std::clamp(std::bit_floor(input.host / 4 / logs), least, std::max(kLargestChunk, least));
}

}  // namespace

BeyondPlan plan_beyond(const BeyondInput& input) {
  BeyondPlan plan;
  const KernelShape& shape = input.shape;
  const uint64_t key = shape.list_words() * sizeof(uint64_t);
  divide_host(input, input.key_bytes, plan);
  plan.shares = MemoryPlan(input.device);
  MemoryPlan& shares = plan.shares;
  const auto aligned = [](uint64_t bytes) { return round_up(bytes, kDeviceAlignment); };
  shares.give("partitions", aligned(sizeof(device::kernels::Beyond)) + aligned(2 * sizeof(uint64_t)) +
                                aligned(plan.partitions * sizeof(uint64_t)));
  plan.window = std::max(input.device / kWindowShare / key, kLeastWindow);
  shares.give("window", aligned(plan.window * key));
  const uint64_t share = input.filters ? kFilteredShare : kCandidateShare, buffers = input.filters ? 3 : 2;
  plan.candidates = std::max({input.device / share / key, kLeastCandidates, 2 * input.batch});
  shares.give("candidates", buffers * aligned(plan.candidates * key));
  if (input.filters) {
    plan.filter = std::max<uint64_t>(input.device / 8 * kEighthsOfFilter / sizeof(uint64_t), 1);
    shares.give("filter", aligned(plan.filter * sizeof(uint64_t)));
  }
  if (shape.slots != SlotForm::places) {
    plan.recents = std::bit_floor(std::max<uint64_t>(input.device / kRecentShare / key, 1));
    shares.give("recent", aligned(plan.recents * key));
  }
  const double bucket = bytes_in_room(shape) * kMostLoad * static_cast<double>(shape.slots_of_bucket());
  const uint64_t left = shares.left() - std::min(shares.left(), kDeviceAlignment);
  plan.room_buckets = std::max(static_cast<uint64_t>(static_cast<double>(left) / bucket), kLeastBuckets);
  plan.room =
      static_cast<uint64_t>(kMostLoad * static_cast<double>(plan.room_buckets * shape.slots_of_bucket()));
  shares.give("room", aligned(plan.room_buckets * kBucketBytes) + plan.room * key);
  return plan;
}

}  // namespace strata
