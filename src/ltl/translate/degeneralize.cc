#include "ltl/translate/degeneralize.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strata::ltl {
namespace {

constexpr uint32_t kNoCopy = 0xffffffffu;

class Degeneralizer {
 public:
  Degeneralizer(const Automaton& source, DegeneralizeOptions options)
      : source_(source), options_(options), parts_(components(source)) {
    const size_t n = source.states.size();
    common_.assign(n, source.all_marks());
    orders_.assign(parts_.count, {});
    std::vector<uint64_t> in_all(parts_.count, source.all_marks());
    for (uint32_t state = 0; state < n; ++state) {
      for (const Edge& edge : source.states[state]) {
        if (!is_within(state, edge)) continue;
        common_[state] &= edge.marks;
        in_all[parts_.of[state]] &= edge.marks;
      }
    }
    for (uint32_t c = 0; c < parts_.count; ++c) {
      accepts_.push_back(parts_.cyclic[c] && parts_.marks[c] == source.all_marks());
      for (uint32_t mark = 0; mark < source.sets && accepts_[c]; ++mark) {
        if ((in_all[c] >> mark & 1) == 0) orders_[c].push_back(mark);
      }
      if (options.reversed) std::reverse(orders_[c].begin(), orders_[c].end());
    }
  }

  Automaton run() {
    result_.propositions = source_.propositions;
    result_.sets = 1;
    result_.initial = enter(source_.initial);
    for (uint32_t i = 0; i < pairs_.size(); ++i) expand(i);
    keep_one_copy();
    remove_useless(result_);
    return std::move(result_);
  }

 private:
  bool is_within(uint32_t state, const Edge& edge) const {
    return parts_.of[state] == parts_.of[edge.target];
  }

  bool is_full(uint32_t state, uint32_t level) const {
    const uint32_t c = parts_.of[state];
    return accepts_[c] && level == orders_[c].size();
  }

  uint32_t advance(uint32_t state, uint32_t level, uint64_t marks) const {
    const std::vector<uint32_t>& order = orders_[parts_.of[state]];
    while (level < order.size() && (marks >> order[level] & 1) != 0) ++level;
    return level;
  }

  uint32_t number(uint32_t state, uint32_t level) {
    const auto [entry, added] = numbers_.try_emplace({state, level}, static_cast<uint32_t>(pairs_.size()));
    if (added) {
      pairs_.push_back({state, level});
      result_.states.emplace_back();
    }
    return entry->second;
  }

  // The pair for an edge that comes from another component.
  uint32_t enter(uint32_t state) { return number(state, advance(state, 0, common_[state])); }

  void expand(uint32_t pair) {
    const auto [state, level] = pairs_[pair];
    const bool full = is_full(state, level);
    std::vector<Edge> edges;
    for (const Edge& edge : source_.states[state]) {
      uint32_t target;
      if (is_within(state, edge)) {
        const uint64_t counted = full && !options_.recount ? common_[state] : 0;
        const uint32_t reached = advance(state, full ? 0 : level, edge.marks & ~counted);
        target = number(edge.target, advance(state, reached, common_[edge.target]));
      } else {
        target = enter(edge.target);
      }
      edges.push_back({edge.label, target, full ? uint64_t{1} : 0});
    }
    result_.states[pair] = std::move(edges);
  }

  // A component of the source may have several copies in the result. The copy with the smallest number has no edge to
  // another copy; being closed, it contains a pair for every state of the component.
  void keep_one_copy() {
    const Components copies = components(result_);
    std::vector<uint32_t> chosen(parts_.count, kNoCopy);
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      uint32_t& best = chosen[parts_.of[pairs_[i].first]];
      best = std::min(best, copies.of[i]);
    }
    std::map<uint32_t, uint32_t> entry;  // state of the source -> its pair in the chosen copy
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      const uint32_t state = pairs_[i].first;
      if (copies.of[i] == chosen[parts_.of[state]]) entry.try_emplace(state, i);
    }
    for (uint32_t i = 0; i < pairs_.size(); ++i) {
      for (Edge& edge : result_.states[i]) {
        const uint32_t target = pairs_[edge.target].first;
        if (parts_.of[target] != parts_.of[pairs_[i].first]) edge.target = entry.at(target);
      }
    }
    result_.initial = entry.at(source_.initial);
  }

  const Automaton& source_;
  DegeneralizeOptions options_;
  Components parts_;
  std::vector<uint64_t> common_;  // for each state: the marks that all its edges within its component have
  std::vector<std::vector<uint32_t>> orders_;  // for each component: the marks that it counts
  std::vector<uint8_t> accepts_;               // for each component
  std::vector<std::pair<uint32_t, uint32_t>> pairs_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> numbers_;
  Automaton result_;
};

}  // namespace

Automaton degeneralize(const Automaton& automaton, DegeneralizeOptions options) {
  return Degeneralizer(automaton, options).run();
}

}  // namespace strata::ltl
