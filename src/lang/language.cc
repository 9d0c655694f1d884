#include "lang/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "lang/common/text_size.h"

namespace strata {

#define LANGUAGE(name, ...)                                                            \
  namespace name {                                                                     \
  Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options); \
  }
#include "lang/languages.def"
#undef LANGUAGE

static std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

const Languages& languages() {
#define LANGUAGE(name, title, names, extensions, ...) \
  {#name, title, words_of(names), words_of(extensions), __VA_ARGS__, &name::compile},
  static const Languages table = {
#include "lang/languages.def"
  };
#undef LANGUAGE
  return table;
}

std::vector<std::string> language_names(const Languages& all) {
  std::vector<std::string> names;
  for (const Language& language : all)
    names.insert(names.end(), language.names.begin(), language.names.end());
  return names;
}

std::string language_files(const Languages& all) {
  std::vector<std::string> kinds;
  for (const Language& language : all)
    kinds.push_back(fmt::format("{} ({})", language.title, fmt::join(language.extensions, ", ")));
  return fmt::format("{}", fmt::join(kinds, ", "));
}

static Status no_start(const SourceFile& file) {
  Diagnostics diagnostics(file);
  diagnostics.error(file.position(file.text().size()), "the model has no start state");
  return diagnostics.status();
}

static bool is_meant(const Language& language, const std::string& path, const std::string& name) {
  if (!name.empty())
    return std::find(language.names.begin(), language.names.end(), name) != language.names.end();
  return std::any_of(language.extensions.begin(), language.extensions.end(),
                     [&](const std::string& extension) { return path.ends_with(extension); });
}

static Result<SourceFile> read_source(const std::string& path, const LanguageOptions& options) {
  if (options.source != nullptr) return *options.source;
  if (Status status = lang::check_file_size(path, options.memory); !status.ok()) return status;
  return SourceFile::load(path);
}

static Status unknown_language(const std::string& path, const Languages& all) {
  return Status::usage(fmt::format(
      "cannot tell the language of '{}' by its extension; known are: {}; name the language with --language",
      path, language_files(all)));
}

Result<ir::Program> compile_file(const std::string& path, const LanguageOptions& options,
                                 const Languages& all) {
  const auto language = std::find_if(
      all.begin(), all.end(), [&](const Language& row) { return is_meant(row, path, options.language); });
  if (language == all.end()) return unknown_language(path, all);
  Result<SourceFile> file = read_source(path, options);
  if (!file) return file.status();
  if (options.sources != nullptr) options.sources->push_back(*file);
  if (Status status = lang::check_text_size(path, file->text(), options.memory); !status.ok()) return status;
  Result<ir::Program> program = language->compile(*file, options);
  if (program.ok() && program->starts.empty()) return no_start(*file);
  return program;
}

}  // namespace strata
