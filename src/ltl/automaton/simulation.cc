#include "ltl/automaton/simulation.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace strata::ltl {
namespace {

class Simulation {
 public:
  explicit Simulation(const Automaton& automaton) : automaton_(automaton) {
    const size_t n = automaton.states.size();
    relation_.assign(n, std::vector<uint8_t>(n, 1));
    while (refine()) {
    }
  }

  // Whether q simulates p.
  bool holds(uint32_t p, uint32_t q) const { return relation_[p][q] != 0; }
  bool equivalent(uint32_t p, uint32_t q) const { return holds(p, q) && holds(q, p); }

  // Whether the edges of one state together simulate `edge`.
  bool is_matched(const Edge& edge, const std::vector<Edge>& edges) const {
    std::vector<Cube> labels;
    for (const Edge& other : edges) {
      if ((edge.marks & ~other.marks) != 0 || !holds(edge.target, other.target)) continue;
      if (other.label.contains(edge.label)) return true;
      labels.push_back(other.label);
    }
    return labels.size() > 1 && is_covered(edge.label, labels);
  }

  // Whether `other`, an edge of the same state, simulates `edge` and differs from it.
  bool is_better(const Edge& other, const Edge& edge) const {
    const bool same = other.target == edge.target && other.marks == edge.marks;
    return !same && (edge.marks & ~other.marks) == 0 && holds(edge.target, other.target);
  }

 private:
  bool refine() {
    bool changed = false;
    const uint32_t n = static_cast<uint32_t>(relation_.size());
    for (uint32_t p = 0; p < n; ++p) {
      for (uint32_t q = 0; q < n; ++q) {
        if (p == q || !relation_[p][q] || simulates(p, q)) continue;
        relation_[p][q] = 0;
        changed = true;
      }
    }
    return changed;
  }

  bool simulates(uint32_t p, uint32_t q) const {
    const std::vector<Edge>& edges = automaton_.states[p];
    return std::all_of(edges.begin(), edges.end(),
                       [&](const Edge& edge) { return is_matched(edge, automaton_.states[q]); });
  }

  const Automaton& automaton_;
  std::vector<std::vector<uint8_t>> relation_;
};

// Sets the marks of edges that are on no cycle; in a state-based automaton, of states that are on no cycle.
void set_free_marks(Automaton& automaton, uint64_t marks) {
  const Components parts = components(automaton);
  const bool state_based = automaton.is_state_based();
  for (uint32_t p = 0; p < automaton.states.size(); ++p) {
    const bool cyclic = parts.cyclic[parts.of[p]] != 0;
    for (Edge& edge : automaton.states[p]) {
      if (state_based ? !cyclic : parts.of[p] != parts.of[edge.target]) edge.marks = marks;
    }
  }
}

// Merges equivalent states into the first one of their class, which gets the edges of all of them.
void merge_equivalent(Automaton& automaton) {
  const Simulation simulation(automaton);
  const uint32_t n = static_cast<uint32_t>(automaton.states.size());
  std::vector<uint32_t> first(n);
  for (uint32_t p = 0; p < n; ++p) {
    first[p] = p;
    for (uint32_t q = 0; q < p && first[p] == p; ++q) {
      if (simulation.equivalent(p, q)) first[p] = first[q];
    }
  }
  for (uint32_t p = 0; p < n; ++p) {
    if (first[p] == p) continue;
    auto& edges = automaton.states[first[p]];
    edges.insert(edges.end(), automaton.states[p].begin(), automaton.states[p].end());
    automaton.states[p].clear();
  }
  for (auto& edges : automaton.states) {
    for (Edge& edge : edges) edge.target = first[edge.target];
  }
  automaton.initial = first[automaton.initial];
}

void remove_matched_edges(Automaton& automaton) {
  const Simulation simulation(automaton);
  for (auto& edges : automaton.states) {
    for (size_t i = 0; i < edges.size();) {
      std::vector<Edge> others = edges;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      if (simulation.is_matched(edges[i], others)) {
        edges = std::move(others);
      } else {
        ++i;
      }
    }
  }
}

void reduce_once(Automaton& automaton, uint64_t free_marks) {
  set_free_marks(automaton, free_marks);
  merge_equivalent(automaton);
  remove_useless(automaton);
  minimize_labels(automaton);
  set_free_marks(automaton, free_marks);
  remove_matched_edges(automaton);
  remove_useless(automaton);
}

}  // namespace

void reduce_by_simulation(Automaton& automaton) {
  if (automaton.edge_count() > kMaximumSimulatedEdges) return;
  for (size_t before = 0; before != automaton.states.size();) {
    before = automaton.states.size();
    reduce_once(automaton, 0);
    reduce_once(automaton, automaton.all_marks());
  }
}

void make_more_deterministic(Automaton& automaton) {
  if (automaton.edge_count() > kMaximumSimulatedEdges) return;
  const Simulation simulation(automaton);
  for (auto& edges : automaton.states) {
    // One edge at a time, compared with the remaining ones: of two edges that simulate each other one must stay.
    for (size_t left = edges.size(); left > 0; --left) {
      const Edge edge = edges.front();
      edges.erase(edges.begin());
      std::vector<Cube> letters{edge.label};
      for (const Edge& other : edges) {
        if (simulation.is_better(other, edge)) letters = difference(letters, other.label);
      }
      for (const Cube& cube : letters) edges.push_back({cube, edge.target, edge.marks});
    }
  }
  minimize_labels(automaton);
  remove_useless(automaton);
}

}  // namespace strata::ltl
