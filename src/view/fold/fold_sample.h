// What random walks through a model tell about its states, and the tree that folds them best.
//
// Parts that change seldom are put together first, parts that change together before those that change apart, as in
// Huffman's code: of all pairs, the one of which one or the other changes in the fewest steps becomes a node. So few nodes change
// from a state to its successor, and there are few distinct ones: what changes often is near the root. Bytes whose values
// together are few become one chunk.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "model/model.h"
#include "view/fold/fold_tree.h"

namespace strata {

class FoldSample {
 public:
  // Walks at random, but always in the same way. Takes `most_bytes` of memory at most, and ends soon when `stop` is set.
  FoldSample(const Model& model, uint64_t most_bytes, const std::atomic<bool>& stop);

  // Fewer steps say too little: then the tree is even.
  FoldTree tree() const;

 private:
  class Walker;

  using Bits = std::vector<uint64_t>;  // one a step

  void add(const uint8_t* before, const uint8_t* after);
  bool is_cut(const FoldTree::Chunk& chunk) const;
  Bits steps_that_change(const FoldTree::Chunk& chunk) const;
  std::vector<FoldTree::Node> nodes(std::vector<Bits> changes) const;

  const uint64_t state_bytes_;
  uint64_t most_steps_ = 0, steps_ = 0;
  std::vector<uint8_t> states_;  // after each step
  std::vector<Bits> changes_;    // of the four bytes from each multiple of four on: in which steps
};

}  // namespace strata
