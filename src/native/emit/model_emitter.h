// The frame of a generated model: its head, what becomes of a failure, and the entry points of the ABI.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ir/program.h"
#include "native/code/cpp_types.h"
#include "native/code/output.h"
#include "native/code/state_layout.h"
#include "native/emit/dispatch_emitter.h"

namespace strata::native {

class ModelEmitter {
 public:
  ModelEmitter(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program), types_(types), layout_(layout), out_(out) {}

  void begin();
  void declare_handlers();
  // failed: reports a failure; erred: appends the error state that it leads to, where the language has error states.
  void failure_handlers();
  // initial, expand, check, accepting, propositions.
  void entry_points(DispatchEmitter& dispatches);
  void end();

 private:
  void failed();
  void erred();
  void look_at_premises();
  void check_state();
  void check();
  void expand(DispatchEmitter& dispatches);
  void initial();
  void accepting();
  void propositions();
  void load_state();
  uint64_t error_code() const;
  std::string in_error() const;
  void line(int depth, std::string_view text) { out_.text.line(depth, text); }

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  Output& out_;
};

}  // namespace strata::native
