#include "native/emit/firing_emitter.h"

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
    return fmt::format("x.counts[{}].fired++;", rule);
  return fmt::format("count_firing(x.counts[{}], x.counted);", rule);
}

bool FiringEmitter::shared() const { return in_turn_ || program_.rules.size() > kOwnFirings; }

void FiringEmitter::declare_shared() {
  if (shared()) text_.line(0, "[[gnu::noinline]] STRATA_LOCAL void fire(Context& x, const u32 number);");
}

void FiringEmitter::emit_shared() {
  if (!shared()) return;
  text_.line(0, "[[gnu::noinline]] STRATA_LOCAL void fire(Context& x, const u32 number) {");
  text_.line(1, "State& w = x.w; (void)w;");
  text_.line(1, "do {");
  if (in_turn_)
    fire_in_turn();
  else
    fire(std::vector<bool>(program_.state.size(), true), "number");
  text_.line(1, "} while (0);");
  text_.line(0, "}");
}

void FiringEmitter::emit(uint32_t id, const std::string& number) {
  const ir::Rule& rule = program_.rules[id];
  text_.line(3, count_firing(program_, id));
  if (shared())
    text_.line(3, fmt::format("fire(x, {});", number));
  else
    fire(written_variables(program_, rule), number);
}

void FiringEmitter::fire(const std::vector<bool>& written, const std::string& number) {
  bool large = false;
  for (size_t v = 0; v < written.size(); ++v) large |= written[v] && is_large(v);
  normalise(written);
  std::vector<std::string> words(layout_.words);
  const std::string same = large          ? repack(written)
                           : layout_.wide ? store(written)
                                          : pack_words(written, words);
  text_.line(3, fmt::format("const bool same = {};", same));
  text_.line(3, "x.steps += kOneStep + (u64)!same * kOneMove;");
  text_.line(3, "bool keep = !same || x.loops;");
  if (has_assumptions(program_)) text_.line(3, "if (keep && !same) keep = assumptions(x.w);");
  restore(written);
  // Without a branch on `keep`, which is hard to predict: what is not kept is overwritten by the next
  // successor. Where to write is read first: for all that the compiler knows, writing changes it.
  text_.line(3,
             "u8* const to = x.out; const u64 at = x.count; u32 *const rules = x.rules, *const parents = "
             "x.parents;");
  if (large)
    text_.line(3, fmt::format("__builtin_memcpy(to, p, {});", layout_.words * 8));
  else if (!layout_.wide)
    for (uint64_t k = 0; k < layout_.words; ++k)
      text_.line(3, fmt::format("__builtin_memcpy(to + {}, &{}, 8);", 8 * k, words[k]));
  text_.line(3, fmt::format("rules[at] = {};", number));
  text_.line(3, "parents[at] = x.state;");
  text_.line(3, fmt::format("x.out = to + (keep ? {} : 0);", layout_.bytes));
  text_.line(3, "x.count = at + keep;");
}

// Where guards change the state, x.saved is not the parent x.in but what they made of it.
void FiringEmitter::fire_in_turn() {
  for (size_t v = 0; v < program_.state.size(); ++v)
    if (types_.contains_multiset(program_.state[v].type))
      text_.line(3, fmt::format("norm_{}(x.w.v{});", types_.number(program_.state[v].type), v));
  text_.line(3, fmt::format("u64 p[{}];", layout_.words + 1));
  text_.line(3, "pack_all(x.w, p);");
  text_.line(3, fmt::format("const bool same = !differ(p, x.in, {});", layout_.words * 8));
  text_.line(3, "x.steps += kOneStep + (u64)!same * kOneMove;");
  text_.line(3, "bool keep = !same || x.loops;");
  if (has_assumptions(program_)) text_.line(3, "if (keep && !same) keep = assumptions(x.w);");
  text_.line(3, "x.w = same ? x.parent : x.saved;");
  text_.line(3, "if (!keep) break;");
  text_.line(3, fmt::format("__builtin_memcpy(x.out, p, {});", layout_.words * 8));
  text_.line(3, "x.rules[x.count] = number; x.parents[x.count] = x.state;");
  text_.line(3, fmt::format("x.out += {}; x.count++;", layout_.bytes));
}

bool FiringEmitter::is_large(size_t variable) const {
  return layout_.looped || ir::leaf_count(program_, program_.state[variable].type) > kWholeLeaves;
}

void FiringEmitter::normalise(const std::vector<bool>& written) {
  for (size_t v = 0; v < written.size(); ++v)
    if (written[v] && types_.contains_multiset(program_.state[v].type))
      text_.line(3,
                 fmt::format("{}norm_{}(x.w.v{});", if_changed(v), types_.number(program_.state[v].type), v));
}

// Large states: a rule that may write a variable mostly does not.
std::string FiringEmitter::if_changed(size_t v) const {
  return layout_.by_variable() ? fmt::format("if (differ(&x.w.v{0}, &x.saved.v{0}, sizeof x.w.v{0})) ", v)
                               : "";
}

// The packed words of the successor, of which only small variables were written, as constants p0, p1 ...; fills in
// what each word is called and returns the test for "equal to the parent".
std::string FiringEmitter::pack_words(const std::vector<bool>& written, std::vector<std::string>& words) {
  std::string differences;
  for (uint64_t k = 0; k < layout_.words; ++k) {
    const PackedWord word = packed_word(layout_, k, written);
    words[k] = fmt::format("x.in[{}]", k);
    if (word.mask == 0) continue;
    text_.line(3, fmt::format("const u64 p{0} = (x.in[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
    differences += fmt::format("{}(p{} ^ x.in[{}])", differences.empty() ? "" : " | ", k, k);
    words[k] = fmt::format("p{}", k);
  }
  return differences.empty() ? "true" : fmt::format("({}) == 0", differences);
}

// The same for a state of many words, written to the output at once.
std::string FiringEmitter::store(const std::vector<bool>& written) {
  text_.line(3, fmt::format("__builtin_memcpy(x.out, x.in, {});", layout_.words * 8));
  std::string differences;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v]) continue;
    text_.line(3, fmt::format("const u64 d{0} = store_v{0}(x.w, x.saved, x.in, x.out);", v));
    differences += fmt::format("{}d{}", differences.empty() ? "" : " | ", v);
  }
  return differences.empty() ? "true" : fmt::format("({}) == 0", differences);
}

// The same in an array p when large variables were written.
std::string FiringEmitter::repack(const std::vector<bool>& written) {
  text_.line(3, fmt::format("u64 p[{}];", layout_.words + 1));
  text_.line(3, "__builtin_memcpy(p, x.in, sizeof p);");
  std::vector<bool> small = written;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v] || !is_large(v)) continue;
    small[v] = false;
    text_.line(3, fmt::format("rp_{0}(x.w.v{1}, x.saved.v{1}, p, {2});",
                              types_.number(program_.state[v].type), v, layout_.variables[v].offset));
  }
  for (size_t v = 0; layout_.wide && v < written.size(); ++v)
    if (small[v]) text_.line(3, fmt::format("const u64 d{0} = store_v{0}(x.w, x.saved, x.in, (u8*)p);", v));
  for (uint64_t k = 0; !layout_.wide && k < layout_.words; ++k)
    if (const PackedWord word = packed_word(layout_, k, small); word.mask != 0)
      text_.line(3, fmt::format("p[{0}] = (p[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
  return fmt::format("!differ(p, x.in, {})", layout_.words * 8);
}

void FiringEmitter::restore(const std::vector<bool>& written) {
  const auto writes = static_cast<size_t>(std::count(written.begin(), written.end(), true));
  if (writes == written.size() && !layout_.by_variable()) return text_.line(3, "x.w = x.saved;");
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v]) continue;
    // Packed alike, slots of a multiset may yet be different ones.
    const bool is_stored = layout_.wide && !is_large(v) && !types_.contains_multiset(program_.state[v].type);
    text_.line(3, fmt::format("{0}x.w.v{1} = x.saved.v{1};",
                              is_stored ? fmt::format("if (d{} != 0) ", v) : if_changed(v), v));
  }
}

}  // namespace strata::native
