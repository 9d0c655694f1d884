#include "report/shown/shown_expression.h"

#include <fmt/format.h>

namespace strata {
namespace {

struct Failed {
  std::string message;
};

int64_t checked(bool overflows, int64_t value) {
  if (overflows) throw Failed{"integer overflow"};
  return value;
}

Value integer(int64_t number) {
  Value value;
  value.kind = Value::Kind::integer;
  value.number = number;
  return value;
}
Value truth(bool holds) {
  Value value;
  value.kind = Value::Kind::boolean;
  value.number = holds ? 1 : 0;
  return value;
}

}  // namespace

class ShownEvaluation {
 public:
  using Node = ShownExpression::Node;
  using Kind = Node::Kind;

  explicit ShownEvaluation(const Value& state) : state_(state) {}

  Value value(const Node& node) const {
    switch (node.kind) {
      case Kind::number: return integer(node.number);
      case Kind::boolean: return truth(node.number != 0);
      case Kind::undefined: return {};
      case Kind::symbol: {
        Value symbol;
        symbol.kind = Value::Kind::symbol;
        symbol.symbol = node.text;
        return symbol;
      }
      case Kind::variable: return member(state_, node.text, "the state");
      case Kind::field: return member(value(node.parts[0]), node.text, words(node.parts[0]));
      case Kind::element: {
        const Value index = value(node.parts[1]);
        return member(value(node.parts[0]), index.text(), words(node.parts[0]));
      }
      case Kind::unary: return node.text == "!" ? truth(!holds(node.parts[0])) : negative(node.parts[0]);
      case Kind::binary: return binary(node);
    }
    return {};
  }

  bool holds(const Node& node) const {
    const Value result = value(node);
    if (result.kind != Value::Kind::boolean)
      throw Failed{fmt::format("'{}' is not a condition", words(node))};
    return result.number != 0;
  }

 private:
  static std::string words(const Node& node) {
    switch (node.kind) {
      case Kind::field: return words(node.parts[0]) + "." + node.text;
      case Kind::element: return words(node.parts[0]) + "[" + words(node.parts[1]) + "]";
      case Kind::unary: return node.text + words(node.parts[0]);
      case Kind::binary:
        return fmt::format("{} {} {}", words(node.parts[0]), node.text, words(node.parts[1]));
      default: return node.text;
    }
  }

  static Value member(const Value& of, const std::string& name, const std::string& what) {
    for (const auto& [known, value] : of.members)
      if (known == name) return value;
    throw Failed{fmt::format("{} has no part '{}'", what, name)};
  }

  int64_t number(const Node& node) const {
    const Value result = value(node);
    if (result.kind == Value::Kind::undefined) throw Failed{fmt::format("{} is undefined", words(node))};
    if (result.kind != Value::Kind::integer) throw Failed{fmt::format("'{}' is not a number", words(node))};
    return result.number;
  }

  Value negative(const Node& node) const {
    int64_t result = 0;
    const bool overflows = __builtin_sub_overflow(int64_t{0}, number(node), &result);
    return integer(checked(overflows, result));
  }

  Value binary(const Node& node) const {
    const Node &a = node.parts[0], &b = node.parts[1];
    if (node.text == "&") return truth(holds(a) && holds(b));
    if (node.text == "|") return truth(holds(a) || holds(b));
    if (node.text == "->") return truth(!holds(a) || holds(b));
    if (node.text == "=") return truth(equal(a, b));
    if (node.text == "!=") return truth(!equal(a, b));
    const int64_t x = number(a), y = number(b);
    if (node.text == "<") return truth(x < y);
    if (node.text == "<=") return truth(x <= y);
    if (node.text == ">") return truth(x > y);
    if (node.text == ">=") return truth(x >= y);
    return integer(arithmetic(node.text[0], x, y));
  }

  // A number compared with a name is a mistake of the user, so it is refused instead of being unequal.
  bool equal(const Node& a, const Node& b) const {
    const Value x = value(a), y = value(b);
    const bool comparable =
        x.kind == y.kind || x.kind == Value::Kind::undefined || y.kind == Value::Kind::undefined;
    if (!comparable)
      throw Failed{fmt::format("'{}' and '{}' are values of different kinds", words(a), words(b))};
    return x.members.empty() && y.members.empty() ? x.text() == y.text() && x.kind == y.kind : x == y;
  }

  static int64_t arithmetic(char sign, int64_t x, int64_t y) {
    int64_t result = 0;
    bool overflows = false;
    switch (sign) {
      case '+': overflows = __builtin_add_overflow(x, y, &result); break;
      case '-': overflows = __builtin_sub_overflow(x, y, &result); break;
      case '*': overflows = __builtin_mul_overflow(x, y, &result); break;
      default:
        if (y == 0) throw Failed{"division by zero"};
        if (sign == '%') return y == -1 ? 0 : x % y;
        overflows = y == -1 && x == INT64_MIN;
        result = overflows ? 0 : x / y;
    }
    return checked(overflows, result);
  }

  const Value& state_;
};

Result<Value> ShownExpression::evaluate(const Value& state) const {
  try {
    return ShownEvaluation(state).value(root_);
  } catch (const Failed& failed) {
    return Status::usage(fmt::format("{}: {}", text_, failed.message));
  }
}

Result<bool> ShownExpression::holds(const Value& state) const {
  try {
    return ShownEvaluation(state).holds(root_);
  } catch (const Failed& failed) {
    return Status::usage(fmt::format("{}: {}", text_, failed.message));
  }
}

}  // namespace strata
