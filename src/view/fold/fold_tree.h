// How a state is cut into a tree: leaves of four bytes, all at the same depth, and nodes that each join two parts, or have one part
// only, which they then stand for.
//
// Parts of the tree have numbers: nodes first, level by level from the root, which is 0, then the leaves in their order. So within a level
// they are in the order of the state's bytes.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

class FoldTree {
 public:
  static constexpr uint64_t kLeafBytes = 4;
  static constexpr uint32_t kNone = 0xffffffffu;

  // Of states of this many bytes, in halves.
  explicit FoldTree(uint64_t state_bytes);

  uint64_t leaves() const { return leaves_; }
  uint64_t nodes() const { return nodes_.size(); }
  uint64_t parts() const { return nodes() + leaves(); }
  unsigned depth() const { return depth_; }  // of the leaves

  uint32_t left(uint64_t node) const { return nodes_[node].left; }
  uint32_t right(uint64_t node) const { return nodes_[node].right; }  // kNone: it has one part only
  uint32_t above(uint64_t part) const { return above_[part]; }

 private:
  struct Node {
    uint32_t left = kNone, right = kNone;
  };

  const uint64_t leaves_;
  unsigned depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> above_;
};

}  // namespace strata
