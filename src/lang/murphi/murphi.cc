#include "lang/murphi/murphi.h"

#include <deque>

#include "lang/murphi/lower/check.h"
#include "lang/murphi/syntax/parser.h"

namespace strata::murphi {
namespace {

// An --invariant as a source of its own, so that messages about it show what the user typed.
struct TypedInvariant {
  explicit TypedInvariant(const std::string& text) : file("--invariant", text), diagnostics(file) {}
  SourceFile file;
  Diagnostics diagnostics;
  ExprPtr expression;
};

}  // namespace

Result<ir::Program> compile(const SourceFile& file, const LanguageOptions& options) {
  if (!options.property.empty())
    return Status::usage("--property: a Murphi model has no formulas; --invariant adds a condition to check");
  Diagnostics diagnostics(file);
  Model model = parse_model(file, diagnostics);
  if (diagnostics.has_errors()) return diagnostics.status();
  std::deque<TypedInvariant> invariants;
  std::vector<ExtraInvariant> extra;
  for (const std::string& text : options.invariants) {
    TypedInvariant& invariant = invariants.emplace_back(text);
    invariant.expression = parse_expression(invariant.file, invariant.diagnostics);
    if (invariant.diagnostics.has_errors()) return invariant.diagnostics.status();
    extra.push_back({invariant.expression.get(), text, &invariant.diagnostics});
  }
  return check_model(file, model, {options.defines}, extra, diagnostics);
}

}  // namespace strata::murphi
