#include "ltl/formula/formula.h"

#include <algorithm>

#include "ltl/formula/formula_lexer.h"

namespace strata::ltl {
namespace {

bool by_number(Formula a, Formula b) { return a->number < b->number; }

Op dual(Op op) {
  switch (op) {
    case Op::false_: return Op::true_;
    case Op::true_: return Op::false_;
    case Op::and_: return Op::or_;
    case Op::or_: return Op::and_;
    case Op::until: return Op::release;
    case Op::release: return Op::until;
    case Op::literal:
    case Op::next: break;
  }
  return op;
}

void set_purity(FormulaNode& node) {
  const std::vector<Formula>& operands = node.operands;
  node.eventual = node.universal = node.op != Op::literal;
  for (Formula operand : operands) {
    node.eventual = node.eventual && operand->eventual;
    node.universal = node.universal && operand->universal;
  }
  if (node.op == Op::until) node.eventual = is_eventually(&node) || operands[1]->eventual;
  if (node.op == Op::release) node.universal = is_always(&node) || operands[1]->universal;
}

// Whether an operand never needs parentheses.
bool is_tight(Formula f) {
  return f->op == Op::true_ || f->op == Op::false_ || f->op == Op::literal || f->op == Op::next ||
         is_eventually(f) || is_always(f);
}

}  // namespace

FormulaPool::FormulaPool() : false_(make(Op::false_, {})), true_(make(Op::true_, {})) {
  false_->negation = true_;
  true_->negation = false_;
}

std::optional<uint8_t> FormulaPool::proposition(const std::string& text) {
  const auto found = std::find(propositions_.begin(), propositions_.end(), text);
  const auto number = static_cast<size_t>(found - propositions_.begin());
  if (number >= kMaximumPropositions) return std::nullopt;
  if (found == propositions_.end()) propositions_.push_back(text);
  return static_cast<uint8_t>(number);
}

Formula FormulaPool::make(Op op, std::vector<Formula> operands, uint8_t proposition, bool negated) {
  std::vector<uint32_t> numbers;
  for (Formula operand : operands) numbers.push_back(operand->number);
  const auto [entry, added] = known_.try_emplace({op, negated, proposition, std::move(numbers)}, nullptr);
  if (!added) return entry->second;
  FormulaNode node;
  node.op = op;
  node.negated = negated;
  node.proposition = proposition;
  node.number = static_cast<uint32_t>(nodes_.size());
  node.propositional = op != Op::next && op != Op::until && op != Op::release;
  node.with_next = op == Op::next;
  for (Formula operand : operands) {
    node.depth = std::max(node.depth, operand->depth + 1);
    node.propositional = node.propositional && operand->propositional;
    node.with_next = node.with_next || operand->with_next;
  }
  node.operands = std::move(operands);
  set_purity(node);
  nodes_.push_back(std::move(node));
  return entry->second = &nodes_.back();
}

Formula FormulaPool::literal(uint8_t proposition, bool negated) {
  return make(Op::literal, {}, proposition, negated);
}

Formula FormulaPool::join(Op op, const std::vector<Formula>& operands) {
  const Formula neutral = op == Op::and_ ? true_ : false_;
  const Formula absorbing = neutral->negation;
  std::vector<Formula> flat;
  for (Formula operand : operands) {
    if (operand->op == op) {
      flat.insert(flat.end(), operand->operands.begin(), operand->operands.end());
    } else if (operand == absorbing) {
      return absorbing;
    } else if (operand != neutral) {
      flat.push_back(operand);
    }
  }
  std::sort(flat.begin(), flat.end(), by_number);
  flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  for (Formula operand : flat) {
    if (operand->negation && std::binary_search(flat.begin(), flat.end(), operand->negation, by_number)) {
      return absorbing;
    }
  }
  if (flat.empty()) return neutral;
  return flat.size() == 1 ? flat[0] : make(op, std::move(flat));
}

Formula FormulaPool::next(Formula a) { return a == true_ || a == false_ ? a : make(Op::next, {a}); }

Formula FormulaPool::until(Formula a, Formula b) {
  if (b == true_ || b == false_ || a == false_ || a == b) return b;
  return make(Op::until, {a, b});
}

Formula FormulaPool::release(Formula a, Formula b) {
  if (b == true_ || b == false_ || a == true_ || a == b) return b;
  return make(Op::release, {a, b});
}

Formula FormulaPool::negation(Formula a) {
  if (a->negation) return a->negation;
  Formula result = nullptr;
  if (a->op == Op::literal) {
    result = literal(a->proposition, !a->negated);
  } else {
    std::vector<Formula> operands;
    for (Formula operand : a->operands) operands.push_back(negation(operand));
    switch (dual(a->op)) {
      case Op::and_: result = conjunction(operands); break;
      case Op::or_: result = disjunction(operands); break;
      case Op::until: result = until(operands[0], operands[1]); break;
      case Op::release: result = release(operands[0], operands[1]); break;
      default: result = next(operands[0]); break;
    }
  }
  a->negation = result;
  if (!result->negation) result->negation = a;
  return result;
}

Formula FormulaPool::equivalent(Formula a, Formula b) {
  return disjunction({conjunction({a, b}), conjunction({negation(a), negation(b)})});
}

std::string FormulaPool::text(Formula f) const {
  const auto operand = [&](Formula a) { return is_tight(a) ? text(a) : "(" + text(a) + ")"; };
  switch (f->op) {
    case Op::false_: return "false";
    case Op::true_: return "true";
    case Op::literal: return (f->negated ? "!" : "") + proposition_text(propositions_[f->proposition]);
    case Op::next: return "X " + operand(f->operands[0]);
    case Op::until:
      if (is_eventually(f)) return "F " + operand(f->operands[1]);
      return operand(f->operands[0]) + " U " + operand(f->operands[1]);
    case Op::release:
      if (is_always(f)) return "G " + operand(f->operands[1]);
      return operand(f->operands[0]) + " R " + operand(f->operands[1]);
    case Op::and_:
    case Op::or_: break;
  }
  std::string out;
  for (Formula a : f->operands) out += (out.empty() ? "" : f->op == Op::and_ ? " && " : " || ") + operand(a);
  return out;
}

std::string proposition_text(const std::string& text) {
  if (is_plain_name(text)) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

bool evaluate(Formula f, uint64_t propositions) {
  const auto value = [&](Formula operand) { return evaluate(operand, propositions); };
  switch (f->op) {
    case Op::true_: return true;
    case Op::literal: return (propositions >> f->proposition & 1) != f->negated;
    case Op::and_: return std::all_of(f->operands.begin(), f->operands.end(), value);
    case Op::or_: return std::any_of(f->operands.begin(), f->operands.end(), value);
    default: return false;
  }
}

}  // namespace strata::ltl
