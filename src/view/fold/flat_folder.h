// A Folder for trees of few parts, as those of small states: part by part for many states at once, without a branch
// that depends on what differs. For each part, the states that differ from their parents are put on a list, and the
// list is looked up.
#pragma once

#include <vector>

#include "view/fold/folder.h"

namespace strata {

class FlatFolder final : public Folder {
 public:
  // Whether a state is so small that going through all parts costs less than finding the parts that changed.
  static bool suits(const FoldTree& tree, uint64_t state_bytes) {
    return tree.parts() <= kMostParts && state_bytes <= kMostBytes;
  }

  FlatFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);

  static uint64_t bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states);

  const uint8_t* unfold(const uint8_t* keys, uint64_t n) override;
  void unfold_zeros() override;

 private:
  static constexpr uint32_t kMostParts = 24;
  static constexpr uint64_t kMostBytes = 64;

  void set_unfolded(uint64_t n);
  // The numbers of a part, and the pairs of a node, of the states that were unfolded; the numbers of those
  // being folded.
  uint32_t* was(uint32_t part) { return was_.data() + part * unfolded_; }
  uint64_t* was_pair(uint32_t part) { return was_pairs_.data() + (part - tree_.chunks()) * unfolded_; }
  uint32_t* is(uint32_t part) { return is_.data() + part * kBlock; }

  void fold_block(const Block& block) override;
  void find_differences(const Block& block);
  void read_leaves(const Block& block, uint32_t part);
  template <class Table>
  void find_chunks(const Block& block, uint32_t part, Table& table);
  void find_nodes(const Block& block, uint32_t part);

  uint64_t unfolded_ = 0;
  std::vector<uint32_t> was_;
  std::vector<uint64_t> was_pairs_;
  std::vector<uint8_t> states_;
  std::vector<uint32_t> is_;
  bool compares_ = false;              // there are chunks that are not their own numbers
  const uint64_t words_;               // of eight bytes, of a state
  std::vector<uint64_t> masks_;        // the bits of each chunk in these words
  std::vector<uint64_t> differences_;  // word by word, of the block's states from their parents
};

}  // namespace strata
