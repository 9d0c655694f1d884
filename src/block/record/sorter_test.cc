#include "block/record/sorter.h"

#include <gtest/gtest.h>

#include <set>

#include "base/random.h"
#include "block/record/merge.h"
#include "block/testing/storages.h"

namespace strata {
namespace {

using Record = std::vector<uint8_t>;

std::vector<Record> contents(const RecordFile& file) {
  MemoryBudget budget(1 << 20);
  RecordReader reader(file, 0, file.size(), budget);
  EXPECT_TRUE(reader.open().ok());
  std::vector<Record> all;
  while (true) {
    const auto span = reader.next();
    EXPECT_TRUE(span.ok()) << span.status().message();
    if (!span.ok() || span->count == 0) return all;
    for (uint64_t i = 0; i < span->count; ++i) {
      const uint8_t* record = span->records + i * file.record_bytes();
      all.emplace_back(record, record + file.record_bytes());
    }
  }
}

std::unique_ptr<RecordFile> make_file(Storage& storage, const std::string& name, uint64_t record_bytes) {
  return std::make_unique<RecordFile>(std::move(*storage.create(name, 4096)), record_bytes, 1);
}

Record random_record(Random& random, uint64_t bytes, uint64_t variety) {
  Record record(bytes);
  Random content(random.below(variety));
  for (uint8_t& byte : record) byte = static_cast<uint8_t>(content.next());
  return record;
}

TEST(Sorter, SortsAndDropsDuplicatesInAnyMemory) {
  for (const uint64_t bytes : {1, 5, 8, 13, 300}) {
    for (const uint64_t memory : {32 << 10, 48 << 10, 1 << 20}) {
      for (const uint64_t count : {0, 1, 17, 20000}) {
        DiskBudget disk;
        TestStorage storage(StorageKind::memory, disk);
        MemoryBudget budget(memory);
        const auto out = make_file(*storage, "out", bytes);
        std::set<Record> expected;
        Random random(bytes * memory + count);
        uint64_t runs = 0;
        {
          Sorter sorter(*storage, "sort", bytes, 4096, budget, memory);
          ASSERT_TRUE(sorter.open().ok());
          for (uint64_t i = 0; i < count; ++i) {
            const Record record = random_record(random, bytes, 5000);
            expected.insert(record);
            ASSERT_TRUE(sorter.add(record.data(), 1).ok());
          }
          const Status status = sorter.finish(*out);
          ASSERT_TRUE(status.ok()) << status.message();
          runs = sorter.runs_written();
        }
        EXPECT_EQ(std::vector<Record>(expected.begin(), expected.end()), contents(*out));
        if (count == 20000 && bytes == 300 && memory == 32 << 10) {
          EXPECT_GT(runs, 100u);  // several passes
        }
        EXPECT_EQ(0u, budget.used());
        EXPECT_EQ(out->blocks() * 4096, disk.used());
      }
    }
  }
}

TEST(Sorter, TooLittleMemoryIsALimit) {
  DiskBudget disk;
  TestStorage storage(StorageKind::memory, disk);
  MemoryBudget budget(1 << 20);
  EXPECT_EQ(StatusCode::limit, Sorter(*storage, "s", 8, 4096, budget, 8 << 10).open().code());
  EXPECT_EQ(StatusCode::limit, Sorter(*storage, "s", 8, 4096, budget, 2 << 20).open().code());
  EXPECT_EQ(0u, budget.used());
}

TEST(Sorter, FaultsAreErrorsAndNothingIsLeft) {
  for (const Fault fault : {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::flipped_bit}) {
    for (uint64_t at = 0; at < 120; at += 7) {
      DiskBudget disk;
      TestStorage storage(StorageKind::faultless, disk);
      MemoryBudget budget(1 << 20);
      const auto out = make_file(*storage, "out", 20);
      storage.plan.fail_once(fault, at);
      Status status;
      {
        Sorter sorter(*storage, "sort", 20, 4096, budget, 32 << 10);
        status = sorter.open();
        Random random(at);
        for (uint64_t i = 0; i < 5000 && status.ok(); ++i) {
          const Record record = random_record(random, 20, 100000);
          status = sorter.add(record.data(), 1);
        }
        if (status.ok()) status = sorter.finish(*out);
      }
      // A damaged block of the result is found by whoever reads it.
      if (status.ok() && storage.plan.struck() > 0 && fault == Fault::flipped_bit) continue;
      EXPECT_EQ(storage.plan.struck() > 0, !status.ok());
      EXPECT_EQ(std::vector<std::string>{"out"}, static_cast<MemoryStorage&>(*storage.base).names());
      EXPECT_EQ(0u, budget.used());
    }
  }
}

TEST(Merger, OfNothingIsNothing) {
  MemoryBudget budget(1 << 20);
  Merger merger({}, budget);
  ASSERT_TRUE(merger.open().ok());
  uint8_t record[8];
  EXPECT_EQ(0u, *merger.next(record, 1));
}

TEST(Merger, AnyNumberOfSources) {
  for (uint64_t sources = 1; sources <= 20; ++sources) {
    DiskBudget disk;
    TestStorage storage(StorageKind::memory, disk);
    MemoryBudget budget(4 << 20);
    Random random(sources);
    std::set<Record> expected;
    std::vector<std::unique_ptr<RecordFile>> files;
    std::vector<const RecordFile*> pointers;
    for (uint64_t i = 0; i < sources; ++i) {
      files.push_back(make_file(*storage, "in" + std::to_string(i), 9));
      std::set<Record> some;
      for (uint64_t k = random.below(3) * 400; k > 0; --k) some.insert(random_record(random, 9, 2000));
      RecordWriter writer(*files.back(), budget);
      ASSERT_TRUE(writer.open().ok());
      for (const Record& record : some) ASSERT_TRUE(writer.append(record.data(), 1).ok());
      ASSERT_TRUE(writer.close().ok());
      expected.insert(some.begin(), some.end());
      pointers.push_back(files.back().get());
    }
    Merger merger(pointers, budget);
    ASSERT_TRUE(merger.open().ok());
    std::vector<Record> found;
    uint8_t batch[7 * 9];
    while (const uint64_t n = *merger.next(batch, 7))
      for (uint64_t i = 0; i < n; ++i) found.emplace_back(batch + i * 9, batch + i * 9 + 9);
    EXPECT_EQ(std::vector<Record>(expected.begin(), expected.end()), found);
  }
}

}  // namespace
}  // namespace strata
