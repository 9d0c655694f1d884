#include "native/emit/state_emitter.h"

#include <fmt/format.h>

namespace strata::native {

void StateEmitter::emit() {
  struct_state();
  variable_of();
  load();
  struct_context();
  for (size_t v = 0; layout_.wide && v < layout_.variables.size(); ++v)
    text_.line(0, fmt::format("{}; {};", unpack_head(v), store_head(v)));
}

void StateEmitter::emit_packing() {
  unpack();
  pack_all();
}

std::string StateEmitter::unpack_head(size_t v) {
  return fmt::format("STRATA_LOCAL void unpack_v{}(const u64* p, State& w)", v);
}

std::string StateEmitter::store_head(size_t v) {
  return fmt::format("[[gnu::noinline]] STRATA_LOCAL u64 store_v{}(const State& w, const u64* in, u8* out)",
                     v);
}

void StateEmitter::struct_state() {
  text_.line(0, "struct State {");
  for (size_t v = 0; v < program_.state.size(); ++v) {
    const ir::StateVariable& variable = program_.state[v];
    text_.line(1, fmt::format("{} v{};  // {}", types_.name(variable.type), v, variable.name));
  }
  text_.line(0, "};");
}

// The number of the state variable that an object is part of; -1: none.
void StateEmitter::variable_of() {
  text_.line(0,
             "[[gnu::cold, gnu::noinline, maybe_unused]] static i64 variable_of(const State& w, const void* "
             "part) {");
  text_.line(1, "const u8* p = static_cast<const u8*>(part);");
  for (size_t v = 0; v < program_.state.size(); ++v)
    if (types_.contains_multiset(program_.state[v].type))
      text_.line(1,
                 fmt::format("if (p >= (const u8*)&w.v{0} && p < (const u8*)(&w.v{0} + 1)) return {0};", v));
  text_.line(1, "(void)w; (void)p; return -1;");
  text_.line(0, "}");
}

void StateEmitter::load() {
  text_.line(0, fmt::format("static inline void load(const u8* from, u64* p) {{ load_words<{}>(from, p); }}",
                            layout_.bytes));
}

void StateEmitter::unpack() {
  if (layout_.wide)
    for (size_t v = 0; v < layout_.variables.size(); ++v) unpack_variable(v);
  text_.line(0, "static void unpack(const u64* p, State& w) {");
  if (layout_.looped) {
    for (size_t v = 0; v < program_.state.size(); ++v)
      text_.line(1, fmt::format("up_{}(w.v{}, p, {});", types_.number(program_.state[v].type), v,
                                layout_.variables[v].offset));
  }
  for (size_t v = 0; v < layout_.variables.size(); ++v) {
    if (layout_.wide) text_.line(1, fmt::format("unpack_v{}(p, w);", v));
    if (layout_.wide) continue;
    for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
  }
  text_.line(1, "(void)p; (void)w;");
  text_.line(0, "}");
}

void StateEmitter::unpack_variable(size_t v) {
  const size_t begin = text_.size();
  text_.line(0, unpack_head(v) + " {");
  for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
  text_.line(1, "(void)p; (void)w;");
  text_.line(0, "}");
  text_.end_unit(begin);
}

// store_vN: puts the variable into a packed state, and returns a number other than 0 where `in` has other bits there.
void StateEmitter::store_variable(size_t v) {
  std::vector<bool> only(layout_.variables.size());
  only[v] = true;
  const size_t begin = text_.size();
  text_.line(0, store_head(v) + " {");
  text_.line(1, "u64 difference = 0, old = 0; (void)w; (void)in; (void)out; (void)old;");
  const StateLayout::Variable& variable = layout_.variables[v];
  for (uint64_t k = variable.offset / 64; k * 64 < variable.offset + variable.width; ++k) {
    const PackedWord word = packed_word(layout_, k, only);
    if (word.mask == 0) continue;
    text_.line(1, fmt::format("{{ const u64 bits = {};", word.text));
    text_.line(1, fmt::format("difference |= bits ^ (in[{}] & {}ull);", k, word.mask));
    text_.line(1, fmt::format("__builtin_memcpy(&old, out + {}, 8); old = (old & {}ull) | bits;", 8 * k,
                              ~word.mask));
    text_.line(1, fmt::format("__builtin_memcpy(out + {}, &old, 8); }}", 8 * k));
  }
  text_.line(1, "return difference;");
  text_.line(0, "}");
  text_.end_unit(begin);
}

void StateEmitter::unpack_leaf(const StateLayout::Leaf& leaf) {
  const uint64_t word = leaf.offset / 64, shift = leaf.offset % 64;
  std::string value = shift ? fmt::format("(p[{}] >> {})", word, shift) : fmt::format("p[{}]", word);
  if (shift + leaf.width > 64) value = fmt::format("({} | (p[{}] << {}))", value, word + 1, 64 - shift);
  if (leaf.width < 64) value = fmt::format("({} & {}ull)", value, (uint64_t(1) << leaf.width) - 1);
  if (leaf.width == 0) value = "0";
  if (leaf.count)
    text_.line(1, fmt::format("{{ const u64 n = {}; for (u64 i = 0; i < {}; ++i) {}.used[i] = i < n; }}",
                              value, leaf.capacity, leaf.path));
  else
    text_.line(1, fmt::format("{0} = (__typeof__({0}))({1});", leaf.path, value));
}

void StateEmitter::pack_all() {
  if (layout_.wide)
    for (size_t v = 0; v < layout_.variables.size(); ++v) store_variable(v);
  text_.line(0, "static inline void pack_all(const State& w, u64* p) {");
  if (layout_.looped) {
    text_.line(1, fmt::format("for (u64 i = 0; i <= {}; ++i) p[i] = 0;", layout_.words));
    for (size_t v = 0; v < program_.state.size(); ++v)
      text_.line(1, fmt::format("pk_{}(w.v{}, p, {});", types_.number(program_.state[v].type), v,
                                layout_.variables[v].offset));
  } else if (layout_.wide) {
    text_.line(1, fmt::format("for (u64 i = 0; i <= {}; ++i) p[i] = 0;", layout_.words));
    for (size_t v = 0; v < program_.state.size(); ++v)
      text_.line(1, fmt::format("store_v{}(w, p, (u8*)p);", v));
  } else {
    const std::vector<bool> all(program_.state.size(), true);
    for (uint64_t k = 0; k < layout_.words; ++k)
      text_.line(1, fmt::format("p[{}] = {};", k, packed_word(layout_, k, all).text));
  }
  text_.line(1, "(void)w;");
  text_.line(0, "}");
}

void StateEmitter::struct_context() {
  text_.line(0, "struct Context {");
  text_.line(1, fmt::format("u64 in[{}];", layout_.words + 1));
  text_.line(1, "State w, saved;");
  text_.line(1, "StrataCall* call;");
  text_.line(1, "u8* out;");
  text_.line(1, "u64 count, transitions;");
  text_.line(1, "u32 state;");
  text_.line(1, "bool moved, failed, firing;");
  text_.line(0, "};");
}

}  // namespace strata::native
