#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <set>
#include <vector>

namespace strata {
namespace {

// Each bit of the input changes about half of the bits of the hash, wherever it stands, whatever the size.
TEST(QuickHashTest, DependsOnEveryBit) {
  for (uint64_t size = 1; size <= 80; ++size) {
    std::vector<uint8_t> bytes(size, 0x5a);
    const uint64_t hash = quick_hash(bytes.data(), size);
    unsigned changed = 0;
    for (uint64_t bit = 0; bit < 8 * size; ++bit) {
      bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      const auto differing = static_cast<unsigned>(std::popcount(hash ^ quick_hash(bytes.data(), size)));
      EXPECT_GE(differing, 8u) << size << " bytes, bit " << bit;
      changed += differing;
      bytes[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    }
    EXPECT_NEAR(32.0, static_cast<double>(changed) / static_cast<double>(8 * size), 4.0) << size << " bytes";
  }
}

TEST(QuickHashTest, SpreadsSmallNumbers) {
  constexpr uint64_t kNumbers = 1 << 16, kParts = 64;
  std::array<uint64_t, kParts> high{}, low{};
  std::set<uint64_t> hashes;
  for (uint32_t i = 0; i < kNumbers; ++i) {
    std::array<uint8_t, 13> state{};
    for (unsigned k = 0; k < 4; ++k) state[3 * k] = static_cast<uint8_t>(i >> 4 * k & 15);
    const uint64_t hash = quick_hash(state.data(), state.size());
    ++high[hash >> 58];
    ++low[hash % kParts];
    hashes.insert(hash);
  }
  EXPECT_EQ(kNumbers, hashes.size());
  for (uint64_t part = 0; part < kParts; ++part) {
    EXPECT_NEAR(1024, static_cast<double>(high[part]), 160);
    EXPECT_NEAR(1024, static_cast<double>(low[part]), 160);
  }
}

}  // namespace
}  // namespace strata
