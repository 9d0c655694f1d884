#include "view/fold/folder.h"

#include <algorithm>
#include <cstring>

#include "view/fold/flat_folder.h"
#include "view/fold/path_folder.h"

namespace strata {

std::unique_ptr<Folder> Folder::make(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes) {
  if (FlatFolder::suits(tree)) return std::make_unique<FlatFolder>(tree, tables, state_bytes);
  return std::make_unique<PathFolder>(tree, tables, state_bytes);
}

uint64_t Folder::bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states) {
  return FlatFolder::suits(tree) ? FlatFolder::bytes(tree, state_bytes, states)
                                 : PathFolder::bytes(tree, state_bytes, states);
}

uint64_t Folder::key_bits(const FoldTree& tree, FoldTables& tables) {
  return tables.number_bits(tree, tree.root().left) + tables.number_bits(tree, tree.root().right);
}

Folder::Folder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes)
    : tree_(tree),
      tables_(tables),
      pairs_(tables.pairs()),
      state_bytes_(state_bytes),
      left_bits_(tables.number_bits(tree, tree.root().left)),
      key_bytes_((key_bits(tree, tables) + 7) / 8) {}

void Folder::take_keys(const uint8_t* keys, uint64_t n) {
  const uint64_t mask = ~uint64_t{0} >> (64 - key_bytes_ * 8);
  given_.resize(n);
  for (uint64_t i = 0; i < n; ++i) {
    uint64_t one = 0;
    if ((n - i) * key_bytes_ >= sizeof one)
      std::memcpy(&one, keys + i * key_bytes_, sizeof one);
    else
      std::memcpy(&one, keys + i * key_bytes_, key_bytes_);
    given_[i] = one & mask;
  }
}

void Folder::begin_folding(uint64_t n) {
  if (cache_.empty()) cache_.resize(uint64_t{1} << kCacheBits);
  keys_.resize(n);
  has_room_.assign(n, 1);
}

void Folder::put_chunk(const FoldTree::Chunk& chunk, uint32_t number, uint8_t* state) const {
  const auto copy = [&](const void* from, uint64_t size) {
    const uint64_t left = state_bytes_ - std::min<uint64_t>(chunk.first, state_bytes_);
    if (left >= size)
      std::memcpy(state + chunk.first, from, size);
    else
      std::memcpy(state + chunk.first, from, left);
  };
  if (chunk.bytes == FoldTree::kLeastChunk) return copy(&number, sizeof number);
  tables_.with_table(chunk.bytes, [&](const auto& table) {
    const auto words = table.node(number);
    copy(words.data(), sizeof words);
  });
}

}  // namespace strata
