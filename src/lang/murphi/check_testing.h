// Helpers for the tests of the checker.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "ir/dump.h"
#include "lang/murphi/murphi.h"

namespace strata::murphi {

inline Result<ir::Program> compile_text(const std::string& text, const LanguageOptions& options = {}) {
  return compile(SourceFile("model.m", text), options);
}

// The messages without source lines and carets: "2:7: unknown type 'Prc'\n" each; "ok" when there are none.
inline std::string errors(const std::string& text, const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  if (program.ok()) return "ok";
  std::string all = program.status().message();
  if (program.status().code() != StatusCode::model) return all;
  std::string messages;
  for (size_t start = 0; start < all.size();) {
    size_t end = std::min(all.find('\n', start), all.size());
    std::string_view line = std::string_view(all).substr(start, end - start);
    for (std::string_view file : {"model.m:", "--invariant:"}) {
      if (line.starts_with(file)) messages += std::string(line.substr(file.size())) + "\n";
    }
    start = end + 1;
  }
  return messages;
}

// The lowered program as text, or the messages.
inline std::string lowered(const std::string& text, const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  return program.ok() ? ir::dump(*program) : program.status().message();
}

}  // namespace strata::murphi
