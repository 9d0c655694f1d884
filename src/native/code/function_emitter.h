// The functions and procedures of a program: function<N>(State& state, parameters).
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class FunctionEmitter {
 public:
  FunctionEmitter(const ir::Program& program, const CppTypes& types, Output& out)
      : program_(program), types_(types), out_(out) {}
  void emit();

 private:
  std::string head(uint32_t id) const;
  void function(uint32_t id, bool recursive);

  const ir::Program& program_;
  const CppTypes& types_;
  Output& out_;
};

}  // namespace strata::native
