// Rewriting of formulas into equivalent ones with smaller automata: constants, implications that the syntax shows
// (Somenzi, Bloem: Efficient Büchi automata from LTL formulae, 2000), pure eventualities and universalities
// (Etessami, Holzmann 2000), formulas that are both, which no temporal operator changes (Babiak et al.: LTL to Büchi
// automata translation: fast and more deterministic, 2012), and common operands.
//
// Every rule has a dual, so only those of conjunction, until and next are written; disjunction and release are
// negations of these.
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
  // True only if every word on which `a` holds satisfies `b`; false may mean that this was not seen.
  bool implies(Formula a, Formula b);

 private:
  // These take simplified operands and give a simplified formula.
  Formula conjunction(std::vector<Formula> operands);
  Formula disjunction(std::vector<Formula> operands);
  Formula next(Formula a);
  Formula until(Formula a, Formula b);
  Formula release(Formula a, Formula b);

  Formula negation(Formula a) { return pool_.negation(a); }
  Formula until_conjunction(Formula a, Formula b);
  Formula until_disjunction(Formula a, Formula b);
  // What the two operands of a conjunction are together, where that is simpler than both.
  std::optional<Formula> merge(Formula a, Formula b);
  bool implies_by_left(Formula a, Formula b);
  bool implies_by_right(Formula a, Formula b);
  // One representative for all propositional formulas of the same meaning, where there are few propositions.
  Formula representative(Formula f);
  uint64_t truth_table(Formula f);
  bool has_truth_table(Formula f) const;

  FormulaPool& pool_;
  std::unordered_map<Formula, Formula> simplified_;
  std::map<std::pair<uint32_t, uint32_t>, bool> implied_;
  std::unordered_map<Formula, uint64_t> tables_;
  std::unordered_map<uint64_t, Formula> representatives_;
};

// The proposition p when the formula, after simplification, is G p: such a property needs no automaton, only the
// states that can be reached. !F p is G !p.
std::optional<Formula> invariant_of(Formula simplified);

}  // namespace strata::ltl
