#include "store/state_scan.h"

#include <algorithm>

#include "block/block_format.h"

namespace strata {

StateScan::StateScan(std::vector<LogRange> ranges) {
  for (const LogRange& range : ranges) {
    if (range.begin >= range.end) continue;
    const uint64_t per_block = range.log->per_block();
    Part part{range, claims_, 0, 0};
    // Blocks that are full are on disk, or will be.
    part.disk_end = std::clamp(range.log->size() / per_block * per_block, range.begin, range.end);
    if (part.disk_end > range.begin) {
      part.disk_blocks = (part.disk_end - 1) / per_block - range.begin / per_block + 1;
    }
    claims_ += part.disk_blocks + (range.end - part.disk_end + kPiece - 1) / kPiece;
    records_ += range.end - range.begin;
    parts_.push_back(part);
  }
}

bool StateScan::claim(Claim& claim) {
  if (next_.load(std::memory_order_relaxed) >= claims_) return false;
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= claims_) return false;
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), number,
                                      [](uint64_t n, const Part& part) { return n < part.first_claim; });
  const Part& part = *(after - 1);
  const uint64_t per_block = part.range.log->per_block();
  const uint64_t place = number - part.first_claim;
  claim.range = static_cast<uint64_t>(after - 1 - parts_.begin());
  if (place < part.disk_blocks) {
    claim.piece = false;
    claim.block = part.range.begin / per_block + place;
    claim.begin = std::max(part.range.begin, claim.block * per_block);
    claim.end = std::min(part.disk_end, (claim.block + 1) * per_block);
  } else {
    claim.piece = true;
    claim.begin = part.disk_end + (place - part.disk_blocks) * kPiece;
    claim.end = std::min(part.range.end, claim.begin + kPiece);
    claim.block = claim.begin / per_block;
  }
  return true;
}

ScanReader::ScanReader(uint64_t block_bytes, uint64_t ahead) : slots_(ahead) {
  for (Slot& slot : slots_) slot.buffer = BlockBuffer(block_bytes);
  if (ahead > 1) piece_buffer_ = BlockBuffer(block_bytes);
  piece_data_ = ahead > 1 ? piece_buffer_.data() : slots_[0].buffer.data();
}

void ScanReader::open(StateScan& scan) {
  close();
  scan_ = &scan;
}

void ScanReader::close() {
  for (Slot& slot : slots_) slot.transfer.wait(waited_);
  scan_ = nullptr;
  first_ = count_ = 0;
  in_use_ = false;
  piece_log_ = nullptr;
}

// Claims blocks for the slots that are free. A piece is the last claim until it is used: a thread that claims pieces ahead
// leaves nothing to the others.
void ScanReader::fill() {
  while (count_ < slots_.size()) {
    if (count_ > 0 && slots_[(first_ + count_ - 1) % slots_.size()].claim.piece) return;
    Slot& slot = slots_[(first_ + count_) % slots_.size()];
    if (!scan_->claim(slot.claim)) return;
    ++count_;
    if (slot.claim.piece) return;
    StateLog& log = *scan_->parts_[slot.claim.range].range.log;
    if (slot.buffer.data() == piece_data_) piece_log_ = nullptr;
    slot.from_memory = log.fetch(slot.claim.block, slot.buffer.data(), slot.transfer);
  }
}

Status ScanReader::fetch_piece(const StateScan::Claim& claim) {
  StateLog& log = *scan_->parts_[claim.range].range.log;
  if (piece_log_ == &log && piece_block_ == claim.block) return {};
  piece_log_ = nullptr;
  Transfer transfer;
  if (!log.fetch(claim.block, piece_data_, transfer)) {
    if (const Status& status = transfer.wait(waited_); !status.ok()) return status;
    const uint64_t needed = claim.end - claim.block * log.per_block();
    if (Status status = log.check(claim.block, piece_data_, needed); !status.ok()) return status;
  }
  piece_log_ = &log;
  piece_block_ = claim.block;
  return {};
}

Result<StateScan::Span> ScanReader::next() {
  if (in_use_) {
    first_ = (first_ + 1) % slots_.size();
    --count_;
    in_use_ = false;
  }
  fill();
  if (count_ == 0) return StateScan::Span{};
  Slot& slot = slots_[first_];
  const StateScan::Claim& claim = slot.claim;
  const LogRange& range = scan_->parts_[claim.range].range;
  const uint64_t skipped = claim.begin - claim.block * range.log->per_block();
  const uint64_t count = claim.end - claim.begin;
  if (claim.piece) {
    if (Status status = fetch_piece(claim); !status.ok()) return range.log->explain(status);
  } else if (!slot.from_memory) {
    Status status = slot.transfer.wait(waited_);
    if (status.ok()) status = range.log->check(claim.block, slot.buffer.data(), skipped + count);
    if (!status.ok()) return range.log->explain(status);
  }
  in_use_ = true;
  const uint8_t* block = claim.piece ? piece_data_ : slot.buffer.data();
  return StateScan::Span{block + kBlockHeaderBytes + skipped * range.log->record_bytes(), count, &range,
                         claim.begin};
}

}  // namespace strata
