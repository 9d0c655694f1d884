#include "engine/disk/disk_plan.h"

#include <algorithm>
#include <bit>

#include "store/log/state_scan.h"

namespace strata {

namespace {

constexpr uint64_t kLargestBlock = 256 << 10;
constexpr uint64_t kLargestBatch = 8192, kLargestPiece = 1024;
constexpr uint64_t kLittleMemory = 1 << 20;

// One block for each log, some on their way to the disk, and some that each thread's two readers read ahead.
uint64_t count_blocks(const DiskSizes& sizes, unsigned threads) {
  return sizes.blocks() + 2 * ScanReader::blocks_of(sizes.ahead) * threads;
}

}  // namespace

uint64_t DiskSizes::reader_blocks() const { return (level_readers ? 2 : 1) * ScanReader::blocks_of(ahead); }

uint64_t DiskSizes::batch_bytes(const PlanInput& input) const {
  const uint64_t record = input.state_bytes + 16 + (input.signatures ? 2 * input.key_bytes : 0);
  return (batch + piece) * record;
}

DiskSizes disk_sizes(const PlanInput& input, uint64_t logs, uint64_t share) {
  const uint64_t least = least_block_bytes(input.state_bytes);
  DiskSizes sizes;
  sizes.logs = logs;
  sizes.ahead = 3;
  sizes.behind = 2 * uint64_t{input.threads} + 4;
  // If even the smallest blocks would be too many, there are as few as possible.
  if (input.memory < kLittleMemory || count_blocks(sizes, input.threads) * least > input.memory / 2) {
    sizes.ahead = 1;
    sizes.behind = 2;
  }
  const uint64_t wanted = input.memory / (share * count_blocks(sizes, input.threads));
  sizes.block =
      std::clamp(std::bit_floor(std::max<uint64_t>(wanted, 1)), least, std::max(kLargestBlock, least));
  if (input.shape.block > 0) sizes.block = input.shape.block;
  sizes.batch =
      std::clamp<uint64_t>(input.memory / 32 / input.threads / (input.state_bytes + 32), 16, kLargestBatch);
  // All successors of a large state, if there is room for them. Otherwise a plan with too little room for them does not
  // fit.
  const uint64_t room = input.memory / successors_memory(1, input.state_bytes, input.threads);
  sizes.batch = std::max(sizes.batch, std::min(input.max_successors, std::max(room, kSureSuccessors)));
  sizes.piece = std::min(sizes.batch, kLargestPiece);
  return sizes;
}

void give_disk(MemoryPlan& plan, const PlanInput& input, const DiskSizes& sizes) {
  plan.give("blocks", sizes.blocks() * sizes.block);
  plan.give("readers", input.threads * sizes.reader_blocks() * sizes.block);
  plan.give("successors", std::max(input.threads * sizes.batch * input.successor_bytes(), input.drawn) +
                              input.threads * sizes.batch_bytes(input));
}

QueueBlocks give_queues(MemoryPlan& plan, const PlanInput& input, const DiskSizes& sizes) {
  // If there are more queues than blocks, some queues lose their block for a while. A block of a queue is at most as
  // large as the blocks of its readers.
  const uint64_t least = least_block_bytes(input.state_bytes), memory = plan.left() / 8;
  QueueBlocks queues;
  queues.bytes = std::clamp(std::bit_floor(memory / 96 + 1), least, std::max(least, sizes.block));
  if (input.shape.queue_block > 0) queues.bytes = input.shape.queue_block;
  queues.count = std::max<uint64_t>(memory / queues.bytes, input.threads + 3);
  plan.give("queues", queues.bytes * queues.count);
  return queues;
}

}  // namespace strata
