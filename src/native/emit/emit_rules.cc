// Properties and rules. A rule becomes one function that tries all its instances on one state:
//
//   for each value of the outermost parameter { try {
//     if (!the conjuncts of the guard that mention bound parameters only) continue;
//     for each value of the next parameter { try { ... fire ... } catch { report } }
//   } catch { report } }
//
// Conjuncts move outwards only from the front of the guard, so that what is evaluated, and in which order, stays what
// the model says; a guard that fails for an outer parameter is evaluated once instead of once per inner instance.
#include "native/emit/emitter.h"

namespace strata::native {

using ir::Binding;
using ir::Expr;
using ir::ExprOp;
using ir::Local;

// A name as text of a comment: no character of it may end or prolong the line.
static std::string comment(std::string text) {
  for (char& c : text)
    if (c == '\\' || c == '?' || static_cast<unsigned char>(c) < ' ') c = '_';
  return text;
}

// ---- Bindings

std::string Emitter::rank_text(const Binding& b) const {
  if (b.kind == Binding::Kind::choose) return fmt::format("(u32)l{}", b.local);
  if (b.domain.type == ir::kNoType)
    return fmt::format("(u32)((l{} - ({}ll)) / ({}ll))", b.local, b.domain.from->value,
                       b.domain.by ? b.domain.by->value : 1);
  const ir::ScalarType& type = types_.scalar(b.domain.type);
  if (type.segments.size() > 1)
    return fmt::format("(u32)(enc_{}(l{}, 0) - {})", types_.number(b.domain.type), b.local,
                       type.optional ? 1 : 0);
  return fmt::format("(u32)(l{} - ({}ll))", b.local, type.segments[0].lo);
}

std::string Emitter::instance_number(const std::vector<Binding>& bindings, size_t bound,
                                     uint64_t base) const {
  std::string text = "0u";
  for (size_t i = 0; i < bindings.size(); ++i) {
    const Binding& b = bindings[i];
    uint64_t size = 0;
    if (b.kind == Binding::Kind::parameter) size = ir::domain_size(program_, b.domain);
    if (b.kind == Binding::Kind::choose) size = program_.types[b.place->type].multiset()->capacity;
    if (size == 0) continue;
    const std::string rank = i < bound ? rank_text(b) : "0u";
    text = text == "0u" ? rank : fmt::format("({} * {}u + {})", text, size, rank);
  }
  return fmt::format("({}u + {})", base, text);
}

void Emitter::emit_binding(const Binding& b) {
  switch (b.kind) {
    case Binding::Kind::parameter:
      line(1, callable_->expressions.loop_header(b.domain, b.local, {}) + "{");
      break;
    case Binding::Kind::alias_place:
      line(1, fmt::format("auto&& l{} = {};", b.local, callable_->expressions.place(*b.place)));
      break;
    case Binding::Kind::alias_value: {
      line(1, callable_->expressions.named_value(b.local, *b.value));
      break;
    }
    case Binding::Kind::choose: {
      const uint64_t capacity = program_.types[b.place->type].multiset()->capacity;
      callable_->scope.bind_slot(b.local, capacity);
      line(1, fmt::format("for (i64 l{0} = 0; l{0} < {1}; ++l{0}) {{", b.local, capacity));
      line(2, fmt::format("if (!{}.used[l{}]) continue;", callable_->expressions.place(*b.place), b.local));
      break;
    }
  }
  line(2, fmt::format("(void)l{};", b.local));
}

// Opens the loops around a rule's instances, with the conjuncts as far out as they may stand. The first `given`
// bindings are parameters of the function. Each opened level is remembered in open_ and closed by the caller.
void Emitter::emit_bindings_open(const std::vector<Binding>& bindings, std::vector<const Expr*> conjuncts,
                                 bool catching, size_t given) {
  std::vector<bool> unbound(callable_->scope.locals().size(), false);
  for (size_t i = given; i < bindings.size(); ++i) unbound[bindings[i].local] = true;
  for (size_t i = 0; i < given; ++i)
    callable_->scope.bind(bindings[i].local, callable_->scope.interval(bindings[i].domain));
  size_t next = 0;
  const auto ready = [&](const Expr& e) {
    std::vector<bool> used(callable_->scope.locals().size(), false);
    mentioned_locals(e, used);
    for (size_t i = 0; i < used.size(); ++i)
      if (used[i] && unbound[i]) return false;
    return true;
  };
  const auto guards = [&] {
    for (; next < conjuncts.size() && ready(*conjuncts[next]); ++next)
      line(2, fmt::format("if (!{}) continue;", callable_->expressions.expression(*conjuncts[next])));
  };
  line(1, catching ? "do { try {" : "do {");
  open_.assign(1, static_cast<int>(given) - 1);
  guards();
  for (size_t i = given; i < bindings.size(); ++i) {
    const Binding& b = bindings[i];
    emit_binding(b);
    const bool loops = b.kind == Binding::Kind::parameter || b.kind == Binding::Kind::choose;
    if (loops) {
      if (catching) line(1, "try {");
      open_.push_back(static_cast<int>(i));
    }
    unbound[b.local] = false;
    guards();
  }
}

// Closes what emit_bindings_open has opened (without a handler: not catching); a failure goes to the handler for the instance, as far as it is bound.
void Emitter::emit_bindings_close(const std::vector<Binding>& bindings, uint64_t base, const char* handler) {
  for (size_t i = open_.size(); i-- > 0;) {
    const size_t bound = open_[i] < 0 ? 0 : static_cast<size_t>(open_[i]) + 1;
    if (handler == nullptr) {
      line(1, i == 0 ? "} while (0);" : "}");
      continue;
    }
    line(1, fmt::format("}} catch (const StrataFail& f) {{ {}(x, {}, f.site); }}", handler,
                        instance_number(bindings, bound, base)));
    line(1, i == 0 ? "} while (0);" : "}");
  }
}

// ---- Properties

void Emitter::emit_property(uint32_t id) {
  const ir::Property& p = program_.properties[id];
  if (!p.condition) return;
  enter(p.locals);
  const size_t first_site = out_.sites.size();
  const bool cover = p.kind == ir::Property::Kind::cover;
  line(0, fmt::format("[[gnu::noinline]] static bool prop{}(State& w) {{  // {}", id, comment(p.name)));
  line(1, "(void)w;");
  callable_->statements.variables(1);
  emit_bindings_open(p.bindings, {}, false);
  line(2, fmt::format("if ({}{}) return {};", cover ? "" : "!",
                      callable_->expressions.expression(*p.condition), cover ? "true" : "false"));
  for (size_t i = 1; i < open_.size(); ++i) line(1, "}");
  line(1, "} while (0);");
  line(1, fmt::format("return {};", cover ? "false" : "true"));
  line(0, "}");
  if (p.position.line == 0) out_.sites.forget_positions(first_site);
}

void Emitter::emit_properties() {
  for (uint32_t i = 0; i < program_.properties.size(); ++i) emit_property(i);
  if (!has_assumptions(program_)) return;
  line(0, "static bool assumptions(State& w) {");
  for (uint32_t i = 0; i < program_.properties.size(); ++i)
    if (program_.properties[i].kind == ir::Property::Kind::assumption)
      line(1, fmt::format("if (!prop{}(w)) return false;", i));
  line(1, "return true;");
  line(0, "}");
}

// ---- Rules and start states

std::string Emitter::binding_parameters(const ir::Rule& rule, bool declare) {
  std::string text;
  for (const Binding& b : rule.bindings) {
    std::string type = "const i64";
    if (b.kind == Binding::Kind::alias_place) type = types_.name(b.place->type) + "&";
    if (b.kind == Binding::Kind::alias_value && b.value->type != ir::kInteger &&
        !program_.types[b.value->type].scalar())
      type = fmt::format("const {}&", types_.name(b.value->type));
    text += declare ? fmt::format(", {} l{}", type, b.local) : fmt::format(", l{}", b.local);
  }
  return text;
}

// The statements of a rule as a function, so that `return` leaves them. False: an assumption did not hold.
void Emitter::emit_body(const ir::Rule& rule, const std::string& name) {
  line(0, fmt::format("static bool {}(State& w{}) {{", name, binding_parameters(rule, true)));
  line(1, "(void)w;");
  for (const Binding& b : rule.bindings) line(1, fmt::format("(void)l{};", b.local));
  callable_->statements.variables(1);
  callable_->statements.block(rule.body, 1);
  line(1, "return true;");
  line(0, "}");
}

static void split(const Expr& e, std::vector<const Expr*>& conjuncts) {
  const Expr* left = &e;
  std::vector<const Expr*> reversed;
  for (; left->op == ExprOp::logical_and; left = left->args[0].get()) reversed.push_back(left->args[1].get());
  conjuncts.push_back(left);
  conjuncts.insert(conjuncts.end(), reversed.rbegin(), reversed.rend());
}

// No statement leaves the block before its end.
static bool runs_through(const ir::Block& block) {
  for (const ir::Stmt& s : block) {
    if (s.op == ir::StmtOp::return_ || s.op == ir::StmtOp::assume || !runs_through(s.body)) return false;
    for (const ir::Branch& branch : s.branches)
      if (!runs_through(branch.block)) return false;
  }
  return true;
}

static uint64_t base_of(const ir::Program& program, const std::vector<ir::Rule>& rules, uint32_t id) {
  uint64_t base = 0;
  for (uint32_t i = 0; i < id; ++i) base += ir::instance_count(program, rules[i].bindings);
  return base;
}

// Where nothing can fail, nothing is caught: that is a third of the code of a small rule.
void Emitter::emit_rule(uint32_t id) {
  const size_t sites = out_.sites.size(), begin = out_.text.size();
  emit_rule(id, true);
  if (out_.sites.size() != sites || !program_.functions.empty()) return;
  out_.text.cut(begin);
  emit_rule(id, false);
}

void Emitter::emit_rule(uint32_t id, bool catching) {
  const ir::Rule& rule = program_.rules[id];
  const uint64_t base = rule_bases_[id];
  enter(rule.locals);
  std::vector<const Expr*> conjuncts;
  if (rule.guard) split(*rule.guard, conjuncts);
  // The loops are emitted first: they fix the intervals of the parameters that the body relies on.
  const size_t begin = out_.text.size();
  const size_t given = dispatched(id) && dispatches_[dispatch_of_[id]].by_parameter ? 1 : 0;
  line(0,
       fmt::format("[[gnu::noinline]] static void rule{}(Context& x{}) {{  // {}", id,
                   given ? fmt::format(", const i64 l{}", rule.bindings[0].local) : "", comment(rule.name)));
  line(1, "State& w = x.w; (void)w;");
  emit_bindings_open(rule.bindings, conjuncts, catching, given);
  const std::string number = instance_number(rule.bindings, rule.bindings.size(), base);
  const bool in_place = firing_.shared() && runs_through(rule.body);
  if (in_place) {
    callable_->statements.variables(3);
    callable_->statements.block(rule.body, 3);
  } else {
    line(3, fmt::format("if (!body{}(x.w{})) {{ x.w = x.saved; continue; }}", id,
                        binding_parameters(rule, false)));
  }
  firing_.emit(rule, number);
  emit_bindings_close(rule.bindings, base, !catching ? nullptr : program_.error_state ? "erred" : "failed");
  line(0, "}");
  const std::string loops = out_.text.cut(begin);
  if (!in_place) emit_body(rule, fmt::format("body{}", id));
  out_.text.append(loops);
}

void Emitter::emit_start(uint32_t id) {
  const ir::Rule& rule = program_.starts[id];
  const uint64_t base = base_of(program_, program_.starts, id);
  enter(rule.locals);
  const size_t begin = out_.text.size();
  line(0, fmt::format("[[gnu::noinline, gnu::cold]] static void start{}(Context& x) {{  // {}", id,
                      comment(rule.name)));
  line(1, "State& w = x.w; (void)w;");
  line(1, "x.w = x.saved = State{};");
  emit_bindings_open(rule.bindings, {}, true);
  line(3, fmt::format("if (!init{}(x.w{})) {{ x.w = x.saved; continue; }}", id,
                      binding_parameters(rule, false)));
  for (size_t v = 0; v < program_.state.size(); ++v)
    if (types_.contains_multiset(program_.state[v].type))
      line(3, fmt::format("norm_{}(x.w.v{});", types_.number(program_.state[v].type), v));
  if (has_assumptions(program_)) line(3, "if (!assumptions(x.w)) { x.w = x.saved; continue; }");
  line(3, fmt::format("u64 p[{}];", layout_.words + 1));
  line(3, "pack_all(x.w, p);");
  line(3, "x.w = x.saved;");
  line(3, fmt::format("__builtin_memcpy(x.out, p, {});", layout_.bytes));
  line(3, fmt::format("x.call->out_rules[x.count] = {};",
                      instance_number(rule.bindings, rule.bindings.size(), base)));
  line(3, fmt::format("x.call->out_parents[x.count] = 0; x.out += {}; x.count++; x.transitions++;",
                      layout_.bytes));
  emit_bindings_close(rule.bindings, base, "failed");
  line(0, "}");
  const std::string loops = out_.text.cut(begin);
  emit_body(rule, fmt::format("init{}", id));
  out_.text.append(loops);
}

}  // namespace strata::native
