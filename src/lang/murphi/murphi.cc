#include "lang/murphi/murphi.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "lang/murphi/lower/murphi_check.h"
#include "lang/murphi/syntax/actor_lines.h"
#include "lang/murphi/syntax/ltl_lines.h"
#include "lang/murphi/syntax/murphi_parser.h"

namespace strata::murphi {
namespace {

// A proposition that does not parse may still be the name of an invariant.
Status parse_typed(const LanguageOptions& options, lang::TypedExpressions<Expr>& typed) {
  for (const std::string& text : options.invariants) {
    typed.emplace_back("--invariant", text, lang::TypedKind::invariant, parse_expression);
    if (typed.back().diagnostics.has_errors()) return typed.back().diagnostics.status();
  }
  for (const std::string& text : options.values) {
    typed.emplace_back("expression", text, lang::TypedKind::value, parse_expression);
    if (typed.back().diagnostics.has_errors()) return typed.back().diagnostics.status();
  }
  for (size_t i = 0; i < options.propositions.size(); ++i) {
    const std::string& name = options.propositions[i];
    const auto definition = std::find_if(options.definitions.begin(), options.definitions.end(),
                                         [&](const auto& own) { return own.first == name; });
    if (definition == options.definitions.end()) {
      if (options.places.formula == nullptr)
        typed.emplace_back("proposition", name, lang::TypedKind::proposition, parse_expression);
      else
        typed.emplace_back(*options.places.formula, options.places.offsets[i], name, parse_expression);
      continue;
    }
    typed.emplace_back("-p " + name, definition->second, lang::TypedKind::proposition, parse_expression);
    if (typed.back().diagnostics.has_errors()) return typed.back().diagnostics.status();
  }
  return {};
}

// Selects the formula of --property.
Status choose_formula(const std::string& wanted, ir::Program& program) {
  if (wanted.empty() || wanted == kNoPropertyName) return {};
  std::string known;
  for (uint32_t i = 0; i < program.formulas.size(); ++i) {
    if (program.formulas[i].name == wanted) {
      program.formula = i;
      return {};
    }
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", program.formulas[i].name);
  }
  return Status::usage(fmt::format("--property: {} has no formula \"{}\"; {}", program.path, wanted,
                                   known.empty()
                                       ? "it has none: a line --@ ltl \"NAME\" FORMULA; states one, --ltl "
                                         "checks a formula of the command line"
                                       : "it has " + known));
}

}  // namespace

Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  Diagnostics diagnostics(file);
  Model model = parse_model(file, diagnostics);
  std::vector<ir::Formula> formulas = read_ltl_lines(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  lang::TypedExpressions<Expr> typed;
  if (Status status = parse_typed(options, typed); !status.ok()) return status;
  Result<ir::Program> program = check_model(file, model, options, typed, diagnostics);
  if (!program.ok()) return program;
  program->formulas = std::move(formulas);
  const std::string warnings = read_actor_lines(file, model, program->rules);
  if (!warnings.empty()) program->note += (program->note.empty() ? "" : "\n") + warnings;
  if (Status status = choose_formula(options.property, *program); !status.ok()) return status;
  return program;
}

}  // namespace strata::murphi
