#include "lang/language.h"

#include <fmt/format.h>

#include "lang/common/text_size.h"

namespace strata {

#define LANGUAGE(name, extension)                                                      \
  namespace name {                                                                     \
  Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options); \
  }
#include "lang/languages.def"
#undef LANGUAGE

const std::vector<Language>& languages() {
#define LANGUAGE(name, extension) {#name, extension, &name::compile},
  static const std::vector<Language> table = {
#include "lang/languages.def"
  };
#undef LANGUAGE
  return table;
}

static Status no_start(const SourceFile& file) {
  Diagnostics diagnostics(file);
  diagnostics.error(file.position(file.text().size()), "the model has no start state");
  return diagnostics.status();
}

Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options) {
  std::string known;
  for (const Language& language : languages()) {
    if (path.ends_with(language.extension)) {
      if (Status status = lang::check_file_size(path, options.memory); !status.ok()) return status;
      Result<SourceFile> file = SourceFile::load(path);
      if (!file) return file.status();
      if (options.sources != nullptr) options.sources->push_back(*file);
      if (Status status = lang::check_text_size(path, file->text(), options.memory); !status.ok())
        return status;
      Result<ir::Program> program = language.compile(*file, options);
      if (program.ok() && program->starts.empty()) return no_start(*file);
      return program;
    }
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", language.extension, language.name);
  }
  return Status::usage(
      fmt::format("cannot tell the language of '{}' by its extension; known are: {}", path, known));
}

}  // namespace strata
