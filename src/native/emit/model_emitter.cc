#include "native/emit/model_emitter.h"

#include <fmt/format.h>

#include <vector>

#include "ir/layout.h"
#include "native/analysis/local_intervals.h"
#include "native/code/callable.h"
#include "native/code/expression_emitter.h"

namespace strata::embedded {
extern const char* const kAbiText;
extern const char* const kModelRuntimeText;
}  // namespace strata::embedded

namespace strata::native {

constexpr const char* kFailedHead =
    "[[gnu::cold, gnu::noinline]] STRATA_LOCAL void failed(Context& x, u32 rule, const StrataFail& f, bool "
    "firing)";
constexpr const char* kErredHead =
    "[[gnu::cold, gnu::noinline]] STRATA_LOCAL bool erred(Context& x, u32 rule, const StrataFail& f)";

void ModelEmitter::begin() {
  out_.text.append(embedded::kAbiText);
  out_.text.append(embedded::kModelRuntimeText);
  line(0, "extern \"C\" const StrataModel strata_model;");
  // What one part of the text has and another one uses is local to the model.
  line(0, "#ifdef STRATA_PART");
  line(0, "#define STRATA_LOCAL");
  line(0, "#define STRATA_IN(part) (STRATA_PART == part)");
  line(0, "#else");
  line(0, "#define STRATA_LOCAL static");
  line(0, "#define STRATA_IN(part) 1");
  line(0, "#endif");
  line(0, "namespace strata_generated {");
  line(0, "#if STRATA_IN(0)");
  line(0, "STRATA_LOCAL __thread StrataCall* current_call;");
  line(0, "#else");
  line(0, "extern __thread StrataCall* current_call;");
  line(0, "#endif");
}

void ModelEmitter::declare_handlers() {
  line(0, kFailedHead + std::string(";"));
  if (program_.error_state) line(0, kErredHead + std::string(";"));
}

void ModelEmitter::end() {
  line(0, "}  // namespace");
  line(0, "using namespace strata_generated;");
  line(0,
       fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) const StrataModel strata_model = "
                   "{{kStrataAbiVersion, {}, initial, expand, check, {}, {}, {}}};",
                   layout_.bytes, program_.accepting == nullptr ? "nullptr" : "accepting",
                   program_.atoms.empty() ? "nullptr" : "propositions",
                   program_.reduced.empty() ? "nullptr, nullptr, nullptr, nullptr"
                                            : "canonical, representative, successors, permute"));
}

// ---- Failures

void ModelEmitter::failure_handlers() {
  failed();
  if (program_.error_state) erred();
}

void ModelEmitter::failed() {
  line(0, "[[gnu::cold, gnu::noinline]] static void report(Context& x, const StrataFailure& failure) {");
  line(1, "x.failed = true;");
  line(1, "x.call->fail(x.call->host, &failure);");
  line(0, "}");
  line(0, kFailedHead + std::string(" {"));
  line(1, "const u32 kind = firing ? kStrataFailureRuntime : kStrataFailureGuard;");
  line(1, "x.w = x.saved; x.firing = false;");
  line(1, "if (f.site != kStrataDiscard) report(x, {x.state, rule, kind, f.site, kStrataNone, f.value});");
  line(0, "}");
  line(0,
       "[[gnu::cold, gnu::noinline, maybe_unused]] static void not_evaluated(Context& x, u32 property, const "
       "StrataFail& f) {");
  line(1, "x.w = x.saved;");
  line(1, "if (f.site != kStrataDiscard)");
  line(2, "report(x, {x.state, kStrataNone, kStrataFailureRuntime, f.site, property, f.value});");
  line(0, "}");
}

// The rule leads to an error state, whose statements go on where the rule failed. False: it does not fire.
void ModelEmitter::erred() {
  Callable callable(program_, types_, out_, program_.error_state->locals);
  line(0, "[[gnu::cold, gnu::noinline]] static void error_state(State& w) {");
  line(1, "(void)w;");
  callable.statements.variables(1);
  callable.statements.block(program_.error_state->body, 1);
  line(0, "}");
  line(0, kErredHead + std::string(" {"));
  line(1, "if (f.site == kStrataDiscard) { x.w = x.saved; return false; }");
  line(1, "const StrataFailure failure = {x.state, rule, kStrataErrorState, f.site, kStrataNone, f.value};");
  line(1, "x.call->fail(x.call->host, &failure);");
  line(1, "error_state(x.w);");
  line(1, fmt::format("u64 p[{}];", layout_.words + 1));
  line(1, "pack_all(x.w, p);");
  line(1, "x.w = x.saved;");
  line(1, fmt::format("const bool same = !differ(p, x.in, {});", layout_.words * 8));
  line(1, "x.steps += same ? kOneStep : kOneStep + kOneMove;");
  line(1, "if (same && !x.loops) return true;");
  line(1, fmt::format("__builtin_memcpy(x.out, p, {});", layout_.bytes));
  line(1, "x.rules[x.count] = rule; x.parents[x.count] = x.state;");
  line(1, fmt::format("x.out += {}; x.count++;", layout_.bytes));
  line(1, "return true;");
  line(0, "}");
}

uint64_t ModelEmitter::error_code() const {
  const ir::ScalarType& type = types_.scalar(program_.state[program_.error_state->variable].type);
  return *ir::rank(type, program_.error_state->value) + (type.optional ? 1 : 0);
}

// The test for the error state.
std::string ModelEmitter::in_error() const {
  return fmt::format("x.w.v{} == {}", program_.error_state->variable, error_code());
}

// ---- Entry points

void ModelEmitter::entry_points(DispatchEmitter& dispatches) {
  look_at_premises();
  check_state();
  check();
  expand(dispatches);
  initial();
  if (program_.accepting != nullptr) accepting();
  if (!program_.atoms.empty()) propositions();
}

// State i of the call, packed and unpacked.
void ModelEmitter::load_state() {
  line(2, fmt::format("load_next(x, c->states + i * {}, i == 0);", layout_.bytes));
}

// look_at_premises: notes which of those that were not seen to hold do so now.
void ModelEmitter::look_at_premises() {
  line(0, "[[gnu::noinline, maybe_unused]] static void look_at_premises(Context& x) {");
  line(1, "u8* const held = x.call->premises; (void)held;");
  line(1, "x.open = false;");
  for (size_t first = 0, end = 0; first < out_.premises.size(); first = end) {
    const uint32_t property = out_.premises[first].property;
    std::string all;
    for (; end < out_.premises.size() && out_.premises[end].property == property; ++end)
      all += fmt::format("{}held[{}]", all.empty() ? "" : " & ", end);
    line(1, fmt::format("if (!({})) {{", all));
    line(2, fmt::format("try {{ hold{}(x.w, held); }} catch (const StrataFail&) {{ x.w = x.saved; }}",
                        property));
    line(2, fmt::format("x.open |= !({});", all));
    line(1, "}");
  }
  line(0, "}");
}

// check_state: the invariants and covers of the unpacked state; false when one fails.
void ModelEmitter::check_state() {
  line(0, "static bool check_state(Context& x) {");
  line(1, "bool ok = true;");
  line(1, "i64 at = 0; (void)at;");
  if (program_.error_state) {
    line(1, fmt::format("if ({}) {{", in_error()));
    line(2, "if (!x.call->fail_error_states) return true;");
    line(2, fmt::format("report(x, {{x.state, kStrataNone, kStrataFailureRuntime, {}, kStrataNone, 0}});",
                        out_.sites.add(Site::Kind::error_state, "", {})));
    line(2, "return false;");
    line(1, "}");
  }
  if (!out_.premises.empty()) line(1, "if (__builtin_expect(x.open, 0)) look_at_premises(x);");
  for (uint32_t i = 0; i < program_.properties.size(); ++i) {
    const ir::Property& p = program_.properties[i];
    if (!p.condition) continue;
    if (p.kind == ir::Property::Kind::invariant || p.kind == ir::Property::Kind::assertion) {
      line(1, fmt::format("try {{ if (!prop{0}(x.w, at)) {{ ok = false; report(x, "
                          "{{x.state, kStrataNone, "
                          "kStrataFailureProperty, {0}, kStrataNone, at}}); }} }}",
                          i));
    } else if (p.kind == ir::Property::Kind::cover) {
      line(1, fmt::format("try {{ if (prop{0}(x.w, at)) x.call->covered[{0}] = 1; }}", i));
    } else {
      continue;
    }
    line(1, fmt::format("catch (const StrataFail& f) {{ ok = false; not_evaluated(x, {}, f); }}", i));
  }
  line(1, "return ok;");
  line(0, "}");
}

void ModelEmitter::check() {
  line(0, "static void check(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1, "x.call = c; x.open = true;");
  line(1, "for (u64 i = 0; i < c->n; ++i) {");
  load_state();
  line(2, "x.state = (u32)i; x.firing = false;");
  line(2, "check_state(x);");
  line(1, "}");
  line(1, "c->consumed = c->n;");
  line(0, "}");
}

void ModelEmitter::expand(DispatchEmitter& dispatches) {
  uint64_t instances = 0;
  for (const ir::Rule& r : program_.rules) instances += ir::instance_count(program_, r.bindings);
  line(0, "static void expand(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1, "x.call = c; x.out = c->out_states; x.rules = c->out_rules; x.parents = c->out_parents;");
  line(1, "x.counts = c->counts; x.counted = c->counted; x.count = 0;");
  line(1, "x.loops = c->emit_self_loops; x.open = true;");
  line(1, "u64 i = 0, transitions = 0;");
  line(1, fmt::format("for (; i < c->n && x.count + {} <= c->capacity; ++i) {{", instances));
  load_state();
  line(2, "x.state = (u32)i; x.counted++; x.steps = 0; x.failed = x.firing = false;");
  line(2, "if (c->check_properties && !check_state(x)) continue;");
  dispatches.emit_calls();
  line(2, "const bool stuck = c->deadlock == kStrataDeadlockStuck ? steps_of(x) == 0");
  line(2, "                 : c->deadlock == kStrataDeadlockStuttering && x.steps < kOneMove;");
  line(2, "transitions += steps_of(x);");
  // That nothing follows an error is not called a deadlock.
  const std::string error = program_.error_state ? fmt::format(" && !({})", in_error()) : "";
  line(2, fmt::format("if (stuck && !x.failed{}) report(x, {{(u32)i, kStrataNone, kStrataFailureDeadlock, 0, "
                      "kStrataNone, 0}});",
                      error));
  line(1, "}");
  line(1, "c->consumed = i; c->count = x.count; c->transitions = transitions; c->counted = x.counted;");
  line(0, "}");
}

void ModelEmitter::initial() {
  line(0, "static void initial(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1,
       "x.call = c; x.out = c->out_states; x.count = 0; x.steps = 0; x.state = 0; x.failed = x.firing = "
       "false;");
  for (size_t i = 0; i < program_.starts.size(); ++i) line(1, fmt::format("start{}(x);", i));
  line(1, fmt::format("if (x.steps == 0 && !x.failed) report(x, {{0, kStrataNone, kStrataFailureRuntime, {}, "
                      "kStrataNone, 0}});",
                      out_.sites.add(Site::Kind::no_start, "", {})));
  line(1, "c->count = x.count; c->transitions = x.steps;");
  line(0, "}");
}

void ModelEmitter::accepting() {
  const std::vector<ir::Local> none;
  Scope scope(program_, none);
  ExpressionEmitter expressions(program_, types_, scope, out_.sites, out_.names);
  line(0, "static void accepting(const u8* states, u64 n, u8* out) {");
  line(1, "for (u64 i = 0; i < n; ++i) {");
  line(2, fmt::format("u64 p[{}];", layout_.words + 1));
  line(2, "State w;");
  line(2, fmt::format("load(states + i * {}, p);", layout_.bytes));
  line(2, "unpack(p, w);");
  line(2, fmt::format("out[i] = {} ? 1 : 0;", expressions.expression(*program_.accepting)));
  line(1, "}");
  line(0, "}");
}

void ModelEmitter::propositions() {
  line(0, "static void propositions(StrataCall* c, u64* values) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1, "x.call = c;");
  line(1, "for (u64 i = 0; i < c->n; ++i) {");
  load_state();
  line(2, "x.state = (u32)i; x.firing = false;");
  line(2, "u64 v = 0;");
  line(2, "u32 atom = 0;");
  line(2, "i64 at = 0;");
  line(2, "try {");
  for (size_t i = 0; i < program_.atoms.size(); ++i)
    line(3, fmt::format("atom = {0}; v |= (u64)prop{0}(x.w, at) << {1};", program_.atoms[i], i));
  line(2, "} catch (const StrataFail& f) { not_evaluated(x, atom, f); }");
  line(2, "values[i] = v;");
  line(1, "}");
  line(0, "}");
}

}  // namespace strata::native
