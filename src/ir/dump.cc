#include "ir/dump.h"

#include <fmt/format.h>

#include <string_view>

namespace strata::ir {
namespace {

std::string_view operator_text(ExprOp op) {
  switch (op) {
    case ExprOp::negate: return "-";
    case ExprOp::logical_not: return "!";
    case ExprOp::bit_not: return "~";
    case ExprOp::add: return "+";
    case ExprOp::subtract: return "-";
    case ExprOp::multiply: return "*";
    case ExprOp::divide: return "/";
    case ExprOp::modulo: return "%";
    case ExprOp::shift_left: return "<<";
    case ExprOp::shift_right: return ">>";
    case ExprOp::bit_and: return "&";
    case ExprOp::bit_or: return "|";
    case ExprOp::bit_xor: return "^";
    case ExprOp::less: return "<";
    case ExprOp::less_equal: return "<=";
    case ExprOp::greater: return ">";
    case ExprOp::greater_equal: return ">=";
    case ExprOp::equal: return "=";
    case ExprOp::not_equal: return "!=";
    case ExprOp::logical_and: return "and";
    case ExprOp::logical_or: return "or";
    case ExprOp::implies: return "->";
    case ExprOp::same: return "same";
    default: return "?";
  }
}

std::string_view keyword(StmtOp op) {
  switch (op) {
    case StmtOp::clear: return "clear";
    case StmtOp::undefine: return "undefine";
    case StmtOp::put: return "put";
    case StmtOp::return_: return "return";
    case StmtOp::error: return "error";
    case StmtOp::assert_: return "assert";
    case StmtOp::assume: return "assume";
    case StmtOp::cover: return "cover";
    case StmtOp::call: return "call";
    default: return "?";
  }
}

std::string_view local_kind(Local::Kind kind) {
  switch (kind) {
    case Local::Kind::variable: return "variable";
    case Local::Kind::reference: return "reference";
    case Local::Kind::constant: return "constant";
    default: return "iterator";
  }
}

std::string_view property_kind(Property::Kind kind) {
  switch (kind) {
    case Property::Kind::invariant: return "invariant";
    case Property::Kind::assertion: return "assertion";
    case Property::Kind::assumption: return "assumption";
    case Property::Kind::cover: return "cover";
    case Property::Kind::proposition: return "proposition";
    default: return "liveness";
  }
}

class Dumper {
 public:
  Dumper(const Program& program, const std::vector<Local>* locals, bool for_users = false)
      : program_(&program), locals_(locals), for_users_(for_users), is_dve_(program.language == "dve") {}

  std::string value(TypeId type, int64_t value) const {
    const ScalarType* scalar = type < program_->types.size() ? program_->types[type].scalar() : nullptr;
    for (const Segment& segment : scalar != nullptr ? scalar->segments : std::vector<Segment>()) {
      if (value < segment.lo || value > segment.hi) continue;
      auto offset = static_cast<uint64_t>(value) - static_cast<uint64_t>(segment.lo);
      if (!segment.names.empty()) return segment.names[offset];
      if (!segment.prefix.empty()) return segment.prefix + std::to_string(offset + 1);
    }
    return std::to_string(value);
  }

  std::string local(uint32_t id) const {
    bool known = locals_ != nullptr && id < locals_->size();
    if (known && for_users_) return (*locals_)[id].name;
    return fmt::format("{}#{}", known ? (*locals_)[id].name : "", id);
  }

  std::string place(const Place& place) const {
    if (for_users_ && !place.text.empty()) return place.text;
    std::string text = place.root == Place::Root::state   ? program_->state[place.id].name
                       : place.root == Place::Root::local ? local(place.id)
                                                          : "(" + expression(*place.value) + ")";
    for (const Selector& selector : place.path) {
      text += selector.index != nullptr ? "[" + expression(*selector.index) + "]"
                                        : fmt::format(".{}", selector.field);
    }
    return text;
  }

  std::string domain(const Domain& domain) const {
    if (domain.type != kNoType) return program_->types[domain.type].name;
    std::string text = expression(*domain.from) + " to " + expression(*domain.to);
    return domain.by != nullptr ? text + " by " + expression(*domain.by) : text;
  }

  std::string call(const Expr& expression) const {
    std::string text = program_->functions[expression.function].name + "(";
    for (const Argument& argument : expression.arguments) {
      if (text.back() != '(') text += ", ";
      text += argument.place != nullptr ? "var " + place(*argument.place) : this->expression(*argument.value);
    }
    return text + ")";
  }

  std::string expression(const Expr& e) const {
    switch (e.op) {
      case ExprOp::constant: return value(e.type, e.value);
      case ExprOp::read: return place(*e.place) + (e.keep_undefined && !for_users_ ? "?" : "");
      case ExprOp::is_undefined: return "undefined(" + place(*e.place) + ")";
      case ExprOp::undefined: return "UNDEFINED";
      case ExprOp::conditional:
        return fmt::format("({} ? {} : {})", expression(*e.args[0]), expression(*e.args[1]),
                           expression(*e.args[2]));
      case ExprOp::for_all:
      case ExprOp::exists:
        return fmt::format("({} {} : {} : {})", e.op == ExprOp::for_all ? "forall" : "exists", local(e.local),
                           domain(e.domain), expression(*e.args[0]));
      case ExprOp::call: return call(e);
      case ExprOp::in_type:
        return fmt::format("({} in {})", expression(*e.args[0]), program_->types[e.member_type].name);
      case ExprOp::multiset_count:
        return fmt::format("(count {} : {} : {})", local(e.local), place(*e.place), expression(*e.args[0]));
      default: break;
    }
    if (e.args.size() == 1) return fmt::format("{}{}", operator_of(e.op), expression(*e.args[0]));
    return fmt::format("({} {} {})", expression(*e.args[0]), operator_of(e.op), expression(*e.args[1]));
  }

  void block(const Block& block, size_t indent, std::string& out) const {
    for (const Stmt& part : block) statement(part, indent, out);
  }

  void binding(const Binding& binding, std::string& out) const {
    switch (binding.kind) {
      case Binding::Kind::parameter:
        out += fmt::format("  parameter {} : {}\n", local(binding.local), domain(binding.domain));
        break;
      case Binding::Kind::choose:
        out += fmt::format("  choose {} : {}\n", local(binding.local), place(*binding.place));
        break;
      case Binding::Kind::alias_place:
        out += fmt::format("  alias {} is {}\n", local(binding.local), place(*binding.place));
        break;
      case Binding::Kind::alias_value:
        out += fmt::format("  alias {} = {}\n", local(binding.local), expression(*binding.value));
        break;
    }
  }

  void locals(std::string& out) const {
    for (uint32_t i = 0; i < locals_->size(); ++i) {
      const Local& entry = (*locals_)[i];
      std::string type = entry.type < program_->types.size() ? program_->types[entry.type].name : "?";
      out += fmt::format("  {} {} : {}\n", local_kind(entry.kind), local(i), type);
    }
  }

 private:
  void line(size_t indent, const std::string& text, std::string& out) const {
    out += std::string(indent, ' ') + text + "\n";
  }

  void branches(const Stmt& s, size_t indent, std::string& out) const {
    const char* word = "if ";
    for (const Branch& branch : s.branches) {
      line(indent, branch.condition != nullptr ? word + expression(*branch.condition) : "else", out);
      block(branch.block, indent + 2, out);
      word = "elsif ";
    }
  }

  // "put x "text"", "assert (x = 1) "text"" ...
  std::string simple(const Stmt& s) const {
    std::string text(keyword(s.op));
    if (s.place != nullptr) text += " " + place(*s.place);
    for (const auto& put : s.put_places) text += " " + place(*put);
    if (s.value != nullptr) text += " " + expression(*s.value);
    if (s.op == StmtOp::cover) text += fmt::format(" property {}", s.property);
    if (!s.text.empty()) text += " \"" + s.text + "\"";
    return text;
  }

  void statement(const Stmt& s, size_t indent, std::string& out) const {
    switch (s.op) {
      case StmtOp::assign: return line(indent, place(*s.place) + " := " + expression(*s.value), out);
      case StmtOp::if_then: return branches(s, indent, out);
      case StmtOp::for_loop: line(indent, "for " + local(s.local) + " : " + domain(s.domain), out); break;
      case StmtOp::while_loop: line(indent, "while " + expression(*s.value), out); break;
      case StmtOp::bind_place: line(indent, local(s.local) + " is " + place(*s.place), out); break;
      case StmtOp::bind_value: line(indent, local(s.local) + " = " + expression(*s.value), out); break;
      case StmtOp::multiset_add:
        return line(indent, "add " + expression(*s.value) + " to " + place(*s.place), out);
      case StmtOp::multiset_remove:
        return line(indent, "remove " + expression(*s.value) + " from " + place(*s.place), out);
      case StmtOp::multiset_remove_where:
        return line(
            indent,
            fmt::format("remove {} from {} where {}", local(s.local), place(*s.place), expression(*s.value)),
            out);
      default: return line(indent, simple(s), out);
    }
    block(s.body, indent + 2, out);
  }

  // As the language of the model writes it, for users.
  std::string_view operator_of(ExprOp op) const {
    if (for_users_ && op == ExprOp::same) return is_dve_ ? "==" : "=";
    if (for_users_ && is_dve_) {
      if (op == ExprOp::equal) return "==";
      if (op == ExprOp::logical_not) return "not ";
    }
    if (for_users_ && !is_dve_ && op == ExprOp::logical_and) return "&";
    if (for_users_ && !is_dve_ && op == ExprOp::logical_or) return "|";
    return operator_text(op);
  }

  const Program* program_;
  const std::vector<Local>* locals_;
  bool for_users_, is_dve_;
};

void dump_rule(const Program& program, std::string_view kind, const Rule& rule, std::string& out) {
  Dumper dumper(program, &rule.locals);
  out += fmt::format("{} \"{}\"\n", kind, rule.name);
  dumper.locals(out);
  for (const Binding& binding : rule.bindings) dumper.binding(binding, out);
  if (rule.guard != nullptr) out += "  guard " + dumper.expression(*rule.guard) + "\n";
  out += "  begin\n";
  dumper.block(rule.body, 4, out);
}

void dump_property(const Program& program, const Property& property, std::string& out) {
  Dumper dumper(program, &property.locals);
  out += fmt::format("{} \"{}\"\n", property_kind(property.kind), property.name);
  dumper.locals(out);
  for (const Binding& binding : property.bindings) dumper.binding(binding, out);
  out += property.condition != nullptr ? "  holds " + dumper.expression(*property.condition) + "\n" : "";
}

void dump_function(const Program& program, const Function& function, std::string& out) {
  Dumper dumper(program, &function.locals);
  std::string result = function.result == kNoType ? "" : " : " + program.types[function.result].name;
  out += fmt::format("function {}/{}{}\n", function.name, function.parameters, result);
  dumper.locals(out);
  out += "  begin\n";
  dumper.block(function.body, 4, out);
}

std::string dump_scalar(const ScalarType& scalar) {
  std::string text = "scalar";
  for (const Segment& segment : scalar.segments) {
    text += fmt::format(" {}..{}", segment.lo, segment.hi);
    if (!segment.prefix.empty()) text += " as " + segment.prefix;
    for (size_t i = 0; i < segment.names.size(); ++i) text += (i == 0 ? " as " : ",") + segment.names[i];
  }
  return text;
}

}  // namespace

std::string dump(const Program& program, TypeId type) {
  const Type& entry = program.types[type];
  auto name = [&](TypeId id) {
    return id < program.types.size() ? program.types[id].name : std::string("?");
  };
  std::string text = entry.name + " = ";
  if (entry.scalar() != nullptr) text += dump_scalar(*entry.scalar());
  if (entry.array() != nullptr)
    text += fmt::format("array [{}] of {}", name(entry.array()->index), name(entry.array()->element));
  if (entry.multiset() != nullptr) {
    text += fmt::format("multiset [{}] of {}", entry.multiset()->capacity, name(entry.multiset()->element));
  }
  if (entry.record() != nullptr) {
    text += "record";
    for (const Field& field : entry.record()->fields)
      text += fmt::format(" {}: {};", field.name, name(field.type));
  }
  return text;
}

std::string expression_text(const Program& program, const std::vector<Local>& locals,
                            const Expr& expression) {
  const std::string text = Dumper(program, &locals, true).expression(expression);
  // The whole of it needs no brackets.
  const bool is_bracketed = expression.args.size() == 2 && text.front() == '(';
  return is_bracketed ? text.substr(1, text.size() - 2) : text;
}

std::string dump(const Program& program, const Expr& expression) {
  return Dumper(program, nullptr).expression(expression);
}

std::string dump(const Program& program) {
  std::string out;
  for (const auto& [name, value] : program.constants) out += fmt::format("constant {} = {}\n", name, value);
  for (const StateVariable& variable : program.state) {
    out += fmt::format("var {} : {}\n", variable.name, program.types[variable.type].name);
  }
  for (const Function& function : program.functions) dump_function(program, function, out);
  for (const Rule& rule : program.starts) dump_rule(program, "start", rule, out);
  for (const Rule& rule : program.rules) dump_rule(program, "rule", rule, out);
  for (const Property& property : program.properties) dump_property(program, property, out);
  return out;
}

}  // namespace strata::ir
