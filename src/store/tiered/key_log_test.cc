#include "store/tiered/key_log.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <vector>

#include "base/random.h"
#include "base/testing/test_count.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

// Logs and what they should have.
class SomeLogs {
 public:
  SomeLogs(KeySpace& space, uint64_t count, uint64_t key_words) : words_(key_words), expected_(count) {
    for (uint64_t i = 0; i < count; ++i)
      logs_.push_back(std::make_unique<KeyLog>(space, words_ * sizeof(uint64_t), i % 2));
  }

  Status append(uint64_t log, uint64_t n) {
    const uint64_t first = expected_[log].size();
    for (uint64_t i = 0; i < n * words_; ++i) expected_[log].push_back(++last_);
    return logs_[log]->append(n, [&](uint8_t* to, uint64_t done, uint64_t count) {
      std::memcpy(to, expected_[log].data() + first + done * words_, count * words_ * sizeof(uint64_t));
      return Status();
    });
  }
  void clear(uint64_t log) {
    logs_[log]->clear();
    expected_[log].clear();
  }
  void check(uint64_t log, Random& random) {
    const uint64_t size = logs_[log]->size();
    ASSERT_EQ(size * words_, expected_[log].size());
    const uint64_t from = random.below(size + 1), to = from + random.below(size - from + 1);
    std::vector<uint64_t> found;
    KeyReader reader(*logs_[log], from, to);
    for (;;) {
      const Result<KeyReader::Span> span = reader.next();
      ASSERT_TRUE(span.ok()) << span.status().message();
      if (span->count == 0) break;
      const auto* words = reinterpret_cast<const uint64_t*>(span->keys);
      found.insert(found.end(), words, words + span->count * words_);
    }
    const std::vector<uint64_t> wanted(expected_[log].begin() + static_cast<int64_t>(from * words_),
                                       expected_[log].begin() + static_cast<int64_t>(to * words_));
    EXPECT_EQ(wanted, found);
  }

 private:
  const uint64_t words_;
  std::vector<std::unique_ptr<KeyLog>> logs_;
  std::vector<std::vector<uint64_t>> expected_;
  uint64_t last_ = 0;
};

DiskSpace::Options in_folder(const TemporaryFolder& folder) {
  DiskSpace::Options options;
  options.disks = {folder.path()};
  return options;
}

TEST(KeyLogTest, KeepsKeysInMemoryAndOnDisk) {
  const TemporaryFolder folder;
  uint64_t on_disk = 0;
  for (uint64_t seed = 1; seed <= test_count("STRATA_GRAPHS", 40); ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    constexpr uint64_t kLogs = 5;
    MemoryBudget budget(uint64_t{1} << 30);
    {
      const uint64_t chunks = seed % 4 == 0 ? 1000 : 8 + random.below(20);
      KeySpace space(budget, chunks * 4096, 4096, in_folder(folder));
      ASSERT_TRUE(space.open(1 + random.below(3)).ok());
      SomeLogs logs(space, kLogs, 1 + seed % 3);
      for (int i = 0; i < 200; ++i) {
        const uint64_t log = random.below(kLogs);
        const uint64_t n = random.below(random.chance(5) ? 3000 : 300);
        const Status grown = random.chance(70) ? logs.append(log, n) : Status();
        ASSERT_TRUE(grown.ok()) << grown.message();
        if (random.chance(3)) logs.clear(log);
        if (random.chance(10)) logs.check(log, random);
        if (testing::Test::HasFailure()) return;
      }
      for (uint64_t log = 0; log < kLogs; ++log) logs.check(log, random);
      EXPECT_LE(space.memory(), chunks * 4096);
      EXPECT_LE(space.memory(), budget.used());
      on_disk += space.disk() != nullptr;
    }
    EXPECT_EQ(budget.used(), 0u);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
  EXPECT_GT(on_disk, 0u);
}

TEST(KeyLogTest, AFullDiskIsSaid) {
  const TemporaryFolder folder;
  MemoryBudget budget(1 << 20);
  DiskSpace::Options where = in_folder(folder);
  where.limit = 64 << 10;
  KeySpace space(budget, 8 * 4096, 4096, where);
  ASSERT_TRUE(space.open(2).ok());
  SomeLogs logs(space, 1, 1);
  Status status;
  for (int i = 0; i < 1000 && status.ok(); ++i) status = logs.append(0, 500);
  EXPECT_EQ(StatusCode::disk_full, status.code()) << status.message();
}

TEST(KeyLogTest, TooLittleMemoryIsSaid) {
  const TemporaryFolder folder;
  MemoryBudget budget(3 * 4096);
  KeySpace space(budget, 1 << 20, 4096, in_folder(folder));
  ASSERT_TRUE(space.open(2).ok());
  SomeLogs logs(space, 2, 1);
  ASSERT_TRUE(logs.append(0, 3).ok());
  const Status status = logs.append(1, 3);
  EXPECT_EQ(StatusCode::limit, status.code());
  EXPECT_NE(std::string::npos, status.message().find("--memory"));
}

}  // namespace
}  // namespace strata
