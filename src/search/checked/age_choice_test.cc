#include "search/checked/age_choice.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

using Part = BlockChoice::Part;

constexpr uint64_t kPerBlock = 10;

// A check of a file of this many blocks, in which block b (0: the oldest) has duplicates(b). True: it read
// the whole file.
template <class Duplicates>
bool check(AgeChoice& choice, uint64_t blocks, const Duplicates& duplicates,
           std::vector<Part>* read = nullptr) {
  std::vector<Part> parts = choice.choose(blocks * kPerBlock, kPerBlock);
  for (Part& part : parts) {
    for (uint64_t b = part.begin / kPerBlock; b < (part.end + kPerBlock - 1) / kPerBlock; ++b)
      part.erased += duplicates(b);
  }
  choice.learn(parts);
  if (read != nullptr) *read = parts;
  return choice.was_full();
}

uint64_t none(uint64_t) { return 0; }

TEST(AgeChoice, TheFirstCheckReadsEverythingByAge) {
  AgeChoice choice;
  const std::vector<Part> parts = choice.choose(95, kPerBlock);
  EXPECT_TRUE(choice.was_full());
  // Ten blocks, the last one half full: classes of 1, 2, 4 blocks and what is left of 8.
  ASSERT_EQ(4u, parts.size());
  const uint64_t borders[] = {95, 90, 70, 30, 0};
  for (uint64_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ(borders[i], parts[i].end);
    EXPECT_EQ(borders[i + 1], parts[i].begin);
    EXPECT_EQ(0u, parts[i].erased);
  }
}

TEST(AgeChoice, AnEmptyFileHasNoParts) {
  AgeChoice choice;
  for (int i = 0; i < 5; ++i) {
    const std::vector<Part> parts = choice.choose(0, kPerBlock);
    EXPECT_TRUE(parts.empty());
    choice.learn(parts);
  }
}

// All parts of a full check together are the whole file, whatever its size.
TEST(AgeChoice, FullChecksMissNothing) {
  AgeChoice choice;
  uint64_t full = 0;
  for (uint64_t records = 1; records < 3000; records += 7) {
    const std::vector<Part> parts = choice.choose(records, kPerBlock);
    uint64_t end = records;
    for (const Part& part : parts) {
      ASSERT_LT(part.begin, part.end);
      ASSERT_LE(part.end, end);
      if (choice.was_full()) {
        ASSERT_EQ(end, part.end);
      }
      end = part.begin;
    }
    if (choice.was_full()) {
      ASSERT_EQ(0u, end);
    }
    full += choice.was_full();
    choice.learn(parts);
  }
  EXPECT_GT(full, 20u);
}

TEST(AgeChoice, PartialChecksReadTheClassesWithTheMostDuplicatesABlock) {
  AgeChoice choice;
  // 31 blocks, in five classes. Blocks 28 to 29 have 30 each, the four before 10 each, the oldest 16 one each: the
  // densest classes have 60 and 40 of 116, 86 percent; the third densest makes it 100 percent.
  const auto duplicates = [](uint64_t b) -> uint64_t {
    return b == 28 || b == 29 ? 30 : b >= 24 && b < 28 ? 10 : b < 16 ? 1 : 0;
  };
  std::vector<Part> parts;
  EXPECT_TRUE(check(choice, 31, duplicates));
  EXPECT_FALSE(check(choice, 31, duplicates, &parts));
  ASSERT_EQ(4u, parts.size());
  EXPECT_EQ(300u, parts[0].begin);  // the youngest block is always read
  EXPECT_EQ(280u, parts[1].begin);
  EXPECT_EQ(240u, parts[2].begin);
  EXPECT_EQ(0u, parts[3].begin);
  EXPECT_EQ(160u, parts[3].end);
}

TEST(AgeChoice, ClassesBeyondNineTenthsAreLeftOut) {
  AgeChoice choice;
  // 7 blocks: class 1 has 95 of 100, class 2 the rest.
  const auto duplicates = [](uint64_t b) -> uint64_t { return b == 4 ? 95 : b == 0 ? 5 : 0; };
  std::vector<Part> parts;
  EXPECT_TRUE(check(choice, 7, duplicates));
  EXPECT_FALSE(check(choice, 7, duplicates, &parts));
  ASSERT_EQ(2u, parts.size());
  EXPECT_EQ(60u, parts[0].begin);
  EXPECT_EQ(40u, parts[1].begin);
  EXPECT_EQ(60u, parts[1].end);
}

// While the choice misses little, full checks become rare, up to one in 17.
TEST(AgeChoice, FullChecksBecomeRareWhenTheyFindNothingMore) {
  AgeChoice choice;
  std::vector<uint64_t> between;
  for (uint64_t i = 0, since = 0; i < 80; ++i, ++since) {
    if (!check(choice, 7, none)) continue;
    between.push_back(since);
    since = 0;
  }
  EXPECT_EQ((std::vector<uint64_t>{0, 3, 5, 9, 17, 17, 17}), between);
}

// When duplicates move to an age that is not checked, full checks come again soon.
TEST(AgeChoice, FullChecksBecomeFrequentWhenTheChoiceMisses) {
  AgeChoice choice;
  const auto young = [](uint64_t b) -> uint64_t { return b == 6 ? 100 : 0; };
  const auto old = [](uint64_t b) -> uint64_t { return b == 0 ? 100 : 0; };
  for (uint64_t i = 0; i < 60; ++i) check(choice, 7, young);
  uint64_t until = 0;
  while (!check(choice, 7, old)) ++until;
  EXPECT_LE(until, 16u);
  // This one has missed everything, so the next one comes after half the time.
  uint64_t next = 0;
  std::vector<Part> parts;
  while (!check(choice, 7, old, &parts)) {
    ++next;
    // And until then the old class is read.
    EXPECT_EQ(0u, parts.back().begin);
  }
  EXPECT_EQ(8u, next);
}

}  // namespace
}  // namespace strata
