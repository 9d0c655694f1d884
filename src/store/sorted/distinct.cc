#include "store/sorted/distinct.h"

#include <algorithm>
#include <bit>

#include "block/record/sorter.h"

namespace strata {

Result<uint64_t> count_distinct(DiskSpace& disk, const std::vector<LogRange>& ranges, uint64_t memory,
                                MemoryBudget& budget) {
  if (ranges.empty()) return uint64_t{0};
  const uint64_t record_bytes = ranges.front().log->record_bytes();
  const uint64_t least = RecordFile::least_block_bytes(record_bytes);
  const uint64_t block =
      std::clamp(std::bit_floor(memory / 64 + 1), least, std::max<uint64_t>(least, 256 << 10));
  const uint64_t reading = ranges.front().log->pool().block_bytes();
  if (!budget.reserve(reading))
    return Status::limit("--memory is too small to count the states; raise it", Reason::memory_for_counting);
  Sorter sorter(disk.storage(), "count", record_bytes, block, budget, memory - std::min(memory, reading));
  Status status = sorter.open();
  {
    StateScan scan(ranges);
    ScanReader reader(reading, 1);
    reader.open(scan);
    while (status.ok()) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok()) status = span.status();
      if (!span.ok() || span->count == 0) break;
      status = sorter.add(span->records, span->count);
    }
  }
  budget.release(reading);
  if (!status.ok()) return status;
  Result<std::unique_ptr<File>> file = disk.storage().create("distinct", block);
  if (!file.ok()) return file.status();
  uint64_t count = 0;
  {
    RecordFile sorted(std::move(*file), record_bytes, 1);
    status = sorter.finish(sorted);
    count = sorted.size();
  }
  // Only the count is wanted.
  const Status removed = disk.storage().remove("distinct");
  if (status.ok()) status = removed;
  if (!status.ok()) return status;
  return count;
}

}  // namespace strata
