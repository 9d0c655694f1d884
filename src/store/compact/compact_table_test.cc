// What a CompactTable has beside the contract of visited_set.h (visited_set_test.cc): levels, and a queue of
// the last ones.
#include "store/compact/compact_table.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "base/random.h"
#include "base/sanitized.h"

namespace strata {
namespace {

std::unique_ptr<CompactTable> make_compact_table(uint64_t bytes, unsigned threads, MemoryBudget& budget) {
  auto table = CompactTable::create(CompactTable::sizes_for(bytes, threads, budget.limit()), budget);
  return table.ok() ? std::move(*table) : nullptr;
}

std::vector<uint8_t> bytes_of(const std::vector<uint64_t>& keys, uint64_t bytes) {
  std::vector<uint8_t> result(keys.size() * bytes);
  for (uint64_t i = 0; i < keys.size(); ++i) std::memcpy(result.data() + i * bytes, &keys[i], bytes);
  return result;
}

// A search as it uses the table: levels of random keys, whose numbers grow.
class Levels {
 public:
  Levels(uint64_t bytes, uint64_t seed) : bytes_(bytes), random_(seed) {}

  void run(uint64_t levels, uint64_t keys) {
    MemoryBudget budget(256 << 20);
    const auto table = make_compact_table(bytes_, 1, budget);
    const auto inserter = table->inserter();
    std::vector<uint64_t> begin(table->shard_count(), 0);
    for (level_ = 0; level_ < levels; ++level_) {
      std::vector<uint64_t> end;
      for (uint64_t i = 0; i < table->shard_count(); ++i) end.push_back(table->shard_size(i));
      table->begin_level(level_, begin);
      insert(*inserter, keys);
      check_queue(*table, end);
      begin = end;
    }
    check_levels(*table);
  }

 private:
  void insert(Inserter& inserter, uint64_t keys) {
    std::vector<uint64_t> some;
    const uint64_t range = 2 + keys * (level_ + 1);
    for (uint64_t i = 0; i < keys; ++i) {
      uint64_t key = random_.below(range) | random_.below(range) << (4 * bytes_);
      if (bytes_ < 8) key &= (uint64_t{1} << 8 * bytes_) - 1;
      some.push_back(key);
    }
    std::vector<Outcome> outcomes(keys);
    inserter.insert(bytes_of(some, bytes_).data(), keys, outcomes.data());
    fresh_.clear();
    for (uint64_t i = 0; i < keys; ++i) {
      const bool is_new = known_.emplace(some[i], level_).second;
      ASSERT_EQ(is_new ? Outcome::fresh : Outcome::seen, outcomes[i]);
      if (is_new) fresh_[some[i]] = level_;
    }
  }
  // The states of a level are those behind the sizes before it.
  void check_queue(const CompactTable& table, const std::vector<uint64_t>& from) {
    std::map<uint64_t, uint64_t> found;
    for (uint64_t shard = 0; shard < table.shard_count(); ++shard) {
      for (uint64_t i = from[shard]; i < table.shard_size(shard); ++i) {
        uint64_t key = 0;
        std::memcpy(&key, table.state(shard, i), bytes_);
        found[key] = level_;
      }
    }
    ASSERT_EQ(fresh_, found);
  }
  void check_levels(const CompactTable& table) {
    ASSERT_EQ(known_.size(), table.size());
    for (uint64_t first = 0; first < level_; first += 1 + level_ / 7) {
      const uint64_t last = first + random_.below(4);
      std::map<uint64_t, uint64_t> wanted, found;
      for (const auto& [key, level] : known_)
        if (first <= level && level <= last) wanted[key] = level;
      for (uint64_t shard = 0; shard < table.shard_count(); ++shard)
        table.for_each(shard, first, last, [&](uint64_t key, uint64_t level) { found[key] = level; });
      ASSERT_EQ(wanted, found);
    }
  }

  const uint64_t bytes_;
  Random random_;
  uint64_t level_ = 0;
  std::map<uint64_t, uint64_t> known_, fresh_;
};

TEST(CompactTable, HasItsStatesByLevels) {
  for (uint64_t bytes = 1; bytes <= 8; ++bytes) {
    SCOPED_TRACE("bytes " + std::to_string(bytes));
    Levels(bytes, bytes).run(6, kSanitized ? 2000 : 20'000);
  }
}

// More levels than a slot has bits for at first.
TEST(CompactTable, Deep) { Levels(5, 1).run(kSanitized ? 300 : 3000, 20); }

// A slot has room for levels below 2^27; deeper states are refused, and nothing is mixed up.
TEST(CompactTable, DeeperThanASlotCanTell) {
  MemoryBudget budget(64 << 20);
  const auto table = make_compact_table(8, 1, budget);
  const auto inserter = table->inserter();
  const std::vector<uint64_t> done(table->shard_count(), 0);
  std::map<uint64_t, uint64_t> wanted, found;
  for (const uint64_t level : {uint64_t{3}, (uint64_t{1} << 27) - 1, uint64_t{1} << 27, uint64_t{1} << 40}) {
    table->begin_level(level, done);
    std::vector<uint64_t> some;
    for (uint64_t i = 0; i < 500; ++i) some.push_back((1000 * level + i) * 0x9e3779b97f4a7c15u);
    const InsertCounts counts = inserter->insert(bytes_of(some, 8).data(), some.size());
    EXPECT_EQ(level >> 27 == 0 ? 500u : 0u, counts.fresh);
    EXPECT_EQ(level >> 27 == 0 ? 0u : 500u, counts.full);
    for (const uint64_t key : some)
      if (level >> 27 == 0) wanted[key] = level;
  }
  for (uint64_t shard = 0; shard < table->shard_count(); ++shard)
    table->for_each(shard, 0, UINT64_MAX, [&](uint64_t key, uint64_t level) { found[key] = level; });
  EXPECT_EQ(wanted, found);
}

TEST(CompactTable, KeysOfFewBitsTakeLittle) {
  MemoryBudget budget(64 << 20);
  const auto table = make_compact_table(7, 1, budget);
  const auto inserter = table->inserter();
  const uint64_t before = budget.used();
  constexpr uint64_t kKeys = 1 << 20;
  std::vector<uint64_t> done(table->shard_count(), 0);
  std::vector<uint64_t> some;
  for (uint64_t i = 0, level = 0; i < kKeys; ++i) {
    // Two numbers below 2^14 and 2^16, in the room of 28 bits each.
    some.push_back(i % 16384 | (i * 3 / 64) % 65536 << 28);
    if (some.size() < kKeys / 16) continue;
    table->begin_level(level++, done);
    for (uint64_t shard = 0; shard < done.size(); ++shard) done[shard] = table->shard_size(shard);
    inserter->insert(bytes_of(some, 7).data(), some.size());
    some.clear();
  }
  inserter->finish();
  const double each = static_cast<double>(budget.used() - before) / static_cast<double>(table->size());
  EXPECT_GT(table->size(), kKeys / 2);
  EXPECT_LT(each, 8.5);
}

// A budget that refuses leaves everything as it was.
TEST(CompactTable, FullAtEveryMoment) {
  for (uint64_t limit = 48 << 10; limit <= 200 << 10; limit += 8 << 10) {
    MemoryBudget budget(limit);
    const auto table = make_compact_table(6, 1, budget);
    if (!table) continue;
    const auto inserter = table->inserter();
    if (!inserter) continue;
    Random random(limit);
    std::map<uint64_t, bool> known;
    uint64_t full = 0;
    for (int call = 0; call < 60; ++call) {
      table->begin_level(static_cast<uint64_t>(call) << call / 3,
                         std::vector<uint64_t>(table->shard_count(), 0));
      std::vector<uint64_t> some;
      for (int i = 0; i < 700; ++i) some.push_back(random.below(uint64_t{1} << (8 + call / 2)));
      std::vector<Outcome> outcomes(some.size());
      const InsertCounts counts = inserter->insert(bytes_of(some, 6).data(), some.size(), outcomes.data());
      full += counts.full;
      for (uint64_t i = 0; i < some.size(); ++i) {
        if (outcomes[i] == Outcome::full) {
          ASSERT_FALSE(known.contains(some[i]));
        } else {
          // One that found no room may be called seen when it comes again.
          const bool is_new = known.emplace(some[i], true).second;
          if (!is_new) {
            ASSERT_EQ(Outcome::seen, outcomes[i]);
          }
          if (outcomes[i] == Outcome::seen && is_new) known.erase(some[i]);
        }
      }
      ASSERT_EQ(known.size(), table->size());
      ASSERT_LE(budget.used(), limit);
    }
    EXPECT_GT(full, 0u) << limit;
    uint64_t there = 0;
    for (uint64_t shard = 0; shard < table->shard_count(); ++shard)
      table->for_each(shard, 0, UINT64_MAX, [&](uint64_t key, uint64_t) { there += known.contains(key); });
    EXPECT_EQ(known.size(), there);
  }
}

}  // namespace
}  // namespace strata
