// Emits everything of a model but its types.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/program.h"
#include "native/analysis/dispatch.h"
#include "native/analysis/interval.h"
#include "native/analysis/uses.h"
#include "native/code/cpp_types.h"
#include "native/code/output.h"
#include "native/code/state_layout.h"
#include "native/code/type_emitter.h"
#include "native/emit/emit.h"
#include "native/emit/firing_emitter.h"
#include "native/emit/state_emitter.h"

namespace strata::native {

class Emitter {
 public:
  explicit Emitter(const ir::Program& program);
  Emission run();

 private:
  // The callable being emitted.
  struct Scope {
    const std::vector<ir::Local>* locals = nullptr;
    uint32_t raw_parameters = 0;  // constants below this number hold raw codes (value parameters)
    ir::TypeId result = ir::kNoType;
    bool is_rule = false;
    std::vector<Interval> intervals;  // of iterators and value constants
  };

  // emit_expressions.cc
  std::string expression(const ir::Expr& e);
  std::string scalar_read(const ir::Place& p);
  std::string place(const ir::Place& p);
  std::string select(std::string base, ir::TypeId& type, const ir::Selector& selector, const ir::Place& p);
  std::string array_position(const ir::Expr& index, ir::TypeId index_type, const ir::Place& p);
  std::string arithmetic(const ir::Expr& e);
  std::string unary(const ir::Expr& e);
  std::string comparison(const ir::Expr& e);
  std::string chain(const ir::Expr& e, const char* op);
  std::string quantified(const ir::Expr& e);
  std::string call(const ir::Expr& e);
  std::string argument(const ir::Argument& a, const ir::Local& parameter, SourcePosition position);
  std::string in_type(const ir::Expr& e);
  std::string count(const ir::Expr& e);
  std::string is_undefined(const ir::Place& p);
  std::string encode(ir::TypeId type, const ir::Expr& value, const std::string& target,
                     SourcePosition position);
  std::string encode_defined(ir::TypeId type, const std::string& text, const ir::Expr& value,
                             const std::string& target, SourcePosition position);
  std::string decode_defined(ir::TypeId type, const std::string& raw) const;
  std::string same(const ir::Expr& e);
  std::string in_order(const ir::Expr& a, const ir::Expr& b, const std::string& form);
  std::string loop_header(const ir::Domain& domain, uint32_t local, SourcePosition position);
  Interval interval(const ir::Expr& e) const;
  Interval domain_interval(const ir::Domain& d) const;
  bool holds_value(const ir::Place& p) const;  // a local that is a plain i64, not a raw code

  // emit_statements.cc
  void block(const ir::Block& b, int depth);
  void statement(const ir::Stmt& s, int depth);
  void assignment(const ir::Stmt& s, int depth);
  void branches(const ir::Stmt& s, int depth);
  void loop(const ir::Stmt& s, int depth);
  void bind(const ir::Stmt& s, int depth);
  void put(const ir::Stmt& s, int depth);
  void return_value(const ir::Stmt& s, int depth);
  void multiset_statement(const ir::Stmt& s, int depth);

  // emit_rules.cc
  void emit_functions();
  std::string function_head(uint32_t id);
  void emit_local_variables(const std::vector<ir::Local>& locals, uint32_t first, int depth);
  void emit_properties();
  void emit_property(uint32_t id);
  void emit_body(const ir::Rule& rule, const std::string& name);
  std::string binding_parameters(const ir::Rule& rule, bool declare);
  void emit_rule(uint32_t id);
  void emit_rule(uint32_t id, bool catching);
  void emit_start(uint32_t id);
  void emit_bindings_open(const std::vector<ir::Binding>& bindings, std::vector<const ir::Expr*> conjuncts,
                          bool catching, size_t given = 0);
  void emit_bindings_close(const std::vector<ir::Binding>& bindings, uint64_t base, const char* handler);
  void emit_binding(const ir::Binding& b);
  std::string instance_number(const std::vector<ir::Binding>& bindings, size_t bound, uint64_t base) const;
  std::string rank_text(const ir::Binding& b) const;

  // emit_dispatch.cc
  bool dispatched(uint32_t rule) const { return dispatch_of_[rule] != kNoDispatch; }
  void emit_dispatch(const Dispatch& dispatch, size_t number);
  void emit_rule_calls();

  // emit_model.cc
  void emit_model();
  void emit_failed();
  uint64_t error_code() const;
  std::string in_error() const;
  void emit_accepting();
  void emit_propositions();
  void emit_expand();
  void emit_check();
  void emit_initial();

  void enter(const std::vector<ir::Local>& locals, uint32_t raw_parameters, ir::TypeId result, bool is_rule);
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  static constexpr size_t kNoDispatch = SIZE_MAX;

  const ir::Program& program_;
  const std::vector<Dispatch> dispatches_;
  std::vector<size_t> dispatch_of_;   // rule -> number in dispatches_, or kNoDispatch
  std::vector<uint64_t> rule_bases_;  // rule -> number of its first instance
  Output out_;
  Scope scope_;
  const CppTypes types_;
  const StateLayout layout_;
  FiringEmitter firing_;
  std::vector<int> open_;  // the loops that emit_bindings_open has opened: -1, then numbers of bindings
};

}  // namespace strata::native
