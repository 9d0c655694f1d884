#include "search/partitioned/typical_lengths.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using Lengths = std::vector<uint64_t>;

uint64_t nothing(uint64_t) { return 0; }

TEST(TypicalLengthsTest, NoneAreKnownBeforeTheFirstDetection) {
  TypicalLengths lengths(4, 10, 1);
  lengths.counts(0)[3] = 5;
  EXPECT_EQ(lengths.worthwhile(100, nothing), Lengths{});
}

TEST(TypicalLengthsTest, TheMostFrequentOnesOfAllThreadsCount) {
  TypicalLengths lengths(2, 10, 2);
  lengths.counts(0) = {0, 4, 0, 5, 0, 0, 0, 0, 0, 1};
  lengths.counts(1) = {0, 4, 0, 0, 6, 0, 0, 0, 0, 0};
  lengths.note_compared(100);
  lengths.learn();
  EXPECT_EQ(lengths.worthwhile(100, nothing), (Lengths{1, 4}));
  EXPECT_EQ(lengths.counts(1), Lengths(10, 0));
}

TEST(TypicalLengthsTest, LengthsAreAddedUpOverDetections) {
  TypicalLengths lengths(1, 4, 1);
  lengths.note_compared(10);
  lengths.counts(0) = {0, 3, 0, 2};
  lengths.learn();
  EXPECT_EQ(lengths.worthwhile(10, nothing), Lengths{1});
  lengths.counts(0) = {0, 0, 0, 2};
  lengths.learn();
  EXPECT_EQ(lengths.worthwhile(10, nothing), Lengths{3});
}

TEST(TypicalLengthsTest, ALevelThatCostsMoreToReadThanItGivesIsLeftOut) {
  TypicalLengths lengths(4, 4, 1);
  lengths.counts(0) = {0, 50, 1, 0};
  lengths.note_compared(100);
  lengths.learn();
  // A front of 10 has 5 duplicates at length 1, and 0.1 at length 2.
  EXPECT_EQ(lengths.worthwhile(10, [](uint64_t) { return uint64_t{11}; }), Lengths{1});
  EXPECT_EQ(lengths.worthwhile(10, [](uint64_t) { return uint64_t{9}; }), (Lengths{1, 2}));
  EXPECT_EQ(lengths.worthwhile(10, [](uint64_t) { return uint64_t{501}; }), Lengths{});
}

TEST(TypicalLengthsTest, NoneAreWantedWithZero) {
  TypicalLengths lengths(0, 4, 1);
  lengths.counts(0) = {0, 50, 1, 0};
  lengths.learn();
  EXPECT_FALSE(lengths.wanted());
  EXPECT_EQ(lengths.worthwhile(1000, nothing), Lengths{});
}

}  // namespace
}  // namespace strata
