// StateLog, BlockPool, StateScan and ScanReader together, on every storage: what is read is what was appended, whatever
// the pool did meanwhile.
#include "store/log/state_log.h"

#include <gtest/gtest.h>

#include <thread>

#include "store/testing/logs.h"

namespace strata {
namespace {

class StateLogTest : public testing::TestWithParam<StorageKind> {};
INSTANTIATE_TEST_SUITE_P(All, StateLogTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory, StorageKind::faultless),
                         [](const auto& test) { return kind_name(test.param); });

// A dozen logs and three blocks: the pool takes tails away all the time.
TEST_P(StateLogTest, RandomCallsOnMoreLogsThanBlocks) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const auto bench = make_bench(GetParam(), 3);
    {
      const uint64_t sizes[] = {1, 3, 8, 24, 100, 1500, 4064};
      std::vector<std::unique_ptr<NumberedLog>> logs;
      const auto make = [&](uint64_t i) {
        return std::make_unique<NumberedLog>(*bench, i, sizes[(seed + i) % std::size(sizes)]);
      };
      for (uint64_t i = 0; i < 12; ++i) logs.push_back(make(i));
      for (int call = 0; call < 500; ++call) {
        NumberedLog& log = *logs[random.below(logs.size())];
        const uint64_t what = random.below(100);
        Status status;
        if (what < 60) {
          status = log.append(random.below(random.chance(80) ? 20 : 3 * log->per_block()));
        } else if (what < 90) {
          std::vector<NumberedRange> ranges;
          for (uint64_t i = random.below(4) + 1; i > 0; --i)
            ranges.push_back(logs[random.below(logs.size())]->some_range(random));
          status = scan_and_compare(ranges, 1 + random.below(3));
        } else if (what < 93) {
          status = log->flush();
        } else if (what < 96) {
          status = log.discard_before(log.some_range(random).begin);
        } else if (what < 99) {
          status = log.clear();
        } else {
          const uint64_t i = random.below(logs.size());
          logs[i].reset();
          logs[i] = make(i);
        }
        ASSERT_TRUE(status.ok()) << "call " << call << ": " << status.message();
        ASSERT_EQ("", bench->pool.check_invariants()) << "call " << call;
        if (HasFailure()) return;
      }
      for (const auto& log : logs) ASSERT_TRUE(scan_and_compare({log->whole()}, 2).ok());
    }
    EXPECT_GT(bench->disk.peak(), 0u);
    EXPECT_EQ(0u, bench->disk.used());
  }
}

// What each thread appends stays together and in order, in logs that all threads share.
TEST_P(StateLogTest, ThreadsAppendToTheSameLogs) {
  constexpr uint64_t kThreads = 4, kEach = 5'000, kBytes = 12;
  const auto bench = make_bench(GetParam(), 6);
  std::vector<std::unique_ptr<StateLog>> logs;
  for (int i = 0; i < 8; ++i)
    logs.push_back(
        std::make_unique<StateLog>(*bench->storage, bench->pool, std::to_string(i) + ".log", kBytes));
  on_threads(kThreads, [&](uint64_t t) {
    Random random(t);
    for (uint64_t done = 0; done < kEach;) {
      const uint64_t n = std::min(1 + random.below(200), kEach - done);
      // Every log gets all that the thread has.
      for (const auto& log : logs) {
        const auto records = records_of(numbers_from(t << 32 | done, n), kBytes);
        ASSERT_TRUE(log->append(records.data(), n).ok());
      }
      done += n;
    }
  });
  EXPECT_EQ("", bench->pool.check_invariants());
  EXPECT_EQ("", bench->disk.check_invariants());
  for (const auto& log : logs) {
    ASSERT_EQ(kThreads * kEach, log->size());
    std::vector<uint64_t> next(kThreads);
    StateScan scan({{log.get(), 0, log->size()}});
    ScanReader reader(kBlock, 3);
    reader.open(scan);
    while (true) {
      const Result<StateScan::Span> span = reader.next();
      ASSERT_TRUE(span.ok()) << span.status().message();
      if (span->count == 0) break;
      for (uint64_t i = 0; i < span->count; ++i) {
        uint64_t number;
        std::memcpy(&number, span->records + i * kBytes, sizeof number);
        ASSERT_LT(number >> 32, kThreads);
        ASSERT_EQ(next[number >> 32]++, number & 0xffffffff);
        const auto expected = records_of({number}, kBytes);
        ASSERT_EQ(0, std::memcmp(expected.data(), span->records + i * kBytes, kBytes));
      }
    }
    EXPECT_EQ(std::vector<uint64_t>(kThreads, kEach), next);
  }
}

TEST_P(StateLogTest, ScansWhileAppending) {
  const auto bench = make_bench(GetParam(), 4);
  NumberedLog log(*bench, 1, 20), other(*bench, 2, 9);
  std::atomic<bool> done{false};
  on_threads(4, [&](uint64_t t) {
    Random random(t);
    if (t == 0) {
      for (int i = 0; i < 4000; ++i) {
        ASSERT_TRUE(log.append(random.below(30)).ok());
        ASSERT_TRUE(other.append(random.below(10)).ok());
      }
      done = true;
      return;
    }
    while (!done) {
      const Status status = scan_and_compare({log.some_range(random), other.some_range(random)}, t);
      ASSERT_TRUE(status.ok()) << status.message();
      if (HasFailure()) return;
    }
  });
  EXPECT_TRUE(scan_and_compare({log.whole(), other.whole()}, 3).ok());
}

// Logs come and go and begin again on every thread, while the pool takes the tails of any of them.
TEST_P(StateLogTest, ThreadsWithLogsOfTheirOwn) {
  const auto bench = make_bench(GetParam(), 5);
  on_threads(4, [&](uint64_t t) {
    Random random(t);
    std::unique_ptr<NumberedLog> logs[3];
    for (int call = 0; call < 400; ++call) {
      const uint64_t which = random.below(3);
      std::unique_ptr<NumberedLog>& log = logs[which];
      if (!log) log = std::make_unique<NumberedLog>(*bench, 10 * t + which, 16 + 1000 * which);
      Status status = log->append(random.below(600 / (1 + 30 * which)));
      if (status.ok() && random.chance(10)) status = scan_and_compare({log->whole()}, 2);
      if (status.ok() && random.chance(30)) status = log->clear();
      ASSERT_TRUE(status.ok()) << status.message();
      if (random.chance(15)) log.reset();
      if (HasFailure()) return;
    }
  });
  EXPECT_EQ(0u, bench->disk.used());
}

// Threads share one scan: each record goes to one of them.
TEST_P(StateLogTest, ThreadsShareAScan) {
  const auto bench = make_bench(GetParam(), 4);
  NumberedLog first(*bench, 1, 8), second(*bench, 2, 33);
  ASSERT_TRUE(first.append(20'123).ok());
  ASSERT_TRUE(second.append(3'457).ok());
  for (uint64_t round = 0; round < 20; ++round) {
    Random random(round);
    const std::vector<NumberedRange> ranges = {first.some_range(random), second.whole(),
                                               first.some_range(random), second.some_range(random)};
    ScanComparison comparison(ranges);
    on_threads(4, [&](uint64_t t) {
      const Status status = comparison.read_all(1 + t % 3);
      ASSERT_TRUE(status.ok()) << status.message();
    });
    comparison.expect_all_once();
    if (HasFailure()) return;
  }
}

// A reader that looks in between whether it would have to wait gives all records all the same.
TEST_P(StateLogTest, AReaderSaysWhenItIsReady) {
  const auto bench = make_bench(GetParam(), 4);
  NumberedLog log(*bench, 1, 24);
  ASSERT_TRUE(log.append(20 * log->per_block() + 7).ok());
  StateScan scan({{log.operator->(), 0, log->size(), 0}});
  ScanReader reader(kBlock, 4);
  reader.open(scan);
  uint64_t records = 0;
  while (true) {
    while (!reader.ready()) std::this_thread::yield();
    EXPECT_TRUE(reader.ready());
    const Result<StateScan::Span> span = reader.next();
    ASSERT_TRUE(span.ok()) << span.status().message();
    if (span->count == 0) break;
    EXPECT_EQ(records, span->first);
    records += span->count;
  }
  EXPECT_EQ(log->size(), records);
  EXPECT_TRUE(reader.ready());
  reader.close();
}

TEST_P(StateLogTest, DiscardedBlocksGiveTheirSpaceBack) {
  const auto bench = make_bench(GetParam(), 4);
  NumberedLog log(*bench, 1, 1500);
  ASSERT_TRUE(log.append(1001).ok());
  ASSERT_TRUE(log->flush().ok());
  EXPECT_EQ(501 * kBlock, bench->disk.used());
  ASSERT_TRUE(log.discard_before(801).ok());
  EXPECT_EQ(101 * kBlock, bench->disk.used());
  EXPECT_TRUE(scan_and_compare({log.whole()}, 3).ok());
  // What was cleared keeps its space, and new records use it.
  ASSERT_TRUE(log.clear().ok());
  ASSERT_TRUE(log.append(1001).ok());
  ASSERT_TRUE(log->flush().ok());
  EXPECT_EQ(501 * kBlock, bench->disk.used());
  EXPECT_TRUE(scan_and_compare({log.whole()}, 3).ok());
}

TEST(StateLog, SmallLogsTouchNoDisk) {
  const auto bench = make_bench(StorageKind::memory, 4);
  NumberedLog a(*bench, 1, 8), b(*bench, 2, 8), c(*bench, 3, 8);
  for (int round = 0; round < 3; ++round) {
    for (NumberedLog* log : {&a, &b, &c}) {
      ASSERT_TRUE(log->append(500).ok());
      ASSERT_TRUE(scan_and_compare({log->whole()}, 1).ok());
      ASSERT_TRUE(log->clear().ok());
    }
  }
  EXPECT_EQ(0u, bench->disk.peak());
}

TEST(StateLog, NoMemoryIsALimit) {
  MemoryBudget memory(3 * kBlock);
  const BlockPool pool(memory, kBlock, 4);
  EXPECT_EQ(StatusCode::limit, pool.open().code());
  EXPECT_EQ("--memory is too small for the blocks of the search's files; raise it", pool.open().message());
}

}  // namespace
}  // namespace strata
