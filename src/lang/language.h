// The languages Strata reads. A language is one folder that lowers to ir::Program and one row in languages.def: the
// command line, the help, the completions and the messages read the row.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "base/status.h"
#include "ir/program.h"
#include "lang/common/language_options.h"

namespace strata {

// An option that one language has.
struct LanguageOption {
  const char* id;             // "overflow", in LanguageOptions::own
  const char* name;           // "--overflow"
  const char* values;         // "wrap|error"
  const char* default_value;  // "error"
  const char* help;
};

struct Language {
  const char* name;                     // "dve", as reports have it
  const char* title;                    // "DVE"
  std::vector<std::string> names;       // "dve", "mdve": what --language may say
  std::vector<std::string> extensions;  // ".dve", ".mdve"
  std::vector<LanguageOption> options;
  Result<ir::Program> (*compile)(const SourceFile& file, const LanguageOptions& options);
};
using Languages = std::vector<Language>;

const Languages& languages();

// The values of --language: "murphi", "dve", "mdve".
std::vector<std::string> language_names(const Languages& all);
// The kinds of model files, for help texts: "Murphi (.m, .M, .murphi), DVE (.dve, .mdve)".
std::string language_files(const Languages& all);

// Picks the language by the options, or by the file's extension, reads and compiles the file.
Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options,
                                 const Languages& all = languages());

}  // namespace strata
