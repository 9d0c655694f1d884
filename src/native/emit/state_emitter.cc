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
  context();
  for (size_t v = 0; layout_.wide && v < layout_.variables.size(); ++v)
    text_.line(0, fmt::format("{}; {};", unpack_head(v), store_head(v)));
}

void StateEmitter::emit_packing() {
  unpack();
  load_next();
  pack_all();
}

void StateEmitter::emit_for_device() {
  struct_state(fmt::format("Fault fault; u32 covered[{}];", program_.properties.size() / 32 + 1));
  unpack();
  pack_all_for_device();
}

std::string StateEmitter::unpack_head(size_t v) {
  return fmt::format("STRATA_LOCAL void unpack_variable{}(const u64* words, State& state)", v);
}

std::string StateEmitter::store_head(size_t v) {
  return fmt::format(
      "[[gnu::noinline]] STRATA_LOCAL u64 store_variable{}(const State& state, const State& before, "
      "const u64* packed, u8* out)",
      v);
}

void StateEmitter::struct_state(const std::string& more) {
  text_.line(0, "struct State {");
  for (size_t v = 0; v < program_.state.size(); ++v) {
    const ir::StateVariable& variable = program_.state[v];
    text_.line(1, fmt::format("{} {};  // {}", types_.name(variable.type), member_name(program_, v),
                              as_comment(variable.name)));
  }
  if (!more.empty()) text_.line(1, more);
  text_.line(0, "};");
}

// The number of the state variable that an object is part of; -1: none.
void StateEmitter::variable_of() {
  text_.line(0,
             "[[gnu::cold, gnu::noinline]] static i64 variable_of(const State& state, const void* part) {");
  text_.line(1, "const u8* at = static_cast<const u8*>(part);");
  for (size_t v = 0; v < program_.state.size(); ++v)
    if (types_.contains_multiset(program_.state[v].type))
      text_.line(
          1, fmt::format("if (at >= (const u8*)&state.{0} && at < (const u8*)(&state.{0} + 1)) return {1};",
                         member_name(program_, v), v));
  text_.line(1, "return -1;");
  text_.line(0, "}");
}

void StateEmitter::load() {
  text_.line(
      0, fmt::format("static inline void load(const u8* from, u64* words) {{ load_words<{}>(from, words); }}",
                     layout_.bytes));
}

void StateEmitter::unpack() {
  if (layout_.wide)
    for (size_t v = 0; v < layout_.variables.size(); ++v) unpack_variable(v);
  const Pieces pieces{"unpack", "const u64* words, State& state", "words, state", layout_.variables.size(),
                      [&](size_t v) {
                        if (layout_.by_variable())
                          text_.line(1, unpack_call(v, "state"));
                        else
                          for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
                      }};
  pieces_of(pieces);
  text_.line(0, "static void unpack(const u64* words, State& state) {");
  all_pieces(pieces);
  text_.line(0, "}");
}

// The code of a state of thousands of variables is a function for each few of them: compilers take a time
// that is the square of a function's length.
void StateEmitter::pieces_of(const Pieces& pieces) {
  if (pieces.count <= kPiece) return;
  for (size_t first = 0; first < pieces.count; first += kPiece) {
    text_.line(0,
               fmt::format("{}static void {}_part{}({}) {{", target_.is_device() ? "" : "[[gnu::noinline]] ",
                           pieces.name, first / kPiece, pieces.parameters));
    for (size_t i = first; i < std::min(pieces.count, first + kPiece); ++i) pieces.emit(i);
    text_.line(0, "}");
  }
}

void StateEmitter::all_pieces(const Pieces& pieces) {
  if (pieces.count <= kPiece)
    for (size_t i = 0; i < pieces.count; ++i) pieces.emit(i);
  else
    for (size_t first = 0; first < pieces.count; first += kPiece)
      text_.line(1, fmt::format("{}_part{}({});", pieces.name, first / kPiece, pieces.arguments));
}

std::string StateEmitter::unpack_call(size_t v, const std::string& state) const {
  if (layout_.wide) return fmt::format("unpack_variable{}(words, {});", v, state);
  return fmt::format("unpack_{}({}.{}, words, {});", types_.number(program_.state[v].type), state,
                     member_name(program_, v), layout_.variables[v].offset);
}

// load_next: a state of a call, packed and unpacked. States that follow each other have most variables in
// common: only those are unpacked whose words differ from the ones of the state before.
void StateEmitter::load_next() {
  const Pieces pieces{"load_next", "Context& ctx, const u64* words, bool first", "ctx, words, first",
                      layout_.variables.size(), [&](size_t v) { load_variable(v); }};
  if (layout_.by_variable()) pieces_of(pieces);
  text_.line(0, "static void load_next(Context& ctx, const u8* from, bool first) {");
  if (!layout_.by_variable()) {
    text_.line(1, "load(from, ctx.packed); unpack(ctx.packed, ctx.state); ctx.saved = ctx.state;");
    return text_.line(0, "}");
  }
  text_.line(1, fmt::format("u64 words[{}];", layout_.words + 1));
  text_.line(1, "load(from, words);");
  all_pieces(pieces);
  text_.line(1, "__builtin_memcpy(ctx.packed, words, sizeof words);");
  text_.line(0, "}");
}

void StateEmitter::load_variable(size_t v) {
  const StateLayout::Variable& variable = layout_.variables[v];
  const uint64_t begin = variable.offset / 64, end = (variable.offset + variable.width + 63) / 64;
  const std::string differs =
      variable.width == 0
          ? ""
          : fmt::format(" || differ(words + {0}, ctx.packed + {0}, {1})", begin, (end - begin) * 8);
  text_.line(1, fmt::format("if (first{0}) {{ {1} ctx.saved.{2} = ctx.state.{2}; }}", differs,
                            unpack_call(v, "ctx.state"), member_name(program_, v)));
}

void StateEmitter::unpack_variable(size_t v) {
  const size_t begin = text_.size();
  text_.line(0, unpack_head(v) + " {");
  for (const StateLayout::Leaf& leaf : layout_.variables[v].leaves) unpack_leaf(leaf);
  text_.line(0, "}");
  text_.end_unit(begin);
}

// store_variable<N>: puts the variable into a packed state that has the bits of `packed` there, and returns a
// number other than 0 where the bits differ. `packed` is the packed form of `before`.
void StateEmitter::store_variable(size_t v) {
  std::vector<bool> only(layout_.variables.size());
  only[v] = true;
  const size_t begin = text_.size();
  text_.line(0, store_head(v) + " {");
  text_.line(1, fmt::format("if (!differ(state.{0}, before.{0})) return 0;", member_name(program_, v)));
  text_.line(1, "u64 difference = 0, old = 0;");
  const StateLayout::Variable& variable = layout_.variables[v];
  for (uint64_t k = variable.offset / 64; k * 64 < variable.offset + variable.width; ++k) {
    const PackedWord word = packed_word(layout_, k, only);
    if (word.mask == 0) continue;
    text_.line(1, fmt::format("{{ const u64 bits = {};", word.text));
    text_.line(1, fmt::format("difference |= bits ^ (packed[{}] & {}ull);", k, word.mask));
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
  std::string value = shift ? fmt::format("(words[{}] >> {})", word, shift) : fmt::format("words[{}]", word);
  if (shift + leaf.width > 64) value = fmt::format("({} | (words[{}] << {}))", value, word + 1, 64 - shift);
  if (leaf.width < 64) value = fmt::format("({} & {}ull)", value, (uint64_t(1) << leaf.width) - 1);
  if (leaf.width == 0) value = "0";
  if (leaf.count)
    text_.line(1, fmt::format("{{ const u64 n = {}; for (u64 i = 0; i < {}; ++i) {}.used[i] = i < n; }}",
                              value, leaf.capacity, leaf.path));
  else
    text_.line(1, fmt::format("{} = {};", leaf.path, value));
}

void StateEmitter::pack_all() {
  if (layout_.wide)
    for (size_t v = 0; v < layout_.variables.size(); ++v) store_variable(v);
  const bool by_variable = layout_.by_variable();
  const std::vector<bool> all(program_.state.size(), true);
  const auto pack = [&](size_t i) {
    if (layout_.looped)
      text_.line(1, fmt::format("pack_{}(state.{}, words, {});", types_.number(program_.state[i].type),
                                member_name(program_, i), layout_.variables[i].offset));
    else if (layout_.wide)
      text_.line(1, fmt::format("store_variable{}(state, zeros, words, (u8*)words);", i));
    else
      text_.line(1, fmt::format("words[{}] = {};", i, packed_word(layout_, i, all).text));
  };
  const Pieces pieces{
      "pack",
      layout_.wide ? "const State& state, const State& zeros, u64* words" : "const State& state, u64* words",
      layout_.wide ? "state, zeros, words" : "state, words",
      by_variable ? program_.state.size() : layout_.words, pack};
  pieces_of(pieces);
  text_.line(0, "static inline void pack_all(const State& state, u64* words) {");
  if (by_variable) text_.line(1, fmt::format("for (u64 i = 0; i <= {}; ++i) words[i] = 0;", layout_.words));
  if (layout_.wide) text_.line(1, "static const State zeros{};");
  all_pieces(pieces);
  text_.line(0, "}");
}

void StateEmitter::pack_all_for_device() {
  const std::vector<bool> all(program_.state.size(), true);
  const Pieces pieces{
      "pack", "const State& state, u64* words", "state, words",
      layout_.looped ? program_.state.size() : layout_.words, [&](size_t i) {
        if (layout_.looped)
          text_.line(1, fmt::format("pack_{}(state.{}, words, {});", types_.number(program_.state[i].type),
                                    member_name(program_, i), layout_.variables[i].offset));
        else
          text_.line(1, fmt::format("words[{}] = {};", i, packed_word(layout_, i, all).text));
      }};
  pieces_of(pieces);
  text_.line(0, "static inline void pack_all(const State& state, u64* words) {");
  if (layout_.looped) text_.line(1, fmt::format("for (u64 i = 0; i < {}; ++i) words[i] = 0;", layout_.words));
  all_pieces(pieces);
  text_.line(0, "}");
}

void StateEmitter::context() {
  if (!has_changing_guards(program_))
    return text_.line(0, fmt::format("using Context = CallContext<State, {}>;", layout_.words));
  uint64_t instances = 0;
  for (const ir::Rule& rule : program_.rules) instances += ir::instance_count(program_, rule.bindings);
  text_.line(0, fmt::format("using Context = TurnContext<State, {}, {}>;", layout_.words, instances));
}

}  // namespace strata::native
