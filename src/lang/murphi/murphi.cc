#include "lang/murphi/murphi.h"

#include <algorithm>
#include <deque>

#include "lang/murphi/lower/check.h"
#include "lang/murphi/syntax/parser.h"

namespace strata::murphi {
namespace {

// An expression of the command line as a source of its own, so that messages about it show what the user typed.
struct TypedExpression {
  TypedExpression(const std::string& option, const std::string& text)
      : file(option, text), diagnostics(file), expression(parse_expression(file, diagnostics)) {}
  SourceFile file;
  Diagnostics diagnostics;
  ExprPtr expression;
};

}  // namespace

Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  if (!options.property.empty())
    return Status::usage(
        "--property: a Murphi model has no formulas; --invariant adds a condition to check, --ltl a formula");
  Diagnostics diagnostics(file);
  Model model = parse_model(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  std::deque<TypedExpression> typed;
  std::vector<ExtraInvariant> extra;
  for (const std::string& text : options.invariants) {
    TypedExpression& invariant = typed.emplace_back("--invariant", text);
    if (invariant.diagnostics.has_errors()) return invariant.diagnostics.status();
    extra.push_back({invariant.expression.get(), text, &invariant.diagnostics});
  }
  for (const std::string& name : options.propositions) {
    const auto definition = std::find_if(options.definitions.begin(), options.definitions.end(),
                                         [&](const auto& own) { return own.first == name; });
    const bool defined = definition != options.definitions.end();
    TypedExpression& atom = defined ? typed.emplace_back("-p " + name, definition->second)
                                    : typed.emplace_back("proposition", name);
    if (defined && atom.diagnostics.has_errors()) return atom.diagnostics.status();
    extra.push_back({atom.expression.get(), defined ? definition->second : name, &atom.diagnostics, true});
  }
  return check_model(file, model, {options.defines}, extra, diagnostics);
}

}  // namespace strata::murphi
