// Statements.
#include "native/emit/emitter.h"

namespace strata::native {

using ir::ExprOp;
using ir::Stmt;
using ir::StmtOp;

void Emitter::block(const ir::Block& b, int depth) {
  for (const Stmt& s : b) statement(s, depth);
}

void Emitter::assignment(const Stmt& s, int depth) {
  if (!program_.types[s.place->type].scalar()) {
    // Through a named value: source and target may overlap.
    const std::string name = out_.names.fresh("c");
    line(depth, fmt::format("{{ const {} {} = {}; {} = {}; }}", types_.name(s.place->type), name,
                            expression(*s.value), place(*s.place), name));
    return;
  }
  const std::string value = encode(s.place->type, *s.value, s.place->text, s.position);
  if (has_call(*s.value)) {
    const std::string name = out_.names.fresh("c");
    line(depth, fmt::format("{{ const {} {} = {}; {} = {}; }}", types_.name(s.place->type), name, value,
                            place(*s.place), name));
    return;
  }
  line(depth, fmt::format("{} = {};", place(*s.place), value));
}

void Emitter::branches(const Stmt& s, int depth) {
  bool first = true;
  for (const ir::Branch& b : s.branches) {
    const std::string head = first ? "" : "else ";
    line(depth, b.condition ? fmt::format("{}if ({}) {{", head, expression(*b.condition)) : head + "{");
    block(b.block, depth + 1);
    line(depth, "}");
    first = false;
  }
}

void Emitter::loop(const Stmt& s, int depth) {
  if (s.op == StmtOp::for_loop) {
    line(depth, loop_header(s.domain, s.local, s.position) + "{");
  } else {
    const std::string rounds = out_.names.fresh("n");
    line(depth, fmt::format("for (u32 {0} = 0; {1}; ++{0}) {{", rounds, expression(*s.value)));
    line(depth + 1, fmt::format("if ({} >= {}) fail({});", rounds, ir::kWhileLimit,
                                out_.sites.add(Site::Kind::while_limit, "", s.position)));
  }
  block(s.body, depth + 1);
  line(depth, "}");
}

void Emitter::bind(const Stmt& s, int depth) {
  line(depth, "{");
  if (s.op == StmtOp::bind_place) {
    line(depth + 1, fmt::format("auto&& l{} = {};", s.local, place(*s.place)));
  } else {
    const bool aggregate = s.value->type != ir::kInteger && !program_.types[s.value->type].scalar();
    if (!aggregate) scope_.intervals[s.local] = interval(*s.value);
    line(depth + 1, fmt::format("const {} l{} = {};", aggregate ? types_.name(s.value->type) : "i64", s.local,
                                expression(*s.value)));
  }
  line(depth + 1, fmt::format("(void)l{};", s.local));
  block(s.body, depth + 1);
  line(depth, "}");
}

void Emitter::put(const Stmt& s, int depth) {
  const auto number = [&](Put put) {
    out_.puts.push_back(std::move(put));
    return out_.puts.size() - 1;
  };
  if (!s.text.empty() || (!s.value && s.put_places.empty()))
    line(depth, fmt::format("current_call->put(current_call->host, {}, nullptr);",
                            number({true, s.text, ir::kNoType})));
  for (const auto& p : s.put_places) {
    const uint64_t words = ir::type_bits(program_, p->type) / 64 + 2;
    const bool plain = holds_value(*p);
    line(depth, fmt::format("{{ u64 p[{}] = {{}};", words));
    if (plain)
      line(depth + 1, fmt::format("p[0] = (u64)l{};", p->id));
    else
      line(depth + 1, fmt::format("pk_{}({}, p, 0);", types_.number(p->type), place(*p)));
    const std::string id = std::to_string(number({false, p->text, plain ? ir::kNoType : p->type}));
    line(depth + 1, fmt::format("current_call->put(current_call->host, {}, p); }}", id));
  }
  if (s.value)
    line(depth, fmt::format("{{ const u64 p = (u64)({}); current_call->put(current_call->host, {}, &p); }}",
                            expression(*s.value), number({false, "", s.value->type})));
}

void Emitter::return_value(const Stmt& s, int depth) {
  if (scope_.is_rule) return line(depth, "return true;");
  if (!s.value) return line(depth, "return;");
  const ir::ScalarType* type = program_.types[scope_.result].scalar();
  if (!type) return line(depth, fmt::format("return {};", expression(*s.value)));
  const uint32_t at = out_.sites.add(Site::Kind::range, "the result of the function", s.position);
  if (type->segments.size() > 1) {
    line(depth, fmt::format("return val_{0}(enc_{0}({1}, {2}) - {3});", types_.number(scope_.result),
                            expression(*s.value), at, type->optional ? 1 : 0));
    return;
  }
  line(depth, fmt::format("return chk({}, {}ll, {}ll, {});", expression(*s.value), type->segments[0].lo,
                          type->segments[0].hi, at));
}

void Emitter::multiset_statement(const Stmt& s, int depth) {
  const ir::MultisetType& type = *program_.types[s.place->type].multiset();
  const std::string m = out_.names.fresh("m"), i = out_.names.fresh("i");
  line(depth, fmt::format("{{ auto& {} = {};", m, place(*s.place)));
  if (s.op == StmtOp::multiset_add) {
    const bool scalar_element = program_.types[type.element].scalar() != nullptr;
    const std::string value =
        scalar_element ? encode(type.element, *s.value, s.place->text, s.position) : expression(*s.value);
    line(depth + 1, fmt::format("const {} x{} = {};", types_.name(type.element), i, value));
    line(depth + 1, fmt::format("const u64 {} = ms_free({}.used, {}, {});", i, m, type.capacity,
                                out_.sites.add(Site::Kind::multiset_full, s.place->text, s.position)));
    line(depth + 1, fmt::format("{0}.used[{1}] = 1; {0}.e[{1}] = x{1};", m, i));
  } else if (s.op == StmtOp::multiset_remove) {
    line(depth + 1,
         fmt::format("const u64 {} = ms_slot({}.used, {}, {}, {});", i, m, expression(*s.value),
                     type.capacity, out_.sites.add(Site::Kind::multiset_slot, s.place->text, s.position)));
    line(depth + 1, fmt::format("{0}.used[{1}] = 0; {0}.e[{1}] = {2}{{}};", m, i, types_.name(type.element)));
  } else {
    scope_.intervals[s.local] = {0, static_cast<int64_t>(type.capacity) - 1};
    line(depth + 1, fmt::format("for (i64 l{0} = 0; l{0} < {1}; ++l{0})", s.local, type.capacity));
    line(depth + 2, fmt::format("if ({0}.used[l{1}] && {2}) {{ {0}.used[l{1}] = 0; {0}.e[l{1}] = {3}{{}}; }}",
                                m, s.local, expression(*s.value), types_.name(type.element)));
  }
  line(depth, "}");
}

void Emitter::statement(const Stmt& s, int depth) {
  switch (s.op) {
    case StmtOp::assign: return assignment(s, depth);
    case StmtOp::if_then: return branches(s, depth);
    case StmtOp::for_loop:
    case StmtOp::while_loop: return loop(s, depth);
    case StmtOp::bind_place:
    case StmtOp::bind_value: return bind(s, depth);
    case StmtOp::clear:
      return line(depth, fmt::format("clr_{}({});", types_.number(s.place->type), place(*s.place)));
    case StmtOp::undefine:
      return line(depth, fmt::format("{} = {}{{}};", place(*s.place), types_.name(s.place->type)));
    case StmtOp::put: return put(s, depth);
    case StmtOp::return_: return return_value(s, depth);
    case StmtOp::error:
      return line(depth,
                  fmt::format("fail({});", out_.sites.add(Site::Kind::error_statement, s.text, s.position)));
    case StmtOp::assert_:
      return line(depth, fmt::format("if (!{}) fail({});", expression(*s.value),
                                     out_.sites.add(Site::Kind::assertion, s.text, s.position)));
    case StmtOp::assume:
      return line(depth, fmt::format("if (!{}) {};", expression(*s.value),
                                     scope_.is_rule ? "return false" : "fail(kStrataDiscard)"));
    case StmtOp::cover:
      return line(depth,
                  fmt::format("if ({}) current_call->covered[{}] = 1;", expression(*s.value), s.property));
    case StmtOp::call: return line(depth, fmt::format("(void){};", expression(*s.value)));
    case StmtOp::multiset_add:
    case StmtOp::multiset_remove:
    case StmtOp::multiset_remove_where: return multiset_statement(s, depth);
  }
}

}  // namespace strata::native
