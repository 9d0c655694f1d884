#include "store/set/record_table.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/random.h"
#include "base/sanitized.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

constexpr uint64_t kCountBytes = 4;

std::unique_ptr<RecordTable> make_record_table(uint64_t state_bytes, unsigned threads, uint64_t bytes,
                                               MemoryBudget& budget) {
  auto table = RecordTable::create(state_bytes, kCountBytes, threads, bytes, budget);
  EXPECT_TRUE(table.ok()) << table.status().message();
  return table.ok() ? std::move(*table) : nullptr;
}

uint32_t read_count(const uint8_t* payload) {
  uint32_t count;
  std::memcpy(&count, payload, sizeof count);
  return count;
}

void add_one(uint8_t* payload) {
  const uint32_t count = read_count(payload) + 1;
  std::memcpy(payload, &count, sizeof count);
}

// Counts each state in its payload; the table grows when it wants to. How many found no room in a table of full size.
uint64_t count_all(RecordTable& table, const std::vector<uint64_t>& numbers, uint64_t state_bytes,
                   bool insert) {
  const NumberedKeys numbered(numbers, state_bytes);
  const Keys& keys = numbered;
  std::vector<uint32_t> which(keys.count), refused(keys.count);
  for (uint64_t i = 0; i < keys.count; ++i) which[i] = static_cast<uint32_t>(keys.count - 1 - i);
  while (true) {
    const uint64_t full =
        table.update(keys.key(0), state_bytes, keys.hashes, which.data(), which.size(), insert,
                     refused.data(), [&](uint64_t i, uint64_t place, uint8_t* payload, bool fresh) {
                       EXPECT_TRUE(equal_bytes(table.record(place), keys.key(which[i]), state_bytes));
                       EXPECT_EQ(fresh, read_count(payload) == 0);
                       add_one(payload);
                     });
    if (full == 0 || !table.grow()) return full;
    for (uint64_t i = 0; i < full; ++i) which[i] = which[refused[i]];
    which.resize(full);
  }
}

std::map<std::vector<uint8_t>, uint32_t> record_content(RecordTable& table, uint64_t state_bytes) {
  std::map<std::vector<uint8_t>, uint32_t> content;
  for (uint64_t i = 0; i < table.size(); ++i)
    content[{table.record(i), table.record(i) + state_bytes}] = read_count(table.payload(i));
  EXPECT_EQ(content.size(), table.size()) << "two records have equal states";
  EXPECT_EQ("", table.check_invariants());
  return content;
}

TEST(RecordTable, RandomCallsAgreeWithAMap) {
  for (uint64_t state_bytes = 1; state_bytes <= 40; state_bytes += kSanitized ? 13 : 1) {
    SCOPED_TRACE("state bytes " + std::to_string(state_bytes));
    Random random(state_bytes);
    const uint64_t bytes = (uint64_t{32} << 10) << random.below(6);
    MemoryBudget budget(bytes);
    {
      const auto table = make_record_table(state_bytes, 1 + state_bytes % 2, bytes, budget);
      ASSERT_NE(nullptr, table);
      EXPECT_LE(budget.used(), bytes);
      std::map<std::vector<uint8_t>, uint32_t> expected;
      const uint64_t range = different_numbers(state_bytes, table->most());
      for (int call = 0; call < 40; ++call) {
        if (random.chance(5)) {
          table->clear();
          expected.clear();
        }
        if (random.chance(10)) {
          const uint32_t least = static_cast<uint32_t>(random.below(4));
          table->filter([&](const uint8_t* payload) { return read_count(payload) >= least; });
          std::erase_if(expected, [&](const auto& entry) { return entry.second < least; });
        }
        const bool insert = random.chance(70);
        std::vector<uint64_t> numbers(random.below(2000));
        for (uint64_t& number : numbers) number = random.below(range);
        ASSERT_EQ(0u, count_all(*table, numbers, state_bytes, insert));
        const std::vector<uint8_t> states = records_of(numbers, state_bytes);
        for (uint64_t i = 0; i < numbers.size(); ++i) {
          const uint8_t* state = states.data() + i * state_bytes;
          const std::vector<uint8_t> key(state, state + state_bytes);
          if (insert || expected.contains(key)) ++expected[key];
        }
        ASSERT_EQ(expected, record_content(*table, state_bytes)) << "call " << call;
      }
    }
    EXPECT_EQ(0u, budget.used());
  }
}

TEST(RecordTable, WhatFindsNoRoomIsRefused) {
  MemoryBudget budget(64 << 10);
  const auto table = make_record_table(10, 1, 64 << 10, budget);
  ASSERT_NE(nullptr, table);
  const uint64_t most = table->most();
  EXPECT_EQ(100u, count_all(*table, numbers_from(0, most + 100), 10, true));
  EXPECT_EQ(most, table->size());
  // What is there is still found.
  EXPECT_EQ(100u, count_all(*table, numbers_from(0, most + 100), 10, true));
  for (const auto& [state, count] : record_content(*table, 10)) EXPECT_EQ(2u, count);
}

TEST(RecordTable, ThreadsCountTogether) {
  constexpr uint64_t kStates = kSanitized ? 2000 : 50'000, kBytes = 12;
  MemoryBudget budget(8 << 20);
  const auto table = make_record_table(kBytes, 4, 8 << 20, budget);
  ASSERT_NE(nullptr, table);
  ASSERT_TRUE(table->grow(2 * kStates));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { EXPECT_EQ(0u, count_all(*table, numbers_from(0, kStates), kBytes, true)); });
  }
  const auto content = record_content(*table, kBytes);
  EXPECT_EQ(kStates, content.size());
  for (const auto& [state, count] : content) EXPECT_EQ(4u, count);
}

TEST(RecordTable, AppendedRecordsAreFound) {
  constexpr uint64_t kStates = kSanitized ? 2000 : 40'000, kBytes = 9, kRecord = kBytes + kCountBytes;
  MemoryBudget budget(8 << 20);
  const auto table = make_record_table(kBytes, 4, 8 << 20, budget);
  ASSERT_NE(nullptr, table);
  ASSERT_TRUE(table->grow(kStates));
  {
    std::vector<std::jthread> threads;
    for (uint64_t i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        std::vector<uint8_t> records(kStates / 4 * kRecord);
        for (uint64_t k = 0; k < kStates / 4; ++k) {
          write_number(i * (kStates / 4) + k, kBytes, records.data() + k * kRecord);
          add_one(records.data() + k * kRecord + kBytes);
        }
        for (uint64_t done = 0; done < kStates / 4; done += 100)
          EXPECT_NE(RecordTable::kNoRoom, table->append(records.data() + done * kRecord, 100));
      });
    }
  }
  std::vector<uint8_t> one(kRecord);
  EXPECT_EQ(RecordTable::kNoRoom, table->append(one.data(), 1));
  EXPECT_EQ(0u, count_all(*table, numbers_from(0, kStates + 10), kBytes, false));
  const auto content = record_content(*table, kBytes);
  EXPECT_EQ(kStates, content.size());
  for (const auto& [state, count] : content) EXPECT_EQ(2u, count);
}

TEST(RecordTable, TooLittleMemoryIsALimit) {
  MemoryBudget budget(1 << 20);
  const auto table = RecordTable::create(16, kCountBytes, 1, 4095, budget);
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(StatusCode::limit, table.status().code());
  EXPECT_EQ(0u, budget.used());
}

}  // namespace
}  // namespace strata
