#include "native/emit/state_emitter.h"

#include <fmt/format.h>

#include "ir/layout.h"
#include "native/analysis/uses.h"

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
  load_next();
  pack_all();
}

std::string StateEmitter::unpack_head(size_t v) {
  return fmt::format("STRATA_LOCAL void unpack_v{}(const u64* p, State& w)", v);
}

std::string StateEmitter::store_head(size_t v) {
  return fmt::format(
      "[[gnu::noinline]] STRATA_LOCAL u64 store_v{}(const State& w, const State& before, const u64* in, u8* "
      "out)",
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
  for (size_t v = 0; v < layout_.variables.size(); ++v) {
    if (layout_.by_variable())
      text_.line(1, unpack_call(v, "w"));
    else
      for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
  }
  text_.line(1, "(void)p; (void)w;");
  text_.line(0, "}");
}

std::string StateEmitter::unpack_call(size_t v, const std::string& state) const {
  if (layout_.wide) return fmt::format("unpack_v{}(p, {});", v, state);
  return fmt::format("up_{}({}.v{}, p, {});", types_.number(program_.state[v].type), state, v,
                     layout_.variables[v].offset);
}

// load_next: a state of a call, packed and unpacked. States that follow each other have most variables in common: only those are
// unpacked whose words differ from the ones of the state before.
void StateEmitter::load_next() {
  text_.line(0, "[[maybe_unused]] static void load_next(Context& x, const u8* from, bool first) {");
  if (!layout_.by_variable()) {
    text_.line(1, "load(from, x.in); unpack(x.in, x.w); x.saved = x.w; (void)first;");
    return text_.line(0, "}");
  }
  text_.line(1, fmt::format("u64 p[{}];", layout_.words + 1));
  text_.line(1, "load(from, p);");
  for (size_t v = 0; v < layout_.variables.size(); ++v) {
    const StateLayout::Variable& variable = layout_.variables[v];
    const uint64_t begin = variable.offset / 64, end = (variable.offset + variable.width + 63) / 64;
    const std::string differs =
        variable.width == 0 ? ""
                            : fmt::format(" || differ(p + {0}, x.in + {0}, {1})", begin, (end - begin) * 8);
    text_.line(1, fmt::format("if (first{0}) {{ {1} x.saved.v{2} = x.w.v{2}; }}", differs,
                              unpack_call(v, "x.w"), v));
  }
  text_.line(1, "__builtin_memcpy(x.in, p, sizeof p);");
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

// store_vN: puts the variable into a packed state that has the bits of `in` there, and returns a number other than 0 where those
// differ. `in` is the packed form of `before`.
void StateEmitter::store_variable(size_t v) {
  std::vector<bool> only(layout_.variables.size());
  only[v] = true;
  const size_t begin = text_.size();
  text_.line(0, store_head(v) + " {");
  text_.line(1, fmt::format("if (!differ(&w.v{0}, &before.v{0}, sizeof w.v{0})) return 0;", v));
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
    text_.line(1, "static const State zeros{};");
    for (size_t v = 0; v < program_.state.size(); ++v)
      text_.line(1, fmt::format("store_v{}(w, zeros, p, (u8*)p);", v));
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
  text_.line(1, "u32 *rules, *parents;");
  text_.line(1, "StrataCount* counts;");
  text_.line(1, "u64 count, counted;");
  text_.line(1, "u32 state;");
  text_.line(1, "bool loops, open, failed, firing;");
  // Rules that fired in the state at hand, and how many of them changed it.
  text_.line(1, "u64 steps;");
  if (has_changing_guards(program_)) {
    uint64_t instances = 0;
    for (const ir::Rule& rule : program_.rules) instances += ir::instance_count(program_, rule.bindings);
    text_.line(1, "State parent;");
    text_.line(1, "i64 lowest;");
    text_.line(1, fmt::format("u64 enabled[{}];", instances / 64 + 1));
  }
  text_.line(0, "};");
  text_.line(0, "enum : u64 { kOneStep = 1, kOneMove = 1ull << 32 };");
  text_.line(0, "[[maybe_unused]] static inline u32 steps_of(const Context& x) { return (u32)x.steps; }");
}

}  // namespace strata::native
