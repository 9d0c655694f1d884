#include "view/fold/fold_tree.h"

#include <algorithm>
#include <bit>

namespace strata {

FoldTree::FoldTree(uint64_t state_bytes)
    : leaves_(std::max<uint64_t>(2, (state_bytes + kLeafBytes - 1) / kLeafBytes)),
      depth_(static_cast<unsigned>(std::bit_width(leaves_ - 1))) {
  struct Range {
    uint64_t first, end;
  };
  std::vector<Range> level = {{0, leaves_}};
  for (unsigned d = 0; d < depth_; ++d) {
    std::vector<Range> below;
    const uint64_t first_below = nodes_.size() + level.size();
    for (const Range& range : level) {
      Node node;
      const uint64_t middle = range.first + (range.end - range.first + 1) / 2;
      node.left = static_cast<uint32_t>(first_below + below.size());
      below.push_back({range.first, middle});
      if (middle < range.end) {
        node.right = static_cast<uint32_t>(first_below + below.size());
        below.push_back({middle, range.end});
      }
      nodes_.push_back(node);
    }
    level = std::move(below);
  }
  above_.resize(parts(), 0);
  for (uint64_t node = 0; node < nodes(); ++node) {
    above_[nodes_[node].left] = static_cast<uint32_t>(node);
    if (nodes_[node].right != kNone) above_[nodes_[node].right] = static_cast<uint32_t>(node);
  }
}

}  // namespace strata
