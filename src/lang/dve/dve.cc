#include "lang/dve/dve.h"

#include <deque>
#include <filesystem>
#include <memory>

#include "lang/dve/lower/check.h"
#include "lang/dve/syntax/ltl_file.h"
#include "lang/dve/syntax/parser.h"
#include "lang/dve/template.h"

namespace strata::dve {
namespace {

// An --invariant as a source of its own, so that messages about it show what the user typed.
struct TypedInvariant {
  explicit TypedInvariant(const std::string& text) : file("--invariant", text), diagnostics(file) {}
  SourceFile file;
  Diagnostics diagnostics;
  ExprPtr expression;
};

// NAME.ltl of NAME.dve, when there is such a file.
Result<std::unique_ptr<SourceFile>> find_ltl_file(const std::string& model) {
  std::filesystem::path path(model);
  path.replace_extension(".ltl");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::unique_ptr<SourceFile>();
  Result<SourceFile> file = SourceFile::load(path.string());
  if (!file.ok()) return file.status();
  return std::make_unique<SourceFile>(std::move(*file));
}

Result<ir::Program> compile_text(const SourceFile& file, const std::string& path,
                                 const LanguageOptions& options) {
  Diagnostics diagnostics(file);
  const Model model = parse_model(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  std::deque<TypedInvariant> invariants;
  std::vector<ExtraInvariant> extra;
  for (const std::string& text : options.invariants) {
    TypedInvariant& invariant = invariants.emplace_back(text);
    invariant.expression = parse_expression(invariant.file, invariant.diagnostics);
    if (invariant.diagnostics.has_errors()) return invariant.diagnostics.status();
    extra.push_back({invariant.expression.get(), text, &invariant.diagnostics});
  }
  const Result<std::unique_ptr<SourceFile>> ltl_source = find_ltl_file(path);
  if (!ltl_source.ok()) return ltl_source.status();
  const CheckOptions check{options.defines, options.wrap, options.property};
  if (*ltl_source == nullptr) return check_model(file, model, {}, check, extra, diagnostics);
  Diagnostics ltl_diagnostics(**ltl_source);
  const LtlFile ltl = parse_ltl_file(**ltl_source, ltl_diagnostics);
  if (ltl_diagnostics.has_errors()) return ltl_diagnostics.status();
  return check_model(file, model, {(*ltl_source)->name(), &ltl, &ltl_diagnostics}, check, extra, diagnostics);
}

}  // namespace

// The parameters of a template are m4's; only what it leaves is a model.
Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  if (!is_template(file.name())) return compile_text(file, file.name(), options);
  const Result<SourceFile> expanded = expand_template(file, options.defines);
  if (!expanded.ok()) return expanded.status();
  LanguageOptions rest = options;
  rest.defines.clear();
  Result<ir::Program> program = compile_text(*expanded, file.name(), rest);
  if (program.ok()) {
    program->path = file.name();
    for (const auto& [name, value] : options.defines) program->constants.emplace_back(name, value);
  }
  return program;
}

}  // namespace strata::dve
