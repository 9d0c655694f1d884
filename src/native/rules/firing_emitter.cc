#include "native/rules/firing_emitter.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/layout.h"
#include "native/analysis/uses.h"

namespace strata::native {

// With more rules than this, what follows an effect is one function for all: slower to run, quicker to compile.
constexpr size_t kOwnFirings = 1000;

// Variables of more scalars than this are repacked by difference.
constexpr uint64_t kWholeLeaves = 128;

std::string count_firing(const ir::Program& program, uint32_t rule) {
  if (ir::instance_count(program, program.rules[rule].bindings) == 1)
    return fmt::format("ctx.counts[{}].fired++;", rule);
  return fmt::format("count_firing(ctx.counts[{}], ctx.counted);", rule);
}

bool FiringEmitter::shared() const {
  return in_turn_ || form_.is_packed() || program_.rules.size() > kOwnFirings;
}

void FiringEmitter::declare_shared() {
  if (shared()) text_.line(0, "[[gnu::noinline]] STRATA_LOCAL void fire(Context& ctx, const u32 number);");
}

void FiringEmitter::emit_shared() {
  if (!shared()) return;
  text_.line(0, "[[gnu::noinline]] STRATA_LOCAL void fire(Context& ctx, const u32 number) {");
  if (!form_.is_packed()) text_.line(1, "State& state = ctx.state;");
  if (form_.is_packed())
    fire_packed();
  else if (in_turn_)
    fire_in_turn();
  else
    fire(std::vector<bool>(program_.state.size(), true), "number");
  text_.line(0, "}");
}

void FiringEmitter::emit(uint32_t id, const std::string& number) {
  const ir::Rule& rule = program_.rules[id];
  text_.line(3, count_firing(program_, id));
  if (shared())
    text_.line(3, fmt::format("fire(ctx, {});", number));
  else
    fire(written_variables(program_, rule), number);
}

std::string FiringEmitter::member(size_t variable) const { return member_name(program_, variable); }

void FiringEmitter::fire(const std::vector<bool>& written, const std::string& number) {
  bool large = false;
  for (size_t v = 0; v < written.size(); ++v) large |= written[v] && is_large(v);
  normalise(written);
  std::vector<std::string> packed(layout_.words);
  const std::string same = large          ? repack(written)
                           : layout_.wide ? store(written)
                                          : pack_words(written, packed);
  text_.line(3, fmt::format("const bool same = {};", same));
  keep();
  restore(written);
  if (large)
    return text_.line(3, fmt::format("append_words<{}>(ctx, {}, keep, words);", layout_.bytes, number));
  std::string words;
  for (uint64_t k = 0; !layout_.wide && k < layout_.words; ++k) words += ", " + packed[k];
  text_.line(3, fmt::format("append<{}>(ctx, {}, keep{});", layout_.bytes, number, words));
}

// Whether the successor goes to the output.
void FiringEmitter::keep() {
  text_.line(3, "bool keep = count_step(ctx, same);");
  if (has_assumptions(program_)) text_.line(3, "if (keep && !same) keep = assumptions(state);");
}

void FiringEmitter::fire_packed() {
  const char* const hold = has_assumptions(program_) ? "assumptions" : "[](State&) { return true; }";
  text_.line(3, fmt::format("append_state<{}>(ctx, number, {});", layout_.bytes, hold));
}

void FiringEmitter::fire_in_turn() {
  normalise(std::vector<bool>(program_.state.size(), true));
  text_.line(3, fmt::format("u64 words[{}];", layout_.words + 1));
  text_.line(3, "pack_all(state, words);");
  text_.line(3, fmt::format("const bool same = !differ(words, ctx.packed, {});", layout_.words * 8));
  keep();
  text_.line(3, "state = same ? ctx.original : ctx.saved;");
  text_.line(3, fmt::format("append_words<{}>(ctx, number, keep, words);", layout_.bytes));
}

bool FiringEmitter::is_large(size_t variable) const {
  return layout_.looped || ir::leaf_count(program_, program_.state[variable].type) > kWholeLeaves;
}

void FiringEmitter::normalise(const std::vector<bool>& written) {
  for (size_t v = 0; v < written.size(); ++v)
    if (written[v] && types_.contains_multiset(program_.state[v].type))
      text_.line(3, fmt::format("{}normalise_{}(state.{});", if_changed(v),
                                types_.number(program_.state[v].type), member(v)));
}

// Large states: a rule that may write a variable mostly does not.
std::string FiringEmitter::if_changed(size_t v) const {
  if (in_turn_ || !layout_.by_variable()) return "";
  return fmt::format("if (differ(state.{0}, ctx.saved.{0})) ", member(v));
}

// The packed words of the successor, of which only small variables were written, as constants word0, word1
// ...; fills in what each word is called and returns the test for "equal to the parent".
std::string FiringEmitter::pack_words(const std::vector<bool>& written, std::vector<std::string>& packed) {
  std::string differences;
  for (uint64_t k = 0; k < layout_.words; ++k) {
    const PackedWord word = packed_word(layout_, k, written);
    packed[k] = fmt::format("ctx.packed[{}]", k);
    if (word.mask == 0) continue;
    text_.line(
        3, fmt::format("const u64 word{0} = (ctx.packed[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
    differences += fmt::format("{}(word{} ^ ctx.packed[{}])", differences.empty() ? "" : " | ", k, k);
    packed[k] = fmt::format("word{}", k);
  }
  return differences.empty() ? "true" : fmt::format("({}) == 0", differences);
}

// The same for a state of many words, written to the output at once.
std::string FiringEmitter::store(const std::vector<bool>& written) {
  text_.line(3, fmt::format("__builtin_memcpy(ctx.out, ctx.packed, {});", layout_.words * 8));
  std::string differences;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v]) continue;
    text_.line(3, store_call(v, "ctx.out"));
    differences += fmt::format("{}changed{}", differences.empty() ? "" : " | ", v);
  }
  return differences.empty() ? "true" : fmt::format("({}) == 0", differences);
}

std::string FiringEmitter::store_call(size_t v, const char* out) {
  return fmt::format("const u64 changed{0} = store_variable{0}(state, ctx.saved, ctx.packed, {1});", v, out);
}

// The same in an array `words` when large variables were written.
std::string FiringEmitter::repack(const std::vector<bool>& written) {
  text_.line(3, fmt::format("u64 words[{}];", layout_.words + 1));
  text_.line(3, "__builtin_memcpy(words, ctx.packed, sizeof words);");
  std::vector<bool> small = written;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v] || !is_large(v)) continue;
    small[v] = false;
    text_.line(3, fmt::format("repack_{0}(state.{1}, ctx.saved.{1}, words, {2});",
                              types_.number(program_.state[v].type), member(v), layout_.variables[v].offset));
  }
  for (size_t v = 0; layout_.wide && v < written.size(); ++v)
    if (small[v]) text_.line(3, store_call(v, "(u8*)words"));
  for (uint64_t k = 0; !layout_.wide && k < layout_.words; ++k)
    if (const PackedWord word = packed_word(layout_, k, small); word.mask != 0)
      text_.line(3, fmt::format("words[{0}] = (words[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
  return fmt::format("!differ(words, ctx.packed, {})", layout_.words * 8);
}

void FiringEmitter::restore(const std::vector<bool>& written) {
  const auto writes = static_cast<size_t>(std::count(written.begin(), written.end(), true));
  if (writes == written.size() && !layout_.by_variable()) return text_.line(3, "state = ctx.saved;");
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v]) continue;
    // Multisets that are packed alike may have different slots.
    const bool is_stored = layout_.wide && !is_large(v) && !types_.contains_multiset(program_.state[v].type);
    if (layout_.by_variable() && !is_stored)
      text_.line(3, fmt::format("restore(state.{0}, ctx.saved.{0});", member(v)));
    else
      text_.line(3, fmt::format("{0}state.{1} = ctx.saved.{1};",
                                is_stored ? fmt::format("if (changed{} != 0) ", v) : "", member(v)));
  }
}

}  // namespace strata::native
