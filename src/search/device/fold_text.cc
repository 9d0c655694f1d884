#include "search/device/fold_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strata {

namespace {

// The value of a part: a word of 32 bits of the state, or the number of a pair.
std::string value(const StateTree& tree, uint32_t part) {
  if (part >= tree.words) return fmt::format("n{}", part);
  return part % 2 == 0 ? fmt::format("u32(state[{}])", part / 2)
                       : fmt::format("u32(state[{}] >> 32)", part / 2);
}

// The highest bit of a key is 0: numbers of pairs have 31 bits, words may have 32.
StateTree::Pair root_of(const StateTree& tree) {
  StateTree::Pair root = tree.pairs.back();
  if (root.right < tree.words) std::swap(root.left, root.right);
  return root;
}

void fold(const StateTree& tree, std::string& text) {
  text += "inline u64 fold_state(const VisitedStates& visited, const u64* state) {\n";
  for (uint32_t i = 0; i + 1 < tree.pairs.size(); ++i)
    text += fmt::format("  const u32 n{} = node_of(visited, {}, {});\n", tree.words + i,
                        value(tree, tree.pairs[i].left), value(tree, tree.pairs[i].right));
  const StateTree::Pair root = root_of(tree);
  text += fmt::format("  return u64({}) << 32 | {};\n}}\n", value(tree, root.right), value(tree, root.left));
}

void unfold(const StateTree& tree, uint64_t words, std::string& text) {
  const auto part = [&](uint32_t number) {
    return fmt::format("{}{}", number < tree.words ? 'w' : 'n', number);
  };
  text += "inline void unfold_state(const VisitedStates& visited, u64 key, u64* state) {\n";
  for (size_t i = tree.pairs.size(); i-- > 0;) {
    const bool is_root = i + 1 == tree.pairs.size();
    const StateTree::Pair pair = is_root ? root_of(tree) : tree.pairs[i];
    const std::string from = is_root ? "key" : fmt::format("p{}", i);
    if (!is_root)
      text += fmt::format("  const u64 p{} = node_at(visited, {});\n", i,
                          part(static_cast<uint32_t>(tree.words + i)));
    text += fmt::format("  const u32 {} = u32({}), {} = u32({} >> 32);\n", part(pair.left), from,
                        part(pair.right), from);
  }
  for (uint64_t i = 0; i < words; ++i) {
    const bool has_low = 2 * i < tree.words, has_high = 2 * i + 1 < tree.words;
    text += fmt::format("  state[{}] = {}{};\n", i, has_low ? fmt::format("w{}", 2 * i) : "0",
                        has_high ? fmt::format(" | u64(w{}) << 32", 2 * i + 1) : "");
  }
  text += "}\n";
}

}  // namespace

std::string fold_text(const StateTree& tree, uint64_t words) {
  std::string text;
  fold(tree, text);
  unfold(tree, words, text);
  return text;
}

}  // namespace strata
