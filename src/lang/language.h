// The languages Strata reads. A language is one folder that lowers to ir::Program and one row in languages.def.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"

namespace strata {

struct Language {
  const char* name;       // "murphi"
  const char* extension;  // ".m"
  Result<ir::Program> (*compile)(const SourceFile& file, const LanguageOptions& options);
};

const std::vector<Language>& languages();

// Picks the language by the options, or by the file's extension, reads and compiles the file.
Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options);

}  // namespace strata
