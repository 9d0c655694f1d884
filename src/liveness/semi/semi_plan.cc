#include "liveness/semi/semi_plan.h"

#include <algorithm>

#include "store/queue/keyed_queue.h"

namespace strata {

namespace {

constexpr uint64_t kReaderBlock = 4096;
constexpr uint64_t kLittleMemory = 256 << 10;  // below this there is no room for comfort

// Of a function on disk each thread has its part of an eighth of the memory, or at least what a batch needs.
uint64_t plan_reader(const PlanInput& input, const IndexInput& index) {
  if (!index.on_disk) return 0;
  if (index.buffer > 0) return index.buffer;
  const uint64_t least = input.memory < kLittleMemory ? 1 : 16;
  return std::clamp<uint64_t>(input.memory / 8 / kReaderBlock / input.threads, least, 1 << 14);
}

}  // namespace

IndexPlan plan_index(const PlanInput& input, const DiskSizes& disk, const IndexInput& index) {
  IndexPlan plan;
  plan.shares = MemoryPlan(input.memory);
  give_disk(plan.shares, input, disk);
  plan.room = plan.shares.left();
  plan.function =
      index.function.value_or(index.on_disk ? 0 : index.states / 100 * 28 + index.states * index.value_bytes);
  plan.bits = bit_array_bytes(index.states * index.bits);
  plan.reader_blocks = plan_reader(input, index);
  // Beside the function, which is in RAM before its construction ends.
  const uint64_t own =
      index.on_disk ? index.states / 1000 : index.states / 3 + index.states * index.value_bytes + kPageBytes;
  plan.construction = plan.room - std::min(plan.room, own);
  plan.shares.give("function", plan.function);
  plan.shares.give("bits", plan.bits);
  plan.shares.give("index", input.threads * plan.reader_blocks * kReaderBlock);
  plan.search = plan.shares.give_rest("search", 0);
  const uint64_t least = round_up(input.state_bytes + sizeof(uint64_t) + kBlockHeaderBytes, kPageBytes);
  plan.stack_block =
      std::clamp(round_down(plan.search / 64, kPageBytes), least, std::max<uint64_t>(least, 256 << 10));
  return plan;
}

LassoPlan plan_lassos(const PlanInput& input, const IndexPlan& index) {
  constexpr uint64_t kQueueBlocks = 4;
  const auto share = [&](uint64_t divisor, uint64_t most) {
    return std::clamp(round_down(input.memory / divisor / input.threads, kPageBytes), kPageBytes, most);
  };
  LassoPlan plan;
  plan.queue_block = std::max(share(256, 256 << 10), round_up(2 * input.state_bytes + 64, kPageBytes));
  plan.seeds = share(64, 4 << 20);
  // Adds a thread only if the other threads keep enough room to sort.
  const uint64_t later = KeyedQueue::sort_bytes(input.state_bytes, plan.seeds) + 2 * kPageBytes;
  const uint64_t each = kQueueBlocks * plan.queue_block + plan.seeds + later;
  while (plan.searches < input.threads &&
         (plan.searches + 1) * each + plan.searches * index.bits <= index.search)
    ++plan.searches;
  return plan;
}

}  // namespace strata
