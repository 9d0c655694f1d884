// Helpers for the tests of the checker.
#pragma once

#include <string>

#include "ir/dump.h"
#include "lang/murphi/murphi.h"
#include "lang/testing/messages.h"

namespace strata::murphi {

inline Result<ir::Program> compile_text(const std::string& text, const LanguageOptions& options = {}) {
  return compile(SourceFile("model.m", text), options);
}

// The messages about the model and about --invariant; "ok" when there are none.
inline std::string errors(const std::string& text, const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  if (program.ok()) return "ok";
  const std::string all = program.status().message();
  return program.status().code() == StatusCode::model ? lang::messages_of(all, {"model.m", "--invariant"})
                                                      : all;
}

// The lowered program as text, or the messages.
inline std::string lowered(const std::string& text, const LanguageOptions& options = {}) {
  Result<ir::Program> program = compile_text(text, options);
  return program.ok() ? ir::dump(*program) : program.status().message();
}

}  // namespace strata::murphi
