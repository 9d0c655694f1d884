#include "ltl/translate/alternating.h"

#include <algorithm>

namespace strata::ltl {
namespace {

// Whether `a` subsumes `b`: it reads more letters and leads to fewer states.
bool is_better(const Move& a, const Move& b) { return a.label.contains(b.label) && b.next.contains(a.next); }
bool is_better(const StateSet& a, const StateSet& b) { return b.contains(a); }

// Removes the subsumed elements.
template <class T>
void keep_best(std::vector<T>& all) {
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<T> best;
  for (const T& one : all) {
    const bool beaten = std::any_of(all.begin(), all.end(),
                                    [&](const T& other) { return !(other == one) && is_better(other, one); });
    if (!beaten) best.push_back(one);
  }
  all = std::move(best);
}

std::vector<Move> product(const std::vector<Move>& a, const std::vector<Move>& b, bool& too_large) {
  std::vector<Move> all;
  if (a.size() * b.size() > kMaximumMoves) {
    too_large = true;
    return all;
  }
  for (const Move& x : a) {
    for (const Move& y : b) {
      const Move both{x.label & y.label, x.next | y.next};
      if (!both.label.is_false()) all.push_back(both);
    }
  }
  keep_best(all);
  return all;
}

std::vector<StateSet> product(const std::vector<StateSet>& a, const std::vector<StateSet>& b,
                              bool& too_large) {
  std::vector<StateSet> all;
  if (a.size() * b.size() > kMaximumMoves) {
    too_large = true;
    return all;
  }
  for (const StateSet& x : a) {
    for (const StateSet& y : b) all.push_back(x | y);
  }
  keep_best(all);
  return all;
}

template <class T>
std::vector<T> united(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  keep_best(a);
  return a;
}

}  // namespace

Result<AlternatingAutomaton> AlternatingAutomaton::build(Formula formula) {
  AlternatingAutomaton automaton;
  automaton.initial_ = automaton.sets(formula);
  for (uint32_t i = 0; i < automaton.states_.size() && !automaton.too_large_; ++i) {
    automaton.state_moves_.push_back(automaton.moves(automaton.states_[i]));
  }
  if (automaton.too_large_) return Status::limit("the formula is too large to be translated to an automaton");
  return automaton;
}

uint32_t AlternatingAutomaton::number(Formula state) {
  const auto [entry, added] = numbers_.try_emplace(state, static_cast<uint32_t>(states_.size()));
  if (!added) return entry->second;
  if (states_.size() == StateSet::kMaximum) {
    too_large_ = true;
    return entry->second = 0;
  }
  states_.push_back(state);
  return entry->second;
}

const std::vector<Move>& AlternatingAutomaton::moves(Formula formula) {
  const auto found = moves_.find(formula);
  if (found != moves_.end()) return found->second;
  std::vector<Move> made = make_moves(formula);
  return moves_[formula] = std::move(made);
}

std::vector<Move> AlternatingAutomaton::make_moves(Formula f) {
  const uint64_t bit = uint64_t{1} << f->proposition;
  std::vector<Move> result;
  Move stay;
  if (f->op == Op::until || f->op == Op::release) {
    // Numbered in this order, so that the result does not depend on the compiler's order of evaluation.
    stay.next.add(number(f));
    moves(f->operands[0]);
    moves(f->operands[1]);
  }
  switch (f->op) {
    case Op::false_: break;
    case Op::true_: result.push_back({}); break;
    case Op::literal: result.push_back({f->negated ? Cube{0, bit} : Cube{bit, 0}, {}}); break;
    case Op::next:
      for (const StateSet& set : sets(f->operands[0])) result.push_back({{}, set});
      break;
    case Op::until:
      result = united(product(moves(f->operands[0]), {stay}, too_large_), moves(f->operands[1]));
      break;
    case Op::release:
      result = product(united(moves(f->operands[0]), {stay}), moves(f->operands[1]), too_large_);
      break;
    case Op::and_:
      result.push_back({});
      for (Formula operand : f->operands) result = product(result, moves(operand), too_large_);
      break;
    case Op::or_:
      for (Formula operand : f->operands) result = united(std::move(result), moves(operand));
      break;
  }
  return result;
}

std::vector<StateSet> AlternatingAutomaton::sets(Formula f) {
  std::vector<StateSet> result;
  const Op op = f->propositional && f->op != Op::true_ && f->op != Op::false_ ? Op::literal : f->op;
  switch (op) {
    case Op::false_: break;
    case Op::true_: result.push_back({}); break;
    case Op::and_:
      result.push_back({});
      for (Formula operand : f->operands) result = product(result, sets(operand), too_large_);
      break;
    case Op::or_:
      for (Formula operand : f->operands) result = united(std::move(result), sets(operand));
      break;
    default: {
      StateSet single;
      single.add(number(f));
      result.push_back(single);
      break;
    }
  }
  return result;
}

}  // namespace strata::ltl
