#include "native/rules/device_rules.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "ir/nodes.h"
#include "native/analysis/uses.h"
#include "native/code/callable.h"
#include "native/rules/instance_loops.h"
#include "native/rules/rule_body.h"

namespace strata::native {

// Variables of more scalars than this are repacked by difference.
constexpr uint64_t kPackedLeaves = 128;

// Loops over so few words would only be unrolled by compilers, and late.
constexpr uint64_t kWordsOneByOne = 16;

DeviceRules::DeviceRules(const ir::Program& program, const CppTypes& types, const StateLayout& layout,
                         bool two_passes, Output& out)
    : program_(program),
      types_(types),
      layout_(layout),
      out_(out),
      two_passes_(two_passes),
      numbers_(program.rules.size()),
      sizes_(program.rules.size()) {
  for (size_t i = 0; i < program.rules.size(); ++i)
    if (ir::instance_count(program, program.rules[i].bindings) > 1) numbers_[i] = repeated_++;
}

void DeviceRules::emit(const std::vector<size_t>& given) {
  for (uint32_t i = 0; i < program_.rules.size(); ++i) {
    const size_t begin = out_.text.size();
    rule(i, given[i]);
    sizes_[i] = out_.text.size() - begin;
  }
}

std::string DeviceRules::count(uint32_t id) const {
  const bool several = ir::instance_count(program_, program_.rules[id].bindings) > 1;
  return fmt::format("ctx.count({}, {});", id,
                     several ? fmt::format("ctx.is_first({})", numbers_[id]) : "false");
}

// In a language with error states, a rule that fails makes a step.
std::string DeviceRules::handling(uint32_t id) const {
  if (!program_.error_state) return "ctx.settled();";
  return fmt::format("if (state.fault.what == kFailed) {{ {} step_to_error(ctx); }} state.fault.what = 0;",
                     count(id));
}

void DeviceRules::rule(uint32_t id, size_t given) {
  const ir::Rule& rule = program_.rules[id];
  const std::vector<bool> written = written_variables(program_, rule);
  Callable callable(program_, types_, out_, rule.locals);
  InstanceLoops loops(program_, rule.bindings, callable, out_.text);
  std::string parameters;
  for (size_t i = 0; i < given; ++i)
    if (is_counted(rule.bindings[i])) parameters += fmt::format(", const i64 l{}", rule.bindings[i].local);
  // The loops are emitted first: they fix the intervals of the parameters that the body relies on.
  const size_t begin = out_.text.size();
  out_.text.line(0, fmt::format("{}void rule{}(Context& ctx{}) {{  // {}", out_.target.apart(), id,
                                parameters, as_comment(rule.name)));
  out_.text.line(1, "State& state = ctx.state;");
  loops.handle_faults(handling(id));
  loops.open(ir::conjuncts(rule.guard.get()), false, given);
  if (out_.form.is_packed())
    packed_firing(id);
  else
    firing(id, written);
  loops.close();
  out_.text.line(0, "}");
  const std::string text = out_.text.cut(begin);
  emit_body(rule, fmt::format("effect{}", id), types_, callable, out_);
  out_.text.append(text);
}

void DeviceRules::firing(uint32_t id, const std::vector<bool>& written) {
  Text& text = out_.text;
  for (size_t v = 0; v < written.size(); ++v)
    if (written[v])
      text.line(3, fmt::format("const {} before{} = state.{};", types_.name(program_.state[v].type), v,
                               member_name(program_, v)));
  const std::string back = restore(written);
  text.line(3, fmt::format("if (!effect{}(state{})) discard(state.fault);", id,
                           bound_arguments(program_.rules[id])));
  text.line(3, fmt::format("if (state.fault.what != 0) {{ {}{} continue; }}", handling(id), back));
  text.line(3, count(id));
  normalise(written);
  pack(written);
  text.line(3, "if (difference != 0) " + push("words"));
  if (!back.empty()) text.line(3, back);
}

// What becomes of a successor that is another state.
std::string DeviceRules::push(const std::string& words) const {
  if (!has_assumptions(program_)) return fmt::format("ctx.push({});", words);
  return fmt::format(
      "{{ if (assumptions(state) && state.fault.what == 0) ctx.push({}); else ++ctx.moves, ctx.settled(); }}",
      words);
}

void DeviceRules::packed_firing(uint32_t id) {
  Text& text = out_.text;
  if (two_passes_) text.line(3, "if (ctx.pass == Pass::guards) { ctx.found = true; continue; }");
  text.line(3, fmt::format("if (!effect{}(state{})) discard(state.fault);", id,
                           bound_arguments(program_.rules[id])));
  text.line(
      3, fmt::format("if (state.fault.what != 0) {{ {} state.undo(ctx.packed); continue; }}", handling(id)));
  text.line(3, count(id));
  text.line(3, "if (state.differs(ctx.packed)) " + push("state.words()"));
  text.line(3,
            two_passes_ ? "if (ctx.pass == Pass::whole) state.undo(ctx.packed);" : "state.undo(ctx.packed);");
}

void DeviceRules::normalise(const std::vector<bool>& written) {
  for (size_t v = 0; v < written.size(); ++v)
    if (written[v] && types_.contains_multiset(program_.state[v].type))
      out_.text.line(3, fmt::format("normalise_{}(state.{});", types_.number(program_.state[v].type),
                                    member_name(program_, v)));
}

bool DeviceRules::is_large(size_t variable) const {
  return layout_.looped || ir::leaf_count(program_, program_.state[variable].type) > kPackedLeaves;
}

// A statement for each of some words, or a loop for many.
void DeviceRules::copy_words(const char* statement, uint64_t begin, uint64_t end) {
  if (end - begin > kWordsOneByOne)
    return out_.text.line(3, fmt::format("for (u32 i = {}; i < {}; ++i) ", begin, end) +
                                 fmt::format(fmt::runtime(statement), "i"));
  for (uint64_t k = begin; k < end; ++k) out_.text.line(3, fmt::format(fmt::runtime(statement), k));
}

// The successor as words, of which only those that hold a written variable can differ from the parent's.
void DeviceRules::pack(const std::vector<bool>& written) {
  Text& text = out_.text;
  std::vector<bool> small = written, touched(layout_.words);
  text.line(3, "u64 words[kStateWords], difference = 0;");
  copy_words("words[{0}] = ctx.packed[{0}];", 0, layout_.words);
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v] || !is_large(v)) continue;
    small[v] = false;
    const StateLayout::Variable& variable = layout_.variables[v];
    text.line(
        3, fmt::format("repack_{0}(state.{1}, before{2}, words, {3});", types_.number(program_.state[v].type),
                       member_name(program_, v), v, variable.offset));
    for (uint64_t k = variable.offset / 64; k * 64 < variable.offset + variable.width; ++k) touched[k] = true;
  }
  for (uint64_t k = 0; !layout_.looped && k < layout_.words; ++k) {
    const PackedWord word = packed_word(layout_, k, small);
    if (word.mask == 0) continue;
    touched[k] = true;
    text.line(3, fmt::format("words[{0}] = (words[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
  }
  for (uint64_t k = 0; k < layout_.words;) {
    uint64_t end = k;
    while (end < layout_.words && touched[end]) ++end;
    copy_words("difference |= words[{0}] ^ ctx.packed[{0}];", k, end);
    k = end + 1;
  }
}

std::string DeviceRules::restore(const std::vector<bool>& written) const {
  std::string text;
  for (size_t v = 0; v < written.size(); ++v)
    if (written[v]) text += fmt::format(" state.{} = before{};", member_name(program_, v), v);
  return text;
}

}  // namespace strata::native
