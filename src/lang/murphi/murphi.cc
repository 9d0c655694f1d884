#include "lang/murphi/murphi.h"

#include <algorithm>

#include "lang/murphi/lower/murphi_check.h"
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

}  // namespace

Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  if (!options.property.empty())
    return Status::usage(
        "--property: a Murphi model has no formulas; --invariant adds a condition to check, --ltl a formula");
  Diagnostics diagnostics(file);
  Model model = parse_model(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  lang::TypedExpressions<Expr> typed;
  if (Status status = parse_typed(options, typed); !status.ok()) return status;
  return check_model(file, model, options, typed, diagnostics);
}

}  // namespace strata::murphi
