// Emits everything of a model but its types.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ir/layout.h"
#include "ir/program.h"
#include "native/analysis/dispatch.h"
#include "native/analysis/uses.h"
#include "native/code/callable.h"
#include "native/code/cpp_types.h"
#include "native/code/function_emitter.h"
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
  // emit_rules.cc
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

  void enter(const std::vector<ir::Local>& locals) { callable_.emplace(program_, types_, out_, locals); }
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  static constexpr size_t kNoDispatch = SIZE_MAX;

  const ir::Program& program_;
  const std::vector<Dispatch> dispatches_;
  std::vector<size_t> dispatch_of_;   // rule -> number in dispatches_, or kNoDispatch
  std::vector<uint64_t> rule_bases_;  // rule -> number of its first instance
  Output out_;
  std::optional<Callable> callable_;  // the one being emitted
  const CppTypes types_;
  const StateLayout layout_;
  FiringEmitter firing_;
  std::vector<int> open_;  // the loops that emit_bindings_open has opened: -1, then numbers of bindings
};

}  // namespace strata::native
