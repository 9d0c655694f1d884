// One thread's folding and unfolding of states, some at a time. How it goes through the tree depends on the tree's size
// (flat_folder.h, mask_folder.h).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "view/fold/fold_tables.h"
#include "view/fold/fold_tree.h"

namespace strata {

class Folder {
 public:
  static constexpr uint64_t kSlackBytes = 16;  // behind a state: models may read whole words

  static std::unique_ptr<Folder> make(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);
  virtual ~Folder() = default;

  static uint64_t key_bits(const FoldTree& tree, FoldTables& tables);
  // The bytes of a folder that unfolds this many states at a time.
  static uint64_t bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states);

  // Unfolds keys: returns the states, one after another, with kSlackBytes behind them; valid until the next call.
  virtual const uint8_t* unfold(const uint8_t* keys, uint64_t n) = 0;
  // As if a state of zeros had been unfolded.
  virtual void unfold_zeros() = 0;
  // Folds states. State i should differ little from the unfolded state number parents[i]; `changes`: Expansion::changes
  // of them, or null. ok(i): there was room for its nodes, and write_key(i) writes its key, filled with zeros to eight
  // bytes. REQUIRES: kSlackBytes behind the states may be read.
  void fold(const uint8_t* states, const uint32_t* parents, uint64_t n, const uint64_t* changes = nullptr);
  bool ok(uint64_t i) const { return has_room_[i] != 0; }
  void write_key(uint64_t i, uint8_t* key) const { __builtin_memcpy(key, &keys_[i], sizeof(uint64_t)); }
  // Whether state i equals the unfolded state of this number.
  bool is_parent(uint64_t i, uint32_t parent) const { return keys_[i] == given_[parent]; }

 protected:
  Folder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes);

  static constexpr uint64_t kBlock = 64;  // states that are folded together
  // Some states of a call of fold().
  struct Block {
    const uint8_t* states;
    const uint32_t* parents;
    const uint64_t* changes;
    uint64_t first, count;
  };

  static constexpr unsigned kCacheBits = 13;
  struct Cached {
    uint64_t pair = 0;
    uint32_t number = 0;
  };
  static constexpr uint64_t kCacheBytes = sizeof(Cached) << kCacheBits;
  Cached& cached(uint64_t pair) { return cache_[(pair * 0x9e3779b97f4a7c15ull) >> (64 - kCacheBits)]; }

  uint64_t key(uint32_t left, uint32_t right) const {
    return left | static_cast<uint64_t>(right) << left_bits_;
  }
  // Reads the keys that are to be unfolded.
  void take_keys(const uint8_t* keys, uint64_t n);
  virtual void fold_block(const Block& block) = 0;
  // Looks up the numbers of nodes; node k is one of state list[k] of the block.
  template <class Table>
  void look_up(const Block& block, Table& table, const typename Table::Node* nodes, const uint32_t* list,
               uint64_t n, uint32_t* numbers);
  // The same for pairs, which stay in the cache.
  void look_up_pairs(const Block& block, const NodeTable<1>::Node* pairs, const uint32_t* list, uint64_t n,
                     uint32_t* numbers);
  // A chunk of a state, as a node of the table of its size. A few bytes behind the state may be read.
  template <class Node>
  Node chunk_of(const FoldTree::Chunk& chunk, const uint8_t* state) const;
  template <class Node>
  void put_chunk(const FoldTree::Chunk& chunk, const Node& node, uint8_t* state) const;

  const FoldTree& tree_;
  FoldTables& tables_;
  NodeTable<1>& pairs_;
  const uint64_t state_bytes_;
  const unsigned left_bits_;
  const uint64_t key_bytes_;
  std::vector<uint64_t> given_;  // keys of all states that were unfolded
  std::vector<uint64_t> keys_;   // of all states that were folded
  std::vector<uint8_t> has_room_;

 private:
  std::vector<Cached> cache_;
};

template <class Table>
void Folder::look_up(const Block& block, Table& table, const typename Table::Node* nodes,
                     const uint32_t* list, uint64_t n, uint32_t* numbers) {
  uint64_t hashes[kBlock];
  uint32_t likely[kBlock];
  for (uint64_t k = 0; k < n; ++k) {
    hashes[k] = Table::hash(nodes[k]);
    table.fetch(hashes[k]);
  }
  for (uint64_t k = 0; k < n; ++k) likely[k] = table.likely(hashes[k]);
  for (uint64_t k = 0; k < n; ++k) {
    const uint32_t number = table.number(nodes[k], hashes[k], likely[k]);
    numbers[list[k]] = number;
    if (number == 0 && nodes[k] != typename Table::Node{}) has_room_[block.first + list[k]] = 0;
  }
}

template <class Node>
Node Folder::chunk_of(const FoldTree::Chunk& chunk, const uint8_t* state) const {
  constexpr uint64_t kLeaf = FoldTree::kLeaf;
  Node result{};
  if (chunk.is_run) {
    __builtin_memcpy(result.data(), state + chunk.leaves[0] * kLeaf, sizeof result);
    return result;
  }
  const auto leaf = [&](size_t k) {
    uint32_t bits;
    __builtin_memcpy(&bits, state + chunk.leaves[k] * kLeaf, sizeof bits);
    return bits;
  };
  if constexpr (sizeof result == kLeaf) {
    result[0] = leaf(0) & static_cast<uint32_t>(chunk.masks[0]);
  } else {
    for (size_t k = 0; k < result.size(); ++k)
      result[k] = (leaf(2 * k) | uint64_t{leaf(2 * k + 1)} << 32) & chunk.masks[k];
  }
  return result;
}

template <class Node>
void Folder::put_chunk(const FoldTree::Chunk& chunk, const Node& node, uint8_t* state) const {
  constexpr uint64_t kLeaf = FoldTree::kLeaf;
  if (chunk.is_run) {
    __builtin_memcpy(state + chunk.leaves[0] * kLeaf, &node, sizeof node);
    return;
  }
  uint32_t leaves[sizeof node / kLeaf];
  __builtin_memcpy(leaves, &node, sizeof node);
  for (uint32_t k = 0; k < chunk.count; ++k)
    if (k != chunk.short_leaf)
      __builtin_memcpy(state + chunk.leaves[k] * kLeaf, leaves + k, kLeaf);
    else
      __builtin_memcpy(state + chunk.leaves[k] * kLeaf, leaves + k, tree_.short_leaf_bytes());
}

}  // namespace strata
