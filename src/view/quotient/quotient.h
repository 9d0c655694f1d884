// The quotient of a model by its symmetries: of the states of an orbit, which behave alike, it has one. What
// can be said without naming an element of a symmetric set holds in it exactly when it holds in the model.
//
// Where the symmetry is the author's word (Symmetry::proved), the quotient compares states that it expands
// with renamed ones: the first thousand, then one in some thousands, chosen by their bytes. After a
// difference it has no more successors, so that a search ends soon; what the search says then is worth
// nothing.
//
// Its transitions are those of the model, each to the state that stands for its orbit, so its paths are no paths of the
// model; property/symmetry/unfold.h makes one of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/locks/mutex.h"
#include "model/symmetry.h"
#include "view/quotient/orbit_probe.h"
#include "view/view.h"

namespace strata {

class QuotientModel final : public View {
 public:
  // The model has symmetries; `propositions`: it evaluates some.
  explicit QuotientModel(const Model& model, bool propositions = false);

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;

  // How the model was seen to break the symmetry; empty: it was not.
  std::string difference() const;

 private:
  // Compares those of the states that are to be compared; whether a difference was found, now or before.
  bool probe(const uint8_t* states, uint64_t n, DeadlockMode deadlock) const;
  void canonicalise(Expansion& out) const;
  // Takes out successors that stand for their parents' orbits.
  void drop_self_loops(const uint8_t* states, Expansion& out) const;

  const Symmetry& symmetry_;
  mutable Mutex probing_;
  const std::unique_ptr<OrbitProbe> probe_ PT_GUARDED_BY(probing_);  // null: the symmetry is proved
  mutable std::string difference_ GUARDED_BY(probing_);
  mutable std::atomic<bool> differs_{false};
  mutable std::atomic<uint64_t> seen_{0};
};

}  // namespace strata
