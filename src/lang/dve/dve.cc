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

// An expression of the command line as a source of its own, so that messages about it show what the user typed.
struct TypedExpression {
  TypedExpression(const std::string& option, const std::string& text)
      : file(option, text), diagnostics(file), named{{}, parse_expression(file, diagnostics)} {}
  SourceFile file;
  Diagnostics diagnostics;
  NamedExpression named;
};

// What the command line adds to a model.
struct Typed {
  std::deque<TypedExpression> expressions;
  std::vector<ExtraInvariant> extra;
  std::vector<Definition> definitions;

  Status parse(const LanguageOptions& options) {
    for (const std::string& text : options.invariants)
      if (Status status = add("--invariant", text, false); !status.ok()) return status;
    for (const std::string& text : options.propositions)
      if (Status status = add("proposition", text, true); !status.ok()) return status;
    for (const auto& [name, text] : options.definitions) {
      TypedExpression& typed = expressions.emplace_back("-p " + name, text);
      if (typed.diagnostics.has_errors()) return typed.diagnostics.status();
      typed.named.name.text = name;
      definitions.push_back({&typed.named, &typed.diagnostics});
    }
    return {};
  }

 private:
  Status add(const char* option, const std::string& text, bool proposition) {
    TypedExpression& typed = expressions.emplace_back(option, text);
    extra.push_back({typed.named.value.get(), text, &typed.diagnostics, proposition});
    return typed.diagnostics.status();
  }
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
  Typed typed;
  if (Status status = typed.parse(options); !status.ok()) return status;
  const Result<std::unique_ptr<SourceFile>> ltl_source = find_ltl_file(path);
  if (!ltl_source.ok()) return ltl_source.status();
  const CheckOptions check{options.defines, options.wrap, options.property, typed.definitions};
  if (*ltl_source == nullptr) return check_model(file, model, {}, check, typed.extra, diagnostics);
  Diagnostics ltl_diagnostics(**ltl_source);
  const LtlFile ltl = parse_ltl_file(**ltl_source, ltl_diagnostics);
  if (ltl_diagnostics.has_errors()) return ltl_diagnostics.status();
  return check_model(file, model, {(*ltl_source)->name(), &ltl, &ltl_diagnostics}, check, typed.extra,
                     diagnostics);
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
