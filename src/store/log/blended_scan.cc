#include "store/log/blended_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "block/record/block_format.h"

namespace strata {

BlendedScan::BlendedScan(std::vector<LogRange> ranges, BlockBuffers& buffers)
    : slots_(std::make_unique<Slot[]>(buffers.count())), slot_count_(buffers.count()) {
  for (uint64_t i = 0; i < slot_count_; ++i) {
    slots_[i].buffer = buffers[i];
    free_.push_back(i);
  }
  for (const LogRange& range : ranges) {
    if (range.begin >= range.end) continue;
    records_ += range.end - range.begin;
    lanes_.push_back({range, range.begin, kNone, kNone});
  }
  const SubmitBatch held(carrier());
  for (Lane& lane : lanes_) lane.ahead = fetch(lane, lane.next / lane.range.log->per_block());
}

BlendedScan::~BlendedScan() {
  for (uint64_t i = 0; i < slot_count_; ++i) slots_[i].transfer.wait();
}

std::vector<LogRange> BlendedScan::rest() const {
  const MutexLock lock(mutex_);
  std::vector<LogRange> ranges;
  for (const Lane& lane : lanes_) {
    ranges.push_back(lane.range);
    ranges.back().begin = lane.next;
  }
  return ranges;
}

// Starts to read a block. A slot is free: each lane that has records left holds one, and needs no other to continue.
uint64_t BlendedScan::fetch(Lane& lane, uint64_t block) {
  const uint64_t number = free_.back();
  free_.pop_back();
  Slot& slot = slots_[number];
  StateLog& log = *lane.range.log;
  slot.block = block;
  slot.ready = log.fetch(block, slot.buffer, slot.transfer, lane.next, lane.range.end);
  return number;
}

// The block of the lane's next record.
Status BlendedScan::open_block(Lane& lane, double& waited) {
  StateLog& log = *lane.range.log;
  if (lane.current == kNone) lane.current = std::exchange(lane.ahead, kNone);
  Slot& slot = slots_[lane.current];
  if (slot.ready) return {};
  Status status = slot.transfer.wait(waited);
  const uint64_t needed = std::min(lane.range.end - slot.block * log.per_block(), log.per_block());
  if (status.ok()) status = log.check(slot.block, slot.buffer, needed);
  slot.ready = status.ok();
  return status.ok() ? status : log.explain(status);
}

// Reads the block after the current one when half of the current block is used, or at once if there is none.
void BlendedScan::read_ahead(Lane& lane) {
  if (lane.ahead != kNone || free_.empty()) return;
  const uint64_t per_block = lane.range.log->per_block();
  const uint64_t block = lane.next / per_block + (lane.current == kNone ? 0 : 1);
  const bool soon = lane.current == kNone || lane.next % per_block >= per_block / 2;
  if (soon && block * per_block < lane.range.end) lane.ahead = fetch(lane, block);
}

Result<uint64_t> BlendedScan::next(uint8_t* to, uint64_t n, double& waited) {
  const MutexLock lock(mutex_);
  const SubmitBatch held(carrier());
  uint64_t done = 0;
  Status status;
  while (done < n && !lanes_.empty()) {
    turn_ = turn_ < lanes_.size() ? turn_ : 0;
    Lane& lane = lanes_[turn_];
    status = open_block(lane, waited);
    if (!status.ok()) break;
    const StateLog& log = *lane.range.log;
    const uint64_t place = lane.next % log.per_block();
    const uint64_t count =
        std::min({share_left_, n - done, lane.range.end - lane.next, log.per_block() - place});
    const uint64_t bytes = log.record_bytes();
    std::memcpy(to + done * bytes, slots_[lane.current].buffer + kBlockHeaderBytes + place * bytes,
                count * bytes);
    done += count;
    lane.next += count;
    share_left_ -= count;
    const bool at_end = lane.next == lane.range.end;
    if (at_end || lane.next % log.per_block() == 0) free_.push_back(std::exchange(lane.current, kNone));
    if (at_end) {
      lanes_.erase(lanes_.begin() + static_cast<std::ptrdiff_t>(turn_));
      share_left_ = kShare;
      continue;
    }
    read_ahead(lane);
    if (share_left_ > 0) continue;
    ++turn_;
    share_left_ = kShare;
  }
  if (!status.ok()) return status;
  return done;
}

}  // namespace strata
