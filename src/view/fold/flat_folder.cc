#include "view/fold/flat_folder.h"

#include <algorithm>
#include <cstring>

namespace strata {

FlatFolder::FlatFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes)
    : Folder(tree, tables, state_bytes),
      is_(tree.parts() * kBlock, 0),
      words_((state_bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t)),
      masks_(tree.chunks() * words_, 0),
      differences_(words_ * kBlock) {
  for (uint32_t part = 0; part < tree.chunks(); ++part) {
    const FoldTree::Chunk& chunk = tree.chunk(part);
    for (uint32_t k = 0; k < chunk.count; ++k) {
      const uint64_t mask = chunk.masks[k / 2] >> k % 2 * 32 & ~uint32_t{0};
      masks_[part * words_ + chunk.leaves[k] / 2] |= mask << chunk.leaves[k] % 2 * 32;
    }
    compares_ = compares_ || chunk.bytes != FoldTree::kLeastChunk;
  }
  FlatFolder::unfold_zeros();
}

uint64_t FlatFolder::bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states) {
  return states * (state_bytes + tree.parts() * (sizeof(uint32_t) + sizeof(uint64_t))) +
         tree.parts() * kBlock * sizeof(uint32_t) + kCacheBytes;
}

void FlatFolder::set_unfolded(uint64_t n) {
  unfolded_ = n;
  was_.resize(tree_.parts() * n);
  was_pairs_.resize(tree_.nodes() * n);
  states_.resize(n * state_bytes_ + kSlackBytes);
}

void FlatFolder::unfold_zeros() {
  set_unfolded(1);
  given_.assign(1, 0);
  std::fill(was_.begin(), was_.end(), 0);
  std::fill(was_pairs_.begin(), was_pairs_.end(), 0);
  std::fill(states_.begin(), states_.end(), 0);
}

const uint8_t* FlatFolder::unfold(const uint8_t* keys, uint64_t n) {
  if (n == 0) return states_.data();
  set_unfolded(n);
  take_keys(keys, n);
  const uint32_t root = tree_.parts() - 1;
  const uint64_t mask = (uint64_t{1} << left_bits_) - 1;
  for (uint64_t i = 0; i < n; ++i) was_pair(root)[i] = (given_[i] & mask) | given_[i] >> left_bits_ << 32;
  // A part comes after the parts that it consists of.
  for (uint32_t part = root; part >= tree_.chunks(); --part) {
    const auto [left, right] = tree_.node(part);
    uint64_t* pairs = was_pair(part);
    if (part != root) {
      const uint32_t* numbers = was(part);
      for (uint64_t i = 0; i < n; ++i) pairs_.fetch_number(numbers[i]);
      for (uint64_t i = 0; i < n; ++i) pairs[i] = pairs_.node(numbers[i])[0];
    }
    uint32_t *lefts = was(left), *rights = was(right);
    for (uint64_t i = 0; i < n; ++i) {
      lefts[i] = static_cast<uint32_t>(pairs[i]);
      rights[i] = static_cast<uint32_t>(pairs[i] >> 32);
    }
  }
  for (uint32_t part = 0; part < tree_.chunks(); ++part) {
    const FoldTree::Chunk& chunk = tree_.chunk(part);
    const uint32_t* numbers = was(part);
    if (chunk.bytes == FoldTree::kLeastChunk) {
      for (uint64_t i = 0; i < n; ++i) put_chunk(chunk, numbers[i], states_.data() + i * state_bytes_);
      continue;
    }
    tables_.with_table(chunk.bytes, [&](const auto& table) {
      for (uint64_t i = 0; i < n; ++i) table.fetch_number(numbers[i]);
      for (uint64_t i = 0; i < n; ++i)
        put_chunk(chunk, table.node(numbers[i]), states_.data() + i * state_bytes_);
    });
  }
  return states_.data();
}

void FlatFolder::fold_block(const Block& block) {
  if (compares_) find_differences(block);
  for (uint32_t part = 0; part < tree_.chunks(); ++part) {
    const uint32_t bytes = tree_.chunk(part).bytes;
    if (bytes == FoldTree::kLeastChunk)
      read_leaves(block, part);
    else
      tables_.with_table(bytes, [&](auto& table) { find_chunks(block, part, table); });
  }
  const uint32_t root = tree_.parts() - 1;
  for (uint32_t part = tree_.chunks(); part < root; ++part) find_nodes(block, part);
  const uint32_t *lefts = is(tree_.root().left), *rights = is(tree_.root().right);
  for (uint64_t i = 0; i < block.count; ++i) keys_[block.first + i] = key(lefts[i], rights[i]);
}

// Bytes read after the end of a state are in no chunk's mask.
void FlatFolder::find_differences(const Block& block) {
  for (uint64_t i = 0; i < block.count; ++i) {
    const uint8_t* own = block.states + i * state_bytes_;
    const uint8_t* before = states_.data() + block.parents[i] * state_bytes_;
    for (uint64_t word = 0; word < words_; ++word) {
      uint64_t x, y;
      std::memcpy(&x, own + word * sizeof x, sizeof x);
      std::memcpy(&y, before + word * sizeof y, sizeof y);
      differences_[word * kBlock + i] = x ^ y;
    }
  }
}

void FlatFolder::read_leaves(const Block& block, uint32_t part) {
  uint32_t* numbers = is(part);
  const FoldTree::Chunk& chunk = tree_.chunk(part);
  if (chunk.is_run) {
    const uint8_t* at = block.states + chunk.leaves[0] * FoldTree::kLeaf;
    for (uint64_t i = 0; i < block.count; ++i)
      std::memcpy(numbers + i, at + i * state_bytes_, sizeof *numbers);
    return;
  }
  for (uint64_t i = 0; i < block.count; ++i)
    numbers[i] = chunk_of<std::array<uint32_t, 1>>(chunk, block.states + i * state_bytes_)[0];
}

template <class Table>
void FlatFolder::find_chunks(const Block& block, uint32_t part, Table& table) {
  using Node = typename Table::Node;
  const FoldTree::Chunk& chunk = tree_.chunk(part);
  uint32_t* numbers = is(part);
  const uint32_t* before = was(part);
  uint64_t differences[kBlock] = {};
  for (uint64_t word = 0; word < words_; ++word) {
    const uint64_t mask = masks_[part * words_ + word];
    if (mask == 0) continue;
    const uint64_t* all = differences_.data() + word * kBlock;
    for (uint64_t i = 0; i < kBlock; ++i) differences[i] |= all[i] & mask;
  }
  uint32_t list[kBlock];
  uint64_t waiting = 0;
  for (uint64_t i = 0; i < block.count; ++i) {
    numbers[i] = before[block.parents[i]];
    list[waiting] = static_cast<uint32_t>(i);
    waiting += differences[i] != 0;
  }
  Node nodes[kBlock];
  for (uint64_t k = 0; k < waiting; ++k)
    nodes[k] = chunk_of<Node>(chunk, block.states + list[k] * state_bytes_);
  look_up(block, table, nodes, list, waiting, numbers);
}

void FlatFolder::find_nodes(const Block& block, uint32_t part) {
  const auto [left, right] = tree_.node(part);
  const uint32_t *lefts = is(left), *rights = is(right);
  uint32_t* numbers = is(part);
  const uint32_t* before = was(part);
  const uint64_t* pairs_before = was_pair(part);
  NodeTable<1>::Node pairs[kBlock];
  uint32_t list[kBlock];
  uint64_t changed = 0;
  for (uint64_t i = 0; i < block.count; ++i) {
    const uint32_t parent = block.parents[i];
    const uint64_t pair = lefts[i] | static_cast<uint64_t>(rights[i]) << 32;
    numbers[i] = before[parent];
    pairs[changed] = {pair};
    list[changed] = static_cast<uint32_t>(i);
    changed += pair != pairs_before[parent];
  }
  uint64_t waiting = 0;
  for (uint64_t k = 0; k < changed; ++k) {
    const uint64_t pair = pairs[k][0];
    const Cached there = cached(pair);
    const uint32_t i = list[k];
    numbers[i] = there.number;
    pairs[waiting] = {pair};
    list[waiting] = i;
    waiting += there.pair != pair;
  }
  look_up_pairs(block, pairs, list, waiting, numbers);
}

}  // namespace strata
