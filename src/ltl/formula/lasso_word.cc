#include "ltl/formula/lasso_word.h"

#include <map>
#include <utility>

namespace strata::ltl {

namespace {

class Evaluation {
 public:
  Evaluation(const std::vector<uint64_t>& letters, uint64_t loop) : letters_(letters), loop_(loop) {}

  // The formula's value at each position.
  const std::vector<bool>& values(Formula f) {
    const auto known = known_.find(f);
    if (known != known_.end()) return known->second;
    std::vector<bool> result = compute(f);
    return known_[f] = std::move(result);
  }

 private:
  uint64_t after(uint64_t i) const { return i + 1 < letters_.size() ? i + 1 : loop_; }

  std::vector<bool> compute(Formula f) {
    const uint64_t n = letters_.size();
    // A release is the greatest fixed point of its equation, an until the least.
    std::vector<bool> result(n, f->op == Op::true_ || f->op == Op::release || f->op == Op::and_);
    switch (f->op) {
      case Op::false_:
      case Op::true_: break;
      case Op::literal:
        for (uint64_t i = 0; i < n; ++i) result[i] = ((letters_[i] >> f->proposition & 1) != 0) != f->negated;
        break;
      case Op::and_:
      case Op::or_:
        for (const Formula operand : f->operands) {
          const std::vector<bool>& own = values(operand);
          for (uint64_t i = 0; i < n; ++i)
            result[i] = f->op == Op::and_ ? result[i] && own[i] : result[i] || own[i];
        }
        break;
      case Op::next: {
        const std::vector<bool>& own = values(f->operands[0]);
        for (uint64_t i = 0; i < n; ++i) result[i] = own[after(i)];
        break;
      }
      case Op::until:
      case Op::release: {
        const std::vector<bool> left = values(f->operands[0]), right = values(f->operands[1]);
        // Backwards once around the loop, and once more for positions that depend on its start.
        for (int round = 0; round < 2; ++round) {
          for (uint64_t i = n; i-- > 0;) {
            const bool later = result[after(i)];
            result[i] = f->op == Op::until ? right[i] || (left[i] && later) : right[i] && (left[i] || later);
          }
        }
        break;
      }
    }
    return result;
  }

  const std::vector<uint64_t>& letters_;
  const uint64_t loop_;
  std::map<Formula, std::vector<bool>> known_;
};

}  // namespace

bool holds_on(Formula formula, const std::vector<uint64_t>& letters, uint64_t loop) {
  return Evaluation(letters, loop).values(formula)[0];
}

}  // namespace strata::ltl
