#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ltl/automaton/condition.h"
#include "ltl/format/never_cursor.h"
#include "ltl/format/read.h"

namespace strata::ltl {
namespace {

// A never claim is a sequence of labelled statements: if or do with guarded jumps; skip, which continues with the next
// statement; or false, which blocks. A claim that has passed its last statement has ended, and accepts any
// continuation.
class NeverReader {
 public:
  NeverReader(const SourceFile& file, Diagnostics& diagnostics) : cursor_(file, diagnostics) {}

  Automaton run() {
    if (!cursor_.accept_word("never")) cursor_.fail_expected("'never' or 'HOA:'");
    if (!cursor_.word().empty()) cursor_.take_word("a name");
    cursor_.expect("{");
    while (cursor_.ok() && !cursor_.at("}")) read_statement();
    cursor_.expect("}");
    if (cursor_.ok() && !cursor_.at_end()) cursor_.fail_expected("the end of the file");
    return cursor_.ok() ? connected() : Automaton();
  }

 private:
  struct Jump {
    Formula guard;
    std::string label;  // empty: a jump to statement `target`
    size_t target = 0;
    size_t offset = 0;  // of the label
  };
  struct Statement {
    bool accepting = false;
    std::vector<Jump> jumps;
  };

  static constexpr size_t kClaimEnd = static_cast<size_t>(-1);

  void read_statement() {
    Statement statement;
    while (!cursor_.label().empty()) {
      const size_t offset = cursor_.offset();
      const std::string label = cursor_.take_word("a label");
      cursor_.expect(":");
      statement.accepting |= label.starts_with("accept");
      if (!labels_.try_emplace(label, statements_.size()).second) {
        cursor_.fail_at(offset, fmt::format("the label '{}' is defined twice", label));
      }
    }
    if (cursor_.accept_word("if")) {
      read_options(statement, "fi");
    } else if (cursor_.accept_word("do")) {
      read_options(statement, "od");
    } else if (cursor_.accept_word("skip")) {
      statement.jumps.push_back({cursor_.pool().constant(true), "", statements_.size() + 1, 0});
    } else if (!cursor_.accept_word("false") && !cursor_.accept_word("0")) {
      cursor_.fail_expected("a label, 'if', 'do', 'skip' or 'false'");
    }
    cursor_.accept(";");
    statements_.push_back(std::move(statement));
  }

  void read_options(Statement& statement, std::string_view end) {
    while (cursor_.ok() && !cursor_.accept_word(end)) {
      if (!cursor_.at("::")) return cursor_.fail_expected(fmt::format("'::' or '{}'", end));
      cursor_.accept("::");
      const bool atomic = cursor_.accept_word("atomic") || cursor_.accept_word("d_step");
      if (atomic) cursor_.expect("{");
      Jump jump{cursor_.condition(), "", kClaimEnd, 0};
      // SPIN's `:: false` has no jump.
      const bool impossible = jump.guard == cursor_.pool().constant(false);
      if (impossible && !cursor_.at("->") && !cursor_.at(";")) continue;
      if (!cursor_.accept(";")) cursor_.expect("->");
      if (cursor_.accept_word("goto")) {
        jump.offset = cursor_.offset();
        jump.label = cursor_.take_word("a label");
      } else if (cursor_.accept_word("assert")) {
        // SPIN writes assert(!guard), which fails: the claim has accepted.
        cursor_.skip_parenthesised();
      } else if (cursor_.accept_word(end == "od" ? "break" : "skip")) {
        jump.target = statements_.size() + 1;
      } else {
        cursor_.fail_expected("'goto', 'assert' or a way out");
      }
      cursor_.accept(";");
      if (atomic) cursor_.expect("}");
      cursor_.accept(";");
      statement.jumps.push_back(std::move(jump));
    }
  }

  Automaton connected() {
    Automaton automaton;
    automaton.propositions = cursor_.pool().propositions();
    const uint32_t claim_end = static_cast<uint32_t>(statements_.size());
    for (const Statement& statement : statements_) {
      std::vector<Edge> edges;
      for (const Jump& jump : statement.jumps) {
        const uint32_t target = static_cast<uint32_t>(std::min<size_t>(find(jump), claim_end));
        const std::optional<std::vector<Cube>> cubes = cubes_of(jump.guard);
        if (!cubes) cursor_.fail_at(jump.offset, "the condition is too large");
        if (!cursor_.ok()) return automaton;
        for (const Cube& cube : *cubes)
          edges.push_back({cube, target, statement.accepting ? uint64_t{1} : 0});
      }
      automaton.states.push_back(std::move(edges));
    }
    automaton.states.push_back({{{}, claim_end, 1}});
    return automaton;
  }

  size_t find(const Jump& jump) {
    if (jump.label.empty()) return jump.target;
    const auto found = labels_.find(jump.label);
    if (found != labels_.end()) return found->second;
    cursor_.fail_at(jump.offset, fmt::format("there is no label '{}'", jump.label));
    return kClaimEnd;
  }

  NeverCursor cursor_;
  std::map<std::string, size_t> labels_;
  std::vector<Statement> statements_;
};

}  // namespace

Result<Automaton> read_never(const SourceFile& file) {
  Diagnostics diagnostics(file);
  Automaton automaton = NeverReader(file, diagnostics).run();
  if (diagnostics.has_errors()) return diagnostics.status();
  return automaton;
}

}  // namespace strata::ltl
