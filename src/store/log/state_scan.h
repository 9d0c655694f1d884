// Reads ranges of logs on all threads at once. Each thread claims the next block of the scan and reads it into a buffer
// of its own, some blocks ahead of the block it works on, so that reading and computing overlap and no thread waits for
// another. The end of a log that is in memory is handed out in small pieces, so that all threads share a short level.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "store/log/state_log.h"

namespace strata {

struct LogRange {
  StateLog* log = nullptr;
  uint64_t begin = 0, end = 0;  // records
  uint64_t label = 0;           // the caller's own
};

class StateScan {
 public:
  // Reads one range after another. Records that are appended to the logs during the scan are not part of it.
  explicit StateScan(std::vector<LogRange> ranges);

  uint64_t records() const { return records_; }

  struct Span {
    const uint8_t* records = nullptr;
    uint64_t count = 0;               // 0: the scan is at its end
    const LogRange* range = nullptr;  // where they come from
    uint64_t first = 0;               // the number of the first one in its log
  };

  // The ranges that no reader has claimed yet. REQUIRES: no reader claims any.
  std::vector<LogRange> unclaimed() const;

 private:
  friend class ScanReader;
  // What a thread claims: a block, or a piece of one that is in memory.
  struct Claim {
    uint64_t range = 0, block = 0, begin = 0, end = 0;
    bool piece = false;
  };
  bool claim(Claim& claim);
  Claim claim_of(uint64_t number) const;

  // Whole blocks of a range, then pieces of the block in memory. A scan of few blocks consists of pieces only, or some
  // threads would have nothing to do.
  struct Part {
    LogRange range;
    uint64_t first_claim = 0;  // claims of the parts before it
    uint64_t blocks = 0;       // claims of whole blocks
    uint64_t piece_begin = 0;  // the first record that is handed out in pieces
    uint64_t first_piece =
        0;  // its piece, counted from the log's first record, kPiece records and the rest of a block each
  };
  static constexpr uint64_t kPiece = 256, kFewBlocks = 8;
  static uint64_t pieces_per_block(uint64_t per_block) { return (per_block + kPiece - 1) / kPiece; }

  std::vector<Part> parts_;
  uint64_t claims_ = 0, records_ = 0;
  alignas(128) std::atomic<uint64_t> next_{0};
};

// One thread's way through scans, one after another.
class ScanReader {
 public:
  // The caller has drawn the bytes of blocks_of(ahead) blocks from the budget.
  ScanReader(uint64_t block_bytes, uint64_t ahead);

  static uint64_t blocks_of(uint64_t ahead) { return ahead == 1 ? 1 : ahead + 1; }

  // Begins a scan; drops the rest of the scan before.
  void open(StateScan& scan);
  // Waits for the blocks that are being read and drops them. Must be called before a log is destroyed.
  void close();
  // The next records, in place until the next call.
  Result<StateScan::Span> next();
  // Whether next() would not wait for the disk. Invalidates the records that next() gave last.
  bool ready();
  // Adds the ranges that were claimed and not given by next() yet.
  void add_claimed(std::vector<LogRange>& ranges) const;
  // The time spent waiting for the disk.
  double waited() const { return waited_; }

 private:
  struct Slot {
    BlockBuffer buffer;
    Transfer transfer;
    StateScan::Claim claim;
    bool from_memory = false;
  };
  void step();
  void fill();
  void fill_slots(Submitter*& carrier);
  Status fetch_piece(const StateScan::Claim& claim);

  StateScan* scan_ = nullptr;
  std::vector<Slot> slots_;
  uint64_t first_ = 0, count_ = 0;  // slots that hold claims
  // Pieces of one block follow each other, and the block may be on disk by now: it is brought here once for all pieces.
  // A reader with one slot uses that slot.
  BlockBuffer piece_buffer_;
  uint8_t* piece_data_ = nullptr;
  const StateLog* piece_log_ = nullptr;
  uint64_t piece_block_ = 0,
           piece_checked_ = 0;  // its number, and how many of its records are known to be good
  bool in_use_ = false;         // the first slot is the caller's
  double waited_ = 0;
};

}  // namespace strata
