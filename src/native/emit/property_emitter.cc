#include "native/emit/property_emitter.h"

#include <fmt/format.h>

#include "native/analysis/premises.h"
#include "native/analysis/uses.h"
#include "native/code/callable.h"
#include "native/rules/instance_loops.h"

namespace strata::native {

// Devices evaluate neither propositions nor conditions of liveness.
static bool is_checked(const ir::Property& p) {
  return p.kind != ir::Property::Kind::liveness && p.kind != ir::Property::Kind::proposition;
}

void PropertyEmitter::declare() {
  if (has_assumptions(program_)) out_.text.line(0, assumptions_head() + ";");
}

void PropertyEmitter::emit() {
  for (uint32_t i = 0; i < program_.properties.size(); ++i) property(i);
  for (uint32_t i = 0; i < program_.properties.size(); ++i) premises(i);
  if (has_assumptions(program_)) assumptions();
}

void PropertyEmitter::property(uint32_t id) {
  const ir::Property& p = program_.properties[id];
  if (!p.condition || (out_.target.is_device() && !is_checked(p))) return;
  Callable callable(program_, types_, out_, p.locals);
  InstanceLoops loops(program_, p.bindings, callable, out_.text);
  const size_t first_site = out_.sites.size();
  const bool cover = p.kind == ir::Property::Kind::cover;
  const bool is_device = out_.target.is_device();
  out_.text.line(0, fmt::format("{}bool property{}(State& state{}) {{  // {}", out_.target.apart(), id,
                                is_device ? "" : ", i64& instance", as_comment(p.name)));
  callable.statements.variables(1);
  loops.open({}, false);
  const InstanceNumbers numbers(program_, types_, p.bindings, 0);
  const std::string decides = (cover ? "" : "!") + callable.expressions.expression(*p.condition);
  const char* const result = cover ? "true" : "false";
  if (is_device)
    out_.text.line(2, fmt::format("if ({}) return {};", decides, result));
  else
    out_.text.line(2,
                   fmt::format("if ({}) {{ instance = {}; return {}; }}", decides, numbers.number(), result));
  loops.close();
  out_.text.line(1, fmt::format("return {};", cover ? "false" : "true"));
  out_.text.line(0, "}");
  if (p.position.line == 0) out_.sites.forget_positions(first_site);
}

// premises<N>: notes the premises of an invariant that hold. It evaluates the whole invariant, so it is called
// only as long as one of them has not been seen to hold: that leaves the invariant itself as quick as it is.
void PropertyEmitter::premises(uint32_t id) {
  const ir::Property& p = program_.properties[id];
  const bool checked = p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion;
  const std::vector<Premise> found = checked ? find_premises(p) : std::vector<Premise>();
  if (found.empty()) return;
  Callable callable(program_, types_, out_, p.locals);
  for (const Premise& premise : found) {
    callable.expressions.mark(*premise.implication, fmt::format("held[{}] = 1", out_.premises.size()));
    out_.premises.push_back({id, premise.position});
  }
  InstanceLoops loops(program_, p.bindings, callable, out_.text);
  out_.text.line(0, fmt::format("{}void premises{}(State& state, u8* held) {{", out_.target.apart(), id));
  callable.statements.variables(1);
  loops.open({}, false);
  out_.text.line(2, fmt::format("(void)({});", callable.expressions.expression(*p.condition)));
  loops.close();
  out_.text.line(0, "}");
}

std::string PropertyEmitter::assumptions_head() const {
  return fmt::format("{}bool assumptions(State& state)",
                     out_.target.is_device() ? out_.target.inlined() : "STRATA_LOCAL ");
}

void PropertyEmitter::assumptions() {
  const bool is_device = out_.target.is_device();
  out_.text.line(0, assumptions_head() + " {");
  if (!is_device) out_.text.line(1, "i64 instance = 0;");
  for (uint32_t i = 0; i < program_.properties.size(); ++i)
    if (program_.properties[i].kind == ir::Property::Kind::assumption)
      out_.text.line(
          1, fmt::format("if (!property{}(state{})) return false;", i, is_device ? "" : ", instance"));
  out_.text.line(1, "return true;");
  out_.text.line(0, "}");
}

}  // namespace strata::native
