#include "native/code/function_emitter.h"

#include <fmt/format.h>

#include "native/analysis/uses.h"
#include "native/code/callable.h"

namespace strata::native {

// A function of at most this many characters is worth having wherever it is called.
constexpr size_t kSmall = 1500;

// All are declared first, so that their order does not matter. Small ones belong to every part of the text.
void FunctionEmitter::emit() {
  const std::vector<bool> recursive = recursive_functions(program_);
  std::vector<std::string> texts;
  for (uint32_t i = 0; i < program_.functions.size(); ++i) {
    const size_t begin = out_.text.size();
    if (wanted_.empty() || wanted_[i]) function(i, recursive[i]);
    texts.push_back(out_.text.cut(begin));
  }
  const auto small = [&](uint32_t i) { return out_.target.is_device() || texts[i].size() <= kSmall; };
  for (uint32_t i = 0; i < texts.size(); ++i)
    if (!texts[i].empty())
      out_.text.line(0, fmt::format("{}{};", small(i) ? out_.target.inlined() : "STRATA_LOCAL ", head(i)));
  for (uint32_t i = 0; i < texts.size(); ++i)
    if (small(i) && !texts[i].empty()) out_.text.append(out_.target.inlined() + texts[i]);
  out_.text.end_common();
  for (uint32_t i = 0; i < texts.size(); ++i) {
    if (small(i)) continue;
    const size_t begin = out_.text.size();
    out_.text.append("STRATA_LOCAL " + texts[i]);
    out_.text.end_unit(begin);
  }
}

// In the packed form, an aggregate that is passed by value has another name than the place in it.
bool FunctionEmitter::is_held(const ir::Local& parameter) const {
  return out_.form.is_packed() && parameter.kind != ir::Local::Kind::reference &&
         types_.is_aggregate(parameter.type);
}

std::string FunctionEmitter::head(uint32_t id) const {
  const ir::Function& f = program_.functions[id];
  std::string result = "void";
  if (f.result != ir::kNoType) result = types_.is_aggregate(f.result) ? types_.name(f.result) : "i64";
  std::string head = fmt::format("{} function{}(State& state", result, id);
  for (uint32_t i = 0; i < f.parameters; ++i) {
    const ir::Local& parameter = f.locals[i];
    const bool is_place = parameter.kind == ir::Local::Kind::reference;
    head += fmt::format(
        ", {} {}{}",
        is_place ? out_.form.place_parameter(types_, parameter.type) : "const " + types_.name(parameter.type),
        is_held(parameter) ? "h_l" : "l", i);
  }
  return head + ")";
}

// What a function returns on a device after it has failed by not returning.
std::string FunctionEmitter::harmless_result(const ir::Function& f) const {
  if (f.result == ir::kInteger) return "return 0";
  if (types_.is_aggregate(f.result)) return "return {}";
  return "return " + literal(types_.scalar(f.result).segments[0].lo);
}

void FunctionEmitter::function(uint32_t id, bool recursive) {
  const ir::Function& f = program_.functions[id];
  Callable callable(program_, types_, out_, f.locals, f.parameters, {false, f.result});
  out_.text.line(0, fmt::format("{} {{  // {}", head(id), f.name));
  if (recursive)
    out_.text.line(1, fmt::format("const Nesting nesting(current_call->stack_end, {}, {});", ir::kCallLimit,
                                  out_.sites.add(Site::Kind::call_limit, f.name, f.position)));
  for (uint32_t i = 0; i < f.parameters; ++i)
    if (is_held(f.locals[i]))
      out_.text.line(1, fmt::format("const p{0} l{1}(h_l{1});", types_.number(f.locals[i].type), i));
  callable.statements.variables(1);
  callable.statements.block(f.body, 1);
  if (f.result != ir::kNoType)
    out_.text.line(1, out_.target.fail(out_.sites.add(Site::Kind::no_return, f.name, f.position)) + ";");
  if (out_.target.is_device() && f.result != ir::kNoType) out_.text.line(1, harmless_result(f) + ";");
  out_.text.line(0, "}");
}

}  // namespace strata::native
