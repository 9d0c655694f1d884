// The state: its unpacked struct, unpacking, packing word by word, and what happens after a rule has fired.
#include <algorithm>

#include "native/emit/emitter.h"

namespace strata::native {

// Above this many scalars the state is packed by loops: the generated text stays small, the code is slower.
constexpr uint64_t kUnrolledLeaves = 2048;

void Emitter::collect_leaves(ir::TypeId id, const std::string& path, uint64_t& offset,
                             std::vector<Leaf>& leaves) const {
  const ir::Type& type = program_.types[id];
  if (type.scalar()) {
    const uint64_t width = ir::type_bits(program_, id);
    leaves.push_back({path, offset, width});
    offset += width;
  } else if (const ir::ArrayType* a = type.array()) {
    const uint64_t n = ir::cardinality(types_.scalar(a->index));
    for (uint64_t i = 0; i < n; ++i)
      collect_leaves(a->element, fmt::format("{}.e[{}]", path, i), offset, leaves);
  } else if (const ir::MultisetType* m = type.multiset()) {
    const uint64_t width = ir::bits_for(m->capacity + 1);
    leaves.push_back({path, offset, width, true, m->capacity});
    offset += width;
    for (uint64_t i = 0; i < m->capacity; ++i)
      collect_leaves(m->element, fmt::format("{}.e[{}]", path, i), offset, leaves);
  } else {
    const auto& fields = type.record()->fields;
    for (size_t i = 0; i < fields.size(); ++i)
      collect_leaves(fields[i].type, fmt::format("{}.f{}", path, i), offset, leaves);
  }
}

void Emitter::emit_state() {
  uint64_t offset = 0, leaf_total = 0;
  line(0, "struct State {");
  for (size_t v = 0; v < program_.state.size(); ++v) {
    const ir::StateVariable& variable = program_.state[v];
    const uint64_t bits = ir::type_bits(program_, variable.type);
    line(1, fmt::format("{} v{};  // {}", types_.name(variable.type), v, variable.name));
    variable_bits_.emplace_back(offset, bits);
    offset += bits;
    leaf_total += ir::leaf_count(program_, variable.type);
  }
  line(0, "};");
  bytes_ = std::max<uint64_t>(1, (offset + 7) / 8);
  words_ = (bytes_ + 7) / 8;
  looped_ = leaf_total > kUnrolledLeaves;
  leaves_.resize(program_.state.size());
  if (!looped_) {
    uint64_t at = 0;
    for (size_t v = 0; v < program_.state.size(); ++v)
      collect_leaves(program_.state[v].type, fmt::format("w.v{}", v), at, leaves_[v]);
  }
  emit_unpack();
  line(0, fmt::format("static inline void pack_all(const State& w, u64* p) {{"));
  if (looped_) {
    line(1, fmt::format("for (u64 i = 0; i <= {}; ++i) p[i] = 0;", words_));
    for (size_t v = 0; v < program_.state.size(); ++v)
      line(1, fmt::format("pk_{}(w.v{}, p, {});", types_.number(program_.state[v].type), v,
                          variable_bits_[v].first));
  } else {
    const std::vector<bool> all(program_.state.size(), true);
    for (uint64_t k = 0; k < words_; ++k) line(1, fmt::format("p[{}] = {};", k, packed_word(k, all).text));
  }
  line(1, "(void)w;");
  line(0, "}");
  line(0, "struct Context {");
  line(1, fmt::format("u64 in[{}];", words_ + 1));
  line(1, "State w, saved;");
  line(1, "StrataCall* call;");
  line(1, "u8* out;");
  line(1, "u64 count, transitions;");
  line(1, "u32 state;");
  line(1, "bool moved, failed;");
  line(0, "};");
}

void Emitter::emit_unpack() {
  line(0, "static inline void load(const u8* from, u64* p) {");
  line(1, fmt::format("p[{}] = 0;", words_ - 1));
  line(1, fmt::format("__builtin_memcpy(p, from, {});", bytes_));
  line(1, fmt::format("p[{}] = 0;", words_));
  line(0, "}");
  line(0, "static void unpack(const u64* p, State& w) {");
  if (looped_) {
    for (size_t v = 0; v < program_.state.size(); ++v)
      line(1, fmt::format("up_{}(w.v{}, p, {});", types_.number(program_.state[v].type), v,
                          variable_bits_[v].first));
  }
  for (const std::vector<Leaf>& variable : leaves_)
    for (const Leaf& leaf : variable) emit_unpack_leaf(leaf);
  line(1, "(void)p; (void)w;");
  line(0, "}");
}

void Emitter::emit_unpack_leaf(const Leaf& leaf) {
  const uint64_t word = leaf.offset / 64, shift = leaf.offset % 64;
  std::string value = shift ? fmt::format("(p[{}] >> {})", word, shift) : fmt::format("p[{}]", word);
  if (shift + leaf.width > 64) value = fmt::format("({} | (p[{}] << {}))", value, word + 1, 64 - shift);
  if (leaf.width < 64) value = fmt::format("({} & {}ull)", value, (uint64_t(1) << leaf.width) - 1);
  if (leaf.width == 0) value = "0";
  if (leaf.count)
    line(1, fmt::format("{{ const u64 n = {}; for (u64 i = 0; i < {}; ++i) {}.used[i] = i < n; }}", value,
                        leaf.capacity, leaf.path));
  else
    line(1, fmt::format("{0} = (__typeof__({0}))({1});", leaf.path, value));
}

// Word k of the packed state as far as it holds the given variables: their bits, and an expression for them.
Emitter::PackedWord Emitter::packed_word(uint64_t k, const std::vector<bool>& variables) const {
  PackedWord result;
  for (size_t v = 0; v < leaves_.size(); ++v) {
    if (!variables[v]) continue;
    for (const Leaf& leaf : leaves_[v]) {
      const uint64_t first = leaf.offset / 64, shift = leaf.offset % 64;
      const bool straddles = shift + leaf.width > 64;
      if (leaf.width == 0 || (k != first && !(straddles && k == first + 1))) continue;
      const std::string value = leaf.count ? fmt::format("ms_count({}.used, {})", leaf.path, leaf.capacity)
                                           : fmt::format("(u64){}", leaf.path);
      const uint64_t ones = leaf.width == 64 ? ~uint64_t(0) : (uint64_t(1) << leaf.width) - 1;
      result.mask |= k == first ? ones << shift : ones >> (64 - shift);
      if (!result.text.empty()) result.text += " | ";
      if (k != first)
        result.text += fmt::format("({} >> {})", value, 64 - shift);
      else
        result.text += shift ? fmt::format("({} << {})", value, shift) : value;
    }
  }
  if (result.text.empty()) result.text = "0";
  return result;
}

// Variables of more scalars than this are repacked by difference.
constexpr uint64_t kWholeLeaves = 128;

bool Emitter::is_large(size_t variable) const {
  return looped_ || ir::leaf_count(program_, program_.state[variable].type) > kWholeLeaves;
}

// The packed words of the successor, of which only small variables were written, as constants p0, p1 ...; fills in
// what each word is called and returns the test for "equal to the parent".
std::string Emitter::emit_words(const std::vector<bool>& written, std::vector<std::string>& words) {
  std::string differences;
  for (uint64_t k = 0; k < words_; ++k) {
    const PackedWord word = packed_word(k, written);
    words[k] = fmt::format("x.in[{}]", k);
    if (word.mask == 0) continue;
    line(3, fmt::format("const u64 p{0} = (x.in[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
    differences += fmt::format("{}(p{} ^ x.in[{}])", differences.empty() ? "" : " | ", k, k);
    words[k] = fmt::format("p{}", k);
  }
  return differences.empty() ? "true" : fmt::format("({}) == 0", differences);
}

// The same in an array p when large variables were written.
std::string Emitter::emit_repacked(const std::vector<bool>& written) {
  line(3, fmt::format("u64 p[{}];", words_ + 1));
  line(3, "__builtin_memcpy(p, x.in, sizeof p);");
  std::vector<bool> small = written;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v] || !is_large(v)) continue;
    small[v] = false;
    line(3, fmt::format("rp_{0}(x.w.v{1}, x.saved.v{1}, p, {2});", types_.number(program_.state[v].type), v,
                        variable_bits_[v].first));
  }
  for (uint64_t k = 0; k < words_; ++k)
    if (const PackedWord word = packed_word(k, small); word.mask != 0)
      line(3, fmt::format("p[{0}] = (p[{0}] & {1}ull) | {2};", k, ~word.mask, word.text));
  return fmt::format("!differ(p, x.in, {})", words_ * 8);
}

// With more rules than this, what follows an effect is one function for all: slower to run, quicker to compile.
constexpr size_t kOwnFirings = 1000;

bool Emitter::shares_firing() const { return program_.rules.size() > kOwnFirings; }

void Emitter::emit_shared_firing() {
  if (!shares_firing()) return;
  line(0, "[[gnu::noinline]] static void fire(Context& x, const u32 number) {");
  line(1, "State& w = x.w; (void)w;");
  line(1, "do {");
  emit_pack_firing(std::vector<bool>(program_.state.size(), true), "number");
  line(1, "} while (0);");
  line(0, "}");
}

// After the effect: normalise, pack, compare with the parent, restore, append to the output.
void Emitter::emit_pack_firing(const std::vector<bool>& written, const std::string& number) {
  bool large = false;
  for (size_t v = 0; v < written.size(); ++v) {
    if (!written[v]) continue;
    large |= is_large(v);
    if (types_.contains_multiset(program_.state[v].type))
      line(3, fmt::format("norm_{}(x.w.v{});", types_.number(program_.state[v].type), v));
  }
  std::vector<std::string> words(words_);
  const std::string same = large ? emit_repacked(written) : emit_words(written, words);
  line(3, fmt::format("const bool same = {};", same));
  line(3, "x.transitions++;");
  line(3, "bool keep = !same || x.call->emit_self_loops;");
  line(3, "x.moved |= !same;");
  if (has_assumptions(program_)) line(3, "if (keep && !same) keep = assumptions(x.w);");
  const size_t writes = static_cast<size_t>(std::count(written.begin(), written.end(), true));
  if (writes == written.size()) {
    line(3, "x.w = x.saved;");
  } else {
    for (size_t v = 0; v < written.size(); ++v)
      if (written[v]) line(3, fmt::format("x.w.v{0} = x.saved.v{0};", v));
  }
  // Without a branch on `keep`, which is hard to predict: what is not kept is overwritten by the next successor.
  if (large)
    line(3, fmt::format("__builtin_memcpy(x.out, p, {});", words_ * 8));
  else
    for (uint64_t k = 0; k < words_; ++k)
      line(3, fmt::format("__builtin_memcpy(x.out + {}, &{}, 8);", 8 * k, words[k]));
  line(3, fmt::format("x.call->out_rules[x.count] = {};", number));
  line(3, "x.call->out_parents[x.count] = x.state;");
  line(3, fmt::format("x.out += keep ? {} : 0;", bytes_));
  line(3, "x.count += keep;");
}

}  // namespace strata::native
