#include "store/sorted/distinct.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "block/testing/storages.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

constexpr uint64_t kSortBlock = 4096;

// On the heap: the thread sanitizer takes mutexes that follow each other at one place of the stack for the same.
struct Fixture {
  explicit Fixture(uint64_t record_bytes, FaultPlan* faults = nullptr)
      : disk(std::move(*DiskSpace::create({{folder.path()}, UINT64_MAX, "", faults}))),
        pool(memory, kSortBlock, 4),
        first(disk->storage(), pool, "first", record_bytes),
        second(disk->storage(), pool, "second", record_bytes) {}

  Result<uint64_t> count(const std::vector<LogRange>& ranges, uint64_t bytes) {
    return count_distinct(*disk, ranges, bytes, budget);
  }

  TemporaryFolder folder;
  MemoryBudget memory{4 * kSortBlock}, budget{16 << 20};
  std::unique_ptr<DiskSpace> disk;
  BlockPool pool;
  StateLog first, second;
};

TEST(CountDistinct, OfNothingIsNothing) {
  const auto fixture = std::make_unique<Fixture>(8);
  EXPECT_EQ(0u, *fixture->count({}, 1 << 20));
  EXPECT_EQ(0u, *fixture->count({{&fixture->first, 0, 0}}, 1 << 20));
  EXPECT_EQ(0u, fixture->budget.used());
}

// Random ranges of two logs against a set, with memory for all of them and for a small part.
TEST(CountDistinct, CountsEachRecordOnce) {
  for (const uint64_t bytes : {1u, 2u, 5u, 8u, 30u, 400u}) {
    const auto fixture = std::make_unique<Fixture>(bytes);
    Random random(bytes);
    std::vector<uint64_t> numbers[2];
    StateLog* logs[] = {&fixture->first, &fixture->second};
    for (int i = 0; i < 2; ++i) {
      const uint64_t range = different_numbers(bytes, 4000);
      for (int k = 0; k < 6000; ++k) numbers[i].push_back(random.below(range));
      ASSERT_TRUE(logs[i]->append(records_of(numbers[i], bytes).data(), numbers[i].size()).ok());
    }
    for (const uint64_t memory : {64u << 10, 128u << 10, 8u << 20}) {
      for (int round = 0; round < 2; ++round) {
        SCOPED_TRACE("record bytes " + std::to_string(bytes) + " memory " + std::to_string(memory));
        std::set<uint64_t> expected;
        std::vector<LogRange> ranges;
        for (int k = 0; k < 4; ++k) {
          const uint64_t i = random.below(2), a = random.below(6001), b = random.below(6001);
          ranges.push_back({logs[i], std::min(a, b), std::max(a, b)});
          expected.insert(numbers[i].begin() + static_cast<int64_t>(std::min(a, b)),
                          numbers[i].begin() + static_cast<int64_t>(std::max(a, b)));
        }
        const Result<uint64_t> count = fixture->count(ranges, memory);
        ASSERT_TRUE(count.ok()) << count.status().message();
        EXPECT_EQ(expected.size(), *count);
        EXPECT_EQ(0u, fixture->budget.used());
        // What it has written makes room for what it writes the next time.
        const uint64_t used = fixture->disk->used();
        EXPECT_TRUE(fixture->count(ranges, memory).ok());
        EXPECT_EQ(used, fixture->disk->used()) << "files were left behind";
      }
    }
  }
}

TEST(CountDistinct, TooLittleMemoryIsALimit) {
  const auto fixture = std::make_unique<Fixture>(100);
  ASSERT_TRUE(fixture->first.append(records_of(numbers_from(0, 1000), 100).data(), 1000).ok());
  for (const uint64_t memory : {0u, 1000u, 8000u, 20'000u}) {
    const Result<uint64_t> count = fixture->count({{&fixture->first, 0, 1000}}, memory);
    ASSERT_FALSE(count.ok());
    EXPECT_EQ(StatusCode::limit, count.status().code());
    EXPECT_NE(std::string::npos, count.status().message().find("raise")) << count.status().message();
    EXPECT_EQ(0u, fixture->budget.used());
  }
  ASSERT_TRUE(fixture->budget.reserve(fixture->budget.limit()));
  const Result<uint64_t> refused = fixture->count({{&fixture->first, 0, 1000}}, 1 << 20);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(StatusCode::limit, refused.status().code());
}

TEST(CountDistinct, FaultsAreErrors) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    uint64_t errors = 0;
    for (uint64_t at = 0; at < 60; at += 5) {
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(fault)) + " at " + std::to_string(at));
      const auto plan = std::make_unique<FaultPlan>();
      const auto fixture = std::make_unique<Fixture>(60, plan.get());
      ASSERT_TRUE(fixture->first.append(records_of(numbers_from(0, 4000), 60).data(), 4000).ok());
      ASSERT_TRUE(fixture->first.flush().ok());
      plan->fail_once(fault, at);
      const Result<uint64_t> count = fixture->count({{&fixture->first, 0, 4000}}, 64 << 10);
      errors += !count.ok();
      if (count.ok()) {
        EXPECT_EQ(4000u, *count);
      } else {
        EXPECT_EQ(fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system,
                  count.status().code())
            << count.status().message();
      }
      EXPECT_EQ(0u, fixture->budget.used());
    }
    EXPECT_GT(errors, 5u);
  }
}

}  // namespace
}  // namespace strata
