// LTL formulas in negation normal form. Each formula is stored once, so equal formulas are equal pointers. Other
// operators are expressed by these when they are built:
//
//   F a = true U a     G a = false R a     a W b = b R (a || b)     a M b = b U (a && b)
//
// Conjunctions and disjunctions have two or more operands, sorted by number, without duplicates; none of the operands
// has the same operator. A pool and its formulas belong to one thread.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace strata::ltl {

enum class Op : uint8_t { false_, true_, literal, and_, or_, next, until, release };

class FormulaPool;

struct FormulaNode {
  Op op = Op::true_;
  bool negated = false;       // literal
  uint8_t proposition = 0;    // literal: its number in the pool
  bool propositional = true;  // without next, until and release
  bool with_next = false;     // contains a next
  // A pure eventuality holds on a word if it holds on one of its suffixes. A pure universality that holds on a word
  // holds on all its suffixes (Etessami, Holzmann: Optimizing Büchi automata, 2000). Determined by syntax, so some are
  // missed.
  bool eventual = false;
  bool universal = false;
  uint32_t number = 0;  // in order of creation
  uint32_t depth = 0;
  std::vector<const FormulaNode*> operands;
  mutable const FormulaNode* negation = nullptr;  // computed on demand
};

using Formula = const FormulaNode*;

class FormulaPool {
 public:
  static constexpr size_t kMaximumPropositions = 64;

  FormulaPool();
  FormulaPool(const FormulaPool&) = delete;
  FormulaPool& operator=(const FormulaPool&) = delete;

  Formula constant(bool value) const { return value ? true_ : false_; }
  // The number of a proposition with this text, known or new; nullopt if there are too many.
  std::optional<uint8_t> proposition(const std::string& text);
  Formula literal(uint8_t proposition, bool negated = false);
  Formula conjunction(const std::vector<Formula>& operands) { return join(Op::and_, operands); }
  Formula disjunction(const std::vector<Formula>& operands) { return join(Op::or_, operands); }
  Formula next(Formula a);
  Formula until(Formula a, Formula b);
  Formula release(Formula a, Formula b);

  Formula negation(Formula a);
  Formula eventually(Formula a) { return until(true_, a); }
  Formula always(Formula a) { return release(false_, a); }
  Formula weak_until(Formula a, Formula b) { return release(b, disjunction({a, b})); }
  Formula strong_release(Formula a, Formula b) { return until(b, conjunction({a, b})); }
  Formula implies(Formula a, Formula b) { return disjunction({negation(a), b}); }
  Formula equivalent(Formula a, Formula b);

  const std::vector<std::string>& propositions() const { return propositions_; }
  // The formula as text that the parser accepts.
  std::string text(Formula formula) const;

 private:
  using Key = std::tuple<Op, bool, uint8_t, std::vector<uint32_t>>;
  Formula make(Op op, std::vector<Formula> operands, uint8_t proposition = 0, bool negated = false);
  Formula join(Op op, const std::vector<Formula>& operands);

  std::deque<FormulaNode> nodes_;
  std::map<Key, Formula> known_;
  std::vector<std::string> propositions_;
  Formula false_;
  Formula true_;
};

inline bool is_eventually(Formula f) { return f->op == Op::until && f->operands[0]->op == Op::true_; }
inline bool is_always(Formula f) { return f->op == Op::release && f->operands[0]->op == Op::false_; }

// A proposition as a formula writes it: a name, or quoted.
std::string proposition_text(const std::string& text);

// The value of a propositional formula; bit i is the value of proposition i.
bool evaluate(Formula propositional, uint64_t propositions);

}  // namespace strata::ltl
