#include "native/emit/host_entries.h"

#include <fmt/format.h>

#include <vector>

#include "ir/layout.h"
#include "native/analysis/local_intervals.h"
#include "native/code/callable.h"
#include "native/code/expression_emitter.h"

namespace strata::embedded {
extern const char* const kAbiText;
extern const char* const kFailingText;
extern const char* const kCheckedValuesText;
extern const char* const kStateBitsText;
extern const char* const kWordsOnHostText;
extern const char* const kStateBytesText;
extern const char* const kPackedPlacesText;
extern const char* const kCallContextText;
extern const char* const kHostCallsText;
}  // namespace strata::embedded

namespace strata::native {

constexpr const char* kErrorStepHead =
    "[[gnu::cold, gnu::noinline]] STRATA_LOCAL bool to_error_state(Context& ctx, u32 rule, const Fault& "
    "fault)";

void HostEntries::begin() {
  for (const char* part : {embedded::kAbiText, embedded::kFailingText, embedded::kCheckedValuesText,
                           embedded::kStateBitsText, embedded::kWordsOnHostText, embedded::kStateBytesText,
                           embedded::kPackedPlacesText, embedded::kCallContextText, embedded::kHostCallsText})
    out_.text.append(part);
  line(0, "extern \"C\" const StrataModel strata_model;");
  line(0, "namespace strata_generated {");
}

// ---- Error states

void HostEntries::declare_error_step() {
  if (program_.error_state) line(0, kErrorStepHead + std::string(";"));
}

// The statements of the error state go on where the rule failed.
void HostEntries::emit_error_step() {
  if (!program_.error_state) return;
  Callable callable(program_, types_, out_, program_.error_state->locals);
  line(0, "[[gnu::cold, gnu::noinline]] static void enter_error_state(State& state) {");
  callable.statements.variables(1);
  callable.statements.block(program_.error_state->body, 1);
  line(0, "}");
  line(0, kErrorStepHead + std::string(" {"));
  line(1, fmt::format("return step_to_error<{}>(ctx, rule, fault, enter_error_state, pack_all);",
                      layout_.bytes));
  line(0, "}");
}

uint64_t HostEntries::error_code() const {
  const ir::ScalarType& type = types_.scalar(program_.state[program_.error_state->variable].type);
  return *ir::rank(type, program_.error_state->value) + (type.optional ? 1 : 0);
}

void HostEntries::error_state() {
  const bool has = program_.error_state.has_value();
  line(1, fmt::format("static constexpr bool kHasErrorState = {};", has));
  line(1, fmt::format("static constexpr u32 kErrorStateSite = {};",
                      has ? out_.sites.add(Site::Kind::error_state, "", {}) : 0));
  line(1,
       fmt::format("static bool in_error_state(const State& state) {{ return {}; }}",
                   has ? fmt::format("{} == {}", out_.form.variable(program_, program_.error_state->variable),
                                     error_code())
                       : "false"));
}

// ---- The class Model

void HostEntries::emit(DispatchEmitter& dispatches) {
  uint64_t instances = 0;
  for (const ir::Rule& r : program_.rules) instances += ir::instance_count(program_, r.bindings);
  line(0, "namespace {");
  line(0, "struct Model {");
  line(1, "using Context = strata_generated::Context;");
  line(1, fmt::format("static constexpr u64 kBytes = {}, kInstances = {};", layout_.bytes, instances));
  error_state();
  line(1, "static void load(Context& ctx, const u8* from, bool first) { load_next(ctx, from, first); }");
  premises();
  check_properties();
  rules(dispatches);
  starts();
  if (program_.accepting != nullptr) accepting();
  if (!program_.atoms.empty()) propositions();
  line(0, "};");
  line(0, "}  // namespace");
  line(0, "}  // namespace");
  strata_model();
}

void HostEntries::premises() {
  line(1, fmt::format("static constexpr bool kHasPremises = {};", !out_.premises.empty()));
  line(1, "[[gnu::noinline]] static void look_at_premises(Context& ctx) {");
  for (size_t first = 0, end = 0; first < out_.premises.size(); first = end) {
    const uint32_t property = out_.premises[first].property;
    while (end < out_.premises.size() && out_.premises[end].property == property) ++end;
    line(2, fmt::format("note_premises(ctx, {}, {}, premises{});", first, end, property));
  }
  line(1, "}");
}

void HostEntries::check_properties() {
  line(1, "static bool check_properties(Context& ctx) {");
  line(2, "bool ok = true;");
  for (uint32_t i = 0; i < program_.properties.size(); ++i) {
    const ir::Property& p = program_.properties[i];
    if (!p.condition) continue;
    if (p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion)
      line(2, fmt::format("ok &= check_invariant(ctx, {0}, property{0});", i));
    else if (p.kind == ir::Property::Kind::cover)
      line(2, fmt::format("ok &= note_cover(ctx, {0}, property{0});", i));
  }
  line(2, "return ok;");
  line(1, "}");
}

void HostEntries::rules(DispatchEmitter& dispatches) {
  line(1, "static void try_rules(Context& ctx) {");
  dispatches.emit_calls();
  line(1, "}");
}

void HostEntries::starts() {
  line(1,
       fmt::format("static constexpr u32 kNoStartSite = {};", out_.sites.add(Site::Kind::no_start, "", {})));
  line(1, "static void try_starts(Context& ctx) {");
  for (size_t i = 0; i < program_.starts.size(); ++i) line(2, fmt::format("start{}(ctx);", i));
  line(1, "}");
}

void HostEntries::accepting() {
  const std::vector<ir::Local> none;
  Scope scope(program_, none);
  ExpressionEmitter expressions(program_, types_, scope, out_);
  line(1, "static void unpack(const u8* from, u64* words, State& state) {");
  line(2, "strata_generated::load(from, words);");
  line(2, "strata_generated::unpack(words, state);");
  line(1, "}");
  line(1, fmt::format("static bool accepting(State& state) {{ return {}; }}",
                      expressions.expression(*program_.accepting)));
}

void HostEntries::propositions() {
  line(1, "static void propositions(State& state, u32& property, u64& values) {");
  line(2, "i64 instance = 0;");
  for (size_t i = 0; i < program_.atoms.size(); ++i) {
    line(2, fmt::format("property = {};", program_.atoms[i]));
    line(2, fmt::format("values |= (u64)property{}(state, instance) << {};", program_.atoms[i], i));
  }
  line(1, "}");
}

void HostEntries::strata_model() {
  line(0, "using namespace strata_generated;");
  const bool symmetric = !program_.reduced.empty();
  line(0, fmt::format(
              "extern \"C\" __attribute__((visibility(\"default\"))) const StrataModel strata_model = "
              "{{kStrataAbiVersion, {}, initial_states<Model>, expand_states<Model>, check_states<Model>, "
              "{}, {}, {}}};",
              layout_.bytes, program_.accepting ? "accepting_states<Model>" : "nullptr",
              program_.atoms.empty() ? "nullptr" : "evaluate_propositions<Model>",
              symmetric ? "canonical, successors, permute" : "nullptr, nullptr, nullptr"));
}

}  // namespace strata::native
