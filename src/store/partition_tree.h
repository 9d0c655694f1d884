// Which partition a state belongs to: trees of tests on single bits of the state, or of its key's hash. A partition that has
// become too large is split by one more test.
//
// A test on a bit that few transitions change keeps a state and its successors together, which a hash cannot (chosen by
// BitStatistics).
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

struct BitTest {
  bool on_hash = false;
  uint32_t bit = 0;
};

class PartitionTree {
 public:
  // Begins with partitions 0 .. roots - 1, by the hash.
  explicit PartitionTree(uint32_t roots) : leaves_(roots), hash_bits_(roots, 0) {
    for (uint32_t i = 0; i < roots; ++i) roots_.push_back(~static_cast<int32_t>(i));
  }

  uint32_t leaves() const { return leaves_; }

  uint32_t find(const uint8_t* state, uint64_t hash) const {
    int32_t node = roots_.size() == 1 ? roots_[0] : roots_[((hash >> 48) * roots_.size()) >> 16];
    while (node >= 0) {
      const Node& test = nodes_[static_cast<uint32_t>(node)];
      node = test.children[passes(test.test, state, hash)];
    }
    return static_cast<uint32_t>(~node);
  }
  static bool passes(const BitTest& test, const uint8_t* state, uint64_t hash) {
    return test.on_hash ? hash >> test.bit & 1 : state[test.bit / 8] >> (test.bit % 8) & 1;
  }

  // A bit of the hash that no test above this leaf uses.
  BitTest hash_test(uint32_t leaf) const { return {true, hash_bits_[leaf]}; }
  // States of the leaf that pass the test go to a new leaf, whose number is returned.
  uint32_t split(uint32_t leaf, const BitTest& test) {
    const int32_t fresh = static_cast<int32_t>(leaves_++);
    if (test.on_hash) ++hash_bits_[leaf];
    hash_bits_.push_back(hash_bits_[leaf]);
    const int32_t old = ~static_cast<int32_t>(leaf), node = static_cast<int32_t>(nodes_.size());
    for (int32_t& root : roots_)
      if (root == old) root = node;
    for (Node& parent : nodes_)
      for (int32_t& child : parent.children)
        if (child == old) child = node;
    nodes_.push_back({test, {old, ~fresh}});
    return static_cast<uint32_t>(fresh);
  }

 private:
  // Children below zero are leaves, ~leaf.
  struct Node {
    BitTest test;
    int32_t children[2];
  };
  std::vector<int32_t> roots_;
  std::vector<Node> nodes_;
  uint32_t leaves_;
  // The lowest bits of the hash are tags in tables; there they do no harm, because a table holds one partition.
  std::vector<uint32_t> hash_bits_;
};

}  // namespace strata
