// A model whose states are short keys of a fixed size. A state is cut into a tree (fold_tree.h) of chunks and pairs;
// each distinct chunk and pair is kept once and has a number (node_table.h), and the pair at the root is the key. Equal
// states have equal keys, and different states different keys: searches, tables and files work on keys as on any other
// states.
//
// As in Laarman, van de Pol and Weber, "Parallel recursive state compression for free" (SPIN 2011), but that
// the root's pair is not in a table (the search decides where to keep it), and that the tree is fitted to the model
// (fold_sample.h). A successor is folded from its parent: only chunks in which they differ, and pairs above them, are
// looked up. A state is unfolded from the state before it, as both mostly share most of their parts.
//
// When the table of nodes has no room left, successors that need new nodes are lost. out_of_room() says so from then
// on, and the search is incomplete.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "view/fold/fold_tables.h"
#include "view/fold/fold_tree.h"
#include "view/fold/folder.h"
#include "view/view.h"

namespace strata {

class FoldedModel : public View,
                    public WholeStates,
                    public OwnMemory,
                    private SharedStates,
                    private SavedData {
 public:
  // `node_bytes`: the most that the tables of nodes may take. `shape_bytes` (0: the same) decides the format of keys; a
  // model that is restored needs that of the first run.
  FoldedModel(const Model& model, FoldTree tree, uint64_t node_bytes, uint64_t shape_bytes = 0);
  FoldedModel(const Model& model, uint64_t node_bytes);  // an even tree

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* keys, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* keys, uint64_t n, Expansion& out) const override;
  void propositions(const uint8_t* keys, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  void accepting(const uint8_t* keys, uint64_t n, uint8_t* values) const override;
  Value describe(const uint8_t* key) const override;
  // Shares of a model's states only if the model has them.
  Capabilities capabilities() const override {
    Capabilities offered = View::capabilities();
    offered.memory = this;
    offered.saved = this;
    offered.whole = this;
    offered.shared = inner_.shared == nullptr ? nullptr : this;
    return offered;
  }
  const Model& whole() const override { return whole_model(model_); }
  void make_whole(const uint8_t* keys, uint64_t n, uint8_t* result) const override;
  bool out_of_room() const override {
    return tables_.full() || (inner_.memory != nullptr && inner_.memory->out_of_room());
  }

  // The state of the model that a key stands for.
  std::vector<uint8_t> unfold(const uint8_t* key) const;
  // The most that an Expansion of this model takes besides its own room.
  static uint64_t scratch_bytes(const ModelInfo& info, const FoldTree& tree);

  const FoldTree& tree() const { return tree_; }
  uint64_t nodes() const { return tables_.size(); }             // counts them
  uint64_t used_bytes() const { return tables_.used_bytes(); }  // by these, without places that are free
  uint64_t node_bytes() const { return budget_.used(); }

 private:
  struct Scratch;

  // SavedData
  void serialize(Image& image) const override {
    tables_.serialize(image);
    if (inner_.saved != nullptr) inner_.saved->serialize(image);
  }
  // SharedStates
  bool arrivals(Expansion& out, bool flush) const override;
  void hand_out(const uint8_t* states, uint64_t n, Expansion& out) const override;

  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  Scratch& folding(Expansion& out) const;
  template <class F>
  void each_unfolded(const uint8_t* keys, uint64_t n, const F& f) const;
  void take_successors(Scratch& own, Expansion& out) const;
  void take_states(Scratch& own, Expansion& out) const;

  const FoldTree tree_;
  MemoryBudget budget_;
  mutable FoldTables tables_;
  const uint64_t at_a_time_;  // states that are unfolded together
};

}  // namespace strata
