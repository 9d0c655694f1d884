#include "native/emit/device_entries.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "ir/layout.h"
#include "native/code/callable.h"

namespace strata::embedded {
extern const char* const kDeviceFailingText;
extern const char* const kCheckedValuesText;
extern const char* const kStateBitsText;
extern const char* const kWordsOnDeviceText;
extern const char* const kPackedPlacesText;
extern const char* const kDeviceContextText;
}  // namespace strata::embedded

namespace strata::native {

void DeviceEntries::begin(bool is_small) {
  line(0, "#if defined(__CUDACC__)");
  line(0, "#pragma nv_diag_suppress 177  // functions that no rule calls");
  line(0, fmt::format("#define STRATA_INLINE {}static", is_small ? "__forceinline__ " : ""));
  line(0, fmt::format("#define STRATA_APART {} static", is_small ? "__forceinline__" : "__noinline__"));
  line(0, "#else");
  line(0, "#define STRATA_INLINE static inline");
  line(0, "#define STRATA_APART static");
  line(0, "#endif");
  line(0, "#define STRATA_LOCAL STRATA_APART");
  out_.text.append(embedded::kDeviceFailingText);
  out_.text.append(embedded::kCheckedValuesText);
  out_.text.append(embedded::kStateBitsText);
  out_.text.append(embedded::kWordsOnDeviceText);
  out_.text.append(embedded::kPackedPlacesText);
  out_.text.append(embedded::kDeviceContextText);
  line(0, "namespace strata_generated {");
}

void DeviceEntries::context(uint32_t repeated) {
  line(0,
       fmt::format("struct Context : FiringContext<State, {}, {}> {{}};", repeated, !out_.form.is_packed()));
}

// The state in which the rule failed is made the error state: a copy, because other rules follow.
void DeviceEntries::error_step() {
  if (!program_.error_state) return;
  Callable callable(program_, types_, out_, program_.error_state->locals);
  line(0, "STRATA_INLINE void enter_error_state(State& state) {");
  callable.statements.variables(1);
  callable.statements.block(program_.error_state->body, 1);
  line(0, "}");
  line(0, "STRATA_INLINE void step_to_error(Context& ctx) {");
  line(1, "State state = ctx.state;");
  line(1, "enter_error_state(state);");
  line(1, "u64 words[kStateWords], difference = 0;");
  line(1, "pack_all(state, words);");
  line(1, "for (u32 i = 0; i < kStateWords; ++i) difference |= words[i] ^ ctx.packed[i];");
  line(1, "if (difference != 0) ctx.push(words);");
  line(1, fmt::format("ctx.note({});", notes() - 1));
  line(0, "}");
}

uint32_t DeviceEntries::notes() const {
  return static_cast<uint32_t>(program_.properties.size() + out_.premises.size() + 1);
}

std::string DeviceEntries::in_error_state() const {
  if (!program_.error_state) return "false";
  const uint32_t variable = program_.error_state->variable;
  const ir::ScalarType& type = types_.scalar(program_.state[variable].type);
  return fmt::format("(ctx.{} == {})", out_.form.variable(program_, variable),
                     *ir::rank(type, program_.error_state->value) + (type.optional ? 1 : 0));
}

void DeviceEntries::emit(bool fail_error_states, bool reduces) {
  load();
  check(fail_error_states);
  fire();
  line(0, "}  // namespace");
  for (const char* name : {"Context", "load", "check", "fire"})
    line(0, fmt::format("using strata_generated::{};", name));
  if (reduces)
    for (const char* name : {"representative", "slow_representative", "quick_representative"})
      line(0, fmt::format("using strata_generated::{};", name));
}

// An error state without successors is not called a deadlock: it begins as if a rule had fired.
void DeviceEntries::load() {
  line(0, "STRATA_INLINE void load(Context& ctx, const u64* from) {");
  line(1, "ctx.keep(from);");
  line(1, "unpack(ctx.packed, ctx.state);");
  line(1, "ctx.state.fault.what = 0;");
  line(1, "for (u32& covered : ctx.state.covered) covered = 0;");
  line(1, "for (u32& seen : ctx.seen) seen = 0;");
  line(1, fmt::format("ctx.no_steps = {} ? 1 : 0;", in_error_state()));
  line(1, "ctx.steps = ctx.moves = ctx.no_steps;");
  line(1, "ctx.rank_is_on = true;");
  line(0, "}");
}

void DeviceEntries::check_property(uint32_t id) {
  const ir::Property& p = program_.properties[id];
  if (!p.condition) return;
  if (p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion)
    line(1, fmt::format("ok &= property{}(state);", id));
  else if (p.kind == ir::Property::Kind::cover)
    line(1, fmt::format("if (property{0}(state) && state.fault.what == 0) ctx.note({0});", id));
  else
    return;
  line(1, "if (state.fault.what != 0) { ok = false; state.fault.what = 0; }");
}

void DeviceEntries::check(bool fail_error_states) {
  line(0, "STRATA_INLINE bool check(Context& ctx) {");
  line(1, "[[maybe_unused]] State& state = ctx.state;");
  line(1, "bool ok = true;");
  if (program_.error_state) line(1, fmt::format("if ({}) return {};", in_error_state(), !fail_error_states));
  premises();
  for (uint32_t i = 0; i < program_.properties.size(); ++i) check_property(i);
  covers();
  line(1, "return ok;");
  line(0, "}");
}

// Premises that were not yet seen to hold: the whole invariant is evaluated for them.
void DeviceEntries::premises() {
  const auto properties = static_cast<uint32_t>(program_.properties.size());
  for (uint32_t first = 0, end = 0; first < out_.premises.size(); first = end) {
    const uint32_t property = out_.premises[first].property;
    while (end < out_.premises.size() && out_.premises[end].property == property) ++end;
    line(1, fmt::format("if (!ctx.are_noted({}, {})) {{", properties + first, properties + end));
    line(2, fmt::format("u8 held[{}] = {{}};", out_.premises.size()));
    line(2, fmt::format("premises{}(state, held);", property));
    line(2, "state.fault.what = 0;");
    for (uint32_t i = first; i < end; ++i)
      line(2, fmt::format("if (held[{}]) ctx.note({});", i, properties + i));
    line(1, "}");
  }
}

// Notes covers that statements met.
void DeviceEntries::covers() {
  std::set<size_t> words;
  for (uint32_t i = 0; i < program_.properties.size(); ++i) {
    const ir::Property& p = program_.properties[i];
    if (p.kind != ir::Property::Kind::cover || p.condition) continue;
    words.insert(i / 32);
    line(1, fmt::format("if (ctx.state.covered[{}] >> {} & 1) ctx.note({});", i / 32, i % 32, i));
  }
  for (const size_t word : words) line(1, fmt::format("ctx.state.covered[{}] = 0;", word));
}

void DeviceEntries::fire() {
  line(0, "STRATA_INLINE void fire(Context& ctx, const u32 group) {");
  line(1, "fire_group(ctx, group);");
  covers();
  line(0, "}");
}

}  // namespace strata::native
