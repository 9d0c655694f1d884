// The product of a model and a Büchi automaton, as a Model: a path of the model whose propositions form a word that the
// automaton accepts is an infinite path of the product with infinitely many accepting states.
//
// A state is a state s of the model and the state q in which the automaton will read the propositions of s. It goes to
// (s', q') for each successor s' of s and each edge of q that reads the propositions of s and leads to q'. It is
// accepting if q is. Its bits are those of s, then those of q's number (extended_state.h).
//
// The meaning of a finite path is a choice: it repeats its last state forever (stutter), or it is not a path of the
// product (ignore). A state in which a rule fails is not the end of a path but an error, which is passed on.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ltl/automaton/automaton.h"
#include "view/extended_view.h"

namespace strata {

enum class FinitePaths { stutter, ignore };

// The rule of a step that repeats the last state of a finite path.
constexpr uint32_t kStutterRule = kNoRule - 1;

class ProductModel final : public ExtendedView {
 public:
  // REQUIRES: the automaton is state-based with one set (ltl/format/read.h: prepare), and its propositions are, in this
  // order, those that the model was loaded with.
  ProductModel(const Model& model, ltl::Automaton automaton, FinitePaths finite_paths);

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override;
  InstanceName rule_name(uint32_t rule) const override;

  uint32_t automaton_state(const uint8_t* state) const { return layout_.number(state); }

 private:
  struct ProductScratch;

  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  // Reads the propositions of the expanded states, and records which of the states end in an error.
  void read_letters(ProductScratch& own) const;
  void find_targets(uint32_t automaton_state, uint64_t letter, std::vector<uint32_t>& targets) const;
  // Appends (model_state, q) for each q in `targets`.
  void append_targets(const uint8_t* model_state, const std::vector<uint32_t>& targets, uint32_t rule,
                      uint32_t n, const uint8_t* parent, Expansion& out) const;

  const ltl::Automaton automaton_;
  const FinitePaths finite_paths_;
  const RuleIndex index_;
  uint64_t most_targets_ = 1;
};

}  // namespace strata
