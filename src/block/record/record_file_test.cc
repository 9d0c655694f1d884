#include "block/record/record_file.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

constexpr uint64_t kPlenty = 64 << 20;

// Records whose bytes follow from their number.
std::vector<uint8_t> records(uint64_t first, uint64_t count, uint64_t bytes) {
  std::vector<uint8_t> all;
  for (uint64_t i = first; i < first + count; ++i) {
    Random random(i);
    for (uint64_t k = 0; k < bytes; ++k) all.push_back(static_cast<uint8_t>(random.next()));
  }
  return all;
}

Status append(RecordFile& file, uint64_t count, MemoryBudget& budget, uint64_t buffers = 2) {
  RecordWriter writer(file, budget, buffers);
  if (Status status = writer.open(); !status.ok()) return status;
  const std::vector<uint8_t> all = records(file.size(), count, file.record_bytes());
  // In pieces of uneven length.
  uint64_t done = 0;
  for (uint64_t piece = 1; done < count; piece = piece * 3 + 1) {
    const uint64_t n = std::min(piece, count - done);
    if (Status status = writer.append(all.data() + done * file.record_bytes(), n); !status.ok())
      return status;
    done += n;
  }
  return writer.close();
}

Result<std::vector<uint8_t>> read(const RecordFile& file, uint64_t first, uint64_t end, MemoryBudget& budget,
                                  uint64_t buffers = 2) {
  RecordReader reader(file, first, end, budget, buffers);
  if (Status status = reader.open(); !status.ok()) return status;
  std::vector<uint8_t> all;
  while (true) {
    const Result<RecordReader::Span> span = reader.next();
    if (!span.ok()) return span.status();
    if (span->count == 0) return all;
    all.insert(all.end(), span->records, span->records + span->count * file.record_bytes());
  }
}

std::unique_ptr<RecordFile> make_file(Storage& storage, uint64_t record_bytes, uint64_t block_bytes = 4096) {
  auto file = storage.create("records", block_bytes);
  EXPECT_TRUE(file.ok());
  return std::make_unique<RecordFile>(std::move(*file), record_bytes, 77);
}

class RecordFileTest : public testing::TestWithParam<StorageKind> {
 protected:
  DiskBudget disk_;
  MemoryBudget memory_{kPlenty};
  TestStorage storage_{GetParam(), disk_};
};

TEST_P(RecordFileTest, WhatWasAppendedIsReadBack) {
  for (const uint64_t bytes : {1, 7, 8, 100, 2000, 4064, 5000}) {
    const auto file = make_file(*storage_, bytes, RecordFile::least_block_bytes(bytes) * (bytes % 3 + 1));
    uint64_t size = 0;
    for (const uint64_t count : {1, 0, 5, 1000, 3}) {
      ASSERT_TRUE(append(*file, count, memory_, count % 3 + 1).ok());
      size += count;
      ASSERT_EQ(size, file->size());
    }
    for (const uint64_t buffers : {1, 2, 5}) {
      const auto all = read(*file, 0, size, memory_, buffers);
      ASSERT_TRUE(all.ok()) << all.status().message();
      EXPECT_EQ(records(0, size, bytes), *all);
    }
    const auto part = read(*file, 4, 700, memory_);
    ASSERT_TRUE(part.ok());
    EXPECT_EQ(records(4, 696, bytes), *part);
    EXPECT_TRUE(read(*file, 9, 9, memory_)->empty());
  }
  EXPECT_EQ(0u, memory_.used());
}

TEST_P(RecordFileTest, ClearingGivesSpaceBack) {
  const auto file = make_file(*storage_, 8);
  ASSERT_TRUE(append(*file, 5000, memory_).ok());
  EXPECT_EQ(file->blocks() * 4096, disk_.used());
  ASSERT_TRUE(file->clear().ok());
  EXPECT_EQ(0u, disk_.used());
  ASSERT_TRUE(append(*file, 10, memory_).ok());
  EXPECT_EQ(records(0, 10, 8), *read(*file, 0, 10, memory_));
}

INSTANTIATE_TEST_SUITE_P(All, RecordFileTest,
                         testing::Values(StorageKind::uring, StorageKind::threads, StorageKind::striped,
                                         StorageKind::memory),
                         [](const auto& test) { return kind_name(test.param); });

TEST(RecordFileFaults, NoMemoryIsALimit) {
  DiskBudget disk;
  TestStorage storage(StorageKind::memory, disk);
  MemoryBudget little(4096);
  const auto file = make_file(*storage, 8);
  EXPECT_EQ(StatusCode::limit, append(*file, 1, little).code());
  EXPECT_TRUE(append(*file, 1000, little, 1).ok());
  EXPECT_EQ(StatusCode::limit, read(*file, 0, 1, little).status().code());
  EXPECT_EQ(records(0, 1000, 8), *read(*file, 0, 1000, little, 1));
}

// Whatever goes wrong at whichever block: an error, never a wrong answer.
TEST(RecordFileFaults, EveryFaultAtEveryBlockIsNoticed) {
  for (const Fault fault :
       {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 12; ++at) {
      DiskBudget disk;
      MemoryBudget memory(kPlenty);
      TestStorage storage(StorageKind::faultless, disk);
      const auto file = make_file(*storage, 100);
      storage.plan.fail_once(fault, at);
      Status status = append(*file, 200, memory);
      if (status.ok()) status = append(*file, 200, memory);
      if (status.ok()) {
        const auto all = read(*file, 0, 400, memory);
        status = all.status();
        if (all.ok()) {
          EXPECT_EQ(records(0, 400, 100), *all) << static_cast<int>(fault) << " at " << at;
        }
      }
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok()) << static_cast<int>(fault) << " at " << at;
      if (status.ok()) continue;
      EXPECT_EQ(fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system, status.code());
      EXPECT_NE(std::string::npos, status.message().find("records: ")) << status.message();
      EXPECT_NE(std::string::npos, status.message().find("offset ")) << status.message();
    }
  }
}

TEST(RecordFileFaults, ABlockOfAnotherFileIsNotAccepted) {
  DiskBudget disk;
  MemoryBudget memory(kPlenty);
  TestStorage storage(StorageKind::memory, disk);
  const auto file = make_file(*storage, 8);
  ASSERT_TRUE(append(*file, 100, memory).ok());
  BlockBuffer block(4096);
  Transfer transfer;
  file->file().read(0, block.data(), transfer);
  ASSERT_TRUE(transfer.wait().ok());
  EXPECT_EQ(800u, *verify_block(block.data(), file->file(), 0, 77));
  const char* wrong =
      "records: the block at offset 0 is damaged: it belongs to another place or to another run; the disk or "
      "another program changed it";
  EXPECT_EQ(wrong, verify_block(block.data(), file->file(), 0, 78).status().message());
  EXPECT_FALSE(verify_block(block.data(), file->file(), 1, 77).ok());
}

}  // namespace
}  // namespace strata
