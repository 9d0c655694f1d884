// Several sorted RecordFiles as one sorted sequence without duplicates. Records are compared as bytes, from the first
// to the last.
//
// A loser tree holds the sources that lost each match on the way to the top, so a record costs one comparison a level:
// log2(sources) in all. Each source is read with blocks ahead.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "block/record/record_file.h"

namespace strata {

class Merger {
 public:
  // REQUIRES: the files do not change while the merger is used.
  Merger(const std::vector<const RecordFile*>& sources, MemoryBudget& budget, uint64_t buffers_a_source = 2);

  Status open();
  // Up to `most` records, ascending, none equal to one before it; 0 at the end.
  Result<uint64_t> next(uint8_t* records, uint64_t most);

  double waited() const;

 private:
  struct Source {
    explicit Source(const RecordFile& file, MemoryBudget& budget, uint64_t buffers)
        : reader(file, 0, file.size(), budget, buffers) {}
    RecordReader reader;
    const uint8_t* record = nullptr;  // null: at its end
    uint64_t left = 0;                // records after it in the span
  };

  Status advance(Source& source);
  bool before(uint64_t a, uint64_t b) const;
  uint64_t build(uint64_t node);
  void replay(uint64_t source);

  const uint64_t record_bytes_;
  std::vector<std::unique_ptr<Source>> sources_;
  std::vector<uint64_t> losers_;  // of the match at each inner node; losers_[0] is the winner of all
};

}  // namespace strata
