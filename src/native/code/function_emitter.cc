#include "native/code/function_emitter.h"

#include <fmt/format.h>

#include "native/analysis/uses.h"
#include "native/code/callable.h"

namespace strata::native {

// All are declared first, so that their order does not matter.
void FunctionEmitter::emit() {
  for (uint32_t i = 0; i < program_.functions.size(); ++i) out_.text.line(0, head(i) + ";");
  const std::vector<bool> recursive = recursive_functions(program_);
  for (uint32_t i = 0; i < program_.functions.size(); ++i) function(i, recursive[i]);
}

std::string FunctionEmitter::head(uint32_t id) const {
  const ir::Function& f = program_.functions[id];
  std::string result = "void";
  if (f.result != ir::kNoType) result = types_.is_aggregate(f.result) ? types_.name(f.result) : "i64";
  std::string head = fmt::format("static {} fn{}(State& w", result, id);
  for (uint32_t i = 0; i < f.parameters; ++i) {
    const bool reference = f.locals[i].kind == ir::Local::Kind::reference;
    head += fmt::format(", {}{} l{}", reference ? "" : "const ",
                        types_.name(f.locals[i].type) + (reference ? "&" : ""), i);
  }
  return head + ")";
}

void FunctionEmitter::function(uint32_t id, bool recursive) {
  const ir::Function& f = program_.functions[id];
  Callable callable(program_, types_, out_, f.locals, f.parameters, {false, f.result});
  out_.text.line(0, fmt::format("{} {{  // {}", head(id), f.name));
  if (recursive)
    out_.text.line(1, fmt::format("const Nesting nesting(current_call->stack_end, {}, {});", ir::kCallLimit,
                                  out_.sites.add(Site::Kind::call_limit, f.name, f.position)));
  callable.statements.variables(1);
  callable.statements.block(f.body, 1);
  if (f.result != ir::kNoType)
    out_.text.line(1, fmt::format("fail({});", out_.sites.add(Site::Kind::no_return, f.name, f.position)));
  out_.text.line(0, "}");
}

}  // namespace strata::native
