// Programs in the place of CMurphi's: `mu`, which makes a C++ text of a model, and the verifier that a C++
// compiler makes of that. Both hand over to this program, which they know by its path; $STRATA in the
// environment names another one.
#pragma once

#include <string>

#include "base/source.h"
#include "base/status.h"
#include "tool/murphi/murphi_options.h"

namespace strata {

// --emit DIR: DIR/src/mu and DIR/include, or a program for each model. The paths of what was written, a line each.
Result<std::string> emit_programs(const MurphiOptions& options);

// --mu: MODEL.cpp. The line that CMurphi prints.
Result<std::string> translate_model(const MurphiOptions& options);

// The two kinds of programs as text: a C++ program, and a script for the shell.
std::string verifier_source(const SourceFile& model, const std::string& strata, bool hash_compaction);
std::string verifier_script(const SourceFile& model, const std::string& strata);

}  // namespace strata
