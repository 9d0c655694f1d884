// Statements, one or more lines each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/program.h"
#include "native/analysis/local_intervals.h"
#include "native/code/expression_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

// What statements stand in, which says how they leave it. The statements of a rule are a function that returns whether
// the assumptions on the way held.
struct Enclosing {
  bool is_rule = true;
  ir::TypeId result = ir::kNoType;  // of a function
};

class StatementEmitter {
 public:
  StatementEmitter(const ir::Program& program, const CppTypes& types, Scope& scope,
                   ExpressionEmitter& expressions, Output& out, Enclosing enclosing)
      : program_(program),
        types_(types),
        scope_(scope),
        expressions_(expressions),
        out_(out),
        enclosing_(enclosing) {}

  // The declarations of the scope's variables.
  void variables(int depth);
  void block(const ir::Block& b, int depth);

 private:
  void statement(const ir::Stmt& s, int depth);
  void assignment(const ir::Stmt& s, int depth);
  bool outlives_failures(const ir::Place& place) const;
  void branches(const ir::Stmt& s, int depth);
  void loop(const ir::Stmt& s, int depth);
  void plain_loop(const ir::Stmt& s, int depth);
  void loop_to_the_end(const ir::Stmt& s, int depth);
  static bool leaves(const ir::Block& body);
  std::string leave(const std::string& value) const;
  std::string result_type() const;
  void bind(const ir::Stmt& s, int depth);
  void put(const ir::Stmt& s, int depth);
  void put_place(const ir::Place& p, int depth);
  size_t put_number(Put put);
  void return_value(const ir::Stmt& s, int depth);
  void return_optional(const ir::Stmt& s, const ir::ScalarType& type, uint32_t at, int depth);
  std::string result_text(const std::string& value, const ir::ScalarType& type, uint32_t at) const;
  void test(const ir::Stmt& s, int depth);
  void multiset_statement(const ir::Stmt& s, int depth);
  void multiset_add(const ir::Stmt& s, const ir::MultisetType& type, const std::string& m, int depth);
  void multiset_remove(const ir::Stmt& s, const ir::MultisetType& type, const std::string& m, int depth);
  void multiset_remove_where(const ir::Stmt& s, const ir::MultisetType& type, const std::string& m,
                             int depth);
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  // The names of a loop that is run to its end after a round has left it.
  struct Leaving {
    std::string done, result, next;
  };

  const ir::Program& program_;
  const CppTypes& types_;
  Scope& scope_;
  ExpressionEmitter& expressions_;
  Output& out_;
  const Enclosing enclosing_;
  uint32_t reduced_loops_ = 0;     // around, over values that states are reduced by
  std::vector<Leaving> leavings_;  // of the loops around, from the outside in
};

}  // namespace strata::native
