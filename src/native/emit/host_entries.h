// The entry points of abi.h for the host: what native/runtime/host_calls.h asks for as a class Model, made of
// constants and lists of calls, and the object strata_model. Code for another kind of machine would have
// other entry points beside these, for the same rules and properties.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/program.h"
#include "native/rules/dispatch_emitter.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class HostEntries {
 public:
  HostEntries(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program), types_(types), layout_(layout), out_(out) {}

  // The run-time support, and the beginning of the namespace that all else is in.
  void begin();
  // to_error_state(): the step of a rule that failed, in a language that has error states.
  void declare_error_step();
  void emit_error_step();
  void emit(DispatchEmitter& dispatches);

 private:
  void error_state();
  void premises();
  void check_properties();
  void rules(DispatchEmitter& dispatches);
  void starts();
  void accepting();
  void propositions();
  void strata_model();
  uint64_t error_code() const;
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  Output& out_;
};

}  // namespace strata::native
