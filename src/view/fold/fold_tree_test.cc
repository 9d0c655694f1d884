#include "view/fold/fold_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace strata {
namespace {

// Each leaf is in one chunk, and each part but the root is in one node, which comes after it.
void expect_whole(const FoldTree& tree, uint64_t state_bytes) {
  ASSERT_GE(tree.chunks(), 2u);
  const uint64_t leaves = (state_bytes + FoldTree::kLeaf - 1) / FoldTree::kLeaf;
  std::vector<unsigned> chunks_of(leaves, 0);
  for (uint32_t i = 0; i < tree.chunks(); ++i) {
    const FoldTree::Chunk& chunk = tree.chunk(i);
    ASSERT_LE(chunk.count * FoldTree::kLeaf, chunk.bytes);
    ASSERT_GE(chunk.bytes, FoldTree::kLeastChunk);
    ASSERT_LE(chunk.bytes, FoldTree::kMostChunk);
    for (uint32_t k = 0; k < chunk.count; ++k) {
      ASSERT_LT(chunk.leaves[k], leaves);
      ++chunks_of[chunk.leaves[k]];
      EXPECT_EQ(tree.chunk_of_leaf(chunk.leaves[k]), i);
      const bool is_short = (chunk.leaves[k] + 1) * FoldTree::kLeaf > state_bytes;
      EXPECT_EQ(is_short, chunk.short_leaf == k);
      EXPECT_FALSE(is_short && chunk.is_run);
    }
  }
  for (const unsigned chunks : chunks_of) EXPECT_EQ(1u, chunks);
  std::vector<unsigned> uses(tree.parts(), 0);
  for (uint32_t part = tree.chunks(); part < tree.parts(); ++part)
    for (const uint32_t below : {tree.node(part).left, tree.node(part).right}) {
      ASSERT_LT(below, part);
      EXPECT_EQ(tree.above(below), part);
      ++uses[below];
    }
  for (uint32_t part = 0; part < tree.parts(); ++part)
    EXPECT_EQ(uses[part], part + 1 == tree.parts() ? 0u : 1u);
}

// Each word and each pair but the root is in one pair, which comes after it.
void expect_pairs(const StateTree& tree, uint64_t state_bytes) {
  ASSERT_EQ(tree.words, (state_bytes + 3) / 4);
  ASSERT_EQ(tree.pairs.size() + 1, tree.words);
  std::vector<unsigned> uses(tree.words + tree.pairs.size(), 0);
  for (uint32_t i = 0; i < tree.pairs.size(); ++i)
    for (const uint32_t below : {tree.pairs[i].left, tree.pairs[i].right}) {
      ASSERT_LT(below, tree.words + i);
      ++uses[below];
    }
  uses.back() += 1;
  for (const unsigned count : uses) EXPECT_EQ(1u, count);
}

TEST(FoldTree, EvenHasEachLeafOnce) {
  for (uint64_t bytes = 1; bytes < 400; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_whole(FoldTree::even(bytes), bytes);
    expect_pairs(FoldTree::even(bytes).pairs_only(), bytes);
  }
}

TEST(FoldTree, CutHasEachLeafOnce) {
  std::mt19937_64 random(1);
  for (uint64_t bytes = 1; bytes < 400; ++bytes) {
    SCOPED_TRACE(bytes);
    std::vector<FoldTree::Chunk> chunks;
    for (const FoldTree::Run& run :
         FoldTree::cut(bytes, [&](const FoldTree::Run&) { return random() % 3 != 0; }))
      chunks.push_back(FoldTree::chunk_of_run(run, bytes));
    std::vector<FoldTree::Node> nodes;
    for (uint32_t i = 1; i < chunks.size(); ++i)
      nodes.push_back({i == 1 ? 0 : static_cast<uint32_t>(chunks.size()) + i - 2, i});
    const FoldTree tree(bytes, std::move(chunks), std::move(nodes));
    expect_whole(tree, bytes);
    expect_pairs(tree.pairs_only(), bytes);
  }
}

}  // namespace
}  // namespace strata
