#include "view/fold/fold_tree.h"

#include <algorithm>

namespace strata {

namespace {

constexpr unsigned kLevelsOfPairs = 3;

struct Range {
  uint64_t first, end;
  uint64_t size() const { return end - first; }
};

}  // namespace

FoldTree::FoldTree(uint64_t state_bytes)
    : leaves_(std::max<uint64_t>(2, (state_bytes + kLeafBytes - 1) / kLeafBytes)) {
  std::vector<Range> level = {{0, leaves_}};
  while (level.front().size() > 1) {
    const uint64_t most = depth_++ < kLevelsOfPairs ? 2 : kMostParts;
    std::vector<Range> below;
    const uint64_t first_below = nodes_.size() + level.size();
    for (const Range& range : level) {
      const uint64_t count = std::min(most, range.size());
      nodes_.push_back({static_cast<uint32_t>(first_below + below.size()), static_cast<uint32_t>(count)});
      // The larger ones first, so that the first one of a level is the largest.
      for (uint64_t i = 0, at = range.first; i < count; ++i) {
        const uint64_t size = (range.size() + count - 1 - i) / count;
        below.push_back({at, at + size});
        at += size;
      }
    }
    level = std::move(below);
  }
  above_.resize(parts(), 0);
  for (uint32_t node = 0; node < nodes(); ++node)
    for (uint32_t i = 0; i < nodes_[node].count; ++i) above_[nodes_[node].first + i] = node;
}

}  // namespace strata
