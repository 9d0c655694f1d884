// For tests of logs: a log whose record i is known from i, and scans that compare what they read with that.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/locks/mutex.h"
#include "base/random.h"
#include "block/testing/storages.h"
#include "store/log/state_scan.h"
#include "store/testing/numbered_keys.h"

namespace strata {

constexpr uint64_t kBlock = 4096;

// Calls work(t) on this many threads at once.
template <class Work>
void on_threads(uint64_t threads, const Work& work) {
  std::vector<std::jthread> pool;
  for (uint64_t t = 0; t < threads; ++t) pool.emplace_back([&work, t] { work(t); });
}

// A storage with a pool of this many blocks.
struct LogBench {
  LogBench(StorageKind kind, uint64_t blocks, uint64_t disk_limit)
      : disk(disk_limit), memory(blocks * kBlock), storage(kind, disk), pool(memory, kBlock, blocks) {}

  DiskBudget disk;
  MemoryBudget memory;
  TestStorage storage;
  BlockPool pool;
};

// On the heap: the thread sanitizer takes mutexes that follow each other at one place of the stack for the same.
inline std::unique_ptr<LogBench> make_bench(StorageKind kind, uint64_t blocks,
                                            uint64_t disk_limit = UINT64_MAX) {
  return std::make_unique<LogBench>(kind, blocks, disk_limit);
}

// A range of a log, and what its records are.
struct NumberedRange {
  StateLog* log = nullptr;
  uint64_t begin = 0, end = 0, mark = 0;

  bool equal(uint64_t first, const uint8_t* records, uint64_t count) const {
    std::vector<uint8_t> expected(log->record_bytes());
    for (uint64_t i = 0; i < count; ++i) {
      write_number(mark * 0x9e3779b97f4a7c15ull + first + i, expected.size(), expected.data());
      if (std::memcmp(expected.data(), records + i * expected.size(), expected.size()) != 0) return false;
    }
    return true;
  }
};

// Record i has the number i, plus a mark that differs from log to log and after each clear().
class NumberedLog {
 public:
  NumberedLog(Storage& storage, BlockPool& pool, uint64_t name, uint64_t record_bytes)
      : log_(std::make_unique<StateLog>(storage, pool, std::to_string(name) + ".log", record_bytes)),
        mark_(name << 32) {}
  NumberedLog(LogBench& bench, uint64_t name, uint64_t record_bytes)
      : NumberedLog(*bench.storage, bench.pool, name, record_bytes) {}

  StateLog* operator->() { return log_.get(); }

  // Appends behind what is there, also after an append that failed in the middle.
  Status append(uint64_t n) {
    const auto records =
        records_of(numbers_from(mark_ * 0x9e3779b97f4a7c15ull + log_->size(), n), log_->record_bytes());
    return log_->append(records.data(), n);
  }
  Status clear() {
    const Status status = log_->clear();
    ++mark_;
    discarded_ = 0;
    return status;
  }
  Status discard_before(uint64_t record) {
    discarded_ = std::max(discarded_, record);
    return log_->discard_before(record);
  }

  NumberedRange whole() { return {log_.get(), discarded_, log_->size(), mark_}; }
  NumberedRange some_range(Random& random) {
    NumberedRange range = whole();
    const uint64_t size = range.end - range.begin;
    const uint64_t begin = random.below(size + 1);
    range.end = range.begin + begin + random.below(size - begin + 1);
    range.begin += begin;
    return range;
  }

 private:
  const std::unique_ptr<StateLog> log_;
  uint64_t mark_;
  uint64_t discarded_ = 0;
};

// One scan over some ranges, of one thread or of several, and the records it gave.
class ScanComparison {
 public:
  explicit ScanComparison(const std::vector<NumberedRange>& ranges)
      : ranges_(ranges), scan_(labelled(ranges)), times_(ranges.size()) {
    for (uint64_t i = 0; i < ranges.size(); ++i) times_[i].resize(ranges[i].end - ranges[i].begin);
  }

  // Reads until the end with a reader of its own. Thread-safe.
  Status read_all(uint64_t ahead) {
    ScanReader reader(kBlock, ahead);
    reader.open(scan_);
    while (true) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok() || span->count == 0) return span.status();
      const NumberedRange& range = ranges_[span->range->label];
      EXPECT_TRUE(range.equal(span->first, span->records, span->count))
          << range.log->name() << ": records " << span->first << " to " << span->first + span->count;
      const MutexLock lock(mutex_);
      for (uint64_t i = 0; i < span->count; ++i)
        ++times_[span->range->label].at(span->first + i - range.begin);
    }
  }
  void expect_all_once() {
    const MutexLock lock(mutex_);
    for (const std::vector<uint8_t>& times : times_)
      EXPECT_EQ(times.size(), static_cast<uint64_t>(std::count(times.begin(), times.end(), 1)));
  }

 private:
  static std::vector<LogRange> labelled(const std::vector<NumberedRange>& ranges) {
    std::vector<LogRange> all;
    for (uint64_t i = 0; i < ranges.size(); ++i)
      all.push_back({ranges[i].log, ranges[i].begin, ranges[i].end, i});
    return all;
  }

  const std::vector<NumberedRange> ranges_;
  StateScan scan_;
  Mutex mutex_;
  std::vector<std::vector<uint8_t>> times_ GUARDED_BY(mutex_);
};

// Reads all ranges and compares them. An error of the disk is the caller's to judge; wrong records never are.
inline Status scan_and_compare(const std::vector<NumberedRange>& ranges, uint64_t ahead) {
  ScanComparison comparison(ranges);
  const Status status = comparison.read_all(ahead);
  if (status.ok()) comparison.expect_all_once();
  return status;
}

}  // namespace strata
