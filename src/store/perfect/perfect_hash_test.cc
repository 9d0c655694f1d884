#include "store/perfect/perfect_hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/sanitized.h"
#include "store/testing/logs.h"

namespace strata {
namespace {

// Different records of a log, each with a value, the same for kSame in a row.
class PerfectSet final : public StateSource {
 public:
  PerfectSet(StorageKind kind, uint64_t states, uint64_t bytes, unsigned threads)
      : bench_(make_bench(kind, 64)),
        log_(*bench_->storage, bench_->pool, "states", bytes),
        threads_(threads),
        bytes_(bytes) {
    for (uint64_t first = 0; first < states; first += 1000) {
      const auto records = records_of(numbers_from(first, std::min<uint64_t>(1000, states - first)), bytes);
      EXPECT_TRUE(log_.append(records.data(), records.size() / bytes).ok());
    }
    for (unsigned i = 0; i < threads; ++i) readers_.push_back(std::make_unique<ScanReader>(kBlock, 2));
  }

  Status all(const Visit& visit) override {
    ++passes_;
    std::vector<Status> statuses(threads_);
    StateScan scan({{&log_, 0, log_.size()}});
    on_threads(threads_, [&](uint64_t t) {
      ScanReader& reader = *readers_[t];
      reader.open(scan);
      while (statuses[t].ok()) {
        const Result<StateScan::Span> span = reader.next();
        if (!span.ok()) statuses[t] = span.status();
        if (!span.ok() || span->count == 0) break;
        for (uint64_t i = 0; i < span->count && statuses[t].ok();) {
          const uint64_t n = std::min(span->count - i, kSame - (span->first + i) % kSame);
          statuses[t] =
              visit(static_cast<unsigned>(t), span->records + i * bytes_, n, value(span->first + i));
          i += n;
        }
      }
      reader.close();
    });
    for (const Status& status : statuses)
      if (!status.ok()) return status;
    return {};
  }
  Status some(uint64_t about, const Visit& visit) override {
    const uint64_t step = std::max<uint64_t>(log_.size() / about, 1);
    Status status;
    for (uint64_t i = 0; i < log_.size() && status.ok(); i += step)
      status = visit(0, records_of({i}, bytes_).data(), 1, value(i));
    return status;
  }

  PerfectHashOptions options(uint64_t memory) {
    PerfectHashOptions options;
    options.states = log_.size();
    options.state_bytes = bytes_;
    options.memory = memory;
    options.threads = threads_;
    options.on_all_threads = [this](const std::function<void(unsigned)>& work) {
      on_threads(threads_, [&](uint64_t t) { work(static_cast<unsigned>(t)); });
    };
    options.pool = &bench_->pool;
    options.reader = [this](unsigned thread) -> ScanReader& { return *readers_[thread]; };
    return options;
  }
  Storage& storage() { return *bench_->storage; }
  LogBench& bench() { return *bench_; }
  static uint32_t value(uint64_t number) { return static_cast<uint32_t>(number / kSame % 251); }
  static constexpr uint64_t kSame = 97;
  uint64_t passes() const { return passes_; }
  unsigned threads() const { return threads_; }

 private:
  const std::unique_ptr<LogBench> bench_;
  StateLog log_;
  const unsigned threads_;
  const uint64_t bytes_;
  std::vector<std::unique_ptr<ScanReader>> readers_;
  uint64_t passes_ = 0;
};

void expect_values(const PerfectHash& hash, uint64_t states, uint64_t bytes, MemoryBudget& budget) {
  PerfectHashReader reader(hash, 5, budget);
  ASSERT_TRUE(reader.open().ok());
  std::vector<uint64_t> indices(100);
  std::vector<uint32_t> values(100);
  for (uint64_t first = 0; first < states; first += 100) {
    const uint64_t n = std::min<uint64_t>(100, states - first);
    const auto records = records_of(numbers_from(first, n), bytes);
    ASSERT_TRUE(reader.find(records.data(), n, indices.data(), values.data()).ok());
    for (uint64_t i = 0; i < n; ++i) ASSERT_EQ(PerfectSet::value(first + i), values[i]) << first + i;
  }
}

// Sets of many sizes, in RAM and on disk, with little memory and with much, on one thread and on two, with
// and without bits of the state, with values of every width.
TEST(PerfectHashTest, EveryStateHasAnIndexOfItsOwn) {
  uint64_t seed = 0;
  for (const uint64_t states : {1, 2, 3, 10, 100, 1000, 5000, 30'000, 200'000}) {
    for (const bool on_disk : {false, true}) {
      for (const uint64_t memory : {64ull << 10, 16ull << 20}) {
        if (states > (kSanitized ? 10'000 : 50'000) && memory < (1 << 20)) continue;  // many small writes
        if (kSanitized && states > 50'000) continue;
        const unsigned threads = 1 + static_cast<unsigned>(++seed % 2);
        SCOPED_TRACE(std::to_string(states) + (on_disk ? " on disk " : " in RAM ") + std::to_string(memory) +
                     " threads " + std::to_string(threads));
        PerfectSet set(seed % 3 == 0 ? StorageKind::uring : StorageKind::shared, states, 9, threads);
        MemoryBudget budget(64 << 20);
        PerfectHashOptions options = set.options(memory);
        options.on_disk = on_disk;
        const unsigned widths[] = {0, 1, 2, 4};
        options.value_bytes = widths[seed % 4];
        if (seed % 5 > 1) options.bits = {17, 16, 13, 12, 3, 2, 1};
        {
          const auto hash = build_perfect_hash(set, options, set.storage(), budget);
          ASSERT_TRUE(hash.ok()) << hash.status().message();
          EXPECT_EQ(states, (*hash)->size());
          EXPECT_EQ(on_disk, (*hash)->on_disk());
          const Status status = check_perfect_hash(**hash, set, threads, 3, budget);
          EXPECT_TRUE(status.ok()) << status.message();
          EXPECT_EQ("", (*hash)->check_invariants());
          if (options.value_bytes > 0) expect_values(**hash, states, 9, budget);
        }
        EXPECT_EQ(0u, budget.used());
        if (HasFailure()) return;
      }
    }
  }
}

TEST(PerfectHashTest, AStateTakesLessThanTwoAndAHalfBits) {
  const uint64_t states = kSanitized ? 100'000 : 1'000'000;
  PerfectSet set(StorageKind::memory, states, 8, 2);
  for (const bool on_disk : {false, true}) {
    MemoryBudget budget(64 << 20);
    PerfectHashOptions options = set.options(32 << 20);
    options.on_disk = on_disk;
    const auto hash = build_perfect_hash(set, options, set.storage(), budget);
    ASSERT_TRUE(hash.ok());
    EXPECT_LE((*hash)->bits_a_key(), 2.5);
    EXPECT_LE(budget.used(), on_disk ? 1'000u : states * 5 / 16);
    if (on_disk) {
      EXPECT_LE((*hash)->disk() * 8, states * 5 / 2 + 8 * 4096);
    }
  }
}

// Some eighty partitions in twenty blocks: records go to their partition in two steps, so each is written
// twice, and not a block for every few of them.
TEST(PerfectHashTest, LittleMemoryCostsNoMoreThanASecondPass) {
  constexpr uint64_t states = 100'000, blocks = states * 16 / 4000;
  PerfectSet set(StorageKind::faultless, states, 8, 1);
  MemoryBudget budget(64 << 20);
  const PerfectHashOptions options = set.options(256 << 10);
  set.bench().storage.plan.fail_once(Fault::write_error, 3 * blocks);
  const auto hash = build_perfect_hash(set, options, set.storage(), budget);
  ASSERT_TRUE(hash.ok()) << hash.status().message();
  EXPECT_TRUE(check_perfect_hash(**hash, set, 1, 3, budget).ok());
}

// Hashes of 16 bits cannot tell five thousand states apart, so the first attempt fails; with the next seed they can.
TEST(PerfectHashTest, EqualHashesTakeAnotherSeed) {
  PerfectSet set(StorageKind::memory, 5000, 8, 1);
  MemoryBudget budget(64 << 20);
  PerfectHashOptions options = set.options(1 << 20);
  options.first_hash_bits = 16;
  const auto hash = build_perfect_hash(set, options, set.storage(), budget);
  ASSERT_TRUE(hash.ok()) << hash.status().message();
  EXPECT_EQ(2u, set.passes());
  EXPECT_TRUE(check_perfect_hash(**hash, set, 1, 3, budget).ok());
  options.hash_bits = 16;
  const auto never = build_perfect_hash(set, options, set.storage(), budget);
  ASSERT_FALSE(never.ok());
  EXPECT_EQ(StatusCode::internal, never.status().code());
}

// A check that could not fail would say nothing: of a set with one state more than the function knows.
TEST(PerfectHashTest, TheCheckFindsAForeignState) {
  PerfectSet set(StorageKind::memory, 1000, 8, 1), larger(StorageKind::memory, 1001, 8, 1);
  MemoryBudget budget(64 << 20);
  const auto hash = build_perfect_hash(set, set.options(1 << 20), set.storage(), budget);
  ASSERT_TRUE(hash.ok());
  EXPECT_EQ(StatusCode::internal, check_perfect_hash(**hash, larger, 1, 3, budget).code());
}

TEST(PerfectHashTest, WithoutRoomItSaysSo) {
  PerfectSet set(StorageKind::memory, kSanitized ? 20'000 : 100'000, 8, 1);
  MemoryBudget budget(20 << 10);
  const auto hash = build_perfect_hash(set, set.options(16 << 10), set.storage(), budget);
  ASSERT_FALSE(hash.ok());
  EXPECT_EQ(StatusCode::limit, hash.status().code());
}

// A disk that fails gives an error, while it is built or when it is asked, and never another index.
TEST(PerfectHashTest, ADiskThatFailsIsAnError) {
  uint64_t errors = 0;
  for (uint64_t seed = 1; seed <= (kSanitized ? 8 : 40); ++seed) {
    SCOPED_TRACE(seed);
    PerfectSet set(StorageKind::faultless, 20'000, 8, 1);
    MemoryBudget budget(64 << 20);
    PerfectHashOptions options = set.options(256 << 10);
    options.on_disk = true;
    set.bench().storage.plan.fail_once(seed % 2 == 0 ? Fault::read_error : Fault::torn_write, 1 + seed * 3);
    const auto hash = build_perfect_hash(set, options, set.storage(), budget);
    if (!hash.ok()) {
      ++errors;
      EXPECT_EQ(StatusCode::system, hash.status().code()) << hash.status().message();
      continue;
    }
    const Status status = check_perfect_hash(**hash, set, 1, 3, budget);
    errors += !status.ok();
    EXPECT_NE(StatusCode::internal, status.code()) << status.message();
  }
  EXPECT_GT(errors, kSanitized ? 1u : 10u);
}

TEST(PerfectCellTest, EverySizeIsBuilt) {
  Random random(7);
  for (uint64_t turn = 0; turn < 300; ++turn) {
    const uint32_t keys = static_cast<uint32_t>(1 + random.below(turn % 20 == 0 ? 13'800 : 300));
    const CellShape shape = CellShape::of_keys(std::max(keys, 64u));
    EXPECT_LE(shape.bytes(), payload_bytes(4096));
    CellBuilder builder(shape);
    std::vector<uint64_t> hashes(keys);
    for (uint64_t& hash : hashes) hash = random.next();
    std::vector<uint8_t> cell(shape.bytes());
    ASSERT_EQ(CellBuilder::Outcome::built, builder.build(hashes.data(), keys, 1000, cell.data())) << keys;
    std::set<uint64_t> slots;
    for (const uint64_t hash : hashes) slots.insert(slot_in_cell(cell.data(), shape, hash));
    EXPECT_EQ(keys, slots.size());
    EXPECT_EQ(keys - 1, *slots.rbegin());
    EXPECT_EQ(1000u, first_of_cell(cell.data()));
    if (keys < 2) continue;
    hashes[0] = hashes[1];
    EXPECT_EQ(CellBuilder::Outcome::duplicate, builder.build(hashes.data(), keys, 0, cell.data()));
  }
}

}  // namespace
}  // namespace strata
