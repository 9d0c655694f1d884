// Elements in order: lists of the elements of all sets, each sorted, and the permutations that put elements
// where a list has them. Behind element_keys.h.
//
// Shape is the shape of a state, AllSets its sets. p is a packed state that is read, q one that is written.
#pragma once

template <class Shape, class AllSets>
struct ElementLists {
  static constexpr u64 kWords = Shape::kBits == 0 ? 1 : (Shape::kBits + 63) / 64;
  static constexpr u32 kElements = AllSets::kElements;
  // An entry of a sorted list: the element's number in its set is in the lowest byte, the rest is what it is sorted by.
  static constexpr u64 kIndex = 0xff;

  static constexpr FixedBits<kWords> fixed_bits() {
    FixedBits<kWords> fixed;
    remove_moving<Shape>(fixed, 0);
    return fixed;
  }
  static constexpr FixedBits<kWords> kFixed = fixed_bits();

  static void sort(u64* first, u32 n) {
    for (u32 i = 1; i < n; ++i) {
      const u64 x = first[i];
      u32 j = i;
      for (; j > 0 && first[j - 1] > x; --j) first[j] = first[j - 1];
      first[j] = x;
    }
  }
  static bool equal(u64 a, u64 b) { return (a ^ b) <= kIndex; }
  // Small states have code of their own for the most frequent permutations; for large ones it would take too
  // long to compile.
  static constexpr u64 kFewWords = 8, kFewElements = 16;

  // What an element is sorted by: the leading bits of its rows, then its key.
  template <u32 Set = 0>
  static u64 leading(const u64* p, u32 base, u32 i) {
    if constexpr (Set < AllSets::kSets) {
      constexpr Lead lead = Shape::lead(AllSets::base(Set), 0);
      if (base != AllSets::base(Set)) return leading<Set + 1>(p, base, i);
      if constexpr (lead.bits != 0) return get_bits(p, lead.offset + i * lead.row, lead.bits) << 56;
    }
    return 0;
  }
  static u64 rank_of(const u64* p, u64 key, u32 base, u32 i) {
    return leading(p, base, i) | (key >> 8 & ~kIndex);
  }
  // The elements of each set, sorted. Whether some are equal.
  static bool sort_by_key(const u64* p, const u64* key, u64* sorted) {
    bool tied = false;
    AllSets::each([&](u32 base, u32 size) {
      for (u32 i = 0; i < size; ++i) sorted[base + i] = rank_of(p, key[base + i], base, i) | i;
      sort(sorted + base, size);
      for (u32 i = 1; i < size; ++i) tied |= equal(sorted[base + i - 1], sorted[base + i]);
    });
    return tied;
  }
  // The permutation that puts each element to its place in the list. Whether it moves any.
  static bool permutation(const u64* sorted, Element* to) {
    bool moves = false;
    AllSets::each([&](u32 base, u32 size) {
      for (u32 i = 0; i < size; ++i) {
        const u64 element = sorted[base + i] & kIndex;
        to[base + element] = static_cast<Element>(i);
        moves |= element != i;
      }
    });
    to[kElements] = 0;
    return moves;
  }
  // The same permutation, of a few elements.
  template <u32 Rounds, class Word>
  static FewNumbers<kElements> few_numbers(const Word* sorted) {
    FewNumbers<kElements> to;
    AllSets::each([&](u32 base, u32 size) {
      STRATA_ROUNDS(Rounds)
      for (u32 i = 0; i < size; ++i) to.set(base + static_cast<u32>(sorted[base + i] & kIndex), i);
    });
    return to;
  }
  static void permute(const u64* p, const Element* to, u64* q) {
    using Marks = WordMarks<kWords>;
    Marks marks;
    for (u64 i = 0; i < kWords; ++i) marks.set(i, p[i] != 0);
    apply(p, Permutation<Marks>{to, marks}, q);
  }
  template <class Map>
  static void apply(const u64* p, const Map& map, u64* q) {
    begin(p, q);
    move_value<Shape, false>(p, 0, q, 0, map);
  }
  // What no permutation changes; the rest of q is 0.
  static void begin(const u64* p, u64* q) {
    for (u64 i = 0; i < kWords; ++i) q[i] = p[i] & kFixed.word[i];
    q[kWords] = 0;
  }
};
