// The quotient of a model by its symmetries: of the states of an orbit, which behave alike, it has one. What can be said without
// naming an element of a symmetric set holds in it exactly when it holds in the model.
//
// Its transitions are those of the model, each to the state that stands for its orbit, so its paths are no paths of the
// model; property/symmetry/unfold.h makes one of them.
#pragma once

#include <cstdint>

#include "model/symmetry.h"
#include "view/view.h"

namespace strata {

class QuotientModel final : public View {
 public:
  // The model has symmetries.
  explicit QuotientModel(const Model& model) : View(model), symmetry_(*model.symmetry()) {}

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;

 private:
  void canonicalise(Expansion& out) const;
  // Takes out successors that stand for their parents' orbits.
  void drop_self_loops(const uint8_t* states, Expansion& out) const;

  const Symmetry& symmetry_;
};

}  // namespace strata
