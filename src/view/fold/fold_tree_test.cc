#include "view/fold/fold_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace strata {
namespace {

// Chunks follow each other and have all bytes of the state, none crosses a multiple of 64, and each part but the root is in one node,
// which comes after it.
void expect_whole(const FoldTree& tree, uint64_t state_bytes) {
  ASSERT_GE(tree.chunks(), 2u);
  uint64_t at = 0;
  for (uint32_t i = 0; i < tree.chunks(); ++i) {
    const FoldTree::Chunk& chunk = tree.chunk(i);
    ASSERT_EQ(chunk.first, at);
    ASSERT_EQ(chunk.first % chunk.bytes, 0u);
    ASSERT_GE(chunk.bytes, FoldTree::kLeastChunk);
    ASSERT_LE(chunk.bytes, FoldTree::kMostChunk);
    at += chunk.bytes;
  }
  EXPECT_GE(at, state_bytes);
  EXPECT_LT(at, std::max<uint64_t>(state_bytes * 2, 9));
  std::vector<unsigned> uses(tree.parts(), 0);
  for (uint32_t part = tree.chunks(); part < tree.parts(); ++part)
    for (const uint32_t below : {tree.node(part).left, tree.node(part).right}) {
      ASSERT_LT(below, part);
      EXPECT_EQ(tree.above(below), part);
      ++uses[below];
    }
  for (uint32_t part = 0; part < tree.parts(); ++part)
    EXPECT_EQ(uses[part], part + 1 == tree.parts() ? 0u : 1u);
  for (uint64_t leaf = 0; leaf * FoldTree::kLeastChunk < at; ++leaf) {
    const FoldTree::Chunk& chunk = tree.chunk(tree.chunk_of_leaf(leaf));
    EXPECT_EQ(leaf * FoldTree::kLeastChunk / chunk.bytes * chunk.bytes, chunk.first);
  }
}

TEST(FoldTree, EvenHasEachByteOnce) {
  for (uint64_t bytes = 1; bytes < 400; ++bytes) {
    SCOPED_TRACE(bytes);
    expect_whole(FoldTree::even(bytes), bytes);
  }
}

TEST(FoldTree, CutHasEachByteOnce) {
  std::mt19937_64 random(1);
  for (uint64_t bytes = 1; bytes < 400; ++bytes) {
    SCOPED_TRACE(bytes);
    std::vector<FoldTree::Chunk> chunks =
        FoldTree::cut(bytes, [&](const FoldTree::Chunk&) { return random() % 3 != 0; });
    std::vector<FoldTree::Node> nodes;
    for (uint32_t i = 1; i < chunks.size(); ++i)
      nodes.push_back({i == 1 ? 0 : static_cast<uint32_t>(chunks.size()) + i - 2, i});
    expect_whole(FoldTree(std::move(chunks), std::move(nodes)), bytes);
  }
}

}  // namespace
}  // namespace strata
