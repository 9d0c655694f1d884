// The views of a model that a question needs, each over the one before it. A model with symmetries is replaced by its
// quotient, which searches use; then there are two stacks of the same views, and both grow together:
//
//   searched()   over the quotient, for the search
//   plain()      over the model itself, whose paths are paths of the model, for counterexamples
//
// Without symmetries there is one stack, and both names mean the same model.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "model/model.h"
#include "view/quotient/quotient.h"
#include "view/view.h"

namespace strata {

class ViewStack {
 public:
  // An empty stack without a model.
  ViewStack() = default;
  // Over a model that outlives the stack. `propositions`: the model evaluates some.
  ViewStack(const Model& model, bool propositions)
      : model_(&model),
        quotient_(model.symmetry() == nullptr ? nullptr
                                              : std::make_unique<QuotientModel>(model, propositions)) {}

  // Adds the view that make(model) makes. The result: that over plain().
  template <class Make>
  const View& add(const Make& make) {
    views_.push_back(make(searched()));
    if (!quotient_) return *views_.back();
    plain_views_.push_back(make(plain()));
    return *plain_views_.back();
  }

  const Model& searched() const {
    if (!views_.empty()) return *views_.back();
    return quotient_ ? static_cast<const Model&>(*quotient_) : *model_;
  }
  const Model& plain() const {
    if (!quotient_) return searched();
    return plain_views_.empty() ? *model_ : static_cast<const Model&>(*plain_views_.back());
  }

  // By the model's symmetries; null: it has none.
  const QuotientModel* quotient() const { return quotient_.get(); }
  // Views besides the quotient.
  bool empty() const { return views_.empty(); }
  uint64_t size() const { return views_.size(); }
  const View& operator[](uint64_t i) const { return *views_[i]; }

 private:
  const Model* model_ = nullptr;
  std::unique_ptr<QuotientModel> quotient_;
  std::vector<std::unique_ptr<View>> views_;        // the first over the quotient or the model
  std::vector<std::unique_ptr<View>> plain_views_;  // with a quotient: the same, the first over the model
};

}  // namespace strata
