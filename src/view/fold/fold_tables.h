// The tables that number the parts of a FoldTree: one for each size of chunks; the smallest is also the table of pairs.
// A chunk of four bytes is its own number.
#pragma once

#include <cstdint>
#include <string>

#include "view/fold/fold_tree.h"
#include "view/fold/node_table.h"

namespace strata {

class FoldTables {
 public:
  FoldTables(MemoryBudget& budget, uint64_t shape_bytes)
      : ones_(budget, shape_bytes),
        twos_(budget, shape_bytes),
        fours_(budget, shape_bytes),
        eights_(budget, shape_bytes) {}

  void serialize(Image& image) {
    ones_.serialize(image);
    twos_.serialize(image);
    fours_.serialize(image);
    eights_.serialize(image);
  }

  std::string check_invariants() const {
    for (const std::string& broken : {ones_.check_invariants(), twos_.check_invariants(),
                                      fours_.check_invariants(), eights_.check_invariants()})
      if (!broken.empty()) return broken;
    return {};
  }

  NodeTable<1>& pairs() { return ones_; }
  // Calls f with the table of chunks of this many bytes. REQUIRES: bytes > FoldTree::kLeastChunk.
  template <class F>
  auto with_table(uint32_t bytes, const F& f) {
    switch (bytes) {
      case 8: return f(ones_);
      case 16: return f(twos_);
      case 32: return f(fours_);
      default: return f(eights_);
    }
  }
  // How many bits the number of a part may have.
  unsigned number_bits(const FoldTree& tree, uint32_t part) {
    if (part >= tree.chunks()) return ones_.number_bits();
    if (tree.chunk(part).bytes == FoldTree::kLeastChunk) return 32;
    return with_table(tree.chunk(part).bytes, [](const auto& table) { return table.number_bits(); });
  }
  bool full() const { return ones_.full() || twos_.full() || fours_.full() || eights_.full(); }
  uint64_t size() const { return ones_.size() + twos_.size() + fours_.size() + eights_.size(); }
  // The bytes of the nodes, without free places.
  uint64_t used_bytes() const {
    return ones_.size() * ones_.kNodeBytes + twos_.size() * twos_.kNodeBytes +
           fours_.size() * fours_.kNodeBytes + eights_.size() * eights_.kNodeBytes;
  }

 private:
  NodeTable<1> ones_;
  NodeTable<2> twos_;
  NodeTable<4> fours_;
  NodeTable<8> eights_;
};

}  // namespace strata
