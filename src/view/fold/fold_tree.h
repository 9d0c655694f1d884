// How a state is cut into a tree. Its bytes are cut into chunks of 4, 8, 16, 32 or 64 that follow each other, none of which crosses a
// multiple of 64; nodes are pairs of parts, which are chunks or nodes.
//
// Parts have numbers: first the chunks, in the order of their bytes, then the nodes, each behind its two parts. So the root is the last
// of them, and going through changed parts in the order of their numbers meets each after all that are below it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace strata {

class FoldTree {
 public:
  static constexpr uint64_t kLeastChunk = 4, kMostChunk = 64;  // bytes

  struct Chunk {
    uint32_t first = 0, bytes = 0;  // the last one may go beyond the state's end; there are zeros
  };
  struct Node {
    uint32_t left = 0, right = 0;
  };

  // Nodes in the order of their numbers; the last one is the root.
  FoldTree(std::vector<Chunk> chunks, std::vector<Node> nodes);
  // Without any knowledge of the states: chunks of 16 bytes, and halves.
  static FoldTree even(uint64_t state_bytes);
  // The chunk sizes that a state is cut into, at least two: `is_cut(chunk)` says which ones are cut in half, from those of 64 bytes on.
  template <class F>
  static std::vector<Chunk> cut(uint64_t state_bytes, const F& is_cut);

  uint32_t chunks() const { return static_cast<uint32_t>(chunks_.size()); }
  uint32_t nodes() const { return static_cast<uint32_t>(nodes_.size()); }
  uint32_t parts() const { return chunks() + nodes(); }
  const Chunk& chunk(uint32_t part) const { return chunks_[part]; }
  const Node& node(uint32_t part) const { return nodes_[part - chunks()]; }
  const Node& root() const { return nodes_.back(); }
  uint32_t above(uint32_t part) const { return above_[part]; }
  // The chunk of the four bytes from 4 * leaf on.
  uint32_t chunk_of_leaf(uint64_t leaf) const { return chunk_of_leaf_[leaf]; }

 private:
  std::vector<Chunk> chunks_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> above_;
  std::vector<uint32_t> chunk_of_leaf_;
};

template <class F>
std::vector<FoldTree::Chunk> FoldTree::cut(uint64_t state_bytes, const F& is_cut) {
  std::vector<Chunk> result, open;
  for (uint64_t first = 0; first < state_bytes; first += kMostChunk) {
    open.push_back({static_cast<uint32_t>(first), kMostChunk});
    while (!open.empty()) {
      const Chunk chunk = open.back();
      open.pop_back();
      const uint32_t half = chunk.bytes / 2;
      const bool is_all = chunk.first == 0 && chunk.bytes >= state_bytes;
      if (chunk.bytes == kLeastChunk || (!is_all && chunk.first + half < state_bytes && !is_cut(chunk))) {
        result.push_back(chunk);
        continue;
      }
      // What is behind the state's end needs no chunk, but for the second of two.
      if (chunk.first + half < state_bytes || (is_all && half == kLeastChunk))
        open.push_back({chunk.first + half, half});
      open.push_back({chunk.first, half});
    }
  }
  return result;
}

}  // namespace strata
