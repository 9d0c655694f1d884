// The state in the packed form (native/text/place_form.h): struct State with a member function for each variable, and
// what else the text needs to know of it. The counterpart of StateEmitter.
#pragma once

#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"
#include "native/text/state_layout.h"

namespace strata::native {

class PackedState {
 public:
  PackedState(const ir::Program& program, const CppTypes& types, const StateLayout& layout, Output& out)
      : program_(program), types_(types), layout_(layout), text_(out.text) {}
  // The types State and Context; load, load_next, unpack and pack_all.
  void emit();
  // On a device: the type State, which also has the fault and the covers that statements note; unpack and pack_all.
  void emit_for_device();

 private:
  void struct_state(const std::string& more = "");
  void convert();
  void variable_of();

  const ir::Program& program_;
  const CppTypes& types_;
  const StateLayout& layout_;
  Text& text_;
};

}  // namespace strata::native
