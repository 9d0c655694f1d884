#include "native/code/statement_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "ir/symmetry/reduction.h"
#include "ir/walker.h"

namespace strata::native {

using ir::Stmt;
using ir::StmtOp;

void StatementEmitter::variables(int depth) {
  const std::vector<ir::Local>& locals = scope_.locals();
  for (size_t i = 0; i < locals.size(); ++i)
    if (locals[i].kind == ir::Local::Kind::variable)
      line(depth,
           fmt::format("{}  // {}", out_.form.local_variable(types_, locals[i].type, i), locals[i].name));
}

void StatementEmitter::block(const ir::Block& b, int depth) {
  for (const Stmt& s : b) statement(s, depth);
}

void StatementEmitter::assignment(const Stmt& s, int depth) {
  const ir::TypeId type = s.place->type;
  if (types_.is_aggregate(type)) {
    // Through a named value: source and target may overlap.
    const std::string name = out_.names.fresh("c");
    line(depth, fmt::format("{{ const {} {} = {}; {} }}", types_.name(type), name,
                            expressions_.expression(*s.value), expressions_.assign(*s.place, name)));
    return;
  }
  if (s.gathers && reduced_loops_ > 0) expressions_.evaluate_whole(*s.value);
  const std::string value = expressions_.encode(type, *s.value, s.place->text, s.position);
  if (has_call(*s.value)) {
    const std::string name = out_.names.fresh("c");
    line(depth, fmt::format("{{ const {} {} = {}; {} }}", types_.name(type), name, value,
                            expressions_.assign(*s.place, name)));
    return;
  }
  if (outlives_failures(*s.place))
    return line(
        depth,
        fmt::format("{{ const {0} {1} = {2}; auto&& {3} = {4}; if (state.fault.what == 0) {3} = {1}; }}",
                    types_.name(type), out_.names.fresh("c"), value, out_.names.fresh("p"),
                    expressions_.place(*s.place)));
  line(depth, expressions_.assign(*s.place, value));
}

// On a device, statements continue after a failure. What the error state keeps of the state must not change then.
bool StatementEmitter::outlives_failures(const ir::Place& place) const {
  if (!out_.target.is_device() || !program_.error_state || place.root != ir::Place::Root::state) return false;
  bool replaced = false;
  ir::Walker walker;
  walker.on_write = [&](const ir::Place& p) {
    replaced |= p.root == ir::Place::Root::state && p.id == place.id;
  };
  walker.block(program_.error_state->body);
  return !replaced;
}

void StatementEmitter::branches(const Stmt& s, int depth) {
  bool first = true;
  for (const ir::Branch& b : s.branches) {
    const std::string head = first ? "" : "else ";
    line(depth,
         b.condition ? fmt::format("{}if ({}) {{", head, expressions_.expression(*b.condition)) : head + "{");
    block(b.block, depth + 1);
    line(depth, "}");
    first = false;
  }
}

bool StatementEmitter::leaves(const ir::Block& body) {
  bool found = false;
  ir::Walker walker;
  walker.on_stmt = [&](const Stmt& s) { found = found || s.op == StmtOp::return_; };
  walker.block(body);
  return found;
}

// A loop over elements that states are reduced by, which some round leaves: the other rounds are run too, for
// the errors in them, which must be found whichever round comes first. They have no other effect
// (ir/rounds/round_order.h).
void StatementEmitter::loop_to_the_end(const Stmt& s, int depth) {
  const Leaving leaving{out_.names.fresh("left"), out_.names.fresh("result"), out_.names.fresh("next")};
  const bool value = enclosing_.is_rule || enclosing_.result != ir::kNoType;
  line(depth, fmt::format("bool {} = false;", leaving.done));
  if (value) line(depth, fmt::format("{} {}{{}};", result_type(), leaving.result));
  line(depth, expressions_.loop_header(s.domain, s.local, s.position) + "{ {");
  leavings_.push_back(leaving);
  block(s.body, depth + 1);
  leavings_.pop_back();
  line(depth, fmt::format("}} {}:; }}", leaving.next));
  line(depth, fmt::format("if ({}) {}", leaving.done, leave(value ? leaving.result : "")));
}

std::string StatementEmitter::result_type() const {
  if (enclosing_.is_rule) return "bool";
  return types_.is_aggregate(enclosing_.result) ? types_.name(enclosing_.result) : "i64";
}

// The statement that ends the function with a value, or the round of a loop whose rounds are all run.
std::string StatementEmitter::leave(const std::string& value) const {
  if (leavings_.empty()) return value.empty() ? "return;" : fmt::format("return {};", value);
  const Leaving& leaving = leavings_.back();
  return fmt::format("{{ {}{} = true; goto {}; }}",
                     value.empty() ? "" : fmt::format("{} = {}; ", leaving.result, value), leaving.done,
                     leaving.next);
}

void StatementEmitter::loop(const Stmt& s, int depth) {
  const bool reduced = s.op == StmtOp::for_loop && ir::over_reduced(program_, s.domain);
  reduced_loops_ += reduced ? 1 : 0;
  if (reduced && leaves(s.body))
    loop_to_the_end(s, depth);
  else
    plain_loop(s, depth);
  reduced_loops_ -= reduced ? 1 : 0;
}

void StatementEmitter::plain_loop(const Stmt& s, int depth) {
  if (s.op == StmtOp::for_loop) {
    line(depth, expressions_.loop_header(s.domain, s.local, s.position) + "{");
  } else {
    const std::string rounds = out_.names.fresh("n");
    line(depth, fmt::format("for (u32 {0} = 0; {1}{2}; ++{0}) {{", rounds, expressions_.expression(*s.value),
                            out_.target.and_nothing_failed()));
    line(depth + 1, fmt::format("if ({} >= {}) {};", rounds, ir::kWhileLimit,
                                out_.target.fail(out_.sites.add(Site::Kind::while_limit, "", s.position))));
  }
  block(s.body, depth + 1);
  line(depth, "}");
}

void StatementEmitter::bind(const Stmt& s, int depth) {
  line(depth, "{");
  if (s.op == StmtOp::bind_place)
    line(depth + 1, fmt::format("auto&& l{} = {};", s.local, expressions_.place(*s.place)));
  else
    line(depth + 1, expressions_.named_value(s.local, *s.value));
  block(s.body, depth + 1);
  line(depth, "}");
}

size_t StatementEmitter::put_number(Put put) {
  out_.puts.push_back(std::move(put));
  return out_.puts.size() - 1;
}

void StatementEmitter::put_place(const ir::Place& p, int depth) {
  const uint64_t words = ir::type_bits(program_, p.type) / 64 + 2;
  const bool plain = scope_.holds_value(p), is_packed = out_.form.is_packed() && types_.is_aggregate(p.type);
  line(depth, fmt::format("{{ u64 words[{}] = {{}};", words));
  if (plain)
    line(depth + 1, fmt::format("words[0] = (u64)l{};", p.id));
  else if (is_packed)
    line(depth + 1,
         fmt::format("const {} value = {}; __builtin_memcpy(words, value.words(), sizeof words - 8);",
                     types_.name(p.type), expressions_.place(p)));
  else
    line(depth + 1, fmt::format("pack_{}({}, words, 0);", types_.number(p.type), expressions_.place(p)));
  const size_t number = put_number({false, p.text, plain ? ir::kNoType : p.type});
  line(depth + 1, fmt::format("current_call->put(current_call->host, {}, words); }}", number));
}

void StatementEmitter::put(const Stmt& s, int depth) {
  if (!s.text.empty() || (!s.value && s.put_places.empty()))
    line(depth, fmt::format("current_call->put(current_call->host, {}, nullptr);",
                            put_number({true, s.text, ir::kNoType})));
  for (const auto& p : s.put_places) put_place(*p, depth);
  if (s.value)
    line(depth,
         fmt::format("{{ const u64 word = (u64)({}); current_call->put(current_call->host, {}, &word); }}",
                     expressions_.expression(*s.value), put_number({false, "", s.value->type})));
}

void StatementEmitter::return_value(const Stmt& s, int depth) {
  if (enclosing_.is_rule) return line(depth, leave("true"));
  if (!s.value) return line(depth, leave(""));
  if (types_.is_aggregate(enclosing_.result)) return line(depth, leave(expressions_.expression(*s.value)));
  const ir::ScalarType& type = types_.scalar(enclosing_.result);
  const uint32_t at =
      out_.sites.add(Site::Kind::range, "the result of the function", s.position, enclosing_.result);
  if (expressions_.may_be_undefined(*s.value)) return return_optional(s, type, at, depth);
  line(depth, leave(result_text(expressions_.expression(*s.value), type, at)));
}

// The value, checked to be one of the function's type.
std::string StatementEmitter::result_text(const std::string& value, const ir::ScalarType& type,
                                          uint32_t at) const {
  if (type.segments.size() > 1)
    return fmt::format(
        "value_{}({} - {})", types_.number(enclosing_.result),
        out_.target.checked(fmt::format("encode_{}", types_.number(enclosing_.result)), value, at),
        type.optional ? 1 : 0);
  return out_.target.checked(
      "in_range",
      fmt::format("{}, {}, {}", value, literal(type.segments[0].lo), literal(type.segments[0].hi)), at);
}

void StatementEmitter::return_optional(const Stmt& s, const ir::ScalarType& type, uint32_t at, int depth) {
  const std::string value = out_.names.fresh("r");
  line(depth, fmt::format("{{ const i64 {} = {};", value, expressions_.optional(*s.value)));
  line(depth + 1, fmt::format("if ({} == kUndefined) {}", value, leave("kUndefined")));
  line(depth + 1, leave(result_text(value, type, at)) + " }");
}

void StatementEmitter::multiset_statement(const Stmt& s, int depth) {
  const ir::MultisetType& type = *program_.types[s.place->type].multiset();
  const std::string m = out_.names.fresh("m");
  line(depth, fmt::format("{{ auto&& {} = {};", m, expressions_.place(*s.place)));
  if (s.op == StmtOp::multiset_add)
    multiset_add(s, type, m, depth + 1);
  else if (s.op == StmtOp::multiset_remove)
    multiset_remove(s, type, m, depth + 1);
  else
    multiset_remove_where(s, type, m, depth + 1);
  line(depth, "}");
}

void StatementEmitter::multiset_add(const Stmt& s, const ir::MultisetType& type, const std::string& m,
                                    int depth) {
  const std::string i = out_.names.fresh("i");
  const std::string value = types_.is_aggregate(type.element)
                                ? expressions_.expression(*s.value)
                                : expressions_.encode(type.element, *s.value, s.place->text, s.position);
  const bool is_packed = out_.form.is_packed();
  line(depth, fmt::format("const {} x{} = {};", types_.name(type.element), i, value));
  line(depth, is_packed ? fmt::format("const u64 {} = {}.count();", i, m)
                        : fmt::format("const u64 {} = free_slot({}.used, {});", i, m, type.capacity));
  const std::string variable = is_packed ? fmt::format("variable_of(state, {0}.words, {0}.at)", m)
                                         : fmt::format("variable_of(state, &{})", m);
  line(depth,
       fmt::format(
           "if ({} == {}) {};", i, type.capacity,
           out_.target.fail(out_.sites.add(Site::Kind::multiset_full, s.place->text, s.position), variable)));
  const std::string put = is_packed ? fmt::format("insert_{}({}, x{});", types_.number(s.place->type), m, i)
                                    : fmt::format("{0}.used[{1}] = 1; {0}.e[{1}] = x{1};", m, i);
  line(depth, out_.target.is_device() ? "else { " + put + " }" : put);
}

// REQUIRES: the unpacked form (native/analysis/packed_form.h).
void StatementEmitter::multiset_remove(const Stmt& s, const ir::MultisetType& type, const std::string& m,
                                       int depth) {
  const std::string i = out_.names.fresh("i");
  const std::string arguments =
      fmt::format("{}.used, {}, {}", m, expressions_.expression(*s.value), type.capacity);
  const uint32_t site = out_.sites.add(Site::Kind::multiset_slot, s.place->text, s.position);
  line(depth, fmt::format("const u64 {} = {};", i, out_.target.checked("used_slot", arguments, site)));
  line(depth, fmt::format("{0}.used[{1}] = 0; {0}.e[{1}] = {2}{{}};", m, i, types_.name(type.element)));
}

void StatementEmitter::multiset_remove_where(const Stmt& s, const ir::MultisetType& type,
                                             const std::string& m, int depth) {
  scope_.bind_slot(s.local, type.capacity);
  const std::string test = expressions_.expression(*s.value);
  if (out_.form.is_packed()) {
    line(depth, fmt::format("for (i64 l{0} = 0; (u64)l{0} < {1}.count();)", s.local, m));
    return line(depth + 1, fmt::format("if ({}) remove_{}({}, (u64)l{}); else ++l{}", test,
                                       types_.number(s.place->type), m, s.local, s.local) +
                               ";");
  }
  line(depth, fmt::format("for (i64 l{0} = 0; l{0} < {1}; ++l{0})", s.local, type.capacity));
  line(depth + 1, fmt::format("if ({0}.used[l{1}] && {2}) {{ {0}.used[l{1}] = 0; {0}.e[l{1}] = {3}{{}}; }}",
                              m, s.local, test, types_.name(type.element)));
}

// A statement that asks whether something holds.
void StatementEmitter::test(const Stmt& s, int depth) {
  const std::string discard = enclosing_.is_rule ? "return false" : out_.target.discard();
  if (s.op == StmtOp::assert_)
    line(depth, fmt::format("if (!{}) {};", expressions_.expression(*s.value),
                            out_.target.fail(out_.sites.add(Site::Kind::assertion, s.text, s.position))));
  else if (s.op == StmtOp::assume)
    line(depth, fmt::format("if (!{}) {};", expressions_.expression(*s.value), discard));
  else
    line(depth, fmt::format("if ({}) {};", expressions_.expression(*s.value), out_.target.cover(s.property)));
}

void StatementEmitter::statement(const Stmt& s, int depth) {
  switch (s.op) {
    case StmtOp::assign: return assignment(s, depth);
    case StmtOp::if_then: return branches(s, depth);
    case StmtOp::for_loop:
    case StmtOp::while_loop: return loop(s, depth);
    case StmtOp::bind_place:
    case StmtOp::bind_value: return bind(s, depth);
    case StmtOp::clear:
      return line(depth,
                  fmt::format("clear_{}({});", types_.number(s.place->type), expressions_.place(*s.place)));
    case StmtOp::undefine:
      return line(depth, expressions_.assign(*s.place, types_.name(s.place->type) + "{}"));
    case StmtOp::put: return put(s, depth);
    case StmtOp::return_: return return_value(s, depth);
    case StmtOp::error:
      return line(depth,
                  out_.target.fail(out_.sites.add(Site::Kind::error_statement, s.text, s.position)) + ";");
    case StmtOp::assert_:
    case StmtOp::assume:
    case StmtOp::cover: return test(s, depth);
    case StmtOp::call: return line(depth, fmt::format("(void){};", expressions_.expression(*s.value)));
    case StmtOp::multiset_add:
    case StmtOp::multiset_remove:
    case StmtOp::multiset_remove_where: return multiset_statement(s, depth);
  }
}

}  // namespace strata::native
