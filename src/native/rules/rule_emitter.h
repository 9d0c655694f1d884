// Rules and start states. A rule becomes one function rule<N> that tries all its instances on one state,
// within the loops of instance_loops.h; its statements become a function effect<N>, so that a `return` leaves
// only them. A start state becomes start<N> and start_effect<N>. Where guards change the state (instance_order.h),
// guard<N> evaluates them, and rule<N> fires the instances that it enabled.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "ir/program.h"
#include "native/analysis/dispatch.h"
#include "native/analysis/uses.h"
#include "native/code/callable.h"
#include "native/rules/firing_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class RuleEmitter {
 public:
  RuleEmitter(const ir::Program& program, const CppTypes& types, const StateLayout& layout,
              const DispatchTable& dispatches, FiringEmitter& firing, Output& out)
      : program_(program),
        types_(types),
        layout_(layout),
        dispatches_(dispatches),
        firing_(firing),
        out_(out),
        in_turn_(has_changing_guards(program)) {}

  void declare_rules();
  void emit_rules();
  void emit_starts();

 private:
  // `base` is the number of the rule's first instance.
  std::string head(uint32_t id) const;
  void rule(uint32_t id, uint64_t base);
  void rule(uint32_t id, uint64_t base, bool catching);
  static std::string guard_head(uint32_t id);
  void guard(uint32_t id, uint64_t base);
  void emit_bound(const ir::Rule& rule, Callable& callable,
                  const std::function<bool(const ir::Binding&)>& wanted, const std::string& free);
  void rule_in_turn(uint32_t id, uint64_t base);
  void start(uint32_t id, uint64_t base);
  void append_start(const std::string& number);
  std::string body_call(const ir::Rule& rule, const std::string& name, bool flag) const;

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  const DispatchTable& dispatches_;
  FiringEmitter& firing_;
  Output& out_;
  const bool in_turn_;  // guards change the state
};

}  // namespace strata::native
