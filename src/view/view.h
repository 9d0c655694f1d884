// A Model made of another Model, of which it changes one thing. View forwards each call that a derived class does not
// override, and hands on the capabilities of the inner model but for those that capabilities() names: a view contains
// only what it changes.
//
// There are two kinds of views:
//
//   same bytes    (InvariantModel, TargetModel, GoalModel) The states are those of the inner model. The view hands on
//                 the caller's Expansion, and nothing is copied. Its scratch belongs to the inner model, so such a view
//                 keeps nothing there. expand_with() changes options for the inner call alone.
//   other bytes   (ProductModel, FairModel; extended_view.h) The inner model fills an Expansion of its own, which the
//                 view keeps in the scratch of the caller's. So each of several nested views has one, of its own
//                 capacity.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/model.h"

namespace strata {

// What a view with states of other bytes keeps in the caller's Expansion.
struct InnerScratch : ExpansionScratch {
  // With room for this many successors.
  InnerScratch(const ModelInfo& inner_info, uint64_t capacity);

  Expansion inner;
};

class View : public Model {
 public:
  // The model must outlive the view.
  explicit View(const Model& model) : model_(model), inner_(model.capabilities()), info_(model.info()) {}

  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override { model_.starts(out, full); }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.expand(states, n, out);
  }
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.check(states, n, out);
  }
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override {
    model_.propositions(states, n, values, failures);
  }
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override {
    model_.accepting(states, n, values);
  }
  // A view hands on what does not depend on its states: error states that were reached, the memory and the data of the
  // inner model. It does not hand on
  //   symmetry        a view may tell apart states that the inner model does not
  //   whole, shared   the view's change would be lost: whole() is a model without it, and arrivals are states of the
  //                   inner model. So a view belongs below the share of a process (property/ask/ask.h); FoldedModel,
  //                   which may be above, offers its own.
  //   device          the text of the inner model lacks the view's change (QuotientModel offers its own)
  // A capability that is added later is not handed on until it gets its place here.
  Capabilities capabilities() const override {
    Capabilities offered;
    offered.error_states = inner_.error_states;
    offered.memory = inner_.memory;
    offered.saved = inner_.saved;
    return offered;
  }
  Value describe(const uint8_t* state) const override { return model_.describe(state); }
  InstanceName rule_name(uint32_t rule) const override { return model_.rule_name(rule); }
  InstanceName start_name(uint32_t start) const override { return model_.start_name(start); }
  FailureText describe_failure(const Failure& failure) const override {
    return model_.describe_failure(failure);
  }

 protected:
  // Stops checking the model's own properties, for a view that has others. They keep their numbers.
  void hide_properties();
  // Adds a property and returns its number.
  uint32_t add_property(PropertyKind kind, std::string name);

  // Calls the inner model's expand with other options. Afterwards `out` has the caller's options again.
  void expand_with(const ExpansionOptions& options, const uint8_t* states, uint64_t n, Expansion& out) const;

  // The scratch of `out`, created by its first call. The inner Expansion is ready for a call, with the caller's options
  // except for self-loops: a self-loop of the inner model may lead to another state of the view, so the view has to see
  // all of them.
  InnerScratch& scratch(Expansion& out) const;
  // For an Expansion of this capacity. A view that keeps more data there, or needs less room, overrides it.
  virtual std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const;
  // Adds what an inner call has found besides states to `out`: failures, covers.
  static void add_findings(const Expansion& inner, Expansion& out);
  static void add_covered(const Expansion& inner, Expansion& out);

  const Model& model_;
  const Capabilities inner_;  // what that model offers
  ModelInfo info_;
};

}  // namespace strata
