// The contract of file.h, on every implementation.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <thread>

#include "base/random.h"
#include "block/io/block_buffer.h"
#include "block/io/io_engine.h"
#include "block/storage/free_later.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kBlock = 8192;

class StorageTest : public testing::TestWithParam<StorageKind> {
 protected:
  std::unique_ptr<File> create(const std::string& name) {
    auto file = storage_->create(name, kBlock);
    EXPECT_TRUE(file.ok()) << file.status().message();
    return std::move(*file);
  }
  static Status write(File& file, uint64_t block, uint8_t value) {
    BlockBuffer buffer(kBlock);
    std::memset(buffer.data(), value, kBlock);
    Transfer transfer;
    file.write(block, buffer.data(), transfer);
    return transfer.wait();
  }
  // The value of all bytes of a block, or -1.
  static int read(File& file, uint64_t block) {
    BlockBuffer buffer(kBlock);
    Transfer transfer;
    file.read(block, buffer.data(), transfer);
    if (!transfer.wait().ok()) return -1;
    for (uint64_t i = 0; i < kBlock; ++i)
      if (buffer.data()[i] != buffer.data()[0]) return -1;
    return buffer.data()[0];
  }

  // Whether blocks that are given back stay in the file below, for others.
  static bool shared() { return GetParam() == StorageKind::shared; }

  DiskBudget budget_{64 * kBlock};
  TestStorage storage_{GetParam(), budget_};
};

TEST_P(StorageTest, WhatWasWrittenIsReadBack) {
  const auto file = create("a");
  for (uint64_t block = 0; block < 20; ++block)
    ASSERT_TRUE(write(*file, block, static_cast<uint8_t>(block + 1)).ok());
  ASSERT_TRUE(write(*file, 7, 99).ok());
  EXPECT_TRUE(file->sync().ok());
  for (uint64_t block = 0; block < 20; ++block)
    EXPECT_EQ(block == 7 ? 99 : static_cast<int>(block + 1), read(*file, block));
  const auto again = storage_->open("a", kBlock);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(20, read(**again, 19));
  EXPECT_EQ(kBlock, (*again)->block_bytes());
}

TEST_P(StorageTest, ManyOperationsAtATime) {
  const auto file = create("a");
  constexpr uint64_t kCount = 60;
  BlockBuffer buffer(kCount * kBlock);
  std::vector<Transfer> transfers(kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    std::memset(buffer.data() + i * kBlock, static_cast<int>(i), kBlock);
    file->write(i, buffer.data() + i * kBlock, transfers[i]);
  }
  for (const Transfer& transfer : transfers) ASSERT_TRUE(transfer.wait().ok()) << transfer.wait().message();
  std::vector<std::thread> readers;
  std::atomic<uint64_t> right{0};
  for (uint64_t t = 0; t < 4; ++t) {
    readers.emplace_back([&, t] {
      for (uint64_t i = t; i < kCount; i += 4) right += read(*file, i) == static_cast<int>(i);
    });
  }
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(kCount, right);
}

TEST_P(StorageTest, SpaceIsDrawnFromTheBudget) {
  const auto file = create("a");
  for (uint64_t block = 0; block < 64; ++block) ASSERT_TRUE(write(*file, block, 1).ok());
  EXPECT_EQ(64 * kBlock, budget_.used());
  ASSERT_TRUE(write(*file, 3, 2).ok());
  const Status full = write(*file, 64, 1);
  EXPECT_EQ(StatusCode::disk_full, full.code());
  EXPECT_NE(std::string::npos, full.message().find("the disk limit")) << full.message();
  ASSERT_TRUE(file->discard(10, 5).ok());
  EXPECT_EQ(shared() ? 64 * kBlock : 59 * kBlock, budget_.used());
  ASSERT_TRUE(file->discard(10, 5).ok());
  ASSERT_TRUE(write(*file, 64, 5).ok());
  ASSERT_TRUE(write(*file, 12, 6).ok());
  EXPECT_EQ(6, read(*file, 12));
  EXPECT_EQ(2, read(*file, 3));
  EXPECT_EQ(shared() ? 64 * kBlock : 61 * kBlock, budget_.used());
  EXPECT_EQ(64 * kBlock, budget_.peak());
}

TEST_P(StorageTest, RemovingAFileGivesItsSpaceBack) {
  {
    const auto file = create("a");
    ASSERT_TRUE(write(*file, 5, 1).ok());
  }
  EXPECT_EQ(kBlock, budget_.used());
  ASSERT_TRUE(storage_->remove("a").ok());
  EXPECT_EQ(0u, budget_.used());
  EXPECT_FALSE(storage_->open("a", kBlock).ok());
  EXPECT_TRUE(storage_->remove("a").ok());
}

TEST_P(StorageTest, CreatingAgainBeginsEmpty) {
  ASSERT_TRUE(write(*create("a"), 5, 1).ok());
  const auto file = create("a");
  EXPECT_EQ(0u, budget_.used());
  EXPECT_EQ(-1, read(*file, 5));
}

TEST_P(StorageTest, ReadingWhatIsNotThereIsAnErrorThatNamesTheFile) {
  const auto file = create("missing");
  BlockBuffer buffer(kBlock);
  Transfer transfer;
  file->read(3, buffer.data(), transfer);
  EXPECT_EQ(StatusCode::system, transfer.wait().code());
  EXPECT_NE(std::string::npos, transfer.wait().message().find("missing")) << transfer.wait().message();
}

INSTANTIATE_TEST_SUITE_P(All, StorageTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory, StorageKind::faultless, StorageKind::shared),
                         [](const auto& test) { return kind_name(test.param); });

TEST(SharedStorageTest, PlacesAreUsedAgainAndTheFileBelowStaysAsLargeAsTheLargestSum) {
  DiskBudget below, budget{10 * kBlock};
  MemoryStorage base(below);
  BlockBuffer buffer(kBlock);
  {
    SharedStorage storage(base, budget);
    for (unsigned round = 0; round < 20; ++round) {
      auto a = storage.create("a", kBlock), b = storage.create("b", kBlock);
      for (uint64_t block = 0; block < 5; ++block) {
        for (File* file : {a->get(), b->get()}) {
          std::memset(buffer.data(), static_cast<int>(16 * round + 2 * block + (file == b->get())), kBlock);
          Transfer transfer;
          file->write(block, buffer.data(), transfer);
          ASSERT_TRUE(transfer.wait().ok()) << transfer.wait().message();
        }
      }
      EXPECT_EQ(10 * kBlock, budget.used());
      for (uint64_t block = 0; block < 5; ++block) {
        Transfer transfer;
        (*b)->read(block, buffer.data(), transfer);
        ASSERT_TRUE(transfer.wait().ok());
        EXPECT_EQ(static_cast<uint8_t>(16 * round + 2 * block + 1), buffer.data()[kBlock - 1]);
      }
      ASSERT_TRUE((*a)->discard(1, 3).ok());
      EXPECT_EQ(10 * kBlock, budget.used());
      a->reset();
      b->reset();
      ASSERT_TRUE(storage.remove("a").ok());
      ASSERT_TRUE(storage.remove("b").ok());
      EXPECT_EQ(0u, budget.used());
    }
    // It is kept to be used again, until there are files with other blocks, which need the room.
    EXPECT_EQ(10 * kBlock, below.used());
    EXPECT_EQ(10 * kBlock, below.peak());
    EXPECT_EQ(std::vector<std::string>{"blocks.8192"}, base.names());
    ASSERT_TRUE(storage.create("c", 2 * kBlock).ok());
    EXPECT_EQ(0u, below.used());
  }
  EXPECT_EQ(0u, below.used());
  EXPECT_TRUE(base.names().empty());
}

// What a run leaves to be freed has no name any more, and stays open until the next one needs the room.
TEST(DiskStorageTest, LargeFilesAreFreedLater) {
  const TemporaryFolder folder;
  DiskBudget budget;
  constexpr uint64_t kLarge = 1 << 20, kBlocks = 80;
  const auto open_files = [] {
    uint64_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
  };
  const auto deleted_files = [] {
    uint64_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code gone;
      count += std::filesystem::read_symlink(entry, gone).string().ends_with("blocks.1048576 (deleted)");
    }
    return count;
  };
  free_now();
  const uint64_t before = open_files();
  {
    DiskStorage storage({folder.path()}, budget);
    SharedStorage shared(storage, budget);
    const auto file = shared.create("a", kLarge);
    ASSERT_TRUE(file.ok());
    BlockBuffer buffer(kLarge);
    std::memset(buffer.data(), 1, kLarge);
    for (uint64_t block = 0; block < kBlocks; ++block) {
      Transfer transfer;
      (*file)->write(block, buffer.data(), transfer);
      ASSERT_TRUE(transfer.wait().ok());
    }
    EXPECT_LE(kBlocks * kLarge, std::filesystem::file_size(folder.path() + "/blocks.1048576"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_EQ(before + 1, open_files());
  EXPECT_EQ(1u, deleted_files());
  free_after_the_end();  // somebody else holds it too; this process goes on
  EXPECT_EQ(1u, deleted_files());
  { const DiskStorage next({folder.path()}, budget); }
  EXPECT_EQ(0u, deleted_files());
}

TEST(DiskStorageTest, AFolderThatIsNotThereIsAnError) {
  DiskBudget budget;
  DiskStorage storage({"/nonexistent-folder"}, budget);
  const auto file = storage.create("a", kBlock);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ("/nonexistent-folder/a: creating: No such file or directory", file.status().message());
}

TEST(DiskStorageTest, TrafficIsCounted) {
  const TemporaryFolder folder;
  DiskBudget budget;
  DiskStorage storage({folder.path()}, budget, DiskStorage::Engine::threads);
  const auto file = storage.create("a", kBlock);
  BlockBuffer buffer(kBlock);
  std::memset(buffer.data(), 0, kBlock);
  Transfer transfer;
  (*file)->write(0, buffer.data(), transfer);
  ASSERT_TRUE(transfer.wait().ok());
  (*file)->read(0, buffer.data(), transfer);
  ASSERT_TRUE(transfer.wait().ok());
  EXPECT_EQ(kBlock, storage.traffic().written.load());
  EXPECT_EQ(kBlock, storage.traffic().read.load());
  EXPECT_NE(std::string::npos, storage.description().find("pread/pwrite"));
}

TEST(IoEngineTest, ShortAndInterruptedCallsAreContinued) {
  const std::string name = "f";
  uint8_t data[100];
  Transfer transfer;
  transfer.begin();
  IoOperation operation{IoOperation::Kind::write, 3, 1000, data, 100, &name, &transfer};
  EXPECT_FALSE(conclude(operation, -EINTR));
  EXPECT_FALSE(conclude(operation, 30));
  EXPECT_EQ(1030u, operation.offset);
  EXPECT_EQ(70u, operation.bytes);
  EXPECT_EQ(data + 30, operation.data);
  EXPECT_TRUE(conclude(operation, 70));
  EXPECT_TRUE(transfer.wait().ok());
}

TEST(IoEngineTest, ErrorsSayWhatWhereAndWhy) {
  const std::string name = "f";
  Transfer transfer;
  transfer.begin();
  IoOperation operation{IoOperation::Kind::read, 3, 4096, nullptr, 100, &name, &transfer};
  EXPECT_TRUE(conclude(operation, -EIO));
  EXPECT_EQ("f: reading 100 bytes at offset 4096: Input/output error", transfer.wait().message());
  transfer.begin();
  EXPECT_TRUE(conclude(operation, 0));
  EXPECT_EQ("f: the file ends at offset 4096", transfer.wait().message());
  transfer.begin();
  operation.kind = IoOperation::Kind::write;
  EXPECT_TRUE(conclude(operation, -ENOSPC));
  EXPECT_EQ(StatusCode::disk_full, transfer.wait().code());
  EXPECT_EQ("the disk is full: f: writing 100 bytes at offset 4096: No space left on device",
            transfer.wait().message());
  transfer.begin();
  EXPECT_TRUE(conclude(operation, -EFBIG));
  EXPECT_EQ(StatusCode::disk_full, transfer.wait().code());
  EXPECT_EQ("a file may not grow further (ulimit -f): f: writing 100 bytes at offset 4096: File too large",
            transfer.wait().message());
}

// As where the system refuses every thread.
TEST(ThreadEngine, WithoutThreadsTheCallerWaits) {
  std::string path = (std::filesystem::temp_directory_path() / "strata-test-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  ASSERT_GE(descriptor, 0);
  const std::unique_ptr<IoEngine> engine = make_thread_engine(0);
  uint8_t out[16] = {7, 1}, in[16] = {};
  Transfer transfer;
  const auto carry = [&](IoOperation::Kind kind, uint64_t offset, uint8_t* data) {
    transfer.begin(engine->carrier());
    engine->start({kind, descriptor, offset, data, 16, &path, &transfer});
    EXPECT_FALSE(transfer.busy());
    return transfer.wait();
  };
  EXPECT_TRUE(carry(IoOperation::Kind::write, 0, out).ok());
  EXPECT_TRUE(carry(IoOperation::Kind::read, 0, in).ok());
  EXPECT_EQ(0, std::memcmp(out, in, sizeof out));
  EXPECT_EQ(path + ": the file ends at offset 64", carry(IoOperation::Kind::read, 64, in).message());
  ::close(descriptor);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace strata
