// Seeded random formulas for tests, as trees with their own evaluation: apart from the text, they share nothing with
// the formulas of ltl/formula.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "ltl/automaton/word.h"

namespace strata::ltl {

struct RandomFormulaOptions {
  uint32_t propositions = 3;  // a, b, c ...
  uint32_t operators = 6;
  bool with_next = true;
};

class TestFormula {
 public:
  enum class Kind {
    proposition,
    true_,
    false_,
    not_,
    next,
    eventually,
    always,
    and_,
    or_,
    implies,
    equivalent,
    until,
    weak_until,
    release,
    strong_release
  };

  static TestFormula random(Random& random, const RandomFormulaOptions& options);

  // For `strata ltl`, fully parenthesised.
  std::string text() const;
  // For `spin -f`: without W and M.
  std::string spin_text() const;
  // Evaluated by the definitions of the operators.
  bool holds(const Word& word) const { return values(word)[0] != 0; }

 private:
  // The values at the positions of the word.
  std::vector<uint8_t> values(const Word& word) const;
  std::vector<uint8_t> binary_values(const Word& word) const;

  Kind kind_ = Kind::true_;
  uint32_t proposition_ = 0;
  std::vector<TestFormula> operands_;
};

}  // namespace strata::ltl
