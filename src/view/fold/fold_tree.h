// How a state is cut into a tree. Its leaves are the words of four bytes of the state; the last one may be shorter. Up
// to 16 leaves, from anywhere in the state, form a chunk; nodes are pairs of parts, and a part is a chunk or a node.
//
// Invariants
//  1. Parts are numbered: first the chunks, then the nodes, each after its two parts; the root is the last. So going
//     through changed parts in the order of their numbers meets each part after all parts below it.
//  2. Each leaf is in one chunk.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/state_tree.h"

namespace strata {

class FoldTree {
 public:
  static constexpr uint64_t kLeaf = 4;                             // bytes
  static constexpr uint64_t kLeastChunk = kLeaf, kMostChunk = 64;  // bytes
  static constexpr uint64_t kMostLeaves = kMostChunk / kLeaf;

  struct Chunk {
    std::array<uint32_t, kMostLeaves> leaves{};
    uint32_t count = 0;
    // Filled in by the tree: bytes = the smallest node size that fits; is_run = the leaves are contiguous and fill the
    // node; short_leaf = the index of the truncated last leaf of the state, or kMostLeaves.
    uint32_t bytes = 0;
    bool is_run = false;
    uint32_t short_leaf = kMostLeaves;
    // For each pair of leaves: the bits of their word that are in use.
    std::array<uint64_t, kMostLeaves / 2> masks{};

    void add(uint32_t leaf) { leaves[count++] = leaf; }
  };
  // 4, 8, 16, 32 or 64 bytes that follow each other, none of which crosses a multiple of 64.
  struct Run {
    uint32_t first = 0, bytes = 0;  // the last one may go beyond the state's end
  };
  struct Node {
    uint32_t left = 0, right = 0;
  };

  // REQUIRES: nodes in the order of their numbers; the last one is the root.
  FoldTree(uint64_t state_bytes, std::vector<Chunk> chunks, std::vector<Node> nodes);
  // A tree that needs no knowledge of the states: chunks of 16 bytes, and halves.
  static FoldTree even(uint64_t state_bytes);
  // The runs that a state is cut into, at least two: `is_cut(run)` says which ones are cut in half, from
  // those of 64 bytes on.
  template <class F>
  static std::vector<Run> cut(uint64_t state_bytes, const F& is_cut);
  // The leaves of a run, up to the end of the state.
  static Chunk chunk_of_run(const Run& run, uint64_t state_bytes);

  uint32_t chunks() const { return static_cast<uint32_t>(chunks_.size()); }
  uint32_t nodes() const { return static_cast<uint32_t>(nodes_.size()); }
  uint32_t parts() const { return chunks() + nodes(); }
  const Chunk& chunk(uint32_t part) const { return chunks_[part]; }
  const Node& node(uint32_t part) const { return nodes_[part - chunks()]; }
  const Node& root() const { return nodes_.back(); }
  uint32_t above(uint32_t part) const { return above_[part]; }
  uint32_t chunk_of_leaf(uint64_t leaf) const { return chunk_of_leaf_[leaf]; }
  // The same with pairs alone: a chunk of several leaves becomes a tree of pairs. Without pairs if there is one leaf.
  StateTree pairs_only() const;
  // Of the shorter leaf, the bits and the bytes that it has.
  uint32_t short_leaf_mask() const { return (uint32_t{1} << short_leaf_bytes_ * 8) - 1; }
  uint64_t short_leaf_bytes() const { return short_leaf_bytes_; }

 private:
  std::vector<Chunk> chunks_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> above_;
  std::vector<uint32_t> chunk_of_leaf_;
  uint64_t short_leaf_bytes_;
};

template <class F>
std::vector<FoldTree::Run> FoldTree::cut(uint64_t state_bytes, const F& is_cut) {
  std::vector<Run> result, open;
  for (uint64_t first = 0; first < state_bytes; first += kMostChunk) {
    open.push_back({static_cast<uint32_t>(first), kMostChunk});
    while (!open.empty()) {
      const Run run = open.back();
      open.pop_back();
      const uint32_t half = run.bytes / 2;
      const bool is_all = run.first == 0 && run.bytes >= state_bytes;
      if (run.bytes == kLeastChunk || (!is_all && run.first + half < state_bytes && !is_cut(run))) {
        result.push_back(run);
        continue;
      }
      // What is behind the state's end needs no run, but for the second of two.
      if (run.first + half < state_bytes || (is_all && half == kLeastChunk))
        open.push_back({run.first + half, half});
      open.push_back({run.first, half});
    }
  }
  return result;
}

}  // namespace strata
