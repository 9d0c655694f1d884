// On every storage: each record comes once, and the ranges come to their ends together.
#include "store/log/blended_scan.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "store/testing/logs.h"

namespace strata {
namespace {

class BlendedScanTest : public testing::TestWithParam<StorageKind> {};
INSTANTIATE_TEST_SUITE_P(All, BlendedScanTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory, StorageKind::faultless),
                         [](const auto& test) { return kind_name(test.param); });

// Logs of records of 12 bytes: which log, which record.
struct BlendedLogs {
  BlendedLogs(StorageKind kind, const std::vector<uint64_t>& sizes)
      : bench(make_bench(kind, sizes.size() + 2)) {
    for (uint64_t i = 0; i < sizes.size(); ++i) {
      logs.push_back(
          std::make_unique<StateLog>(*bench->storage, bench->pool, std::to_string(i) + ".log", 12));
      for (uint64_t r = 0; r < sizes[i]; ++r) {
        uint8_t record[12];
        const auto log = static_cast<uint32_t>(i);
        std::memcpy(record, &log, 4);
        std::memcpy(record + 4, &r, 8);
        EXPECT_TRUE(logs[i]->append(record, 1).ok());
      }
    }
  }
  std::vector<LogRange> ranges(uint64_t begin) const {
    std::vector<LogRange> all;
    for (const auto& log : logs) all.push_back({log.get(), std::min(begin, log->size()), log->size(), 0});
    return all;
  }

  std::unique_ptr<LogBench> bench;
  std::vector<std::unique_ptr<StateLog>> logs;
};

// Reads n records at a time; calls visit(log, record).
template <class Visit>
Status read_blended(BlendedScan& scan, uint64_t n, const Visit& visit) {
  std::vector<uint8_t> records(n * 12);
  double waited = 0;
  while (true) {
    const Result<uint64_t> count = scan.next(records.data(), n, waited);
    if (!count.ok() || *count == 0) return count.status();
    for (uint64_t i = 0; i < *count; ++i) {
      uint32_t log;
      uint64_t record;
      std::memcpy(&log, &records[i * 12], 4);
      std::memcpy(&record, &records[i * 12 + 4], 8);
      visit(log, record);
    }
  }
}

TEST_P(BlendedScanTest, GivesEachRecordOnceAndInOrder) {
  const BlendedLogs logs(GetParam(), {5000, 0, 1, 700, 4800, 5300, 339, 340, 341});
  MemoryBudget budget(1 << 20);
  BlockBuffers buffers(budget, kBlock, BlendedScan::blocks_of(logs.logs.size()));
  for (const uint64_t begin : {0, 1, 339, 340, 4799, 9999}) {
    for (const uint64_t n : {1, 100, 1000}) {
      BlendedScan scan(logs.ranges(begin), buffers);
      std::map<uint32_t, uint64_t> next;
      uint64_t count = 0;
      const Status status = read_blended(scan, n, [&](uint32_t log, uint64_t record) {
        const auto at = next.try_emplace(log, begin).first;
        ASSERT_EQ(at->second++, record);
        ++count;
      });
      ASSERT_TRUE(status.ok()) << status.message();
      EXPECT_EQ(scan.records(), count);
    }
  }
}

TEST_P(BlendedScanTest, RangesOfOneSizeGoOnTogether) {
  const BlendedLogs logs(GetParam(), {5000, 5000, 5000, 5000});
  MemoryBudget budget(1 << 20);
  BlockBuffers buffers(budget, kBlock, BlendedScan::blocks_of(4));
  BlendedScan scan(logs.ranges(0), buffers);
  std::vector<uint64_t> next(4, 0);
  const Status status = read_blended(scan, 50, [&](uint32_t log, uint64_t) {
    ++next[log];
    ASSERT_LE(std::ranges::max(next) - std::ranges::min(next), 64u);
  });
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(5000u, std::ranges::min(next));
}

TEST_P(BlendedScanTest, ThreadsShareIt) {
  const BlendedLogs logs(GetParam(), {3000, 100, 4000, 2500, 10});
  MemoryBudget budget(1 << 20);
  BlockBuffers buffers(budget, kBlock, BlendedScan::blocks_of(5));
  BlendedScan scan(logs.ranges(5), buffers);
  std::mutex mutex;
  std::set<std::pair<uint32_t, uint64_t>> met;
  on_threads(3, [&](uint64_t) {
    const Status status = read_blended(scan, 70, [&](uint32_t log, uint64_t record) {
      const std::lock_guard<std::mutex> lock(mutex);
      EXPECT_TRUE(met.emplace(log, record).second);
    });
    EXPECT_TRUE(status.ok());
  });
  EXPECT_EQ(scan.records(), met.size());
}

}  // namespace
}  // namespace strata
