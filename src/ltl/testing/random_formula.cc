#include "ltl/testing/random_formula.h"

#include <fmt/format.h>

#include <array>

namespace strata::ltl {
namespace {

using Kind = TestFormula::Kind;

constexpr std::array kUnary = {Kind::not_, Kind::eventually, Kind::always, Kind::next};
constexpr std::array kBinary = {Kind::and_,    Kind::or_,   Kind::implies,    Kind::equivalent,
                                Kind::until,   Kind::until, Kind::weak_until, Kind::release,
                                Kind::release, Kind::and_,  Kind::or_,        Kind::strong_release};

bool is_binary(Kind kind) { return kind >= Kind::and_; }

const char* symbol(Kind kind) {
  switch (kind) {
    case Kind::not_: return "!";
    case Kind::next: return "X";
    case Kind::eventually: return "<>";
    case Kind::always: return "[]";
    case Kind::and_: return "&&";
    case Kind::or_: return "||";
    case Kind::implies: return "->";
    case Kind::equivalent: return "<->";
    case Kind::until: return "U";
    case Kind::weak_until: return "W";
    case Kind::release: return "V";
    case Kind::strong_release: return "M";
    default: return "";
  }
}

}  // namespace

TestFormula TestFormula::random(Random& random, const RandomFormulaOptions& options) {
  TestFormula f;
  RandomFormulaOptions rest = options;
  if (options.operators == 0) {
    f.kind_ = random.chance(4) ? (random.chance(50) ? Kind::true_ : Kind::false_) : Kind::proposition;
    f.proposition_ = static_cast<uint32_t>(random.below(options.propositions));
  } else if (random.chance(options.operators == 1 ? 70 : 40)) {
    f.kind_ = kUnary[random.below(options.with_next ? 4 : 3)];
    rest.operators = options.operators - 1;
    f.operands_.push_back(TestFormula::random(random, rest));
  } else {
    f.kind_ = kBinary[random.below(kBinary.size())];
    const uint32_t left = static_cast<uint32_t>(random.below(options.operators));
    rest.operators = left;
    f.operands_.push_back(TestFormula::random(random, rest));
    rest.operators = options.operators - 1 - left;
    f.operands_.push_back(TestFormula::random(random, rest));
  }
  return f;
}

std::string TestFormula::text() const {
  if (kind_ == Kind::true_ || kind_ == Kind::false_) return kind_ == Kind::true_ ? "true" : "false";
  if (kind_ == Kind::proposition) return std::string(1, static_cast<char>('a' + proposition_));
  if (!is_binary(kind_)) return fmt::format("{} ({})", symbol(kind_), operands_[0].text());
  return fmt::format("({}) {} ({})", operands_[0].text(), symbol(kind_), operands_[1].text());
}

std::string TestFormula::spin_text() const {
  if (operands_.empty()) return text();
  const std::string a = operands_[0].spin_text();
  if (!is_binary(kind_)) return fmt::format("{} ({})", symbol(kind_), a);
  const std::string b = operands_[1].spin_text();
  if (kind_ == Kind::weak_until) return fmt::format("({}) V (({}) || ({}))", b, a, b);
  if (kind_ == Kind::strong_release) return fmt::format("({}) U (({}) && ({}))", b, a, b);
  return fmt::format("({}) {} ({})", a, symbol(kind_), b);
}

std::vector<uint8_t> TestFormula::values(const Word& word) const {
  const uint32_t n = static_cast<uint32_t>(word.letters.size());
  std::vector<uint8_t> result(n, kind_ == Kind::true_);
  if (is_binary(kind_)) return binary_values(word);
  if (kind_ == Kind::proposition) {
    for (uint32_t i = 0; i < n; ++i) result[i] = word.letters[i] >> proposition_ & 1;
  }
  if (operands_.empty()) return result;
  const std::vector<uint8_t> a = operands_[0].values(word);
  for (uint32_t i = 0; i < n; ++i) {
    if (kind_ == Kind::not_) result[i] = !a[i];
    if (kind_ == Kind::next) result[i] = a[word.after(i)];
    if (kind_ != Kind::eventually && kind_ != Kind::always) continue;
    // All positions from i on, including i.
    bool some = false, all = true;
    for (uint32_t steps = 0, k = i; steps < 2 * n; ++steps, k = word.after(k)) {
      some |= a[k] != 0;
      all &= a[k] != 0;
    }
    result[i] = kind_ == Kind::eventually ? some : all;
  }
  return result;
}

std::vector<uint8_t> TestFormula::binary_values(const Word& word) const {
  const uint32_t n = static_cast<uint32_t>(word.letters.size());
  const std::vector<uint8_t> a = operands_[0].values(word), b = operands_[1].values(word);
  std::vector<uint8_t> result(n, 0);
  for (uint32_t i = 0; i < n; ++i) {
    if (kind_ == Kind::and_) result[i] = a[i] && b[i];
    if (kind_ == Kind::or_) result[i] = a[i] || b[i];
    if (kind_ == Kind::implies) result[i] = !a[i] || b[i];
    if (kind_ == Kind::equivalent) result[i] = a[i] == b[i];
    if (kind_ < Kind::until) continue;
    // until, weak until: b comes, and a holds until then; or (weak) a holds forever. release: b holds until a and b
    // hold together; or b holds forever.
    const bool until = kind_ == Kind::until || kind_ == Kind::weak_until;
    bool decided = false, value = kind_ == Kind::weak_until || kind_ == Kind::release;
    for (uint32_t steps = 0, k = i; steps < 2 * n && !decided; ++steps, k = word.after(k)) {
      const bool goal = until ? b[k] : a[k] && b[k];
      const bool waiting = until ? a[k] : b[k];
      decided = goal || !waiting;
      if (decided) value = goal;
    }
    result[i] = value;
  }
  return result;
}

}  // namespace strata::ltl
