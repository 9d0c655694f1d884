// The frame of a generated model: the entry points of the ABI.
#include "native/emitter.h"

namespace strata::embedded {
extern const char* const kAbiText;
extern const char* const kModelRuntimeText;
}  // namespace strata::embedded

namespace strata::native {

static uint64_t total(const ir::Program& program, const std::vector<ir::Rule>& rules) {
  uint64_t count = 0;
  for (const ir::Rule& r : rules) count += ir::instance_count(program, r.bindings);
  return count;
}

void Emitter::emit_check_state() {
  line(0, "[[gnu::cold, gnu::noinline]] static void failed(Context& x, u32 rule, u32 site) {");
  line(1, "x.w = x.saved;");
  line(1, "if (site == kStrataDiscard) return;");
  line(1, "x.failed = true;");
  line(1, "x.call->fail(x.call->host, x.state, rule, kStrataFailureRuntime, site);");
  line(0, "}");
}

// check_state: the invariants and covers of the unpacked state; false when one fails.
void Emitter::emit_check() {
  line(0, "static bool check_state(Context& x) {");
  line(1, "bool ok = true;");
  for (uint32_t i = 0; i < program_.properties.size(); ++i) {
    const ir::Property& p = program_.properties[i];
    if (!p.condition) continue;
    if (p.kind == ir::Property::Kind::invariant) {
      line(1, fmt::format("try {{ if (!prop{0}(x.w)) {{ ok = false; x.call->fail(x.call->host, x.state, "
                          "kStrataNoRule, kStrataFailureProperty, {0}); }} }}",
                          i));
    } else if (p.kind == ir::Property::Kind::cover) {
      line(1, fmt::format("try {{ if (prop{0}(x.w)) x.call->covered[{0}] = 1; }}", i));
    } else {
      continue;
    }
    line(1, "catch (const StrataFail& f) { ok = false; failed(x, kStrataNoRule, f.site); }");
  }
  line(1, "return ok;");
  line(0, "}");
  line(0, "static void check(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1, "x.call = c;");
  line(1, "for (u64 i = 0; i < c->n; ++i) {");
  line(2, fmt::format("load(c->states + i * {}, x.in);", bytes_));
  line(2, "unpack(x.in, x.w);");
  line(2, "x.saved = x.w; x.state = (u32)i;");
  line(2, "check_state(x);");
  line(1, "}");
  line(1, "c->consumed = c->n;");
  line(0, "}");
}

void Emitter::emit_expand() {
  line(0, "static void expand(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1, "x.call = c; x.out = c->out_states; x.count = 0; x.transitions = 0;");
  line(1, "u64 i = 0;");
  line(1, fmt::format("for (; i < c->n && x.count + {} <= c->capacity; ++i) {{",
                      total(program_, program_.rules)));
  line(2, fmt::format("load(c->states + i * {}, x.in);", bytes_));
  line(2, "unpack(x.in, x.w);");
  line(2, "x.saved = x.w; x.state = (u32)i; x.moved = false; x.failed = false;");
  line(2, "if (c->check_properties && !check_state(x)) continue;");
  line(2, "const u64 before = x.transitions;");
  emit_rule_calls();
  line(2, "const bool stuck = c->deadlock == kStrataDeadlockStuck ? x.transitions == before");
  line(2, "                 : c->deadlock == kStrataDeadlockStuttering && !x.moved;");
  line(2, "if (stuck && !x.failed) c->fail(c->host, (u32)i, kStrataNoRule, kStrataFailureDeadlock, 0);");
  line(1, "}");
  line(1, "c->consumed = i; c->count = x.count; c->transitions = x.transitions;");
  line(0, "}");
}

void Emitter::emit_initial() {
  line(0, "static void initial(StrataCall* c) {");
  line(1, "current_call = c;");
  line(1, "Context x;");
  line(1,
       "x.call = c; x.out = c->out_states; x.count = 0; x.transitions = 0; x.state = 0; x.failed = false;");
  for (size_t i = 0; i < program_.starts.size(); ++i) line(1, fmt::format("start{}(x);", i));
  line(1, "c->count = x.count; c->transitions = x.transitions;");
  line(0, "}");
}

void Emitter::emit_model() {
  emit_check_state();
  for (uint32_t i = 0; i < program_.rules.size(); ++i) emit_rule(i);
  for (size_t i = 0; i < dispatches_.size(); ++i) emit_dispatch(dispatches_[i], i);
  for (uint32_t i = 0; i < program_.starts.size(); ++i) emit_start(i);
  emit_check();
  emit_expand();
  emit_initial();
}

Emitter::Emitter(const ir::Program& program)
    : program_(program),
      dispatches_(find_dispatches(program)),
      dispatch_of_(program.rules.size(), kNoDispatch) {
  for (size_t i = 0; i < dispatches_.size(); ++i)
    for (const DispatchedRule& rule : dispatches_[i].rules) dispatch_of_[rule.rule] = i;
}

Emission Emitter::run() {
  out_ = embedded::kAbiText;
  out_ += embedded::kModelRuntimeText;
  line(0, "extern \"C\" const StrataModel strata_model;");
  line(0, "namespace {");
  line(0, "thread_local StrataCall* current_call;");
  emit_types();
  emit_state();
  emit_functions();
  emit_properties();
  emit_model();
  line(0, "}  // namespace");
  line(0,
       fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) const StrataModel strata_model = "
                   "{{kStrataAbiVersion, {}, initial, expand, check}};",
                   bytes_));
  emission_.text = std::move(out_);
  return std::move(emission_);
}

Emission emit(const ir::Program& program) { return Emitter(program).run(); }

}  // namespace strata::native
