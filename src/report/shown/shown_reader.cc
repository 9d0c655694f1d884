#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>
#include <utility>

#include "base/source.h"
#include "report/shown/shown_expression.h"

namespace strata {
namespace {

constexpr int kMostNested = 200;

struct Mistake {
  size_t at;
  std::string message;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

}  // namespace

class ShownReader {
 public:
  using Node = ShownExpression::Node;
  using Kind = Node::Kind;

  ShownReader(const std::string& text, const std::vector<std::string>& variables)
      : text_(text), variables_(variables) {}

  Result<ShownExpression> read() {
    ShownExpression expression;
    expression.text_ = text_;
    try {
      expression.root_ = whole();
      skip();
      if (at_ != text_.size()) throw Mistake{at_, "expected the end of the expression"};
    } catch (const Mistake& mistake) {
      const SourceFile file("expression", text_);
      Diagnostics diagnostics(file);
      diagnostics.error(file.position(mistake.at), mistake.message);
      return diagnostics.status();
    }
    return expression;
  }

 private:
  // One level of brackets or signs; the reader is recursive.
  struct Nested {
    explicit Nested(ShownReader& its_reader) : reader(its_reader) {
      if (++reader.depth_ > kMostNested)
        throw Mistake{reader.at_,
                      fmt::format("more than {} brackets and signs within each other", kMostNested)};
    }
    ~Nested() { --reader.depth_; }
    ShownReader& reader;
  };

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  // Takes a sign, or a word that ends here.
  bool take(std::string_view sign) {
    skip();
    const std::string_view rest = std::string_view(text_).substr(at_);
    if (!rest.starts_with(sign)) return false;
    if (is_word(sign[0]) && rest.size() > sign.size() && is_word(rest[sign.size()])) return false;
    at_ += sign.size();
    return true;
  }
  std::string take_one(const std::vector<const char*>& signs) {
    for (const char* sign : signs)
      if (take(sign)) return sign;
    return "";
  }

  static Node binary(std::string sign, Node left, Node right) {
    Node node{Kind::binary, 0, std::move(sign), {}};
    node.parts.push_back(std::move(left));
    node.parts.push_back(std::move(right));
    return node;
  }
  static Node unary(std::string sign, Node part) {
    Node node{Kind::unary, 0, std::move(sign), {}};
    node.parts.push_back(std::move(part));
    return node;
  }

  Node whole() {
    const Nested nested(*this);
    Node left = any();
    if (take("->") || take("implies")) left = binary("->", std::move(left), whole());
    return left;
  }
  Node any() {
    Node left = all();
    while (!take_one({"||", "|", "or"}).empty()) left = binary("|", std::move(left), all());
    return left;
  }
  Node all() {
    Node left = negated();
    while (!take_one({"&&", "&", "and"}).empty()) left = binary("&", std::move(left), negated());
    return left;
  }
  Node negated() {
    skip();
    const bool differs = std::string_view(text_).substr(at_).starts_with("!=");
    if (!differs && !take_one({"!", "not"}).empty()) {
      const Nested nested(*this);
      return unary("!", negated());
    }
    return comparison();
  }
  Node comparison() {
    Node left = sum();
    skip();
    const std::string sign = take_one({"==", "!=", "<=", ">=", "=", "<", ">"});
    return sign.empty() ? left : binary(sign == "==" ? "=" : sign, std::move(left), sum());
  }
  Node sum() {
    Node left = product();
    for (;;) {
      skip();
      if (std::string_view(text_).substr(at_).starts_with("->")) return left;
      const std::string sign = take_one({"+", "-"});
      if (sign.empty()) return left;
      left = binary(sign, std::move(left), product());
    }
  }
  Node product() {
    Node left = simple();
    for (std::string sign; !(sign = take_one({"*", "/", "%"})).empty();)
      left = binary(sign, std::move(left), simple());
    return left;
  }

  Node simple() {
    skip();
    if (at_ == text_.size()) throw Mistake{at_, "expected an expression, found the end of the text"};
    // Names of variables come first: they may look like anything.
    if (const std::string variable = variable_here(); !variable.empty()) {
      at_ += variable.size();
      return selected({Kind::variable, 0, variable, {}});
    }
    if (take("(")) {
      Node node = whole();
      if (!take(")")) throw Mistake{at_, "expected ')'"};
      return node;
    }
    if (take("-")) {
      const Nested nested(*this);
      return unary("-", simple());
    }
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    const size_t begin = at_;
    const std::string name = word();
    if (at_ < text_.size() && (text_[at_] == '.' || text_[at_] == '[' || text_[at_] == '{'))
      throw Mistake{begin, fmt::format("the states have no variable '{}'", name)};
    if (name == "true" || name == "false") return {Kind::boolean, name == "true", name, {}};
    if (name == "Undefined") return {Kind::undefined, 0, name, {}};
    return {Kind::symbol, 0, name, {}};
  }

  Node number() {
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) throw Mistake{at_, "the number is too large"};
    const auto after = static_cast<size_t>(end - text_.data());
    std::string digits = text_.substr(at_, after - at_);
    at_ = after;
    return {Kind::number, value, std::move(digits), {}};
  }

  std::string word() {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == begin) throw Mistake{at_, fmt::format("expected an expression, found '{}'", text_[at_])};
    return text_.substr(begin, at_ - begin);
  }

  // The longest name of a variable that the text continues with.
  std::string variable_here() const {
    const std::string_view rest = std::string_view(text_).substr(at_);
    std::string longest;
    for (const std::string& name : variables_) {
      if (name.size() <= longest.size() || !rest.starts_with(name)) continue;
      const bool ends = rest.size() == name.size() || !is_word(name.back()) || !is_word(rest[name.size()]);
      if (ends) longest = name;
    }
    return longest;
  }

  Node selected(Node node) {
    for (;;) {
      if (take(".")) {
        Node field{Kind::field, 0, word(), {}};
        field.parts.push_back(std::move(node));
        node = std::move(field);
        continue;
      }
      const bool array = take("[");
      if (!array && !take("{")) return node;
      Node element{Kind::element, 0, "", {}};
      element.parts.push_back(std::move(node));
      element.parts.push_back(whole());
      if (!take(array ? "]" : "}")) throw Mistake{at_, array ? "expected ']'" : "expected '}'"};
      node = std::move(element);
    }
  }

  const std::string& text_;
  const std::vector<std::string>& variables_;
  size_t at_ = 0;
  int depth_ = 0;
};

Result<ShownExpression> ShownExpression::read(const std::string& text,
                                              const std::vector<std::string>& variables) {
  return ShownReader(text, variables).read();
}

}  // namespace strata
