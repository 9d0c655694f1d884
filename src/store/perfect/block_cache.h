// A cache of blocks of a file for look-ups in a structure on flash: reads the blocks of a call together. The blocks do
// not change while they are cached.
//
// Invariant: a call does not replace a block that it asked for itself; otherwise it replaces roughly the block that was
// asked for longest ago (a clock).
//
// Thread safety: one thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "block/io/block_buffer.h"
#include "block/record/block_format.h"
#include "block/storage/file.h"

namespace strata {

class BlockCache {
 public:
  // Draws this many blocks from the budget.
  BlockCache(File& file, uint64_t stamp, uint64_t blocks, MemoryBudget& budget);

  Status open() const;
  uint64_t blocks() const { return buffers_.count(); }

  // The payloads of n blocks, read together; valid until the next call. REQUIRES: n <= blocks().
  Status fetch(const uint64_t* numbers, uint64_t n, const uint8_t** payloads);

  uint64_t fetched() const { return fetched_; }
  uint64_t missed() const { return missed_; }
  double waited() const { return waited_; }

 private:
  static constexpr uint64_t kNone = UINT64_MAX;
  struct Slot {
    uint64_t number = kNone;
    uint64_t call = 0;  // the last call that asked for it
    bool recent = false, good = false;
    Transfer transfer;
  };
  uint64_t free_slot();

  File& file_;
  const uint64_t stamp_;
  BlockBuffers buffers_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unordered_map<uint64_t, uint32_t> places_;
  std::vector<uint32_t> asked_;  // slots of the present call
  uint64_t hand_ = 0, call_ = 0, fetched_ = 0, missed_ = 0;
  double waited_ = 0;
};

}  // namespace strata
