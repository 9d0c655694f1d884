// External sort: any number of records in, ascending and without duplicates out, in a given amount of memory.
//
//   add:     fills the memory; when it is full, sorts it, drops duplicates, and writes a run
//   finish:  merges the runs, `fan_in` at a time, until one merge gives the result
//
// RAM: `memory` bytes. I/O: each record is written and read once for each pass, 1 + log_fan_in(runs) passes;
// none at all when everything fits.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/system/memory_map.h"
#include "block/record/record_file.h"

namespace strata {

class Sorter {
 public:
  // `name` is the beginning of the names of its files.
  Sorter(Storage& storage, std::string name, uint64_t record_bytes, uint64_t block_bytes,
         MemoryBudget& budget, uint64_t memory);
  ~Sorter();
  Sorter(const Sorter&) = delete;
  Sorter& operator=(const Sorter&) = delete;

  // Fails when the budget has less than `memory`, or `memory` is too small for six blocks and a few records.
  Status open();
  Status add(const uint8_t* records, uint64_t n);
  // Appends the sorted records to a file.
  // REQUIRES: the file is empty.
  Status finish(RecordFile& out);

  uint64_t runs_written() const { return next_run_; }

 private:
  struct Key {
    uint64_t prefix;  // the first bytes of the record, as a number that compares as they do
    uint32_t place;
  };

  void sort_memory();
  Status write_sorted(RecordFile& out);
  Status write_run();
  Status merge_runs(uint64_t count, RecordFile& out);
  uint64_t fan_in() const;
  uint64_t buffers_a_source(uint64_t sources) const;
  Status create_run();
  Status drop_runs(uint64_t count);

  Storage& storage_;
  const std::string name_;
  const uint64_t record_bytes_, block_bytes_;
  MemoryBudget& budget_;
  const uint64_t memory_;
  bool charged_ = false;
  UntouchedVector<uint8_t> records_;
  UntouchedVector<Key> keys_;
  uint64_t capacity_ = 0, count_ = 0;
  struct Run {
    std::string name;
    std::unique_ptr<RecordFile> file;
  };
  std::vector<Run> runs_;
  uint64_t next_run_ = 0;
};

}  // namespace strata
