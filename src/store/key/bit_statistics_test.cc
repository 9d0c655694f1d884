#include "store/key/bit_statistics.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

// Bit 0 is set in half of the states, bit 1 in a quarter, bit 9 in half, bit 15 in all, the others in none.
std::vector<uint8_t> some_states() {
  std::vector<uint8_t> states;
  for (uint8_t i = 0; i < 64; ++i) {
    states.push_back(static_cast<uint8_t>((i & 1) | (i % 4 == 2 ? 2 : 0)));
    states.push_back(static_cast<uint8_t>(0x80 | (i & 2)));
  }
  return states;
}

void note(BitStatistics& statistics, uint16_t from, uint16_t to, int times) {
  const uint8_t a[] = {static_cast<uint8_t>(from), static_cast<uint8_t>(from >> 8)};
  const uint8_t b[] = {static_cast<uint8_t>(to), static_cast<uint8_t>(to >> 8)};
  for (int i = 0; i < times; ++i) statistics.note_transition(a, b);
}

BitCounts counts_of(const std::vector<uint8_t>& states, uint64_t state_bytes) {
  BitCounts ones(state_bytes);
  for (uint64_t i = 0; i < states.size(); i += state_bytes) ones.add(states.data() + i);
  return ones;
}

TEST(BitStatistics, WithoutTransitionsTheFirstBalancedBitIsBest) {
  const BitStatistics statistics(2);
  const auto states = some_states();
  const auto best = statistics.choose(counts_of(states, 2));
  ASSERT_TRUE(best);
  EXPECT_FALSE(best->on_hash);
  EXPECT_EQ(0u, best->bit);
}

// Scores by hand, share / (changed + 0.005), where changed is (changes + 1) / (transitions + 1).
TEST(BitStatistics, ABitThatFewTransitionsChangeIsBetter) {
  BitStatistics statistics(2);
  const auto states = some_states();
  // Bit 0 changes in 99 of 99 transitions, bit 9 in 49, bit 1 in none:
  // 0.5 / (1 + 0.005) = 0.498, 0.5 / (0.5 + 0.005) = 0.990, 0.25 / (0.01 + 0.005) = 16.7
  note(statistics, 0x0000, 0x0201, 49);
  note(statistics, 0x0001, 0x0000, 50);
  EXPECT_EQ(1u, statistics.choose(counts_of(states, 2))->bit);
  // Now bit 1 changes in 100 of 199: 0.25 / (0.505 + 0.005) = 0.490, bit 9 has 0.5 / (0.25 + 0.005) = 1.96, bit 0
  // 0.5 / (0.5 + 0.005) = 0.990.
  note(statistics, 0x0002, 0x0000, 100);
  EXPECT_EQ(9u, statistics.choose(counts_of(states, 2))->bit);
}

TEST(BitStatistics, APartBelowATenthIsNone) {
  const BitStatistics statistics(1);
  std::vector<uint8_t> states(100, 0);
  EXPECT_FALSE(statistics.choose(counts_of(states, 1)));
  for (int i = 0; i < 9; ++i) states[static_cast<size_t>(i)] = 4;
  EXPECT_FALSE(statistics.choose(counts_of(states, 1)));
  states[9] = 4;
  ASSERT_TRUE(statistics.choose(counts_of(states, 1)));
  EXPECT_EQ(2u, statistics.choose(counts_of(states, 1))->bit);
  // Nine tenths are as good as one.
  for (uint8_t& state : states) state ^= 4;
  EXPECT_EQ(2u, statistics.choose(counts_of(states, 1))->bit);
  EXPECT_FALSE(statistics.choose(counts_of({}, 1)));
}

TEST(BitStatistics, MergingMovesTheCounts) {
  BitStatistics all(2), part(2);
  const auto states = some_states();
  note(part, 0, 0x0201, 1000);
  all.merge(part);
  EXPECT_EQ(1u, all.choose(counts_of(states, 2))->bit);
  // Nothing is left in the part: merging it again changes nothing.
  EXPECT_EQ(0u, part.choose(counts_of(states, 2))->bit);
  note(all, 0, 0x0002, 1000);
  const auto before = all.choose(counts_of(states, 2));
  all.merge(part);
  EXPECT_EQ(before->bit, all.choose(counts_of(states, 2))->bit);
}

TEST(BitStatistics, StableBitsComeInTheOrderOfTheirChanges) {
  BitStatistics statistics(2);
  BitCounts ones(2);
  const auto states = some_states();
  for (uint64_t i = 0; i < 64; ++i) ones.add(states.data() + 2 * i);
  EXPECT_EQ(64u, ones.states());
  EXPECT_EQ(32u, ones[0]);
  EXPECT_EQ(0.25, ones.smaller_part(1));
  EXPECT_EQ(0, ones.smaller_part(15));  // set in all
  EXPECT_EQ((std::vector<uint32_t>{0, 1, 9}), statistics.stable_bits(ones));
  // Of 100 transitions 25 change bit 0, 10 bit 1, 9 bit 9; one more of bit 0 is too many.
  note(statistics, 0, 0x0001, 25);
  note(statistics, 0, 0x0002, 10);
  note(statistics, 0, 0x0200, 9);
  note(statistics, 0, 0x0000, 56);
  EXPECT_EQ((std::vector<uint32_t>{9, 1, 0}), statistics.stable_bits(ones));
  note(statistics, 0, 0x0001, 1);
  EXPECT_EQ((std::vector<uint32_t>{9, 1}), statistics.stable_bits(ones));
}

TEST(BitStatistics, AStableBitDividesIntoAFiftiethAtLeast) {
  const BitStatistics statistics(1);
  BitCounts ones(1);
  EXPECT_TRUE(statistics.stable_bits(ones).empty());
  const uint8_t set = 4, none = 0;
  ones.add(&set);
  for (int i = 0; i < 49; ++i) ones.add(&none);
  EXPECT_EQ((std::vector<uint32_t>{2}), statistics.stable_bits(ones));
  ones.add(&none);
  EXPECT_TRUE(statistics.stable_bits(ones).empty());
}

// A large state costs no more than a small one; its bits keep their numbers.
TEST(BitStatistics, LargeStatesAreCountedInPart) {
  constexpr uint64_t kBytes = 1000003;
  BitCounts ones(kBytes);
  EXPECT_LE(ones.bits(), 8 * BitCounts::kMostBytes);
  EXPECT_LT(ones.place(ones.bits() - 1), 8 * kBytes);
  const uint32_t bit = 8 * 1234 + 5;
  std::vector<uint8_t> state(kBytes, 0);
  ones.add(state.data());
  state[ones.place(bit) / 8] = 1 << 5;
  ones.add(state.data());
  const auto best = BitStatistics(kBytes).choose(ones);
  ASSERT_TRUE(best);
  EXPECT_EQ(ones.place(bit), best->bit);
  EXPECT_EQ(5u, best->bit % 8);
}

}  // namespace
}  // namespace strata
