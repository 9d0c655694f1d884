// The quotient of a model by its symmetries: one state for each orbit, whose states behave alike. A statement that does
// not name an element of a symmetric set holds in the quotient exactly if it holds in the model.
//
// If only the author of the model claims the symmetry (Symmetry::proved), the quotient compares expanded states with
// renamed ones: the first thousand, then one in some thousands, chosen by their bytes. After a difference the quotient
// has no more successors, so that a search ends soon; the result of that search is worthless.
//
// A transition of the quotient is one of the model, followed by the step to the representative of the orbit. So its
// paths are not paths of the model; property/symmetry/unfold.h turns them into such.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/locks/mutex.h"
#include "model/device_code.h"
#include "model/symmetry.h"
#include "view/quotient/orbit_probe.h"
#include "view/view.h"

namespace strata {

class QuotientModel final : public View, private DeviceModel {
 public:
  // REQUIRES: the model has symmetries. `propositions`: it evaluates some.
  explicit QuotientModel(const Model& model, bool propositions = false);

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;

  // A device runs the quotient if it runs the model and the symmetry is proved: devices compare nothing.
  Capabilities capabilities() const override;

  // How the model breaks the symmetry, as far as was seen; empty: not seen.
  std::string difference() const;

 private:
  Status runs_on_device() const override;
  Result<DeviceCode> device_code() const override;
  // Compares those states that are due for a comparison. Whether a difference was found, now or before.
  bool probe(const uint8_t* states, uint64_t n, DeadlockMode deadlock) const;
  void canonicalise(Expansion& out) const;
  // Removes successors that represent their parents' orbits.
  void drop_self_loops(const uint8_t* states, Expansion& out) const;

  const Symmetry& symmetry_;
  mutable Mutex probing_;
  const std::unique_ptr<OrbitProbe> probe_ PT_GUARDED_BY(probing_);  // null: the symmetry is proved
  mutable std::string difference_ GUARDED_BY(probing_);
  mutable std::atomic<bool> differs_{false};
  mutable std::atomic<uint64_t> seen_{0};
};

}  // namespace strata
