#include "store/log/state_scan.h"

#include <algorithm>

#include "block/record/block_format.h"

namespace strata {

StateScan::StateScan(std::vector<LogRange> ranges) {
  uint64_t blocks = 0;
  for (const LogRange& range : ranges) {
    if (range.begin >= range.end) continue;
    parts_.push_back({range, 0, 0, 0, 0});
    blocks += (range.end - 1) / range.log->per_block() - range.begin / range.log->per_block() + 1;
  }
  for (Part& part : parts_) {
    const LogRange& range = part.range;
    const uint64_t per_block = range.log->per_block(), pieces = pieces_per_block(per_block);
    part.first_claim = claims_;
    // Full blocks are on disk, or being written; the last block of a log is in memory.
    uint64_t whole_end = std::clamp(range.log->size() / per_block * per_block, range.begin, range.end);
    if (blocks <= kFewBlocks) whole_end = range.begin;
    if (whole_end > range.begin) part.blocks = (whole_end - 1) / per_block - range.begin / per_block + 1;
    claims_ += part.blocks;
    if (whole_end < range.end) {
      const auto piece_of = [&](uint64_t record) {
        return record / per_block * pieces + record % per_block / kPiece;
      };
      part.first_piece = piece_of(whole_end);
      claims_ += piece_of(range.end - 1) - part.first_piece + 1;
    }
    part.piece_begin = whole_end;
    records_ += range.end - range.begin;
  }
}

bool StateScan::claim(Claim& claim) {
  if (next_.load(std::memory_order_relaxed) >= claims_) return false;
  const uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
  if (number >= claims_) return false;
  claim = claim_of(number);
  return true;
}

StateScan::Claim StateScan::claim_of(uint64_t number) const {
  Claim claim;
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), number,
                                      [](uint64_t n, const Part& part) { return n < part.first_claim; });
  const Part& part = *(after - 1);
  const uint64_t per_block = part.range.log->per_block();
  const uint64_t place = number - part.first_claim;
  claim.range = static_cast<uint64_t>(after - 1 - parts_.begin());
  claim.piece = place >= part.blocks;
  if (!claim.piece) {
    claim.block = part.range.begin / per_block + place;
    claim.begin = std::max(part.range.begin, claim.block * per_block);
    claim.end = std::min(part.piece_begin, (claim.block + 1) * per_block);
    return claim;
  }
  const uint64_t pieces = pieces_per_block(per_block), piece = part.first_piece + place - part.blocks;
  claim.block = piece / pieces;
  const uint64_t first = claim.block * per_block + piece % pieces * kPiece;
  claim.begin = std::max(part.piece_begin, first);
  claim.end = std::min({part.range.end, first + kPiece, (claim.block + 1) * per_block});
  return claim;
}

std::vector<LogRange> StateScan::unclaimed() const {
  std::vector<LogRange> ranges;
  const uint64_t next = next_.load(std::memory_order_relaxed);
  if (next >= claims_) return ranges;
  const Claim first = claim_of(next);
  for (uint64_t i = first.range; i < parts_.size(); ++i) ranges.push_back(parts_[i].range);
  ranges.front().begin = first.begin;
  return ranges;
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

void ScanReader::add_claimed(std::vector<LogRange>& ranges) const {
  for (uint64_t i = in_use_ ? 1 : 0; scan_ != nullptr && i < count_; ++i) {
    const StateScan::Claim& claim = slots_[(first_ + i) % slots_.size()].claim;
    ranges.push_back(scan_->parts_[claim.range].range);
    ranges.back().begin = claim.begin;
    ranges.back().end = claim.end;
  }
}

// Claims blocks for the free slots. After a piece, nothing is claimed until the piece is used: a thread that claims
// pieces ahead would leave nothing to the others.
void ScanReader::fill() {
  // Half of the slots at a time, so that neighbours are read together.
  if (count_ > slots_.size() / 2) return;
  Submitter* carrier = nullptr;
  fill_slots(carrier);
  if (carrier != nullptr) carrier->release();
}

void ScanReader::fill_slots(Submitter*& carrier) {
  while (count_ < slots_.size()) {
    if (count_ > 0 && slots_[(first_ + count_ - 1) % slots_.size()].claim.piece) return;
    Slot& slot = slots_[(first_ + count_) % slots_.size()];
    if (!scan_->claim(slot.claim)) return;
    ++count_;
    if (slot.claim.piece) return;
    StateLog& log = *scan_->parts_[slot.claim.range].range.log;
    if (slot.buffer.data() == piece_data_) piece_log_ = nullptr;
    if (carrier == nullptr && slots_.size() > 1) {
      carrier = log.carrier();
      if (carrier != nullptr) carrier->hold();
    }
    slot.from_memory = log.fetch(slot.claim.block, slot.buffer.data(), slot.transfer);
  }
}

Status ScanReader::fetch_piece(const StateScan::Claim& claim) {
  const LogRange& range = scan_->parts_[claim.range].range;
  StateLog& log = *range.log;
  if (piece_log_ != &log || piece_block_ != claim.block) {
    piece_log_ = nullptr;
    piece_checked_ = 0;
    Transfer transfer;
    if (log.fetch(claim.block, piece_data_, transfer)) piece_checked_ = log.per_block();
    if (const Status& status = transfer.wait(waited_); !status.ok()) return status;
    piece_log_ = &log;
    piece_block_ = claim.block;
  }
  // The records of the block that this range and all ranges before it need.
  const uint64_t first = claim.block * log.per_block();
  const uint64_t needed = std::min(range.end - first, log.per_block());
  if (needed <= piece_checked_) return {};
  const Status status = log.check(claim.block, piece_data_, needed);
  if (status.ok()) {
    piece_checked_ = needed;
  } else {
    piece_log_ = nullptr;
  }
  return status;
}

// The caller's slot is free again.
void ScanReader::step() {
  if (in_use_) {
    first_ = (first_ + 1) % slots_.size();
    --count_;
    in_use_ = false;
  }
  fill();
}

bool ScanReader::ready() {
  step();
  if (count_ == 0) return true;
  const Slot& slot = slots_[first_];
  return slot.claim.piece || slot.from_memory || !slot.transfer.poll();
}

Result<StateScan::Span> ScanReader::next() {
  step();
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
