#include "view/fold/fold_tree.h"

namespace strata {

FoldTree::FoldTree(std::vector<Chunk> chunks, std::vector<Node> nodes)
    : chunks_(std::move(chunks)), nodes_(std::move(nodes)) {
  above_.resize(parts(), 0);
  for (uint32_t part = this->chunks(); part < parts(); ++part)
    above_[node(part).left] = above_[node(part).right] = part;
  for (uint32_t i = 0; i < this->chunks(); ++i)
    chunk_of_leaf_.insert(chunk_of_leaf_.end(), chunks_[i].bytes / kLeastChunk, i);
}

FoldTree FoldTree::even(uint64_t state_bytes) {
  std::vector<Chunk> chunks = cut(state_bytes, [](const Chunk& chunk) { return chunk.bytes > 16; });
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
  return FoldTree(std::move(chunks), std::move(nodes));
}

}  // namespace strata
