#include "view/fold/folder.h"

#include <algorithm>
#include <cstring>

#include "model/model.h"
#include "view/fold/flat_folder.h"
#include "view/fold/mask_folder.h"

namespace strata {

std::unique_ptr<Folder> Folder::make(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes) {
  if (FlatFolder::suits(tree, state_bytes)) return std::make_unique<FlatFolder>(tree, tables, state_bytes);
  return std::make_unique<MaskFolder>(tree, tables, state_bytes);
}

uint64_t Folder::bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states) {
  return FlatFolder::suits(tree, state_bytes) ? FlatFolder::bytes(tree, state_bytes, states)
                                              : MaskFolder::bytes(tree, state_bytes, states);
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

void Folder::fold(const uint8_t* states, const uint32_t* parents, uint64_t n, const uint64_t* changes) {
  if (cache_.empty()) cache_.resize(uint64_t{1} << kCacheBits);
  keys_.resize(n);
  has_room_.assign(n, 1);
  for (uint64_t first = 0; first < n; first += kBlock)
    fold_block({states + first * state_bytes_, parents + first,
                changes == nullptr ? nullptr : changes + first * Expansion::change_words(state_bytes_), first,
                std::min(kBlock, n - first)});
}

void Folder::look_up_pairs(const Block& block, const NodeTable<1>::Node* pairs, const uint32_t* list,
                           uint64_t n, uint32_t* numbers) {
  look_up(block, pairs_, pairs, list, n, numbers);
  for (uint64_t k = 0; k < n; ++k)
    if (numbers[list[k]] != 0) cached(pairs[k][0]) = {pairs[k][0], numbers[list[k]]};
}

}  // namespace strata
