#include "ltl/automaton/automaton.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strata::ltl {
namespace {

constexpr uint32_t kNone = 0xffffffffu;

// Tarjan's algorithm with an explicit stack.
class ComponentSearch {
 public:
  explicit ComponentSearch(const Automaton& automaton)
      : states_(automaton.states), index_(states_.size(), kNone), low_(states_.size(), 0) {
    result_.of.assign(states_.size(), kNone);
  }

  Components run() {
    for (uint32_t root = 0; root < states_.size(); ++root) {
      if (index_[root] == kNone) search(root);
    }
    result_.cyclic.assign(result_.count, 0);
    result_.marks.assign(result_.count, 0);
    for (uint32_t state = 0; state < states_.size(); ++state) {
      const uint32_t component = result_.of[state];
      for (const Edge& edge : states_[state]) {
        if (result_.of[edge.target] != component) continue;
        result_.cyclic[component] = 1;
        result_.marks[component] |= edge.marks;
      }
    }
    return std::move(result_);
  }

 private:
  void enter(uint32_t state) {
    index_[state] = low_[state] = next_++;
    path_.push_back({state, 0});
    open_.push_back(state);
  }

  void search(uint32_t root) {
    enter(root);
    while (!path_.empty()) {
      auto& [state, position] = path_.back();
      if (position < states_[state].size()) {
        const uint32_t target = states_[state][position++].target;
        if (index_[target] == kNone) {
          enter(target);
        } else if (result_.of[target] == kNone) {
          low_[state] = std::min(low_[state], index_[target]);
        }
        continue;
      }
      const uint32_t done = state;
      path_.pop_back();
      if (!path_.empty()) low_[path_.back().first] = std::min(low_[path_.back().first], low_[done]);
      if (low_[done] == index_[done]) close(done);
    }
  }

  void close(uint32_t root) {
    uint32_t member;
    do {
      member = open_.back();
      open_.pop_back();
      result_.of[member] = result_.count;
    } while (member != root);
    ++result_.count;
  }

  const std::vector<std::vector<Edge>>& states_;
  std::vector<uint32_t> index_, low_, open_;
  std::vector<std::pair<uint32_t, size_t>> path_;
  uint32_t next_ = 0;
  Components result_;
};

// For each component: whether some word is accepted from its states.
std::vector<uint8_t> useful_components(const Automaton& automaton, const Components& parts) {
  std::vector<uint8_t> useful(parts.count, 0);
  for (uint32_t c = 0; c < parts.count; ++c) {
    useful[c] = parts.cyclic[c] && parts.marks[c] == automaton.all_marks();
  }
  // A component's successors have smaller numbers, so one pass in ascending order is enough.
  std::vector<std::vector<uint32_t>> members(parts.count);
  for (uint32_t state = 0; state < automaton.states.size(); ++state)
    members[parts.of[state]].push_back(state);
  for (uint32_t c = 0; c < parts.count; ++c) {
    for (uint32_t state : members[c]) {
      for (const Edge& edge : automaton.states[state]) useful[c] |= useful[parts.of[edge.target]];
    }
  }
  return useful;
}

void clear_marks(Automaton& automaton, const Components& parts) {
  const bool state_based = automaton.is_state_based();
  for (uint32_t state = 0; state < automaton.states.size(); ++state) {
    const uint32_t c = parts.of[state];
    const bool accepting = parts.cyclic[c] && parts.marks[c] == automaton.all_marks();
    for (Edge& edge : automaton.states[state]) {
      // In a state-based automaton all edges of a state must keep equal marks.
      if (!accepting || (!state_based && parts.of[edge.target] != c)) edge.marks = 0;
    }
  }
}

}  // namespace

uint64_t Automaton::edge_count() const {
  uint64_t count = 0;
  for (const auto& edges : states) count += edges.size();
  return count;
}

bool Automaton::is_state_based() const {
  return std::all_of(states.begin(), states.end(), [](const std::vector<Edge>& edges) {
    return std::all_of(edges.begin(), edges.end(), [&](const Edge& e) { return e.marks == edges[0].marks; });
  });
}

bool Automaton::is_deterministic() const {
  for (const auto& edges : states) {
    for (size_t i = 0; i < edges.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const bool same = edges[i].target == edges[k].target && edges[i].marks == edges[k].marks;
        if (!same && !(edges[i].label & edges[k].label).is_false()) return false;
      }
    }
  }
  return true;
}

Components components(const Automaton& automaton) { return ComponentSearch(automaton).run(); }

void remove_useless(Automaton& automaton) {
  const Components parts = components(automaton);
  const std::vector<uint8_t> useful = useful_components(automaton, parts);
  for (auto& edges : automaton.states) {
    std::erase_if(edges, [&](const Edge& edge) { return !useful[parts.of[edge.target]]; });
  }
  clear_marks(automaton, parts);
  renumber(automaton);
}

void minimize_labels(Automaton& automaton) {
  for (auto& edges : automaton.states) {
    std::map<std::pair<uint32_t, uint64_t>, std::vector<Cube>> labels;
    for (const Edge& edge : edges) labels[{edge.target, edge.marks}].push_back(edge.label);
    edges.clear();
    for (auto& [to, cubes] : labels) {
      minimize(cubes);
      for (const Cube& cube : cubes) edges.push_back({cube, to.first, to.second});
    }
  }
}

void renumber(Automaton& automaton) {
  std::vector<uint32_t> number(automaton.states.size(), kNone), order{automaton.initial};
  number[automaton.initial] = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    auto& edges = automaton.states[order[i]];
    std::sort(edges.begin(), edges.end());
    for (const Edge& edge : edges) {
      if (number[edge.target] != kNone) continue;
      number[edge.target] = static_cast<uint32_t>(order.size());
      order.push_back(edge.target);
    }
  }
  std::vector<std::vector<Edge>> states;
  for (const uint32_t old : order) {
    states.push_back(std::move(automaton.states[old]));
    for (Edge& edge : states.back()) edge.target = number[edge.target];
    std::sort(states.back().begin(), states.back().end());
  }
  automaton.states = std::move(states);
  automaton.initial = 0;
}

}  // namespace strata::ltl
