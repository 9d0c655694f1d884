// A model that asks the search to end when it has expanded this many states.
#pragma once

#include <atomic>
#include <cstdint>

#include "view/view.h"

namespace strata {

class EndingModel final : public View {
 public:
  EndingModel(const Model& model, uint64_t expansions, std::atomic<bool>& stop)
      : View(model), left_(static_cast<int64_t>(expansions)), stop_(stop) {}

  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    model_.expand(states, n, out);
    if (left_.fetch_sub(static_cast<int64_t>(out.consumed)) <= static_cast<int64_t>(out.consumed))
      stop_ = true;
  }

 private:
  mutable std::atomic<int64_t> left_;
  std::atomic<bool>& stop_;
};

}  // namespace strata
