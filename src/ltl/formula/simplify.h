// Rewrites formulas into equivalent ones with smaller automata, by constants, syntactic implications (Somenzi, Bloem:
// Efficient Büchi automata from LTL formulae, 2000), pure eventualities and universalities (Etessami, Holzmann 2000),
// suspendable formulas, which are both (Babiak et al.: LTL to Büchi automata translation: fast and more deterministic,
// 2012), and common operands.
//
// Every rule has a dual. Only the rules of conjunction, until and next are written; disjunction and release are
// computed as negations of these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ltl/formula/formula.h"

namespace strata::ltl {

class Simplifier {
 public:
  explicit Simplifier(FormulaPool& pool) : pool_(pool) {}

  Formula simplify(Formula formula);
  // True only if every word that satisfies `a` satisfies `b`; false may also mean that the implication was not
  // recognised.
  bool implies(Formula a, Formula b);

 private:
  // These functions take simplified operands and return a simplified formula.
  Formula conjunction(std::vector<Formula> operands);
  Formula disjunction(std::vector<Formula> operands);
  Formula next(Formula a);
  Formula until(Formula a, Formula b);
  Formula release(Formula a, Formula b);

  Formula negation(Formula a) { return pool_.negation(a); }
  Formula until_conjunction(Formula a, Formula b);
  Formula until_disjunction(Formula a, Formula b);
  // The conjunction of the two operands, if it can be made simpler than both together.
  std::optional<Formula> merge(Formula a, Formula b);
  bool implies_by_left(Formula a, Formula b);
  bool implies_by_right(Formula a, Formula b);
  // The same representative for all equivalent propositional formulas, if they have few propositions.
  Formula representative(Formula f);
  uint64_t truth_table(Formula f);
  bool has_truth_table(Formula f) const;

  FormulaPool& pool_;
  std::unordered_map<Formula, Formula> simplified_;
  std::map<std::pair<uint32_t, uint32_t>, bool> implied_;
  std::unordered_map<Formula, uint64_t> tables_;
  std::unordered_map<uint64_t, Formula> representatives_;
};

// The proposition p, if the simplified formula is G p: checking it needs only the reachable states, no automaton. For
// !F p, this is !p.
std::optional<Formula> invariant_of(Formula simplified);

}  // namespace strata::ltl
