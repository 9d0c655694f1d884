// Properties: property<N>(State& state, i64& instance) says whether every instance holds (of a cover: whether
// some instance does), and assumptions(State& state) whether all assumptions do.
#pragma once

#include <cstdint>
#include <string>

#include "ir/program.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class PropertyEmitter {
 public:
  PropertyEmitter(const ir::Program& program, const CppTypes& types, Output& out)
      : program_(program), types_(types), out_(out) {}
  void declare();
  void emit();

 private:
  void property(uint32_t id);
  void premises(uint32_t id);
  void assumptions();
  std::string assumptions_head() const;

  const ir::Program& program_;
  const CppTypes& types_;
  Output& out_;
};

}  // namespace strata::native
