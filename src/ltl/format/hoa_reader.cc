#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "ltl/automaton/condition.h"
#include "ltl/format/hoa_lexer.h"
#include "ltl/format/read.h"
#include "ltl/formula/formula.h"

namespace strata::ltl {
namespace {

using HoaKind = HoaToken::Kind;

constexpr uint64_t kMaximumHoaStates = 1 << 20;

// After the first error every expectation fails silently, so the functions need no error checks.
class HoaReader {
 public:
  HoaReader(const SourceFile& file, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), tokens_(tokenize_hoa(file, diagnostics)) {}

  Automaton run() {
    read_header();
    if (ok()) read_body();
    if (ok()) merge_starts();
    return std::move(automaton_);
  }

 private:
  bool ok() const { return !diagnostics_.has_errors(); }
  const HoaToken& peek() const { return tokens_[index_]; }
  bool at(HoaKind kind) const { return ok() && peek().kind == kind; }
  bool at_symbol(char c) const { return at(HoaKind::symbol) && peek().text[0] == c; }
  const HoaToken& next() { return tokens_[index_ + 1 < tokens_.size() ? index_++ : index_]; }

  bool accept(char symbol) {
    if (!at_symbol(symbol)) return false;
    next();
    return true;
  }

  void fail_at(size_t offset, std::string message) {
    if (ok()) diagnostics_.error(file_.position(offset), std::move(message));
  }

  void fail_expected(std::string_view what) {
    const std::string found = peek().kind == HoaKind::end ? "the end of the file" : "'" + peek().text + "'";
    fail_at(peek().offset, fmt::format("expected {}, found {}", what, found));
  }

  void expect(char symbol) {
    if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol));
  }

  uint32_t integer(std::string_view what, uint64_t limit) {
    if (!at(HoaKind::integer)) {
      fail_expected(what);
      return 0;
    }
    if (peek().value >= limit) {
      fail_at(peek().offset, fmt::format("{} must be less than {}", what, limit));
      return 0;
    }
    return static_cast<uint32_t>(next().value);
  }

  // ---- header

  void read_header() {
    if (!at(HoaKind::header) || peek().text != "HOA") return fail_expected("'HOA:'");
    next();
    if (!at(HoaKind::word) || peek().text != "v1") return fail_expected("version 'v1'");
    next();
    while (at(HoaKind::header)) read_header_item();
    if (!at(HoaKind::mark) || peek().text != "--BODY--") return fail_expected("a header or '--BODY--'");
    if (!has_acceptance_) return fail_at(peek().offset, "the header has no 'Acceptance:'");
    next();
  }

  void read_header_item() {
    const HoaToken& header = next();
    if (header.text == "States") {
      states_ = integer("the number of states", kMaximumHoaStates);
      automaton_.states.resize(*states_);
    } else if (header.text == "Start") {
      starts_.push_back(integer("the number of a state", kMaximumHoaStates));
      if (at_symbol('&')) fail_at(peek().offset, "alternating automata are not supported");
    } else if (header.text == "AP") {
      read_propositions();
    } else if (header.text == "Alias") {
      if (!at(HoaKind::alias)) return fail_expected("the name of an alias, as in '@a'");
      const std::string name = next().text;
      aliases_[name] = condition();
    } else if (header.text == "Acceptance") {
      read_acceptance();
    } else if (!header.text.empty() && header.text[0] >= 'A' && header.text[0] <= 'Z') {
      fail_at(header.offset, fmt::format("the header '{}:' is not supported", header.text));
    } else {
      // Headers that begin with a lower-case letter may be ignored.
      while (ok() && !at(HoaKind::header) && !at(HoaKind::mark) && !at(HoaKind::end)) next();
    }
  }

  void read_propositions() {
    const uint64_t number =
        integer("the number of propositions (at most 64)", FormulaPool::kMaximumPropositions + 1);
    for (uint64_t i = 0; i < number && ok(); ++i) {
      if (!at(HoaKind::string)) return fail_expected("the name of a proposition");
      automaton_.propositions.push_back(next().text);
      pool_.proposition(std::to_string(i));
    }
  }

  // A conjunction of Inf(set), whose sets are renumbered; or t.
  void read_acceptance() {
    has_acceptance_ = true;
    declared_sets_ = integer("the number of acceptance sets", kMaximumHoaStates);
    const size_t offset = peek().offset;
    size_t open = 0;
    automaton_.sets = 0;
    while (ok()) {
      while (accept('(')) ++open;
      if (!at(HoaKind::word)) return fail_expected("an acceptance condition");
      const HoaToken word = next();
      if (word.text == "Inf") {
        read_inf();
      } else if (word.text != "t") {
        return unsupported_acceptance(word.offset);
      }
      while (open > 0 && accept(')')) --open;
      if (at_symbol('|')) return unsupported_acceptance(peek().offset);
      if (!accept('&')) break;
    }
    if (open > 0) fail_expected("')'");
    if (automaton_.sets > Automaton::kMaximumSets)
      fail_at(offset, "more than 64 acceptance sets are not supported");
  }

  void unsupported_acceptance(size_t offset) {
    fail_at(offset,
            "only Büchi and generalized Büchi acceptance are supported: Inf(0), Inf(0) & Inf(1), ...");
  }

  void read_inf() {
    expect('(');
    if (at_symbol('!')) return unsupported_acceptance(peek().offset);
    const uint32_t set = integer("the number of an acceptance set", declared_sets_);
    expect(')');
    if (set_numbers_.try_emplace(set, automaton_.sets).second) ++automaton_.sets;
  }

  // ---- labels

  Formula condition() {
    Formula left = conjunction();
    while (accept('|')) left = pool_.disjunction({left, conjunction()});
    return left;
  }

  Formula conjunction() {
    Formula left = primary();
    while (accept('&')) left = pool_.conjunction({left, primary()});
    return left;
  }

  Formula primary() {
    const Formula nothing = pool_.constant(false);
    if (++nesting_ > 1000) fail_at(peek().offset, "the label is nested deeper than 1000");
    Formula result = nothing;
    if (accept('!')) {
      result = pool_.negation(primary());
    } else if (accept('(')) {
      result = condition();
      expect(')');
    } else if (at(HoaKind::integer)) {
      const uint32_t number = integer("the number of a proposition", automaton_.propositions.size());
      result = ok() ? pool_.literal(static_cast<uint8_t>(number)) : nothing;
    } else if (at(HoaKind::word) && (peek().text == "t" || peek().text == "f")) {
      result = pool_.constant(next().text == "t");
    } else if (at(HoaKind::alias) && aliases_.contains(peek().text)) {
      result = aliases_[next().text];
    } else if (at(HoaKind::alias)) {
      fail_at(peek().offset, fmt::format("the alias '{}' is not declared", peek().text));
    } else {
      fail_expected("a label");
    }
    --nesting_;
    return result;
  }

  std::optional<std::vector<Cube>> label() {
    if (!at_symbol('[')) return std::nullopt;
    const size_t offset = next().offset;
    const Formula formula = condition();
    expect(']');
    std::optional<std::vector<Cube>> cubes = cubes_of(formula);
    if (!cubes) fail_at(offset, "the label is too large");
    return cubes ? *cubes : std::vector<Cube>{};
  }

  std::optional<uint64_t> marks() {
    if (!accept('{')) return std::nullopt;
    uint64_t result = 0;
    while (at(HoaKind::integer)) {
      const auto found = set_numbers_.find(integer("the number of an acceptance set", declared_sets_));
      if (found != set_numbers_.end()) result |= uint64_t{1} << found->second;
    }
    expect('}');
    return result;
  }

  // ---- body

  void read_body() {
    while (at(HoaKind::header)) {
      if (peek().text != "State") return fail_expected("'State:'");
      next();
      read_state();
    }
    if (!at(HoaKind::mark) || peek().text != "--END--") fail_expected("'State:' or '--END--'");
  }

  uint32_t state_number() {
    const uint32_t number = integer("the number of a state", states_.value_or(kMaximumHoaStates));
    if (ok() && number >= automaton_.states.size()) automaton_.states.resize(number + 1);
    return number;
  }

  void read_state() {
    const std::optional<std::vector<Cube>> state_label = label();
    const uint32_t state = state_number();
    if (at(HoaKind::string)) next();
    const uint64_t state_marks = marks().value_or(0);
    uint64_t implicit = 0;
    while (ok() && (at(HoaKind::integer) || at_symbol('['))) {
      const size_t offset = peek().offset;
      std::optional<std::vector<Cube>> cubes = label();
      const uint32_t target = state_number();
      if (at_symbol('&')) return fail_at(peek().offset, "alternating automata are not supported");
      const uint64_t own = marks().value_or(0) | state_marks;
      if (!cubes) cubes = state_label;
      if (!cubes) cubes = implicit_label(implicit++, offset);
      if (!ok()) return;
      for (const Cube& cube : *cubes) automaton_.states[state].push_back({cube, target, own});
    }
  }

  // Edges without labels read the letters in ascending order.
  std::vector<Cube> implicit_label(uint64_t letter, size_t offset) {
    const size_t n = automaton_.propositions.size();
    if (n < 64 && letter >= uint64_t{1} << n)
      fail_at(offset, "the state has more edges than there are letters");
    const uint64_t all = n == 64 ? ~uint64_t{0} : (uint64_t{1} << n) - 1;
    return {Cube{letter, all & ~letter}};
  }

  // Merges several initial states into one with the edges of all of them.
  void merge_starts() {
    for (const uint32_t start : starts_) {
      if (states_ && start >= *states_) return fail_at(0, fmt::format("there is no initial state {}", start));
      if (start >= automaton_.states.size()) automaton_.states.resize(start + 1);
    }
    if (starts_.size() == 1) {
      automaton_.initial = starts_[0];
      return;
    }
    std::vector<Edge> all;
    for (const uint32_t start : starts_) {
      all.insert(all.end(), automaton_.states[start].begin(), automaton_.states[start].end());
    }
    // No edge leads to this state, so its marks have no effect; equal marks keep the automaton state-based.
    for (Edge& edge : all) edge.marks = 0;
    automaton_.initial = static_cast<uint32_t>(automaton_.states.size());
    automaton_.states.push_back(std::move(all));
  }

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::vector<HoaToken> tokens_;
  size_t index_ = 0;
  uint32_t nesting_ = 0;
  FormulaPool pool_;  // its propositions have the numbers of the file
  std::map<std::string, Formula> aliases_;
  std::optional<uint32_t> states_;
  std::vector<uint32_t> starts_;
  bool has_acceptance_ = false;
  uint32_t declared_sets_ = 0;
  std::map<uint32_t, uint32_t> set_numbers_;
  Automaton automaton_;
};

}  // namespace

Result<Automaton> read_hoa(const SourceFile& file) {
  Diagnostics diagnostics(file);
  Automaton automaton = HoaReader(file, diagnostics).run();
  if (diagnostics.has_errors()) return diagnostics.status();
  return automaton;
}

}  // namespace strata::ltl
