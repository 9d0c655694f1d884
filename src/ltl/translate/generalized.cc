#include "ltl/translate/generalized.h"

#include <algorithm>
#include <map>
#include <utility>

namespace strata::ltl {
namespace {

struct MarkedMove {
  Move move;
  uint64_t marks = 0;

  friend auto operator<=>(const MarkedMove&, const MarkedMove&) = default;
};

bool dominates(const MarkedMove& a, const MarkedMove& b) {
  return (b.marks & ~a.marks) == 0 && a.move.label.contains(b.move.label) &&
         b.move.next.contains(a.move.next);
}

class Builder {
 public:
  explicit Builder(const AlternatingAutomaton& alternating) : alternating_(alternating) {
    for (uint32_t i = 0; i < alternating.state_count(); ++i) {
      if (alternating.state(i)->op == Op::until) untils_.push_back(i);
    }
  }

  Result<Automaton> run() {
    if (untils_.size() > Automaton::kMaximumSets) return too_large();
    automaton_.sets = static_cast<uint32_t>(untils_.size());
    add_initial();
    for (uint32_t i = 0; i < sets_.size() && !too_large_; ++i) {
      if (i >= automaton_.states.size()) automaton_.states.push_back(edges_of(sets_[i]));
    }
    if (too_large_) return too_large();
    while (merge_equal_states()) {
    }
    remove_useless(automaton_);
    return std::move(automaton_);
  }

 private:
  static Status too_large() {
    return Status::limit("the formula is too large to be translated to an automaton");
  }

  void add_initial() {
    const std::vector<StateSet>& initial = alternating_.initial();
    if (initial.size() == 1) {
      number(initial[0]);
      return;
    }
    // An additional initial state, whose set is never looked up.
    sets_.push_back({});
    std::vector<MarkedMove> moves;
    for (const StateSet& set : initial) {
      const std::vector<MarkedMove> more = moves_of(set);
      moves.insert(moves.end(), more.begin(), more.end());
    }
    std::vector<Edge> edges = to_edges(std::move(moves));
    automaton_.states.push_back(std::move(edges));
  }

  uint32_t number(const StateSet& set) {
    const auto [entry, added] = numbers_.try_emplace(set, static_cast<uint32_t>(sets_.size()));
    if (added) sets_.push_back(set);
    return entry->second;
  }

  std::vector<Edge> edges_of(const StateSet& set) { return to_edges(moves_of(set)); }

  std::vector<MarkedMove> moves_of(const StateSet& set) {
    std::vector<Move> moves{{}};
    for (uint32_t state = 0; state < alternating_.state_count() && !too_large_; ++state) {
      if (!set.has(state)) continue;
      std::vector<Move> both;
      for (const Move& a : moves) {
        for (const Move& b : alternating_.moves(state)) {
          const Move move{a.label & b.label, a.next | b.next};
          if (!move.label.is_false()) both.push_back(move);
        }
      }
      std::sort(both.begin(), both.end());
      both.erase(std::unique(both.begin(), both.end()), both.end());
      moves = std::move(both);
      too_large_ |= moves.size() > kMaximumMoves;
    }
    std::vector<MarkedMove> marked;
    if (too_large_) return marked;
    for (const Move& move : moves) marked.push_back({move, marks_of(move)});
    return marked;
  }

  uint64_t marks_of(const Move& move) const {
    uint64_t marks = 0;
    for (size_t i = 0; i < untils_.size(); ++i) {
      if (is_fulfilled(untils_[i], move)) marks |= uint64_t{1} << i;
    }
    return marks;
  }

  bool is_fulfilled(uint32_t until, const Move& move) const {
    if (!move.next.has(until)) return true;
    const std::vector<Move>& moves = alternating_.moves(until);
    return std::any_of(moves.begin(), moves.end(), [&](const Move& own) {
      return own.label.contains(move.label) && !own.next.has(until) && move.next.contains(own.next);
    });
  }

  std::vector<Edge> to_edges(std::vector<MarkedMove> moves) {
    std::sort(moves.begin(), moves.end());
    moves.erase(std::unique(moves.begin(), moves.end()), moves.end());
    std::vector<Edge> edges;
    for (const MarkedMove& one : moves) {
      const bool dominated = std::any_of(moves.begin(), moves.end(), [&](const MarkedMove& other) {
        return !(other == one) && dominates(other, one);
      });
      if (!dominated) edges.push_back({one.move.label, number(one.move.next), one.marks});
    }
    edge_count_ += edges.size();
    too_large_ |= edge_count_ > kMaximumEdges;
    return edges;
  }

  // Redirects edges to the first of the states with the same edges. Returns whether any edge was redirected.
  bool merge_equal_states() {
    std::map<std::vector<Edge>, uint32_t> first;
    std::vector<uint32_t> to;
    bool merged = false;
    for (uint32_t i = 0; i < automaton_.states.size(); ++i) {
      auto& edges = automaton_.states[i];
      std::sort(edges.begin(), edges.end());
      edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
      to.push_back(first.try_emplace(edges, i).first->second);
    }
    for (auto& edges : automaton_.states) {
      for (Edge& edge : edges) {
        merged |= to[edge.target] != edge.target;
        edge.target = to[edge.target];
      }
    }
    automaton_.initial = to[automaton_.initial];
    return merged;
  }

  const AlternatingAutomaton& alternating_;
  std::vector<uint32_t> untils_;
  std::map<StateSet, uint32_t> numbers_;
  std::vector<StateSet> sets_;
  Automaton automaton_;
  uint64_t edge_count_ = 0;
  bool too_large_ = false;
};

}  // namespace

Result<Automaton> to_generalized(const AlternatingAutomaton& alternating) {
  return Builder(alternating).run();
}

}  // namespace strata::ltl
