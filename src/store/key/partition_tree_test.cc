#include "store/key/partition_tree.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "base/random.h"
#include "store/testing/numbered_keys.h"

namespace strata {
namespace {

bool passes(const BitTest& test, const uint8_t* state, uint64_t hash) {
  LeafTest alone;
  alone.require(test, true);
  return alone.passes(state, hash);
}

TEST(PartitionTree, BitsOfStateAndHash) {
  const uint8_t state[] = {0b00000001, 0b10000010};
  EXPECT_TRUE(passes({false, 0}, state, 0));
  EXPECT_FALSE(passes({false, 1}, state, 0));
  EXPECT_FALSE(passes({false, 8}, state, 0));
  EXPECT_TRUE(passes({false, 9}, state, 0));
  EXPECT_TRUE(passes({false, 15}, state, 0));
  EXPECT_TRUE(passes({true, 63}, state, uint64_t{1} << 63));
  EXPECT_FALSE(passes({true, 62}, state, uint64_t{1} << 63));
}

TEST(PartitionTree, RootsShareTheHighBitsOfTheHash) {
  const PartitionTree one(1), three(3);
  const uint8_t state[] = {0};
  EXPECT_EQ(1u, one.leaves());
  EXPECT_EQ(0u, one.find(state, UINT64_MAX));
  EXPECT_EQ(3u, three.leaves());
  EXPECT_EQ(0u, three.find(state, 0));
  EXPECT_EQ(0u, three.find(state, 0x5555ull << 48));
  EXPECT_EQ(1u, three.find(state, 0x5556ull << 48));
  EXPECT_EQ(1u, three.find(state, 0xaaaaull << 48));
  EXPECT_EQ(2u, three.find(state, 0xaaabull << 48));
  EXPECT_EQ(2u, three.find(state, UINT64_MAX));
}

TEST(PartitionTree, ASplitLeafKeepsWhatFailsTheTest) {
  PartitionTree tree(1);
  const uint8_t even[] = {4}, odd[] = {5}, seven[] = {7};
  EXPECT_EQ(1u, tree.split(0, {false, 0}));
  EXPECT_EQ(0u, tree.find(even, 0));
  EXPECT_EQ(1u, tree.find(odd, 0));
  EXPECT_EQ(2u, tree.split(1, {false, 1}));
  EXPECT_EQ(0u, tree.find(even, 0));
  EXPECT_EQ(1u, tree.find(odd, 0));
  EXPECT_EQ(2u, tree.find(seven, 0));
  EXPECT_EQ(3u, tree.leaves());
}

TEST(PartitionTree, AHashTestIsNewToItsLeaf) {
  PartitionTree tree(2);
  EXPECT_TRUE(tree.hash_test(0).on_hash);
  EXPECT_EQ(0u, tree.hash_test(0).bit);
  tree.split(0, tree.hash_test(0));
  EXPECT_EQ(1u, tree.hash_test(0).bit);
  EXPECT_EQ(1u, tree.hash_test(2).bit);
  EXPECT_EQ(0u, tree.hash_test(1).bit);
  tree.split(2, {false, 3});  // by the state: no bit of the hash is used
  EXPECT_EQ(1u, tree.hash_test(2).bit);
  EXPECT_EQ(1u, tree.hash_test(3).bit);
  tree.split(3, tree.hash_test(3));
  EXPECT_EQ(2u, tree.hash_test(3).bit);
  EXPECT_EQ(2u, tree.hash_test(4).bit);
  EXPECT_EQ(1u, tree.hash_test(2).bit);
}

// Hundreds of random splits: after each, only states of the split leaf have moved, and just those that pass.
TEST(PartitionTree, RandomSplitsMoveWhatTheyShould) {
  constexpr uint64_t kStates = 500, kBytes = 9;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<uint8_t> states(kStates * kBytes);
    for (uint8_t& byte : states) byte = static_cast<uint8_t>(random.next());
    std::vector<uint64_t> hashes;
    for (uint64_t i = 0; i < kStates; ++i) hashes.push_back(hash_bytes(&states[i * kBytes], kBytes));
    PartitionTree tree(1 + static_cast<uint32_t>(random.below(5)));
    std::vector<uint32_t> leaf(kStates);
    for (uint64_t i = 0; i < kStates; ++i) {
      leaf[i] = tree.find(&states[i * kBytes], hashes[i]);
      ASSERT_LT(leaf[i], tree.leaves());
    }
    for (int splits = 0; splits < 200; ++splits) {
      const auto chosen = static_cast<uint32_t>(random.below(tree.leaves()));
      const BitTest test = random.chance(50)
                               ? tree.hash_test(chosen)
                               : BitTest{false, static_cast<uint32_t>(random.below(8 * kBytes))};
      const uint32_t before = tree.leaves(), fresh = tree.split(chosen, test);
      ASSERT_EQ(before, fresh);
      ASSERT_EQ(before + 1, tree.leaves());
      for (uint64_t i = 0; i < kStates; ++i) {
        const uint8_t* state = &states[i * kBytes];
        if (leaf[i] == chosen && passes(test, state, hashes[i])) leaf[i] = fresh;
        ASSERT_EQ(leaf[i], tree.find(state, hashes[i])) << "split " << splits;
        if (!tree.one_root()) continue;
        ASSERT_TRUE(tree.test(leaf[i]).passes(state, hashes[i]));
        ASSERT_EQ(leaf[i] == chosen, tree.test(chosen).passes(state, hashes[i]));
      }
    }
  }
}

}  // namespace
}  // namespace strata
