// Random walks through a model, and the tree that folds the states of these walks best.
//
// Parts that change seldom are put together first, parts that change together before those that change apart, as in
// Huffman's code: of all pairs, the one of which one or the other changes in the fewest steps becomes a node.
// So few nodes change from a state to its successor, and there are few distinct nodes: parts that change often are near
// the root. If two parts together have few values, they become one chunk instead.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "model/model.h"
#include "view/fold/fold_tree.h"

namespace strata {

class FoldSample {
 public:
  // The walks are the same each time. They take `most_bytes` of memory at most, and end soon after `stop` is set.
  FoldSample(const Model& model, uint64_t most_bytes, const std::atomic<bool>& stop);

  // With fewer steps the tree is even.
  FoldTree tree() const;

 private:
  class Walker;

  using Bits = std::vector<uint64_t>;  // one a step

  void add(const uint8_t* before, const uint8_t* after);
  // A part that is being joined: a chunk or a node.
  struct Part {
    bool is_chunk = true;
    FoldTree::Chunk chunk;
    uint32_t number = 0, height = 0;  // of a node: its place among the nodes
    Bits changes;
    uint64_t change_count = 0;
    // Of a chunk that has few values: the number of its value after each step.
    std::vector<uint16_t> values;
    uint32_t distinct = 0;
  };
  class Joiner;

  uint64_t most_values() const;
  bool is_cut(const FoldTree::Run& run) const;
  Part part_of(const FoldTree::Run& run) const;

  const uint64_t state_bytes_;
  uint64_t most_steps_ = 0, steps_ = 0;
  std::vector<uint8_t> states_;  // after each step
  std::vector<Bits> changes_;    // of the four bytes from each multiple of four on: in which steps
};

}  // namespace strata
