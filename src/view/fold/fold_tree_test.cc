#include "view/fold/fold_tree.h"

#include <gtest/gtest.h>

#include <vector>

namespace strata {
namespace {

// All leaves are at the same depth, in their order, and every part but the root is in one node.
TEST(FoldTree, HasEachLeafOnce) {
  for (uint64_t bytes = 1; bytes < 300; ++bytes) {
    SCOPED_TRACE(bytes);
    const FoldTree tree(bytes);
    EXPECT_GE(tree.leaves() * FoldTree::kLeafBytes, bytes);
    std::vector<unsigned> depth(tree.parts(), 0), met(tree.parts(), 0);
    uint32_t last = 0;
    for (uint32_t node = 0; node < tree.nodes(); ++node)
      for (uint32_t i = 0; i < tree.node(node).count; ++i) {
        const uint32_t part = tree.node(node).first + i;
        ASSERT_EQ(part, ++last);
        EXPECT_EQ(tree.above(part), node);
        depth[part] = depth[node] + 1;
        ++met[part];
      }
    EXPECT_EQ(last + 1, tree.parts());
    for (uint64_t part = 1; part < tree.parts(); ++part) EXPECT_EQ(met[part], 1u);
    for (uint64_t leaf = tree.nodes(); leaf < tree.parts(); ++leaf) EXPECT_EQ(depth[leaf], tree.depth());
    EXPECT_EQ(tree.node(0).count, 2u);
  }
}

}  // namespace
}  // namespace strata
