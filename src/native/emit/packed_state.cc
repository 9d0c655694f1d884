#include "native/emit/packed_state.h"

#include <fmt/format.h>

namespace strata::native {

void PackedState::emit() {
  struct_state();
  variable_of();
  text_.line(0, fmt::format("using Context = PackedContext<State, {}>;", layout_.words));
  text_.line(
      0, fmt::format("static inline void load(const u8* from, u64* words) {{ load_words<{}>(from, words); }}",
                     layout_.bytes));
  convert();
  text_.line(0, "static inline void load_next(Context& ctx, const u8* from, bool) {");
  text_.line(1, "load(from, ctx.packed); ctx.state.load(ctx.packed);");
  text_.line(0, "}");
}

void PackedState::emit_for_device() {
  struct_state(fmt::format("Fault fault; u32 covered[{}];", program_.properties.size() / 32 + 1));
  convert();
}

void PackedState::convert() {
  text_.line(0, "static inline void unpack(const u64* words, State& state) { state.load(words); }");
  text_.line(0, "static inline void pack_all(const State& state, u64* words) {");
  text_.line(1, fmt::format("copy_words<{}>(state.words(), reinterpret_cast<u8*>(words));", layout_.words));
  text_.line(0, "}");
}

void PackedState::struct_state(const std::string& more) {
  text_.line(0, fmt::format("struct State : PackedWords<{}> {{", layout_.words));
  for (size_t v = 0; v < program_.state.size(); ++v)
    text_.line(1, fmt::format("p{} {}() const {{ return {{words(), {}}}; }}  // {}",
                              types_.number(program_.state[v].type), member_name(program_, v),
                              layout_.variables[v].offset, as_comment(program_.state[v].name)));
  if (!more.empty()) text_.line(1, more);
  text_.line(0, "};");
}

// The number of the state variable that a place is part of; -1: none.
void PackedState::variable_of() {
  text_.line(
      0,
      "[[gnu::cold, gnu::noinline]] static i64 variable_of(const State& state, const u64* words, u64 at) {");
  text_.line(1, "if (words != state.words()) return -1;");
  for (size_t v = program_.state.size(); v-- > 0;)
    if (types_.contains_multiset(program_.state[v].type))
      text_.line(1, fmt::format("if (at >= {}) return {};", layout_.variables[v].offset, v));
  text_.line(1, "return -1;");
  text_.line(0, "}");
}

}  // namespace strata::native
