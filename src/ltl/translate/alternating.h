// Very weak alternating automata (Gastin, Oddoux: Fast LTL to Büchi automata translation, 2001). A state is a
// propositional formula, a next, an until or a release. A move reads a letter of its label and leads to all states of a
// set at once. The moves of a formula:
//
//   p         {(p, {})}                          a && b    every move of a together with every move of b
//   X a       {(true, s) | s in sets(a)}         a || b    the moves of both
//   a U b     moves(b) + moves(a) x {(true, {a U b})}
//   a R b     moves(b) x (moves(a) + {(true, {a R b})})
//
// where sets(a) is the disjunctive normal form of `a` over states. A run is accepting if no branch stays in an until
// forever.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "ltl/automaton/cube.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {

// A set of states of an alternating automaton.
class StateSet {
 public:
  static constexpr uint32_t kMaximum = 256;

  void add(uint32_t state) { words_[state / 64] |= uint64_t{1} << (state % 64); }
  bool has(uint32_t state) const { return (words_[state / 64] >> (state % 64) & 1) != 0; }
  bool contains(const StateSet& other) const {
    uint64_t missing = 0;
    for (size_t i = 0; i < words_.size(); ++i) missing |= other.words_[i] & ~words_[i];
    return missing == 0;
  }
  friend StateSet operator|(StateSet a, const StateSet& b) {
    for (size_t i = 0; i < a.words_.size(); ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend auto operator<=>(const StateSet&, const StateSet&) = default;

 private:
  std::array<uint64_t, kMaximum / 64> words_ = {};
};

struct Move {
  Cube label;
  StateSet next;

  friend auto operator<=>(const Move&, const Move&) = default;
};

// The maximum number of moves and sets of one formula; larger formulas are refused.
constexpr size_t kMaximumMoves = 1 << 12;

class AlternatingAutomaton {
 public:
  // Explores all states reachable from the formula. A limit error if there are too many states or moves.
  static Result<AlternatingAutomaton> build(Formula formula);

  uint32_t state_count() const { return static_cast<uint32_t>(states_.size()); }
  Formula state(uint32_t number) const { return states_[number]; }
  const std::vector<Move>& moves(uint32_t state) const { return state_moves_[state]; }
  // The formula as a disjunction of sets of states.
  const std::vector<StateSet>& initial() const { return initial_; }

 private:
  const std::vector<Move>& moves(Formula formula);
  std::vector<Move> make_moves(Formula formula);
  std::vector<StateSet> sets(Formula formula);
  uint32_t number(Formula state);

  std::vector<Formula> states_;
  std::unordered_map<Formula, uint32_t> numbers_;
  std::unordered_map<Formula, std::vector<Move>> moves_;
  std::vector<std::vector<Move>> state_moves_;
  std::vector<StateSet> initial_;
  bool too_large_ = false;
};

}  // namespace strata::ltl
