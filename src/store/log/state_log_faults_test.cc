// Logs on a disk that fails: an error that says what happened, or the right records; never wrong ones, and no hang.
#include <gtest/gtest.h>

#include "base/sanitized.h"
#include "store/testing/logs.h"

namespace strata {
namespace {

constexpr Fault kFaults[] = {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write,
                             Fault::flipped_bit};

const char* fault_name(Fault fault) {
  const char* names[] = {"none", "read_error", "write_error", "disk_full", "torn_write", "flipped_bit"};
  return names[static_cast<size_t>(fault)];
}

// Every error names a file; that of a full disk says so, also when it is noticed by reading.
void expect_clear(const Status& status, Fault fault) {
  EXPECT_NE(std::string::npos, status.message().find(".log: ")) << status.message();
  if (fault == Fault::disk_full) {
    EXPECT_EQ(StatusCode::disk_full, status.code()) << status.message();
    EXPECT_TRUE(status.message().starts_with("the disk is full: ")) << status.message();
  } else {
    EXPECT_EQ(StatusCode::system, status.code()) << status.message();
  }
}

// Calls go on after an error as if nothing had happened, which is worse than any search does.
uint64_t random_calls(LogBench& bench, Fault fault, Random& random) {
  std::vector<std::unique_ptr<NumberedLog>> logs;
  const uint64_t sizes[] = {8, 40, 700, 1900};
  for (uint64_t i = 0; i < 6; ++i)
    logs.push_back(std::make_unique<NumberedLog>(bench, i, sizes[i % std::size(sizes)]));
  uint64_t errors = 0;
  for (int call = 0; call < 150; ++call) {
    NumberedLog& log = *logs[random.below(logs.size())];
    const uint64_t what = random.below(100);
    Status status;
    if (what < 60) {
      status = log.append(1 + random.below(2 * log->per_block()));
    } else if (what < 90) {
      status =
          scan_and_compare({log.some_range(random), logs[random.below(6)]->whole()}, 1 + random.below(3));
    } else if (what < 94) {
      status = log->flush();
    } else if (what < 98) {
      status = log.clear();
    } else {
      status = log.discard_before(log.some_range(random).begin);
    }
    if (status.ok()) continue;
    ++errors;
    expect_clear(status, fault);
  }
  return errors;
}

TEST(StateLogFaults, OneFaultIsAnErrorOrDoesNoHarm) {
  for (const Fault fault : kFaults) {
    uint64_t struck = 0, with_errors = 0;
    for (uint64_t at = 0; at < 120; at += kSanitized ? 10 : 2) {
      SCOPED_TRACE(std::string(fault_name(fault)) + " at " + std::to_string(at));
      const auto bench = make_bench(StorageKind::faultless, 3);
      bench->storage.plan.fail_once(fault, at);
      Random random(at);
      with_errors += random_calls(*bench, fault, random) > 0;
      struck += bench->storage.plan.struck();
      EXPECT_EQ(0u, bench->disk.used());
      if (HasFailure()) return;
    }
    EXPECT_GT(struck, kSanitized ? 5u : 30u) << fault_name(fault);
    // A block that was written wrongly may never be read, or be written again before.
    EXPECT_GT(with_errors, struck / 4) << fault_name(fault);
  }
}

TEST(StateLogFaults, ManyFaultsAreErrorsOrDoNoHarm) {
  for (const Fault fault : kFaults) {
    for (uint64_t seed = 1; seed <= (kSanitized ? 12 : 60); ++seed) {
      SCOPED_TRACE(std::string(fault_name(fault)) + " seed " + std::to_string(seed));
      const auto bench = make_bench(StorageKind::faultless, 3);
      bench->storage.plan.fail_at_random(fault, seed % 3 == 0 ? 1 : 0.1, seed);
      Random random(seed);
      EXPECT_GT(random_calls(*bench, fault, random), 0u);
      if (HasFailure()) return;
    }
  }
}

TEST(StateLogFaults, OnAllThreads) {
  for (const Fault fault : kFaults) {
    for (uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(std::string(fault_name(fault)) + " seed " + std::to_string(seed));
      const auto bench = make_bench(seed % 2 == 0 ? StorageKind::uring : StorageKind::threads, 5);
      FaultyStorage faulty(*bench->storage, bench->storage.plan);
      bench->storage.plan.fail_at_random(fault, 0.02, seed);
      NumberedLog shared(faulty, bench->pool, 99, 50);
      on_threads(4, [&](uint64_t t) {
        Random random(seed * 10 + t);
        NumberedLog own(faulty, bench->pool, t, 20 + 300 * t);
        for (int call = 0; call < 100; ++call) {
          // One thread appends to the log that all of them read.
          NumberedLog& written = t == 0 && random.chance(50) ? shared : own;
          Status status = written.append(1 + random.below(300));
          if (status.ok()) status = scan_and_compare({own.some_range(random), shared.some_range(random)}, 2);
          if (!status.ok()) return expect_clear(status, fault);
        }
      });
      if (HasFailure()) return;
    }
  }
}

// The limit of the disk budget, as --disk-limit gives it.
TEST(StateLogFaults, DiskLimit) {
  for (const StorageKind kind : {StorageKind::uring, StorageKind::threads, StorageKind::striped}) {
    const auto bench = make_bench(kind, 3, 1 << 20);
    NumberedLog log(*bench, 1, 100);
    Status status;
    while (status.ok() && log->size() < 20'000) status = log.append(100);
    EXPECT_EQ(StatusCode::disk_full, status.code());
    EXPECT_TRUE(status.message().starts_with("the disk limit of 1 MiB is reached: ")) << status.message();
    EXPECT_TRUE(status.message().ends_with(" would pass it; raise --disk-limit")) << status.message();
    EXPECT_LE(bench->disk.peak(), 1u << 20);
    EXPECT_GT(log->size(), 10'000u);
    // What had room is there.
    NumberedRange range = log.whole();
    range.end = 10'000;
    const Status read = scan_and_compare({range}, 3);
    EXPECT_TRUE(read.ok()) << read.message();
  }
}

}  // namespace
}  // namespace strata
