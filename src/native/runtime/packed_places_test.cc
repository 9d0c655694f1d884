// clang-format off
#include "native/abi.h"
#include "native/runtime/failing.h"
#include "native/runtime/checked_values.h"
#include "native/runtime/state_bits.h"
#include "native/runtime/words_on_host.h"
#include "native/runtime/state_bytes.h"
#include "native/runtime/packed_places.h"
// clang-format on

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

struct WordsOfTest : PackedWords<6> {
  explicit WordsOfTest(u64 seed) {
    std::mt19937_64 random(seed);
    for (u64& word : before) word = random();
    before[6] = 0;
    load(before);
  }
  u64 before[7];
};

// Sets a value at every position and looks at all bits.
template <u64 Width>
void set_everywhere() {
  std::mt19937_64 random(Width);
  for (u64 at = 0; at + Width <= 6 * 64; ++at) {
    WordsOfTest array(at);
    const u64 value = Width == 0 ? 0 : random() >> (64 - Width);
    set_bits<Width>(array.words(), at, value);
    EXPECT_EQ(bits_at<Width>(array.words(), at), value) << at;
    for (u64 bit = 0; bit < 6 * 64; ++bit) {
      if (bit - at < Width) continue;
      ASSERT_EQ(array.words()[bit / 64] >> bit % 64 & 1, array.before[bit / 64] >> bit % 64 & 1)
          << at << " " << bit;
    }
    for (u64 k = 0; k < 6; ++k) {
      if (array.words()[k] == array.before[k]) continue;
      EXPECT_TRUE(array.written() >> k & 1) << at;
    }
    array.undo(array.before);
    EXPECT_EQ(array.written(), 0u);
    EXPECT_TRUE(std::equal(array.before, array.before + 6, array.words()));
  }
}

TEST(PackedPlaces, BitsAreSetAtEveryPosition) {
  set_everywhere<0>();
  set_everywhere<1>();
  set_everywhere<5>();
  set_everywhere<57>();
  set_everywhere<58>();
  set_everywhere<63>();
  set_everywhere<64>();
}

template <u64 Width>
void copy_everywhere() {
  const WordsOfTest from(1);
  for (u64 at = 0; at + Width <= 6 * 64; at += 7) {
    WordsOfTest to(2);
    copy_bits<Width>(from.words(), 3, to.words(), at);
    EXPECT_TRUE(equal_bits<Width>(from.words(), 3, to.words(), at)) << at;
    if (Width == 0) continue;
    set_bits<1>(to.words(), at + Width - 1, 1 - bits_at<1>(to.words(), at + Width - 1));
    EXPECT_FALSE(equal_bits<Width>(from.words(), 3, to.words(), at)) << at;
  }
}

TEST(PackedPlaces, BitsAreCopiedAndCompared) {
  copy_everywhere<0>();
  copy_everywhere<13>();
  copy_everywhere<64>();
  copy_everywhere<65>();
  copy_everywhere<200>();
}

// A record of two scalars of 3 and 7 bits, as the generator writes it.
using ThreeBits = ScalarPlace<u8, 3>;
using SevenBits = ScalarPlace<u8, 7>;
struct TwoScalars : PackedValue<10> {};
struct TwoScalarsPlace : PackedPlace<TwoScalars, 10> {
  using Base = PackedPlace<TwoScalars, 10>;
  using Base::Base;
  using Base::operator=;
  ThreeBits f0() const { return {words, at + 0}; }
  SevenBits f1() const { return {words, at + 3}; }
};

TEST(PackedPlaces, PartsOfPlacesAreAssigned) {
  WordsOfTest array(0);
  TwoScalarsPlace a(array.words(), 60), b(array.words(), 200);
  a.f0() = 5;
  a.f1() = 100;
  b.f0() = 2;
  b.f1() = 3;
  const TwoScalars kept = a;
  a = b;  // what is there, not the place
  EXPECT_EQ(a.at, 60u);
  EXPECT_EQ(a.f0(), 2);
  EXPECT_EQ(a.f1(), 3);
  a.f1() = b.f1() = 9;
  EXPECT_EQ(a.f1() + b.f1(), 18);
  b = kept;
  EXPECT_TRUE(b.f0() == 5 && b.f1() == 100);
  EXPECT_TRUE(equal_places<TwoScalars>(b, TwoScalarsPlace(kept)));
  EXPECT_FALSE(equal_places<TwoScalars>(a, b));
  TwoScalars variable;
  TwoScalarsPlace local(variable);
  EXPECT_EQ(local.f1(), 0);
  local.f1() = 77;
  EXPECT_EQ(TwoScalarsPlace(variable).f1(), 77);
}

TEST(PackedPlaces, MultisetsStaySorted) {
  struct Bag : PackedValue<3 + 5 * 3> {};
  using BagPlace = PackedMultiset<Bag, 18, ThreeBits, 3, 3>;
  const auto compare = [](u8 a, u8 b) { return a < b ? -1 : a > b; };
  std::mt19937 random(3);
  std::vector<u8> expected;
  Bag variable;
  BagPlace bag(variable);
  for (int i = 0; i < 1000; ++i) {
    if (expected.size() < 5 && random() % 2 == 0) {
      expected.push_back(random() % 8);
      insert_element(bag, expected.back(), compare);
      std::sort(expected.begin(), expected.end());
    } else if (!expected.empty()) {
      const u64 slot = random() % expected.size();
      expected.erase(expected.begin() + static_cast<long>(slot));
      remove_element(bag, slot, u8{0});
    }
    ASSERT_EQ(bag.count(), expected.size());
    for (u64 k = 0; k < 5; ++k) ASSERT_EQ(bag.e(k), k < expected.size() ? expected[k] : 0);
  }
}

TEST(PackedPlaces, ASlotWithoutAnElementIsAFailure) {
  EXPECT_EQ(slot_of(2, 1, 5), 1u);
  EXPECT_THROW(slot_of(2, 2, 5), Fault);
  EXPECT_THROW(slot_of(2, -1, 5), Fault);
}

// More words than the number that tells which were written has bits.
TEST(PackedPlaces, DifferencesAreToldByHalvesOfWords) {
  u64 before[131] = {};
  PackedWords<130> state;
  state.load(before);
  u64 halves[5];
  EXPECT_FALSE(state.differs(before, halves));
  set_bits<3>(state.words(), 0, 5);
  set_bits<3>(state.words(), 0, 0);
  EXPECT_FALSE(state.differs(before, halves));
  set_bits<4>(state.words(), 30, 15);            // both halves of word 0
  set_bits<4>(state.words(), 129 * 64 + 40, 1);  // the second half of word 129
  set_bits<1>(state.words(), 64 * 64, 1);        // word 64, which shares a bit with word 0
  EXPECT_TRUE(state.differs(before, halves));
  EXPECT_EQ(halves[0], 3u);
  EXPECT_EQ(halves[1], 0u);
  EXPECT_EQ(halves[2], 1u);
  EXPECT_EQ(halves[4], 1u << 3);
  state.undo(before);
  EXPECT_FALSE(state.differs(before, halves));
  EXPECT_TRUE(std::equal(before, before + 130, state.words()));
}

}  // namespace
