#include "tool/command/ltl_command.h"

#include "base/source.h"
#include "ltl/format/write.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/translate/stutter.h"
#include "ltl/translate/translate.h"
#include "tool/system/console.h"

namespace strata {

Result<std::string> ltl_text(const std::string& text, AutomatonFormat format) {
  const SourceFile file("formula", text);
  ltl::FormulaPool pool;
  const Result<ltl::Property> property = ltl::parse_property(file, pool);
  if (!property.ok()) return property.status();
  ltl::Formula formula = property->formula;
  if (property->kind == ltl::Property::Kind::exists_eventually ||
      property->kind == ltl::Property::Kind::always_reachable) {
    Diagnostics diagnostics(file);
    diagnostics.error(file.position(0), "EF is about one path, not about all: it has no automaton");
    return diagnostics.status();
  }
  if (property->kind == ltl::Property::Kind::all_always) formula = pool.always(formula);
  const Result<ltl::Automaton> automaton = ltl::translate(pool, formula);
  if (!automaton.ok()) return automaton.status();
  if (format == AutomatonFormat::never) return ltl::write_never(*automaton, text);
  if (format == AutomatonFormat::dot) return ltl::write_dot(*automaton, text);
  const bool invariant = ltl::stutter_invariance(pool, formula) == ltl::Stutter::invariant;
  return ltl::write_hoa(*automaton, text, invariant ? "stutter-invariant" : "");
}

int ltl_command(const Options& options) {
  const Result<std::string> text = ltl_text(options.formula, options.format);
  if (!text.ok()) return fail(text.status());
  const Console console(options);
  console.print(*text);
  const Status status = console.flush();
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
