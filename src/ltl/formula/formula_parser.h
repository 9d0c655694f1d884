// LTL text -> formula. The operators, from the tightest to the loosest:
//
//   ! X F G      U W R M      &&      ||      <->      ->
//
// Binary operators of one level group from the left. SPIN and LTSmin agree on both ends of this line but not on its
// middle; doc/ltl.md compares them. AG p, EF p and AG EF p are only allowed at the beginning of a formula, and p must
// be propositional.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// The greatest nesting depth of formulas, so that all passes can be recursive.
constexpr uint32_t kMaximumNesting = 1000;

struct Property {
  // linear: the formula holds on all paths. all_always (AG p), exists_eventually (EF p) and always_reachable (AG EF p):
  // `formula` is p.
  enum class Kind { linear, all_always, exists_eventually, always_reachable };
  Kind kind = Kind::linear;
  Formula formula = nullptr;
  std::vector<size_t>
      places;  // for each proposition, by its number: the offset of its first occurrence in the text
};

// The first error is a Status of code `model`, with the line, a caret and the name of `file`.
Result<Property> parse_property(const SourceFile& file, FormulaPool& pool);

}  // namespace strata::ltl
