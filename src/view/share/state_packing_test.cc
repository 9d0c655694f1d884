#include "view/share/state_packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "base/random.h"
#include "view/share/byte_lists.h"

namespace strata {
namespace {

// States of all sizes, each of which differs from the one before in a few bytes, or in all.
TEST(StatePackingTest, GivesBackWhatWasPacked) {
  Random random(7);
  for (uint64_t bytes = 1; bytes <= 200; bytes += bytes < 40 ? 1 : 17) {
    constexpr uint64_t kStates = 50;
    std::vector<uint8_t> state(bytes, 0), all, packed(kStates * packed_bytes(bytes));
    StatePacker packer(bytes);
    packer.begin();
    uint8_t* end = packed.data();
    for (uint64_t i = 0; i < kStates; ++i) {
      const uint64_t changes = random.chance(20) ? bytes : random.below(4);
      for (uint64_t k = 0; k < changes; ++k)
        state[random.below(bytes)] = static_cast<uint8_t>(random.below(256));
      all.insert(all.end(), state.begin(), state.end());
      uint8_t* const next = packer.pack(state.data(), end);
      EXPECT_LE(static_cast<uint64_t>(next - end), packed_bytes(bytes));
      end = next;
    }
    StateUnpacker unpacker(bytes);
    unpacker.begin();
    const uint8_t* from = packed.data();
    for (uint64_t i = 0; i < kStates; ++i) {
      from = unpacker.unpack(from, end, state.data());
      ASSERT_NE(nullptr, from);
      EXPECT_TRUE(std::equal(state.begin(), state.end(), all.begin() + static_cast<int64_t>(i * bytes)));
    }
    EXPECT_EQ(end, from);
  }
}

// What this machine does, and what every machine can do.
TEST(StatePackingTest, ListsAreTheSameOnEveryMachine) {
  Random random(3);
  for (unsigned mask = 0; mask < 256; ++mask) {
    const auto bits = static_cast<uint8_t>(mask);
    const uint64_t value = random.next(), other = random.next();
    uint8_t list[2 * kWordBytes] = {}, portable_list[2 * kWordBytes] = {};
    write_bytes(value, bits, list);
    portable::write_bytes(value, bits, portable_list);
    EXPECT_TRUE(std::equal(list, list + std::popcount(mask), portable_list)) << mask;
    uint64_t word = 0;
    for (unsigned i = 0; i < kWordBytes; ++i) word |= uint64_t{list[i]} << 8 * i;
    const uint64_t result = replace_bytes(other, bits, word);
    EXPECT_EQ(result, portable::replace_bytes(other, bits, word)) << mask;
    for (unsigned i = 0; i < kWordBytes; ++i)
      EXPECT_EQ((mask >> i & 1 ? value : other) >> 8 * i & 255, result >> 8 * i & 255) << mask << " " << i;
  }
}

TEST(StatePackingTest, TakesLittleForStatesThatAreAlike) {
  std::vector<uint8_t> state(665, 3), packed(packed_bytes(665));
  StatePacker packer(665);
  packer.begin();
  packer.pack(state.data(), packed.data());
  state[100] = 4;
  // A bit for each group of eight bytes, the mask of one group, and the byte.
  EXPECT_EQ(packed.data() + 11 + 1 + 1, packer.pack(state.data(), packed.data()));
}

TEST(StatePackingTest, RefusesWhatIsCut) {
  const std::vector<uint8_t> state(100, 9);
  std::vector<uint8_t> packed(packed_bytes(100)), result(100);
  StatePacker packer(100);
  packer.begin();
  const uint8_t* const end = packer.pack(state.data(), packed.data());
  for (const uint8_t* cut = packed.data(); cut < end; ++cut) {
    StateUnpacker unpacker(100);
    unpacker.begin();
    EXPECT_EQ(nullptr, unpacker.unpack(packed.data(), cut, result.data()));
  }
}

}  // namespace
}  // namespace strata
