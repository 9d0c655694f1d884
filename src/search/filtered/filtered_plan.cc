#include "search/filtered/filtered_plan.h"

#include <algorithm>
#include <bit>

#include "store/cache/state_sieve.h"
#include "store/log/blended_scan.h"
#include "store/set/waiting_set.h"

namespace strata {

namespace {

// With more of them, the groups of a batch are so small that their locks take as long as their states.
constexpr uint64_t kMostPartitions = 32;
// Blocks take an eighth of the memory or less. Smaller ones than this take longer to ask for than to read.
constexpr uint64_t kBlockShare = 8;
constexpr uint64_t kUsefulBlock = 96 << 10, kMostBlockBytes = 128 << 10;
constexpr uint64_t kBlocksAhead = 8;
// Bits of the filter for each state when the filter is made. With few bits many new states are found late, and their
// successors are doubtful too: the filter is worth more than the cache.
constexpr uint64_t kFilterBits = 40;
constexpr uint64_t kFilterShare = 75, kLastFilterShare = 95;  // of the sieve's memory, in hundredths
constexpr uint64_t kLeastLatest = 1 << 10, kMostLatest = 512 << 10;
// Left for successors of which there are more than planned.
constexpr uint64_t kSlack = 2 * kPageBytes;
// Memory that the process may take beyond --memory while it moves to disk: less than the 8 MiB that any run may.
constexpr uint64_t kMostOverdraft = 3 << 20;

DiskSizes plan_blocks(const PlanInput& input, unsigned& partition_bits) {
  const uint64_t visited_logs = input.signatures ? 2 : 1, logs = visited_logs + 1;
  const uint64_t affordable =
      std::clamp<uint64_t>(input.memory / kBlockShare / kUsefulBlock / logs, 1, kMostPartitions);
  const uint64_t partitions = input.shape.partitions > 0 ? input.shape.partitions : affordable;
  partition_bits = static_cast<unsigned>(std::bit_width(partitions) - 1);
  DiskSizes sizes = disk_sizes(input, (logs << partition_bits) + 1, kBlockShare);
  // Waiting states have blocks of their own.
  sizes.logs = (visited_logs << partition_bits) + 1;
  // A block holds one state at least.
  sizes.block = std::min(sizes.block, std::max(kMostBlockBytes, least_block_bytes(input.state_bytes)));
  if (input.shape.block > 0) sizes.block = input.shape.block;
  if (sizes.ahead > 1) sizes.ahead = kBlocksAhead;
  sizes.level_readers = false;
  return sizes;
}

// The least cache in which waiting states can be decided.
bool has_room(const PlanInput& input, const FilteredPlan& plan) {
  if (round_down(plan.sieve, kPageBytes) < StateSieve::least_bytes(input.key_bytes, plan.partition_bits))
    return false;
  const uint64_t cache =
      StateSieve::cache_bytes(input.key_bytes, plan.partition_bits, plan.sieve, plan.filter);
  return WaitingSet::capacity(input.key_bytes, WaitingSet::Labels::bytes, cache) > 0;
}

}  // namespace

// The number of states grows until the filter is made again; at the end few duplicates are left for the cache.
uint64_t filter_bytes(uint64_t memory, uint64_t visited, Outlook outlook) {
  if (outlook == Outlook::ends) return memory / 100 * kLastFilterShare;
  const uint64_t most = memory / 100 * kFilterShare;
  return visited == 0 ? most : std::min(most, std::max(visited * kFilterBits / 8, memory / 2));
}

FilteredPlan plan_filtered(const PlanInput& input, uint64_t visited) {
  FilteredPlan plan;
  plan.disk = plan_blocks(input, plan.partition_bits);
  const uint64_t partitions = uint64_t{1} << plan.partition_bits;
  plan.waiting_blocks = partitions + plan.disk.behind;
  plan.shares = MemoryPlan(input.memory);
  give_disk(plan.shares, input, plan.disk);
  plan.shares.give(
      "blocks", plan.disk.block * (plan.waiting_blocks + BlendedScan::blocks_of(partitions) + input.threads));
  plan.latest = std::clamp<uint64_t>(plan.shares.left() / 128 / input.threads, kLeastLatest, kMostLatest);
  plan.shares.give("latest", plan.latest * input.threads);
  plan.sieve = plan.shares.left() - std::min(plan.shares.left(), kSlack);
  plan.filter = filter_bytes(plan.sieve, visited, Outlook::goes_on);
  if (!has_room(input, plan)) plan.shares.refuse("cache");
  plan.shares.give("filter", plan.filter);
  plan.shares.give("cache", plan.sieve - plan.filter);
  return plan;
}

AutoPlan plan_auto(const PlanInput& input, double share, uint64_t saved) {
  const FilteredPlan disk = plan_filtered(input);
  AutoPlan plan;
  plan.overdraft = std::min(disk.bytes_to_open(), kMostOverdraft);
  plan.kept = static_cast<uint64_t>((1 - share) * static_cast<double>(input.memory)) + disk.bytes_to_open() -
              plan.overdraft;
  plan.ram = plan_ram(input, TableUse::levels, disk.disk.batch, plan.kept + saved);
  plan.shares = plan.ram.shares;
  return plan;
}

}  // namespace strata
