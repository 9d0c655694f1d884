#include "ltl/formula/formula_parser.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "ltl/formula/formula_lexer.h"

namespace strata::ltl {
namespace {

using Kind = TokenKind;

// The binary operators of each level of precedence, from the loosest to the tightest.
constexpr std::array<std::array<Kind, 4>, 5> kLevels = {{
    {Kind::implies, Kind::implies, Kind::implies, Kind::implies},
    {Kind::equivalent, Kind::equivalent, Kind::equivalent, Kind::equivalent},
    {Kind::or_, Kind::or_, Kind::or_, Kind::or_},
    {Kind::and_, Kind::and_, Kind::and_, Kind::and_},
    {Kind::until, Kind::weak_until, Kind::release, Kind::strong_release},
}};

bool is_of_level(Kind kind, size_t level) {
  for (const Kind member : kLevels[level]) {
    if (member == kind) return true;
  }
  return false;
}

// A null formula means that an error was reported; the callers return without further messages.
class Parser {
 public:
  Parser(const SourceFile& file, FormulaPool& pool, Diagnostics& diagnostics)
      : file_(file), pool_(pool), diagnostics_(diagnostics), tokens_(tokenize(file, diagnostics)) {}

  Property run() {
    Property property;
    if (accept(Kind::all_always)) {
      property.kind =
          accept(Kind::exists_eventually) ? Property::Kind::always_reachable : Property::Kind::all_always;
    } else if (accept(Kind::exists_eventually)) {
      property.kind = Property::Kind::exists_eventually;
    }
    const uint32_t start = peek().offset;
    const bool linear = property.kind == Property::Kind::linear;
    property.formula = linear ? binary(0) : unary();
    property.places = places_;
    if (!property.formula) return property;
    if (peek().kind != Kind::end) {
      fail(linear ? "expected an operator or the end of the formula"
                  : "expected the end of the formula, because AG and EF take one operand");
    } else if (!linear && !property.formula->propositional) {
      diagnostics_.error(file_.position(start), "AG and EF take a formula without temporal operators");
    }
    return property;
  }

 private:
  const Token& peek() const { return tokens_[index_]; }

  bool accept(Kind kind) {
    if (peek().kind != kind) return false;
    ++index_;
    return true;
  }

  std::string found() const {
    const Token& token = peek();
    if (token.kind == Kind::end) return "the end of the formula";
    const std::string_view text = file_.text().substr(token.offset, token.length);
    return token.kind == Kind::quoted ? std::string(text) : fmt::format("'{}'", text);
  }

  // Returns null, so that callers can return the result as a formula.
  Formula fail(std::string_view expected) {
    if (!diagnostics_.has_errors()) {
      diagnostics_.error(file_.position(peek().offset), fmt::format("{}, found {}", expected, found()));
    }
    return nullptr;
  }

  Formula too_deep() {
    diagnostics_.error(file_.position(peek().offset),
                       fmt::format("the formula is nested deeper than {}", kMaximumNesting));
    return nullptr;
  }

  Formula binary(size_t level) {
    if (level == kLevels.size()) return unary();
    Formula left = binary(level + 1);
    while (left && is_of_level(peek().kind, level)) {
      const Kind op = tokens_[index_++].kind;
      const Formula right = binary(level + 1);
      if (!right) return nullptr;
      left = combine(op, left, right);
      if (left->depth > kMaximumNesting) return too_deep();
    }
    return left;
  }

  Formula combine(Kind op, Formula left, Formula right) {
    switch (op) {
      case Kind::implies: return pool_.implies(left, right);
      case Kind::equivalent: return pool_.equivalent(left, right);
      case Kind::or_: return pool_.disjunction({left, right});
      case Kind::and_: return pool_.conjunction({left, right});
      case Kind::until: return pool_.until(left, right);
      case Kind::weak_until: return pool_.weak_until(left, right);
      case Kind::release: return pool_.release(left, right);
      default: return pool_.strong_release(left, right);
    }
  }

  Formula unary() {
    if (++nesting_ > kMaximumNesting) return too_deep();
    const Formula result = unary_within_limit();
    --nesting_;
    return result;
  }

  Formula unary_within_limit() {
    const Kind kind = peek().kind;
    switch (kind) {
      case Kind::not_:
      case Kind::next:
      case Kind::eventually:
      case Kind::always: {
        ++index_;
        const Formula operand = unary();
        if (!operand) return nullptr;
        return kind == Kind::not_         ? pool_.negation(operand)
               : kind == Kind::next       ? pool_.next(operand)
               : kind == Kind::eventually ? pool_.eventually(operand)
                                          : pool_.always(operand);
      }
      case Kind::left_parenthesis: return parenthesised();
      case Kind::true_:
      case Kind::false_: ++index_; return pool_.constant(kind == Kind::true_);
      case Kind::name:
      case Kind::quoted: return proposition();
      case Kind::all_always:
      case Kind::exists_eventually:
        return fail("expected a formula: AG and EF are only allowed at the beginning");
      default: return fail("expected a formula");
    }
  }

  Formula parenthesised() {
    const uint32_t opened = tokens_[index_++].offset;
    const Formula inside = binary(0);
    if (!inside || accept(Kind::right_parenthesis)) return inside;
    return fail(
        fmt::format("expected an operator or ')' for the '(' of column {}", file_.position(opened).column));
  }

  Formula proposition() {
    const Token& token = peek();
    const std::string text = token.kind == Kind::quoted
                                 ? quoted_value(file_, token)
                                 : std::string(file_.text().substr(token.offset, token.length));
    const std::optional<uint8_t> number = pool_.proposition(text);
    if (!number) {
      diagnostics_.error(file_.position(token.offset),
                         fmt::format("a formula may have at most {} atomic propositions",
                                     FormulaPool::kMaximumPropositions));
      return nullptr;
    }
    if (places_.size() <= *number)
      places_.resize(*number + 1, token.offset + (token.kind == Kind::quoted ? 1 : 0));
    ++index_;
    return pool_.literal(*number);
  }

  const SourceFile& file_;
  FormulaPool& pool_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  std::vector<size_t> places_;  // of the propositions
  size_t index_ = 0;
  uint32_t nesting_ = 0;
};

}  // namespace

Result<Property> parse_property(const SourceFile& file, FormulaPool& pool) {
  Diagnostics diagnostics(file);
  const Property property = Parser(file, pool, diagnostics).run();
  if (diagnostics.has_errors()) return diagnostics.status();
  return property;
}

}  // namespace strata::ltl
