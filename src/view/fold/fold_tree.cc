#include "view/fold/fold_tree.h"

#include <algorithm>
#include <bit>

namespace strata {

FoldTree::FoldTree(uint64_t state_bytes, std::vector<Chunk> chunks, std::vector<Node> nodes)
    : chunks_(std::move(chunks)), nodes_(std::move(nodes)), short_leaf_bytes_(state_bytes % kLeaf) {
  above_.resize(parts(), 0);
  for (uint32_t part = this->chunks(); part < parts(); ++part)
    above_[node(part).left] = above_[node(part).right] = part;
  chunk_of_leaf_.resize((state_bytes + kLeaf - 1) / kLeaf);
  for (uint32_t i = 0; i < this->chunks(); ++i) {
    Chunk& chunk = chunks_[i];
    chunk.bytes = static_cast<uint32_t>(std::bit_ceil(std::max(chunk.count, 1u)) * kLeaf);
    chunk.is_run = chunk.count * kLeaf == chunk.bytes;
    for (uint32_t k = 0; k < chunk.count; ++k) {
      const uint32_t leaf = chunk.leaves[k];
      chunk_of_leaf_[leaf] = i;
      if ((leaf + 1) * kLeaf > state_bytes) chunk.short_leaf = k;
      if (leaf != chunk.leaves[0] + k || chunk.short_leaf == k) chunk.is_run = false;
      const uint64_t mask = chunk.short_leaf == k ? short_leaf_mask() : ~uint32_t{0};
      chunk.masks[k / 2] |= mask << k % 2 * 8 * kLeaf;
    }
  }
}

StateTree FoldTree::pairs_only() const {
  StateTree tree;
  tree.words = static_cast<uint32_t>(chunk_of_leaf_.size());
  constexpr uint32_t kNothing = UINT32_MAX;  // a chunk without leaves
  const auto pair = [&](uint32_t left, uint32_t right) {
    if (left == kNothing || right == kNothing) return std::min(left, right);
    tree.pairs.push_back({left, right});
    return static_cast<uint32_t>(tree.words + tree.pairs.size() - 1);
  };
  std::vector<uint32_t> numbers;  // of each part, in the new tree
  for (const Chunk& own : chunks_) {
    std::vector<uint32_t> level(own.leaves.begin(), own.leaves.begin() + own.count);
    while (level.size() > 1) {
      std::vector<uint32_t> above;
      for (size_t i = 0; i + 1 < level.size(); i += 2) above.push_back(pair(level[i], level[i + 1]));
      if (level.size() % 2 != 0) above.push_back(level.back());
      level = std::move(above);
    }
    numbers.push_back(level.empty() ? kNothing : level.front());
  }
  for (const Node& own : nodes_) numbers.push_back(pair(numbers[own.left], numbers[own.right]));
  return tree;
}

FoldTree::Chunk FoldTree::chunk_of_run(const Run& run, uint64_t state_bytes) {
  Chunk result;
  for (uint64_t at = run.first; at < std::min<uint64_t>(run.first + run.bytes, state_bytes); at += kLeaf)
    result.add(static_cast<uint32_t>(at / kLeaf));
  return result;
}

FoldTree FoldTree::even(uint64_t state_bytes) {
  std::vector<Chunk> chunks;
  for (const Run& run : cut(state_bytes, [](const Run& one) { return one.bytes > 16; }))
    chunks.push_back(chunk_of_run(run, state_bytes));
  std::vector<Node> nodes;
  std::vector<uint32_t> level(chunks.size());
  for (uint32_t i = 0; i < level.size(); ++i) level[i] = i;
  while (level.size() > 1) {
    std::vector<uint32_t> above;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      above.push_back(static_cast<uint32_t>(chunks.size() + nodes.size()));
      nodes.push_back({level[i], level[i + 1]});
    }
    if (level.size() % 2 != 0) above.push_back(level.back());
    level = std::move(above);
  }
  return FoldTree(state_bytes, std::move(chunks), std::move(nodes));
}

}  // namespace strata
