#include "native/text/state_layout.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/layout.h"
#include "native/text/cpp_types.h"

namespace strata::native {

using Leaf = StateLayout::Leaf;

// Above this many scalars the state is packed by loops: the generated text stays small, the code is slower.
constexpr uint64_t kUnrolledLeaves = 2048;

// Above this many words each variable has functions of its own, which all rules share.
constexpr uint64_t kNarrowWords = 16;

static void collect_leaves(const ir::Program& program, ir::TypeId id, const std::string& path,
                           uint64_t& offset, std::vector<Leaf>& leaves) {
  const ir::Type& type = program.types[id];
  if (type.scalar()) {
    const uint64_t width = ir::type_bits(program, id);
    leaves.push_back({path, offset, width});
    offset += width;
  } else if (const ir::ArrayType* a = type.array()) {
    const uint64_t n = ir::cardinality(*program.types[a->index].scalar());
    for (uint64_t i = 0; i < n; ++i)
      collect_leaves(program, a->element, fmt::format("{}.e[{}]", path, i), offset, leaves);
  } else if (const ir::MultisetType* m = type.multiset()) {
    const uint64_t width = ir::bits_for(m->capacity + 1);
    leaves.push_back({path, offset, width, true, m->capacity});
    offset += width;
    for (uint64_t i = 0; i < m->capacity; ++i)
      collect_leaves(program, m->element, fmt::format("{}.e[{}]", path, i), offset, leaves);
  } else {
    const auto& fields = type.record()->fields;
    for (size_t i = 0; i < fields.size(); ++i)
      collect_leaves(program, fields[i].type, fmt::format("{}.f{}", path, i), offset, leaves);
  }
}

StateLayout state_layout(const ir::Program& program) {
  StateLayout layout;
  uint64_t offset = 0, leaf_total = 0;
  for (const ir::StateVariable& variable : program.state) {
    const uint64_t width = ir::type_bits(program, variable.type);
    layout.variables.push_back({offset, width, {}});
    offset += width;
    leaf_total += ir::leaf_count(program, variable.type);
  }
  layout.bytes = std::max<uint64_t>(1, (offset + 7) / 8);
  layout.words = (layout.bytes + 7) / 8;
  layout.looped = leaf_total > kUnrolledLeaves;
  layout.wide = !layout.looped && layout.words > kNarrowWords;
  if (layout.looped) return layout;
  for (size_t v = 0; v < program.state.size(); ++v) {
    uint64_t at = layout.variables[v].offset;
    collect_leaves(program, program.state[v].type, "state." + member_name(program, v), at,
                   layout.variables[v].leaves);
  }
  return layout;
}

static void add_leaf(PackedWord& word, uint64_t k, const Leaf& leaf) {
  const uint64_t first = leaf.offset / 64, shift = leaf.offset % 64;
  const bool straddles = shift + leaf.width > 64;
  if (leaf.width == 0 || (k != first && !(straddles && k == first + 1))) return;
  const std::string value = leaf.count ? fmt::format("used_slots({}.used, {})", leaf.path, leaf.capacity)
                                       : fmt::format("(u64){}", leaf.path);
  const uint64_t ones = leaf.width == 64 ? ~uint64_t(0) : (uint64_t(1) << leaf.width) - 1;
  std::string part = value;
  if (k != first)
    part = fmt::format("({} >> {})", value, 64 - shift);
  else if (shift != 0)
    part = fmt::format("({} << {})", value, shift);
  word.text = word.mask == 0 ? part : word.text + " | " + part;
  word.mask |= k == first ? ones << shift : ones >> (64 - shift);
}

PackedWord packed_word(const StateLayout& layout, uint64_t k, const std::vector<bool>& variables) {
  PackedWord word;
  for (size_t v = 0; v < layout.variables.size(); ++v) {
    if (!variables[v]) continue;
    for (const Leaf& leaf : layout.variables[v].leaves) add_leaf(word, k, leaf);
  }
  return word;
}

}  // namespace strata::native
