#include "property/symmetry/symmetry_check.h"

#include <string>
#include <vector>

#include "base/random.h"
#include "engine/trace/starts.h"
#include "view/quotient/orbit_probe.h"

namespace strata {
namespace {

using State = std::vector<uint8_t>;

class Walk {
 public:
  Walk(const Model& model, uint64_t seed) : model_(model), random_(seed) {}

  Random& random() { return random_; }

  // A random choice among some start states, which are fixed at the first call because there may be many.
  State some_start() {
    constexpr uint64_t kMost = 32;
    Expansion starts = start_expansion(model_.info());
    uint64_t seen = 0;
    const auto choose = [&] {
      for (uint64_t i = 0; i < starts.count; ++i) {
        const uint64_t place = starts_.size() < kMost ? starts_.size() : random_.below(seen + 1);
        ++seen;
        if (place == starts_.size()) starts_.emplace_back();
        if (place < starts_.size())
          starts_[place].assign(starts.successor(i), starts.successor(i) + starts.state_bytes);
      }
    };
    if (starts_.empty()) each_start(model_, starts, choose);
    return some_of(starts_);
  }
  State some_of(const std::vector<State>& states) {
    return states.empty() ? State() : states[random_.below(states.size())];
  }

 private:
  const Model& model_;
  Random random_;
  std::vector<State> starts_;
};

}  // namespace

Status check_symmetry(const Model& model, const SymmetryCheck& check, const std::atomic<bool>& stop) {
  Walk walk(model, check.seed);
  OrbitProbe probe(model, check.propositions);
  State state;
  for (uint64_t done = 0; done < check.states && !stop.load(std::memory_order_relaxed); ++done) {
    if (state.empty()) state = walk.some_start();
    if (state.empty()) return {};
    const std::string difference = probe.compare(state.data(), check.deadlock, walk.random());
    if (!difference.empty())
      return model.symmetry()->proved() ? Status::internal(difference) : Status::model(difference);
    state = walk.some_of(probe.successors());
  }
  return {};
}

}  // namespace strata
