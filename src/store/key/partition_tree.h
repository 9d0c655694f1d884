// Which partition a state belongs to: trees of tests on single bits of the state, or of its key's hash. A
// partition that has become too large is split by one more test.
//
// A test on a bit that few transitions change keeps a state and its successors together, which a hash cannot (chosen by
// BitStatistics).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/key/keys.h"

namespace strata {

struct BitTest {
  bool on_hash = false;
  uint32_t bit = 0;
};

// Whether states belong to one leaf: all its tests at once, without the walk from the root.
class LeafTest {
 public:
  void require(const BitTest& test, bool outcome) {
    const uint32_t source = test.on_hash;
    for (Byte& byte : bytes_) {
      if (byte.source != source || byte.place != test.bit / 8) continue;
      never_ = never_ || byte.contradicts(test.bit % 8, outcome);
      return byte.require(test.bit % 8, outcome);
    }
    bytes_.push_back({source, test.bit / 8, 0, 0});
    bytes_.back().require(test.bit % 8, outcome);
  }
  bool passes(const uint8_t* state, uint64_t hash) const {
    const uint8_t* const sources[2] = {state, reinterpret_cast<const uint8_t*>(&hash)};
    unsigned difference = never_;
    for (const Byte& byte : bytes_)
      difference |= static_cast<unsigned>((sources[byte.source][byte.place] & byte.mask) ^ byte.value);
    return difference == 0;
  }

 private:
  struct Byte {
    uint32_t source, place;
    uint8_t mask, value;
    bool contradicts(uint32_t bit, bool outcome) const {
      return (mask >> bit & 1) != 0 && (value >> bit & 1) != static_cast<unsigned>(outcome);
    }
    void require(uint32_t bit, bool outcome) {
      mask = static_cast<uint8_t>(mask | 1u << bit);
      value = static_cast<uint8_t>(value | static_cast<unsigned>(outcome) << bit);
    }
  };
  std::vector<Byte> bytes_;
  bool never_ = false;  // two tests contradict each other
};

class PartitionTree {
 public:
  // Begins with the partitions 0 .. roots - 1, which the hash chooses.
  explicit PartitionTree(uint32_t roots)
      : roots_(roots), tests_(roots), hash_bits_(roots, 0), depths_(roots, 0) {
    for (uint32_t i = 0; i < roots; ++i) add_leaf();
  }

  uint32_t leaves() const { return static_cast<uint32_t>(places_.size()); }
  // All splits, from the first: repeated on a tree with as many roots they make it the same.
  struct Split {
    uint32_t leaf, bit, on_hash;
  };
  const std::vector<Split>& splits() const { return splits_; }
  uint32_t depth() const { return depth_; }

  // Each state takes as many steps as the deepest leaf: a leaf leads to itself, and no branch is mispredicted.
  uint32_t find(const uint8_t* state, uint64_t hash) const {
    uint32_t node = roots_ == 1 ? 0 : static_cast<uint32_t>(scale_high_bits(hash, roots_));
    const uint8_t* const sources[2] = {state, reinterpret_cast<const uint8_t*>(&hash)};
    for (uint32_t step = 0; step < depth_; ++step) {
      const Node& test = nodes_[node];
      node = test.children[sources[test.source][test.byte] >> test.bit & 1];
    }
    return nodes_[node].leaf;
  }

  // Whether a state belongs to a leaf of this root; quicker than find for most states of a search that stays in it.
  const LeafTest& test(uint32_t leaf) const { return tests_[leaf]; }
  // With several roots a leaf's test alone does not tell.
  bool one_root() const { return roots_ == 1; }

  // A bit of the hash that no test above this leaf uses.
  BitTest hash_test(uint32_t leaf) const { return {true, hash_bits_[leaf]}; }
  // States of the leaf that pass the test go to a new leaf, whose number is returned.
  uint32_t split(uint32_t leaf, const BitTest& test) {
    splits_.push_back({leaf, test.bit, test.on_hash});
    if (test.on_hash) ++hash_bits_[leaf];
    depth_ = std::max(depth_, ++depths_[leaf]);
    hash_bits_.push_back(hash_bits_[leaf]);
    tests_.push_back(tests_[leaf]);
    tests_[leaf].require(test, false);
    tests_.back().require(test, true);
    depths_.push_back(depths_[leaf]);
    // The leaf's node becomes the test, so that what leads to it stays right.
    const uint32_t node = places_[leaf];
    const uint32_t staying = add_node(leaf);
    places_[leaf] = staying;
    const uint32_t fresh = add_leaf();
    nodes_[node] = {
        test.on_hash, static_cast<uint8_t>(test.bit % 8), test.bit / 8, {staying, places_[fresh]}, 0};
    return fresh;
  }

 private:
  struct Node {
    uint8_t source, bit;  // source 1: the hash
    uint32_t byte;
    uint32_t children[2];
    uint32_t leaf;
  };
  uint32_t add_node(uint32_t leaf) {
    const uint32_t node = static_cast<uint32_t>(nodes_.size());
    nodes_.push_back({0, 0, 0, {node, node}, leaf});
    return node;
  }
  uint32_t add_leaf() {
    const uint32_t leaf = leaves();
    places_.push_back(add_node(leaf));
    return leaf;
  }

  const uint32_t roots_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> places_;  // the node of each leaf
  std::vector<LeafTest> tests_;   // of each leaf
  // The lowest bits of the hash are tags in tables; there they do no harm, because a table holds one partition.
  std::vector<uint32_t> hash_bits_, depths_;  // of each leaf
  uint32_t depth_ = 0;
  std::vector<Split> splits_;
};

}  // namespace strata
