#include "ltl/formula/simplify.h"

#include <algorithm>
#include <cstddef>

namespace strata::ltl {
namespace {

// Propositional formulas over few variables are compared by truth tables of 64 bits.
constexpr size_t kTableVariables = 6;
constexpr uint64_t kVariableTables[kTableVariables] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                                       0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                                       0xffff0000ffff0000, 0xffffffff00000000};

// Temporal operators do not change the formula: it holds on a word if it holds on any suffix.
bool is_suspendable(Formula f) { return f->eventual && f->universal; }

// The operands that have the property, and the others.
std::pair<std::vector<Formula>, std::vector<Formula>> split(const std::vector<Formula>& operands,
                                                            bool (*has)(Formula)) {
  std::pair<std::vector<Formula>, std::vector<Formula>> parts;
  for (Formula f : operands) (has(f) ? parts.first : parts.second).push_back(f);
  return parts;
}

}  // namespace

Formula Simplifier::simplify(Formula f) {
  const auto [entry, added] = simplified_.try_emplace(f, f);
  if (!added) return entry->second;
  std::vector<Formula> operands;
  for (Formula operand : f->operands) operands.push_back(simplify(operand));
  Formula result = f;
  switch (f->op) {
    case Op::false_:
    case Op::true_:
    case Op::literal: break;
    case Op::and_: result = conjunction(std::move(operands)); break;
    case Op::or_: result = disjunction(std::move(operands)); break;
    case Op::next: result = next(operands[0]); break;
    case Op::until: result = until(operands[0], operands[1]); break;
    case Op::release: result = release(operands[0], operands[1]); break;
  }
  simplified_[result] = result;
  return simplified_[f] = result;
}

Formula Simplifier::disjunction(std::vector<Formula> operands) {
  for (Formula& operand : operands) operand = negation(operand);
  return negation(conjunction(std::move(operands)));
}

Formula Simplifier::release(Formula a, Formula b) { return negation(until(negation(a), negation(b))); }

Formula Simplifier::next(Formula a) { return is_suspendable(a) ? a : pool_.next(a); }

Formula Simplifier::until(Formula a, Formula b) {
  const Formula true_ = pool_.constant(true);
  if (b->eventual || implies(a, b)) return b;
  if (implies(negation(b), a)) a = true_;
  // X c U X d = X (c U d), and F X d = X F d.
  if (b->op == Op::next && (a == true_ || a->op == Op::next)) {
    return next(until(a == true_ ? a : a->operands[0], b->operands[0]));
  }
  if (b->op == Op::until) {
    if (implies(a, b->operands[0])) return b;
    if (implies(b->operands[0], a)) return until(a, b->operands[1]);
  }
  // (c U b) U b = c U b.
  if (a->op == Op::until && a->operands[1] == b) return a;
  if (b->op == Op::and_) return until_conjunction(a, b);
  if (b->op == Op::or_) return until_disjunction(a, b);
  return pool_.until(a, b);
}

// a U (c && q) = (a U c) && q for a suspendable q.
Formula Simplifier::until_conjunction(Formula a, Formula b) {
  auto [kept, others] = split(b->operands, is_suspendable);
  if (kept.empty()) return pool_.until(a, b);
  kept.push_back(until(a, conjunction(std::move(others))));
  return conjunction(std::move(kept));
}

// a U (c || e) = (a U c) || e for a pure eventuality e.
Formula Simplifier::until_disjunction(Formula a, Formula b) {
  auto [kept, others] = split(b->operands, [](Formula f) { return f->eventual; });
  if (kept.empty()) return pool_.until(a, b);
  kept.push_back(until(a, disjunction(std::move(others))));
  return disjunction(std::move(kept));
}

Formula Simplifier::conjunction(std::vector<Formula> operands) {
  const Formula joined = pool_.conjunction(operands);
  if (joined->op != Op::and_) return joined;
  operands = joined->operands;
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t k = 0; k < operands.size(); ++k) {
      if (i == k) continue;
      const Formula a = operands[i], b = operands[k];
      if (implies(a, negation(b))) return pool_.constant(false);
      std::optional<Formula> together;
      if (implies(a, b)) {
        together = a;
      } else if (b->op == Op::release && implies(a, b->operands[0])) {
        // a && (c R d) = a && d if a implies c.
        together = conjunction({a, b->operands[1]});
      } else if (i < k) {
        together = merge(a, b);
      }
      if (!together) continue;
      operands[i] = *together;
      operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(k));
      return conjunction(std::move(operands));
    }
  }
  return representative(joined);
}

std::optional<Formula> Simplifier::merge(Formula a, Formula b) {
  if (a->op != b->op) return std::nullopt;
  if (a->op == Op::next) return next(conjunction({a->operands[0], b->operands[0]}));
  // (c R d) && (c R e) = c R (d && e)
  if (a->op == Op::release && a->operands[0] == b->operands[0]) {
    return release(a->operands[0], conjunction({a->operands[1], b->operands[1]}));
  }
  if (a->op != Op::until) return std::nullopt;
  // (c U e) && (d U e) = (c && d) U e
  if (a->operands[1] == b->operands[1]) {
    return until(conjunction({a->operands[0], b->operands[0]}), a->operands[1]);
  }
  // F u && F v = F (u && v) for pure universalities u, v.
  if (is_eventually(a) && is_eventually(b) && a->operands[1]->universal && b->operands[1]->universal) {
    return until(a->operands[0], conjunction({a->operands[1], b->operands[1]}));
  }
  return std::nullopt;
}

bool Simplifier::implies(Formula a, Formula b) {
  if (a == b || a->op == Op::false_ || b->op == Op::true_) return true;
  if (a->op == Op::true_ || b->op == Op::false_) return false;
  if (has_truth_table(a) && has_truth_table(b)) return (truth_table(a) & ~truth_table(b)) == 0;
  const auto [entry, added] = implied_.try_emplace({a->number, b->number}, false);
  if (!added) return entry->second;
  const bool result = implies_by_left(a, b) || implies_by_right(a, b);
  return implied_[{a->number, b->number}] = result;
}

// Implications that follow from the structure of `a`.
bool Simplifier::implies_by_left(Formula a, Formula b) {
  const auto follows = [&](Formula f) { return implies(f, b); };
  const std::vector<Formula>& c = a->operands;
  switch (a->op) {
    case Op::and_: return std::any_of(c.begin(), c.end(), follows);
    case Op::or_: return std::all_of(c.begin(), c.end(), follows);
    case Op::next:
      return (b->op == Op::next && implies(c[0], b->operands[0])) || (b->eventual && implies(c[0], b));
    case Op::until:
      if (b->op == Op::until && implies(c[0], b->operands[0]) && implies(c[1], b->operands[1])) return true;
      return implies(c[1], b) && (implies(c[0], b) || b->eventual);
    case Op::release:
      if (b->op == Op::release && implies(c[0], b->operands[0]) && implies(c[1], b->operands[1])) return true;
      return implies(c[1], b);
    default: return false;
  }
}

// Implications that follow from the structure of `b`.
bool Simplifier::implies_by_right(Formula a, Formula b) {
  const auto follows = [&](Formula f) { return implies(a, f); };
  const std::vector<Formula>& c = b->operands;
  switch (b->op) {
    case Op::and_: return std::all_of(c.begin(), c.end(), follows);
    case Op::or_: return std::any_of(c.begin(), c.end(), follows);
    case Op::next: return a->universal && implies(a, c[0]);
    case Op::until: return implies(a, c[1]);
    case Op::release: return implies(a, c[1]) && (implies(a, c[0]) || a->universal);
    default: return false;
  }
}

bool Simplifier::has_truth_table(Formula f) const {
  return f->propositional && pool_.propositions().size() <= kTableVariables;
}

uint64_t Simplifier::truth_table(Formula f) {
  const auto [entry, added] = tables_.try_emplace(f, 0);
  if (!added) return entry->second;
  uint64_t table = 0;
  switch (f->op) {
    case Op::true_: table = ~uint64_t{0}; break;
    case Op::literal: table = kVariableTables[f->proposition] ^ (f->negated ? ~uint64_t{0} : 0); break;
    case Op::and_:
      table = ~uint64_t{0};
      for (Formula operand : f->operands) table &= truth_table(operand);
      break;
    case Op::or_:
      for (Formula operand : f->operands) table |= truth_table(operand);
      break;
    default: break;
  }
  return tables_[f] = table;
}

Formula Simplifier::representative(Formula f) {
  if (!has_truth_table(f)) return f;
  const uint64_t table = truth_table(f);
  if (table == 0 || table == ~uint64_t{0}) return pool_.constant(table != 0);
  for (size_t p = 0; p < pool_.propositions().size(); ++p) {
    for (const bool negated : {false, true}) {
      const Formula literal = pool_.literal(static_cast<uint8_t>(p), negated);
      if (truth_table(literal) == table) return literal;
    }
  }
  return representatives_.try_emplace(table, f).first->second;
}

std::optional<Formula> invariant_of(Formula simplified) {
  if (is_always(simplified) && simplified->operands[1]->propositional) return simplified->operands[1];
  return std::nullopt;
}

}  // namespace strata::ltl
