// A Model made of another Model, of which it changes one thing. View is the other model in all that a derived
// class does not override: a view is only what it changes, and cannot forget to hand on the rest.
//
// What becomes of a state's bytes makes two kinds of views:
//
//   the same bytes   (InvariantModel, TargetModel, GoalModel) The caller's Expansion is handed on, and
//   nothing is copied.
//                    Its scratch is the inner model's, so such a view keeps nothing there. expand_with()
//                    changes options for the inner call alone.
//   other bytes      (ProductModel, FairModel; extended_view.h) The inner model fills an Expansion of its
//   own, which is kept
//                    in the scratch of the caller's. So each of several nested views has one, of its own capacity.
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
  explicit View(const Model& model) : model_(model), info_(model.info()) {}

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
  bool reached_error_state() const override { return model_.reached_error_state(); }
  bool out_of_room() const override { return model_.out_of_room(); }
  void serialize(Image& image) const override { model_.serialize(image); }
  Value describe(const uint8_t* state) const override { return model_.describe(state); }
  InstanceName rule_name(uint32_t rule) const override { return model_.rule_name(rule); }
  InstanceName start_name(uint32_t start) const override { return model_.start_name(start); }
  FailureText describe_failure(const Failure& failure) const override {
    return model_.describe_failure(failure);
  }

 protected:
  // The model's own properties keep their numbers but are not checked any more, for a view that has others.
  void hide_properties();
  // The number of a property that is added to them.
  uint32_t add_property(PropertyKind kind, std::string name);

  // The inner model's expand, with other options; those of `out` are the caller's again afterwards.
  void expand_with(const ExpansionOptions& options, const uint8_t* states, uint64_t n, Expansion& out) const;

  // The scratch of `out`, made at its first call. The inner Expansion is ready for a call, with the caller's
  // options, but for self-loops: what is one in the inner model may be none in the view, so it has to see
  // them all.
  InnerScratch& scratch(Expansion& out) const;
  // For an Expansion of this capacity; a view that keeps more there, or needs less room, has its own.
  virtual std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const;
  // Adds to `out` what an inner call has found beside states: failures, covers.
  static void add_findings(const Expansion& inner, Expansion& out);
  static void add_covered(const Expansion& inner, Expansion& out);

  const Model& model_;
  ModelInfo info_;
};

}  // namespace strata
