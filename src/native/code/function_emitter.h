// The functions and procedures of a program: function<N>(State& state, parameters).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class FunctionEmitter {
 public:
  // `wanted`: only these functions; empty: all.
  FunctionEmitter(const ir::Program& program, const CppTypes& types, Output& out,
                  std::vector<bool> wanted = {})
      : program_(program), types_(types), out_(out), wanted_(std::move(wanted)) {}
  void emit();

 private:
  bool is_held(const ir::Local& parameter) const;
  std::string head(uint32_t id) const;
  void function(uint32_t id, bool recursive);
  std::string harmless_result(const ir::Function& f) const;

  const ir::Program& program_;
  const CppTypes& types_;
  Output& out_;
  const std::vector<bool> wanted_;
};

}  // namespace strata::native
