// Why a condition is false in a state, or true.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace strata {

struct FailureCause {
  // The values of quantifiers' variables that decide, from the outermost to the innermost: {"p", "Proc_1"}.
  std::vector<std::pair<std::string, std::string>> bound;
  // The parts of the state that decide, as paths in a trace: "cache[Proc_1].state"; each once, in order of evaluation.
  std::vector<std::string> reads;

  bool empty() const { return bound.empty() && reads.empty(); }
  // "p = Proc_1, q = Proc_2"
  std::string bound_text() const {
    std::string out;
    for (const auto& [name, value] : bound) out += (out.empty() ? "" : ", ") + name + " = " + value;
    return out;
  }
};

}  // namespace strata
