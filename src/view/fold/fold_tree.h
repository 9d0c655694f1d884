// How a state is cut into a tree: leaves of four bytes, all at the same depth, and nodes of up to four parts. A node of one part stands
// for that part. Near the root nodes have two parts: almost every state has nodes of its own there, and small ones take
// less memory. Further down there are few distinct nodes, and large ones make the tree less deep.
//
// Parts of the tree have numbers: nodes first, level by level from the root, which is 0, then the leaves in their order. So the parts of
// a node follow each other, and within a level all are in the order of the state's bytes.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

class FoldTree {
 public:
  static constexpr uint64_t kLeafBytes = 4;
  static constexpr unsigned kMostParts = 4;

  // Of states of this many bytes, in equal parts.
  explicit FoldTree(uint64_t state_bytes);

  uint64_t leaves() const { return leaves_; }
  uint64_t nodes() const { return nodes_.size(); }
  uint64_t parts() const { return nodes() + leaves(); }
  unsigned depth() const { return depth_; }  // of the leaves

  struct Node {
    uint32_t first = 0, count = 0;  // its parts
  };
  const Node& node(uint64_t number) const { return nodes_[number]; }
  uint32_t above(uint64_t part) const { return above_[part]; }

 private:
  const uint64_t leaves_;
  unsigned depth_ = 0;
  std::vector<Node> nodes_;
  std::vector<uint32_t> above_;
};

}  // namespace strata
