#include "lang/dve/dve.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "lang/common/text_size.h"
#include "lang/dve/lower/dve_check.h"
#include "lang/dve/syntax/dve_parser.h"
#include "lang/dve/syntax/ltl_file.h"
#include "lang/dve/template.h"

namespace strata::dve {
namespace {

Status parse_typed(const LanguageOptions& options, TypedConditions& typed) {
  const auto add = [](lang::TypedExpressions<Expr>& list, const std::string& option, const std::string& text,
                      lang::TypedKind kind) {
    const lang::TypedExpression<Expr>::Parse parse = parse_expression;
    return list.emplace_back(option, text, kind, parse).diagnostics.status();
  };
  for (const std::string& text : options.invariants)
    if (Status status = add(typed.properties, "--invariant", text, lang::TypedKind::invariant); !status.ok())
      return status;
  for (const std::string& text : options.values)
    if (Status status = add(typed.properties, "expression", text, lang::TypedKind::value); !status.ok())
      return status;
  for (size_t i = 0; i < options.propositions.size(); ++i) {
    const std::string& text = options.propositions[i];
    const lang::TypedExpression<Expr>::Parse parse = parse_expression;
    const FormulaPlaces& places = options.places;
    const Status status = places.formula == nullptr
                              ? add(typed.properties, "proposition", text, lang::TypedKind::proposition)
                              : typed.properties.emplace_back(*places.formula, places.offsets[i], text, parse)
                                    .diagnostics.status();
    if (!status.ok()) return status;
  }
  for (const auto& [name, text] : options.definitions)
    if (Status status = add(typed.definitions, "-p " + name, text, lang::TypedKind::invariant); !status.ok())
      return status;
  return {};
}

// NAME.ltl beside NAME.dve, if the file exists.
Result<std::unique_ptr<SourceFile>> find_ltl_file(const std::string& model) {
  std::filesystem::path path(model);
  path.replace_extension(".ltl");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::unique_ptr<SourceFile>();
  Result<SourceFile> file = SourceFile::load(path.string());
  if (!file.ok()) return file.status();
  return std::make_unique<SourceFile>(std::move(*file));
}

// Users of LTSmin keep a bare formula in such a file. The note prevents them from believing that it was checked.
std::string unread_note(const SourceFile& file, const LtlFile& ltl) {
  const bool blank = file.text().find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (blank || !ltl.definitions.empty() || !ltl.formulas.empty()) return "";
  return fmt::format(
      "'{}' was ignored: it has no line '#property FORMULA'. A formula in LTSmin's form can be checked with "
      "--ltl, with its conditions in double quotes and P.s for P == s",
      file.name());
}

Result<ir::Program> compile_text(const SourceFile& file, const std::string& path,
                                 const LanguageOptions& options) {
  Diagnostics diagnostics(file);
  const Model model = parse_model(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  TypedConditions typed;
  if (Status status = parse_typed(options, typed); !status.ok()) return status;
  const Result<std::unique_ptr<SourceFile>> ltl_source = find_ltl_file(path);
  if (!ltl_source.ok()) return ltl_source.status();
  if (*ltl_source != nullptr && options.sources != nullptr) options.sources->push_back(**ltl_source);
  if (*ltl_source == nullptr) return check_model(file, model, {}, options, typed, diagnostics);
  Diagnostics ltl_diagnostics(**ltl_source);
  const LtlFile ltl = parse_ltl_file(**ltl_source, ltl_diagnostics);
  if (ltl_diagnostics.has_errors()) return ltl_diagnostics.status();
  Result<ir::Program> program =
      check_model(file, model, {(*ltl_source)->name(), &ltl, &ltl_diagnostics}, options, typed, diagnostics);
  if (program.ok()) program->note = unread_note(**ltl_source, ltl);
  return program;
}

}  // namespace

// In a template, -D sets the parameters of m4; the expanded text is the model.
Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  const bool expands = options.language.empty() ? is_template(file.name()) : options.language == "mdve";
  if (!expands) return compile_text(file, file.name(), options);
  const Result<SourceFile> expanded = expand_template(file, options.defines, options.sources);
  if (!expanded.ok()) return expanded.status();
  if (Status status = lang::check_text_size(file.name(), expanded->text(), options.memory); !status.ok())
    return status;
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
