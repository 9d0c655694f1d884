#include "lang/language.h"

#include <fmt/format.h>

#include <algorithm>

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

// A file of another extension than the language's own may be given as a language that has several: as a
// template of DVE.
static bool is_meant(const Language& language, const std::string& path, const std::string& name) {
  if (name.empty()) return path.ends_with(language.extension);
  return name == language.name || name == language.extension + 1;
}

static Result<SourceFile> read_source(const std::string& path, const LanguageOptions& options) {
  if (options.source != nullptr) return *options.source;
  if (Status status = lang::check_file_size(path, options.memory); !status.ok()) return status;
  return SourceFile::load(path);
}

static Status unknown_language(const std::string& path) {
  std::string known;
  for (const Language& language : languages())
    known += fmt::format("{}{} ({})", known.empty() ? "" : ", ", language.extension, language.name);
  return Status::usage(
      fmt::format("cannot tell the language of '{}' by its extension; known are: {}; name it with --language",
                  path, known));
}

Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options) {
  const auto language = std::find_if(languages().begin(), languages().end(), [&](const Language& row) {
    return is_meant(row, path, options.language);
  });
  if (language == languages().end()) return unknown_language(path);
  Result<SourceFile> file = read_source(path, options);
  if (!file) return file.status();
  if (options.sources != nullptr) options.sources->push_back(*file);
  if (Status status = lang::check_text_size(path, file->text(), options.memory); !status.ok()) return status;
  Result<ir::Program> program = language->compile(*file, options);
  if (program.ok() && program->starts.empty()) return no_start(*file);
  return program;
}

}  // namespace strata
