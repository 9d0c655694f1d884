// A Folder for trees of many parts: for each part, a mask says in which of up to 64 states it differs from the parent,
// and only these states are processed, part after part. So the states wait for memory together, and a branch that is
// mispredicted is mispredicted once for all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "view/fold/folder.h"

namespace strata {

class MaskFolder final : public Folder {
 public:
  MaskFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);

  // The bytes of a folder that unfolds this many states at a time.
  static uint64_t bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states);

  const uint8_t* unfold(const uint8_t* keys, uint64_t n) override;
  void unfold_zeros() override;

 private:
  uint32_t* was(uint64_t state) { return was_.data() + state * tree_.parts(); }
  uint32_t* is(uint32_t part) { return is_.data() + part * kBlock; }
  // The number of a part of state i of the block.
  uint32_t number_of(const Block& block, uint32_t part, uint64_t i) {
    const uint32_t changed = 0 - static_cast<uint32_t>(changed_[part] >> i & 1);
    const uint32_t before = was(block.parents[i])[part];
    return before ^ ((before ^ is(part)[i]) & changed);
  }

  void unfold_block(uint64_t first, uint64_t count);
  void put_number(uint64_t i, uint32_t* own, uint32_t part, uint32_t number);
  void fold_block(const Block& block) override;
  void find_changes(const Block& block);
  void take_changes(const Block& block);
  void read_leaves(const Block& block, uint32_t part);
  template <class Table>
  void find_chunks(const Block& block, uint32_t part, Table& table);
  void find_nodes(const Block& block, uint32_t part);

  std::vector<uint32_t> was_;    // the parts of all states that were unfolded, state after state
  std::vector<uint8_t> states_;  // these states
  std::vector<uint32_t> last_;   // the parts of the last one, from which the next are unfolded
  std::vector<uint8_t> last_state_;
  std::vector<uint64_t> changed_;  // the mask of each part
  std::vector<uint32_t> is_;       // numbers of states being folded, part after part
};

}  // namespace strata
