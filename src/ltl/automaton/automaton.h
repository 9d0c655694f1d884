// Büchi automata whose edges are labelled with cubes. Acceptance is generalized and on edges: a run is accepting if,
// for each of the `sets` marks, it takes edges with this mark infinitely often. An automaton is state-based if all
// edges that leave a state have the same marks; a state without edges accepts nothing, so its marks do not matter.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "ltl/automaton/cube.h"

namespace strata::ltl {

struct Edge {
  Cube label;
  uint32_t target = 0;
  uint64_t marks = 0;

  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Automaton {
  static constexpr uint32_t kMaximumSets = 64;

  std::vector<std::string> propositions;
  uint32_t sets = 1;
  uint32_t initial = 0;
  std::vector<std::vector<Edge>> states;

  uint64_t all_marks() const { return sets == 64 ? ~uint64_t{0} : (uint64_t{1} << sets) - 1; }
  uint64_t edge_count() const;
  bool is_state_based() const;
  // In each state, at most one edge reads a given letter.
  bool is_deterministic() const;
  // Only for state-based automata with one set.
  bool is_accepting(uint32_t state) const { return !states[state].empty() && states[state][0].marks != 0; }
};

// The strongly connected components, numbered in reverse topological order: an edge leads to a component with the same
// or a smaller number.
struct Components {
  uint32_t count = 0;
  std::vector<uint32_t> of;     // for each state
  std::vector<uint8_t> cyclic;  // for each component: it has an edge within
  std::vector<uint64_t> marks;  // for each component: the marks of its edges
};
Components components(const Automaton& automaton);

// Removes unreachable states, states from which no word is accepted (the initial state stays, without edges), and marks
// without effect, which no accepting run sees infinitely often.
void remove_useless(Automaton& automaton);

// Merges edges with the same states and marks, and minimizes their labels.
void minimize_labels(Automaton& automaton);

// Numbers the states in breadth-first order from the initial one, which becomes 0. Sorts the edges.
void renumber(Automaton& automaton);

}  // namespace strata::ltl
