#include "search/filtered/sieve_keeper.h"

#include <gtest/gtest.h>

#include "search/testing/decider_run.h"

namespace strata {
namespace {

class KeptSieve : public DeciderRun {
 public:
  static constexpr unsigned kPartitionBits = 2;
  explicit KeptSieve(StoreMode mode = {}) : DeciderRun(mode, 2, kPartitionBits) {}

  void visit_until(uint32_t end) {
    for (; visited_until_ < end; ++visited_until_) visit(visited_until_);
  }
  void make(uint64_t bytes, uint64_t filter_bytes) {
    ASSERT_TRUE(keeper.make(kPartitionBits, bytes, filter_bytes, visited.states()).ok());
    keeper.teach_all();
  }
  // How many of the states from `begin` on the sieve calls fresh. It has seen them then.
  uint64_t fresh(uint32_t begin, uint32_t end) {
    KeyMaker maker(run().mode(), sizeof(uint32_t));
    uint64_t fresh = 0;
    for (uint32_t state = begin; state < end; ++state) {
      const Keys keys = maker.of_states(bytes_of(state), 1);
      const uint32_t place = 0;
      StateSieve::Answer answer{};
      keeper.sieve().classify(keys, {keeper.sieve().region_of(keys.hashes[0]), &place, keys.hashes, 1},
                              &answer);
      fresh += answer == StateSieve::Answer::fresh;
    }
    return fresh;
  }

  SieveKeeper keeper{run(), visited, waiting};

 private:
  uint32_t visited_until_ = 0;
};

TEST(SieveKeeper, TeachesWhatIsVisitedAndWhatWaits) {
  for (const unsigned bits : {0u, 64u}) {
    KeptSieve run(bits == 0 ? StoreMode() : StoreMode{bits});
    run.visit_until(5000);
    for (uint32_t state = 5000; state < 6000; ++state) run.wait(state);
    run.make(1 << 20, 1 << 19);
    EXPECT_TRUE(run.keeper.is_precise());
    EXPECT_EQ(0u, run.fresh(0, 6000));
    EXPECT_GT(run.fresh(6000, 7000), 900u);
  }
}

TEST(SieveKeeper, KnowsWhenTheFilterGetsTooSmall) {
  KeptSieve run;
  run.visit_until(1000);
  run.make(1 << 18, 4 << 10);
  const auto most = static_cast<uint32_t>(run.keeper.filter_bits() / 6);
  ASSERT_GT(most, 1000u);
  EXPECT_FALSE(run.keeper.is_crowded());
  run.visit_until(most);
  EXPECT_TRUE(run.keeper.is_crowded());
  EXPECT_FALSE(run.keeper.is_precise());
  EXPECT_GT(run.keeper.better_filter(Outlook::goes_on, 0), run.keeper.sieve().filter_bytes());
  run.keeper.tolerate_crowding();
  EXPECT_FALSE(run.keeper.is_crowded());
}

TEST(SieveKeeper, DoesNotCallAFilterCrowdedThatWasSoAtOnce) {
  KeptSieve run;
  run.visit_until(10000);
  run.make(1 << 18, 4 << 10);
  ASSERT_LT(run.keeper.filter_bits() / 6, 10000u);
  EXPECT_FALSE(run.keeper.is_crowded());
}

TEST(SieveKeeper, TeachesADividedSieveAllThatADecisionDidNotRead) {
  KeptSieve run;
  run.visit_until(10000);
  run.make(1 << 18, 4 << 10);
  run.wait(10000);
  ASSERT_TRUE(run.keeper.divide(Outlook::goes_on, 0));
  const LevelMarks::Row ends = run.visited.ends();
  std::vector<uint8_t> memory((64 << 10) + 64);
  uint8_t* const begin = memory.data() + (64 - reinterpret_cast<uint64_t>(memory.data()) % 64) % 64;
  ASSERT_TRUE(run.decider.decide(begin, 64 << 10, run.keeper.learn()).ok());
  run.keeper.teach_rest(ends, run.decider);
  EXPECT_EQ(0u, run.fresh(0, 10001));
  EXPECT_FALSE(run.keeper.divide(Outlook::goes_on, 0));
}

}  // namespace
}  // namespace strata
