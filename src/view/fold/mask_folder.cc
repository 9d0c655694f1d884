#include "view/fold/mask_folder.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

#include "model/model.h"

namespace strata {

namespace {

constexpr uint64_t kLeaf = FoldTree::kLeaf;
constexpr uint64_t kStep = 16;                 // bytes that are compared at once
constexpr uint64_t kMaskedBytes = 64 * kLeaf;  // bytes of which a word can say which leaves differ
static_assert(kStep <= Folder::kSlackBytes);

// Bit i: whether the four bytes from 4 * i on differ, of 16.
#ifdef __SSE2__
uint64_t differing_of_step(const uint8_t* a, const uint8_t* b) {
  const __m128i equal = _mm_cmpeq_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a)),
                                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)));
  return static_cast<uint64_t>(~_mm_movemask_ps(_mm_castsi128_ps(equal)) & 0xf);
}
#else
uint64_t differing_of_step(const uint8_t* a, const uint8_t* b) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; i += 2) {
    uint64_t x, y;
    std::memcpy(&x, a + i * kLeaf, sizeof x);
    std::memcpy(&y, b + i * kLeaf, sizeof y);
    const uint64_t difference = x ^ y;
    result |= static_cast<uint64_t>(static_cast<uint32_t>(difference) != 0) << i |
              static_cast<uint64_t>(difference >> 32 != 0) << (i + 1);
  }
  return result;
}
#endif

// The same of 64 bytes.
constexpr uint64_t kLine = 64;
#ifdef __ARM_NEON
uint64_t differing_of_line(const uint8_t* a, const uint8_t* b) {
  const auto equal = [&](uint64_t at) {
    return vreinterpretq_u16_u32(
        vceqq_u32(vreinterpretq_u32_u8(vld1q_u8(a + at)), vreinterpretq_u32_u8(vld1q_u8(b + at))));
  };
  const uint8x16_t each = vuzp1q_u8(vreinterpretq_u8_u16(vuzp1q_u16(equal(0), equal(16))),
                                    vreinterpretq_u8_u16(vuzp1q_u16(equal(32), equal(48))));
  const uint8x16_t bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201u));
  uint8x16_t sums = vbicq_u8(bits, each);
  for (int round = 0; round < 3; ++round) sums = vpaddq_u8(sums, sums);
  return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
}
#else
uint64_t differing_of_line(const uint8_t* a, const uint8_t* b) {
  uint64_t result = 0;
  for (uint64_t at = 0; at < kLine; at += kStep) result |= differing_of_step(a + at, b + at) << at / kLeaf;
  return result;
}
#endif

// Of up to kMaskedBytes bytes; a few behind them may be read.
uint64_t differing_leaves(const uint8_t* a, const uint8_t* b, uint64_t size) {
  uint64_t result = 0, at = 0;
  for (; at + kLine <= size; at += kLine) result |= differing_of_line(a + at, b + at) << at / kLeaf;
  for (; at < size; at += kStep) result |= differing_of_step(a + at, b + at) << at / kLeaf;
  if (size == kMaskedBytes) return result;
  const uint64_t whole = size / kLeaf, rest = size % kLeaf;
  uint32_t x, y;
  std::memcpy(&x, a + whole * kLeaf, kLeaf);
  std::memcpy(&y, b + whole * kLeaf, kLeaf);
  const uint64_t differs = ((x ^ y) & ((uint32_t{1} << rest * 8) - 1)) != 0;
  return (result & ((uint64_t{1} << whole) - 1)) | differs << whole;
}

// Calls f with the place of each bit.
template <class F>
[[gnu::always_inline]] inline void each_bit(uint64_t mask, const F& f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint64_t>(std::countr_zero(mask)));
}

}  // namespace

MaskFolder::MaskFolder(const FoldTree& tree, FoldTables& tables, uint64_t state_bytes)
    : Folder(tree, tables, state_bytes),
      last_(tree.parts()),
      last_state_(state_bytes),
      changed_(tree.parts(), 0),
      is_(tree.parts() * kBlock, 0) {
  MaskFolder::unfold_zeros();
}

uint64_t MaskFolder::bytes(const FoldTree& tree, uint64_t state_bytes, uint64_t states) {
  return (states + 1) * (state_bytes + tree.parts() * sizeof(uint32_t)) +
         tree.parts() * (sizeof(uint64_t) + kBlock * sizeof(uint32_t)) + kCacheBytes;
}

void MaskFolder::unfold_zeros() {
  was_.assign(tree_.parts(), 0);
  states_.assign(state_bytes_ + kSlackBytes, 0);
  given_.assign(1, 0);
  std::fill(last_.begin(), last_.end(), 0);
  std::fill(last_state_.begin(), last_state_.end(), 0);
}

const uint8_t* MaskFolder::unfold(const uint8_t* keys, uint64_t n) {
  if (n == 0) return states_.data();
  take_keys(keys, n);
  was_.resize(n * tree_.parts());
  states_.resize(n * state_bytes_ + kSlackBytes);
  for (uint64_t first = 0; first < n; first += kBlock) unfold_block(first, std::min(kBlock, n - first));
  std::memcpy(last_.data(), was(n - 1), tree_.parts() * sizeof(uint32_t));
  std::memcpy(last_state_.data(), states_.data() + (n - 1) * state_bytes_, state_bytes_);
  return states_.data();
}

void MaskFolder::put_number(uint64_t i, uint32_t* own, uint32_t part, uint32_t number) {
  own[part] = number;
  changed_[part] |= static_cast<uint64_t>(number != last_[part]) << i;
}

// All states are copies of the last state, except for the parts that differ.
void MaskFolder::unfold_block(uint64_t first, uint64_t count) {
  const uint64_t low = (uint64_t{1} << left_bits_) - 1;
  for (uint64_t i = 0; i < count; ++i) {
    uint32_t* own = was(first + i);
    std::memcpy(own, last_.data(), tree_.parts() * sizeof(uint32_t));
    std::memcpy(states_.data() + (first + i) * state_bytes_, last_state_.data(), state_bytes_);
    put_number(i, own, tree_.root().left, static_cast<uint32_t>(given_[first + i] & low));
    put_number(i, own, tree_.root().right, static_cast<uint32_t>(given_[first + i] >> left_bits_));
  }
  // A part comes after the parts that it consists of.
  for (uint32_t part = tree_.parts() - 1; part-- > tree_.chunks();) {
    const uint64_t mask = changed_[part];
    if (mask == 0) continue;
    changed_[part] = 0;
    const auto [left, right] = tree_.node(part);
    each_bit(mask, [&](uint64_t i) { pairs_.fetch_number(was(first + i)[part]); });
    each_bit(mask, [&, left = left, right = right](uint64_t i) {
      uint32_t* own = was(first + i);
      const uint64_t pair = pairs_.node(own[part])[0];
      put_number(i, own, left, static_cast<uint32_t>(pair));
      put_number(i, own, right, static_cast<uint32_t>(pair >> 32));
    });
  }
  for (uint32_t part = 0; part < tree_.chunks(); ++part) {
    const uint64_t mask = changed_[part];
    if (mask == 0) continue;
    changed_[part] = 0;
    const FoldTree::Chunk& chunk = tree_.chunk(part);
    const auto put_all = [&](const auto& node_of) {
      each_bit(mask, [&](uint64_t i) {
        put_chunk(chunk, node_of(was(first + i)[part]), states_.data() + (first + i) * state_bytes_);
      });
    };
    if (chunk.bytes == FoldTree::kLeastChunk) {
      put_all([](uint32_t number) { return number; });
      continue;
    }
    tables_.with_table(chunk.bytes, [&](const auto& table) {
      each_bit(mask, [&](uint64_t i) { table.fetch_number(was(first + i)[part]); });
      put_all([&](uint32_t number) { return table.node(number); });
    });
  }
}

void MaskFolder::fold_block(const Block& block) {
  if (block.changes != nullptr)
    take_changes(block);
  else
    find_changes(block);
  for (uint32_t part = 0; part < tree_.chunks(); ++part) {
    if (changed_[part] == 0) continue;
    changed_[tree_.above(part)] |= changed_[part];
    const uint32_t bytes = tree_.chunk(part).bytes;
    if (bytes == FoldTree::kLeastChunk)
      read_leaves(block, part);
    else
      tables_.with_table(bytes, [&](auto& table) { find_chunks(block, part, table); });
  }
  const uint32_t root = tree_.parts() - 1;
  for (uint32_t part = tree_.chunks(); part < root; ++part) {
    if (changed_[part] == 0) continue;
    changed_[tree_.above(part)] |= changed_[part];
    find_nodes(block, part);
  }
  const auto [left, right] = tree_.root();
  for (uint64_t i = 0; i < block.count; ++i)
    keys_[block.first + i] = key(number_of(block, left, i), number_of(block, right, i));
  std::fill(changed_.begin(), changed_.end(), 0);
}

void MaskFolder::find_changes(const Block& block) {
  for (uint64_t i = 0; i < block.count; ++i) {
    const uint8_t* own = block.states + i * state_bytes_;
    const uint8_t* before = states_.data() + block.parents[i] * state_bytes_;
    for (uint64_t at = 0; at < state_bytes_; at += kMaskedBytes)
      each_bit(differing_leaves(own + at, before + at, std::min(kMaskedBytes, state_bytes_ - at)),
               [&](uint64_t leaf) { changed_[tree_.chunk_of_leaf(at / kLeaf + leaf)] |= uint64_t{1} << i; });
  }
}

void MaskFolder::take_changes(const Block& block) {
  const uint64_t words = Expansion::change_words(state_bytes_);
  for (uint64_t i = 0; i < block.count; ++i)
    for (uint64_t k = 0; k < words; ++k)
      each_bit(block.changes[i * words + k],
               [&](uint64_t leaf) { changed_[tree_.chunk_of_leaf(k * 64 + leaf)] |= uint64_t{1} << i; });
}

void MaskFolder::read_leaves(const Block& block, uint32_t part) {
  each_bit(changed_[part], [&](uint64_t i) {
    is(part)[i] = chunk_of<std::array<uint32_t, 1>>(tree_.chunk(part), block.states + i * state_bytes_)[0];
  });
}

template <class Table>
void MaskFolder::find_chunks(const Block& block, uint32_t part, Table& table) {
  typename Table::Node nodes[kBlock];
  uint32_t list[kBlock];
  uint64_t waiting = 0;
  each_bit(changed_[part], [&](uint64_t i) {
    nodes[waiting] = chunk_of<typename Table::Node>(tree_.chunk(part), block.states + i * state_bytes_);
    list[waiting++] = static_cast<uint32_t>(i);
  });
  look_up(block, table, nodes, list, waiting, is(part));
}

void MaskFolder::find_nodes(const Block& block, uint32_t part) {
  const auto [left, right] = tree_.node(part);
  NodeTable<1>::Node pairs[kBlock];
  uint32_t list[kBlock];
  uint64_t waiting = 0;
  each_bit(changed_[part], [&, left = left, right = right](uint64_t i) {
    const uint64_t pair = number_of(block, left, i) | static_cast<uint64_t>(number_of(block, right, i)) << 32;
    const Cached there = cached(pair);
    is(part)[i] = there.number;
    pairs[waiting] = {pair};
    list[waiting] = static_cast<uint32_t>(i);
    waiting += there.pair != pair;
  });
  look_up_pairs(block, pairs, list, waiting, is(part));
}

}  // namespace strata
