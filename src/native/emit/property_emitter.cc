#include "native/emit/property_emitter.h"

#include <fmt/format.h>

#include "native/analysis/premises.h"
#include "native/analysis/uses.h"
#include "native/code/callable.h"
#include "native/emit/instance_loops.h"

namespace strata::native {

void PropertyEmitter::declare() {
  if (has_assumptions(program_)) out_.text.line(0, "STRATA_LOCAL bool assumptions(State& w);");
}

void PropertyEmitter::emit() {
  for (uint32_t i = 0; i < program_.properties.size(); ++i) property(i);
  if (has_assumptions(program_)) assumptions();
}

void PropertyEmitter::property(uint32_t id) {
  const ir::Property& p = program_.properties[id];
  if (!p.condition) return;
  Callable callable(program_, types_, out_, p.locals);
  InstanceLoops loops(program_, p.bindings, callable, out_.text);
  const size_t first_site = out_.sites.size();
  const bool cover = p.kind == ir::Property::Kind::cover;
  out_.text.line(
      0, fmt::format("[[gnu::noinline]] static bool prop{}(State& w, i64& instance, u8* premises) {{  // {}",
                     id, as_comment(p.name)));
  out_.text.line(1, "(void)w; (void)instance; (void)premises;");
  callable.statements.variables(1);
  if (p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion)
    mark_premises(id, callable);
  loops.open({}, false);
  const InstanceNumbers numbers(program_, types_, p.bindings, 0);
  out_.text.line(2, fmt::format("if ({}{}) {{ instance = {}; return {}; }}", cover ? "" : "!",
                                callable.expressions.expression(*p.condition), numbers.number(),
                                cover ? "true" : "false"));
  loops.close();
  out_.text.line(1, fmt::format("return {};", cover ? "false" : "true"));
  out_.text.line(0, "}");
  if (p.position.line == 0) out_.sites.forget_positions(first_site);
}

// Where the implications of an invariant find their premises true, they say so.
void PropertyEmitter::mark_premises(uint32_t id, Callable& callable) {
  for (const Premise& premise : find_premises(program_.properties[id])) {
    callable.expressions.mark(*premise.implication, fmt::format("premises[{}] = 1", out_.premises.size()));
    out_.premises.push_back({id, premise.position});
  }
}

void PropertyEmitter::assumptions() {
  out_.text.line(0, "STRATA_LOCAL bool assumptions(State& w) {");
  out_.text.line(1, "i64 instance = 0;");
  for (uint32_t i = 0; i < program_.properties.size(); ++i)
    if (program_.properties[i].kind == ir::Property::Kind::assumption)
      out_.text.line(1, fmt::format("if (!prop{}(w, instance, nullptr)) return false;", i));
  out_.text.line(1, "return true;");
  out_.text.line(0, "}");
}

}  // namespace strata::native
