#include "ltl/translate/stutter.h"

#include <algorithm>
#include <bit>

#include "ltl/automaton/automaton.h"
#include "ltl/formula/simplify.h"
#include "ltl/translate/translate.h"

namespace strata::ltl {
namespace {

constexpr uint64_t kMaximumProductEdges = 1 << 21;

// The product, as an automaton with one mark for each side. Each side must have its mark infinitely often, so each side
// reads letters infinitely often.
class StutterProduct {
 public:
  StutterProduct(const Automaton& left, const Automaton& right) : left_(left), right_(right) {
    for (const Automaton* automaton : {&left, &right}) {
      for (const auto& edges : automaton->states) {
        for (const Edge& edge : edges) propositions_ |= edge.label.positive | edge.label.negative;
      }
    }
    letters_ = uint64_t{1} << std::min(std::popcount(propositions_), 20);
  }

  Stutter run() {
    const uint64_t pairs = left_.states.size() * right_.states.size();
    if (pairs * (letters_ + 1) > kMaximumProductEdges) return Stutter::unknown;
    product_.sets = 2;
    product_.states.resize(pairs * (letters_ + 1));
    product_.initial = node(left_.initial, right_.initial, letters_);
    for (uint32_t p = 0; p < left_.states.size(); ++p) {
      for (uint32_t q = 0; q < right_.states.size(); ++q) {
        if (!expand(p, q)) return Stutter::unknown;
      }
    }
    remove_useless(product_);
    return product_.states[0].empty() ? Stutter::invariant : Stutter::sensitive;
  }

 private:
  // `last` is the last letter read; letters_ at the beginning.
  uint32_t node(uint32_t p, uint32_t q, uint64_t last) const {
    return static_cast<uint32_t>((p * right_.states.size() + q) * (letters_ + 1) + last);
  }

  // The valuation for the letter with this number: its bits are the values of the propositions in use.
  uint64_t valuation(uint64_t letter) const {
    uint64_t result = 0;
    for (uint64_t left = propositions_; left != 0; left &= left - 1, letter >>= 1) {
      if ((letter & 1) != 0) result |= left & -left;
    }
    return result;
  }

  bool expand(uint32_t p, uint32_t q) {
    std::vector<Edge> both;
    for (uint64_t letter = 0; letter < letters_; ++letter) {
      const uint64_t value = valuation(letter);
      auto& again = product_.states[node(p, q, letter)];
      for (const Edge& a : left_.states[p]) {
        if (!a.label.matches(value)) continue;
        again.push_back({{}, node(a.target, q, letter), a.marks});
        for (const Edge& b : right_.states[q]) {
          if (b.label.matches(value))
            both.push_back({{}, node(a.target, b.target, letter), a.marks | b.marks << 1});
        }
      }
      for (const Edge& b : right_.states[q]) {
        if (b.label.matches(value)) again.push_back({{}, node(p, b.target, letter), b.marks << 1});
      }
    }
    edges_ += both.size() * (letters_ + 1);
    if (edges_ > kMaximumProductEdges) return false;
    for (uint64_t last = 0; last <= letters_; ++last) {
      auto& edges = product_.states[node(p, q, last)];
      edges.insert(edges.end(), both.begin(), both.end());
    }
    return true;
  }

  const Automaton& left_;
  const Automaton& right_;
  uint64_t propositions_ = 0;
  uint64_t letters_ = 1;
  uint64_t edges_ = 0;
  Automaton product_;
};

}  // namespace

Stutter stutter_invariance(FormulaPool& pool, Formula formula) {
  const Formula simplified = Simplifier(pool).simplify(formula);
  if (!simplified->with_next) return Stutter::invariant;
  const Result<Automaton> automaton = translate(pool, simplified);
  const Result<Automaton> complement = translate(pool, pool.negation(simplified));
  if (!automaton.ok() || !complement.ok()) return Stutter::unknown;
  return StutterProduct(*automaton, *complement).run();
}

}  // namespace strata::ltl
