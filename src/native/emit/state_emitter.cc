#include "native/emit/state_emitter.h"

#include <fmt/format.h>

#include <algorithm>

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
  const Pieces pieces{"unpack", "const u64* p, State& w", "p, w", layout_.variables.size(), [&](size_t v) {
                        if (layout_.by_variable())
                          text_.line(1, unpack_call(v, "w"));
                        else
                          for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
                      }};
  pieces_of(pieces);
  text_.line(0, "static void unpack(const u64* p, State& w) {");
  all_pieces(pieces);
  text_.line(1, "(void)p; (void)w;");
  text_.line(0, "}");
}

// The code of a state of thousands of variables is a function for each few of them: compilers take a time
// that is the square of a function's length.
void StateEmitter::pieces_of(const Pieces& pieces) {
  if (pieces.count <= kPiece) return;
  for (size_t first = 0; first < pieces.count; first += kPiece) {
    text_.line(0, fmt::format("[[gnu::noinline]] static void {}_{}({}) {{", pieces.name, first / kPiece,
                              pieces.parameters));
    for (size_t i = first; i < std::min(pieces.count, first + kPiece); ++i) pieces.emit(i);
    text_.line(0, "}");
  }
}

void StateEmitter::all_pieces(const Pieces& pieces) {
  if (pieces.count <= kPiece)
    for (size_t i = 0; i < pieces.count; ++i) pieces.emit(i);
  else
    for (size_t first = 0; first < pieces.count; first += kPiece)
      text_.line(1, fmt::format("{}_{}({});", pieces.name, first / kPiece, pieces.arguments));
}

std::string StateEmitter::unpack_call(size_t v, const std::string& state) const {
  if (layout_.wide) return fmt::format("unpack_v{}(p, {});", v, state);
  return fmt::format("up_{}({}.v{}, p, {});", types_.number(program_.state[v].type), state, v,
                     layout_.variables[v].offset);
}

// load_next: a state of a call, packed and unpacked. States that follow each other have most variables in
// common: only those are unpacked whose words differ from the ones of the state before.
void StateEmitter::load_next() {
  const Pieces pieces{"load_next", "Context& x, const u64* p, bool first", "x, p, first",
                      layout_.variables.size(), [&](size_t v) { load_variable(v); }};
  if (layout_.by_variable()) pieces_of(pieces);
  text_.line(0, "[[maybe_unused]] static void load_next(Context& x, const u8* from, bool first) {");
  if (!layout_.by_variable()) {
    text_.line(1, "load(from, x.in); unpack(x.in, x.w); x.saved = x.w; (void)first;");
    return text_.line(0, "}");
  }
  text_.line(1, fmt::format("u64 p[{}];", layout_.words + 1));
  text_.line(1, "load(from, p);");
  all_pieces(pieces);
  text_.line(1, "__builtin_memcpy(x.in, p, sizeof p);");
  text_.line(0, "}");
}

void StateEmitter::load_variable(size_t v) {
  const StateLayout::Variable& variable = layout_.variables[v];
  const uint64_t begin = variable.offset / 64, end = (variable.offset + variable.width + 63) / 64;
  const std::string differs =
      variable.width == 0 ? ""
                          : fmt::format(" || differ(p + {0}, x.in + {0}, {1})", begin, (end - begin) * 8);
  text_.line(
      1, fmt::format("if (first{0}) {{ {1} x.saved.v{2} = x.w.v{2}; }}", differs, unpack_call(v, "x.w"), v));
}

void StateEmitter::unpack_variable(size_t v) {
  const size_t begin = text_.size();
  text_.line(0, unpack_head(v) + " {");
  for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
  text_.line(1, "(void)p; (void)w;");
  text_.line(0, "}");
  text_.end_unit(begin);
}

// store_vN: puts the variable into a packed state that has the bits of `in` there, and returns a number other
// than 0 where those differ. `in` is the packed form of `before`.
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
  const bool by_variable = layout_.by_variable();
  const std::vector<bool> all(program_.state.size(), true);
  const auto pack = [&](size_t i) {
    if (layout_.looped)
      text_.line(1, fmt::format("pk_{}(w.v{}, p, {});", types_.number(program_.state[i].type), i,
                                layout_.variables[i].offset));
    else if (layout_.wide)
      text_.line(1, fmt::format("store_v{}(w, zeros, p, (u8*)p);", i));
    else
      text_.line(1, fmt::format("p[{}] = {};", i, packed_word(layout_, i, all).text));
  };
  const Pieces pieces{
      "pack", layout_.wide ? "const State& w, const State& zeros, u64* p" : "const State& w, u64* p",
      layout_.wide ? "w, zeros, p" : "w, p", by_variable ? program_.state.size() : layout_.words, pack};
  pieces_of(pieces);
  text_.line(0, "static inline void pack_all(const State& w, u64* p) {");
  if (by_variable) text_.line(1, fmt::format("for (u64 i = 0; i <= {}; ++i) p[i] = 0;", layout_.words));
  if (layout_.wide) text_.line(1, "static const State zeros{};");
  all_pieces(pieces);
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
