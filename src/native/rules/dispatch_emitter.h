// Trying the rules of a state: in their order, but rules that belong to a Dispatch together, at the place of the
// first. So the order of successors is not that of the rules; searches do not depend on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "ir/program.h"
#include "native/analysis/dispatch.h"
#include "native/text/cpp_types.h"
#include "native/text/output.h"

namespace strata::native {

class DispatchEmitter {
 public:
  DispatchEmitter(const ir::Program& program, const CppTypes& types, const DispatchTable& table, Output& out)
      : program_(program), types_(types), table_(table), out_(out) {}

  // dispatch<N>, a function for each dispatch.
  void emit();
  // The calls that try all rules on the state of a Context ctx.
  void emit_calls();

 private:
  std::map<uint64_t, std::string> calls_by_code(const Dispatch& dispatch) const;
  void dispatch(const Dispatch& dispatch, size_t number);
  std::vector<std::vector<uint32_t>> ranks() const;
  void emit_turns();
  void emit_call(uint32_t rule, int depth);

  const ir::Program& program_;
  const CppTypes& types_;
  const DispatchTable& table_;
  Output& out_;
};

}  // namespace strata::native
