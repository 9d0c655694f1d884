// What a state says of each element, as a word without loss, where it is little enough; behind shapes.h. From
// the highest bit down, the word has
//
//   the element's rows, in which the names of others are replaced by what tells only itself from them,
//   of each name within rows, how many rows of others name the element,
//   of each name elsewhere, whether it is the element's.
//
// Its lowest byte is left for the element's number. Where fewer bits are enough, words are shorter on a device.
#pragma once

enum : u64 { kMostRowBits = 56, kNoRows = 1 << 20 };

static constexpr u64 bits_for_count(u64 most) {
  u64 bits = 0;
  while (most >> bits != 0) ++bits;
  return bits;
}
[[gnu::always_inline]] static inline u64 in_word(u64 v, u64 at, u64 bits) {
  return bits == 0 ? 0 : v << (64 - at - bits);
}

// The words of elements, of so many bits beside the lowest byte; the last one is of "none".
// kCompares: elements that depend on the state are compared with each, and loops are unrolled.
template <u64 Bits, u32 kElements, bool kCompares>
struct ElementWords {
  static constexpr u32 kRounds = kCompares ? 16 : 1;
  using Word = WordOf<kSmallArraysInRegisters ? Bits + 8 : 64>;
  static constexpr u64 kWordBits = 8 * sizeof(Word);
  Word of[kElements + 1] = {};

  // Bits are those of in_word(), at the upper end of 64.
  static Word short_word(u64 bits) { return static_cast<Word>(bits >> (64 - kWordBits)); }
  static u64 long_word(Word word) { return static_cast<u64>(word) << (64 - kWordBits); }
  void add(u32 element, u64 bits) { of[element] |= short_word(bits); }
  // The element depends on the state.
  void add_named(u32 element, u64 bits) {
    if constexpr (kCompares) {
      STRATA_UNROLL
      for (u32 i = 0; i < kElements; ++i) of[i] += i == element ? short_word(bits) : 0;
    } else {
      of[element] += short_word(bits);
    }
  }
  // A row of `own` names an element.
  void add_relation(u32 own, u32 named, u64 blurred, u64 counted) {
    add(own, blurred);
    add_named(named, counted);
  }
};

// The same places of a state, to tell elements with equal words apart by what they name: for each name in its rows, the
// word of an element gets the place of the named one in a list where elements with equal words have the same place.
template <u32 kElements>
struct RelationWords {
  static constexpr u32 kPlaceBits = 5, kRounds = 1;
  const FewNumbers<kElements>& place;
  u64 of[kElements] = {};
  u32 used[kElements] = {};
  u32 named = 0;  // a bit for each element that rows of others name

  explicit RelationWords(const FewNumbers<kElements>& places) : place(places) {}

  static void add(u32, u64) {}
  static void add_named(u32, u64) {}
  void add_relation(u32 own, u32 other, u64, u64) {
    const bool relates = other != own && other != kElements;
    of[own] |= static_cast<u64>(relates ? place[other] + 1 : 0) << used[own];
    used[own] += kPlaceBits;
    named |= static_cast<u32>(relates) << other;
  }
};

// Puts words into ascending order by a network of exchanges, which depends on no value (Bose and Nelson).
template <u32 I, u32 J, class Word>
[[gnu::always_inline]] static inline void exchange(Word* w) {
  const Word a = w[I], b = w[J];
  w[I] = a < b ? a : b;
  w[J] = a < b ? b : a;
}
template <u32 I, u32 N, u32 J, u32 M, class Word>
[[gnu::always_inline]] static inline void merge_words(Word* w) {
  if constexpr (N == 1 && M == 1) {
    exchange<I, J>(w);
  } else if constexpr (N == 1 && M == 2) {
    exchange<I, J + 1>(w);
    exchange<I, J>(w);
  } else if constexpr (N == 2 && M == 1) {
    exchange<I, J>(w);
    exchange<I + 1, J>(w);
  } else {
    constexpr u32 n = N / 2, m = N % 2 != 0 ? M / 2 : (M + 1) / 2;
    merge_words<I, n, J, m>(w);
    merge_words<I + n, N - n, J + m, M - m>(w);
    merge_words<I + n, N - n, J, m>(w);
  }
}
template <u32 I, u32 N, class Word>
[[gnu::always_inline]] static inline void sort_words(Word* w) {
  if constexpr (N > 1) {
    sort_words<I, N / 2>(w);
    sort_words<I + N / 2, N - N / 2>(w);
    merge_words<I, N / 2, I + N / 2, N - N / 2>(w);
  }
}

// Of a shape: the bits that it takes of each word, outside of rows and in a row of `rows`; how many places of an
// element's rows may name another (kRowNames, at most); and the functions
// that put them there, from bit `at`. related() asks of a word whether the element's rows name others or rows of others
// name the element; row_related() asks that of one row. Unrelated elements with equal words are twins.
template <class Shape>
struct InWords;

template <u64 Bits>
struct InWords<Plain<Bits>> {
  static constexpr u64 kBits = 0;
  static constexpr u32 kRowNames = 0;
  static constexpr u64 in_row(u64) { return Bits; }
  template <class Words>
  static void add(const u64*, u64, u64, Words&) {}
  template <class Words>
  static void add_value(u64, u64, Words&) {}
  template <class Words>
  static void add_row(u64 v, u32 own, u64, u64 at, Words& words) {
    words.add(own, in_word(v, at, Bits));
  }
  static bool related(u64, u64) { return false; }
  static bool row_related(u64, u64, u64) { return false; }
  template <class Words, class Map>
  static void put(const u64*, u64, u64, const Words&, const Map&, u64*) {}
};

template <u64 Bits, u32 None, class... Runs>
struct InWords<Name<Bits, None, Runs...>> {
  using Shape = Name<Bits, None, Runs...>;
  static constexpr u64 kBits = 1;
  static constexpr u32 kRowNames = 0;
  static constexpr u64 in_row(u64 rows) { return Bits + bits_for_count(rows); }
  template <class Words>
  static void add(const u64* p, u64 offset, u64 at, Words& words) {
    add_value(get_bits(p, offset, Bits), at, words);
  }
  template <class Words>
  static void add_value(u64 v, u64 at, Words& words) {
    words.add_named(Shape::element(v), in_word(1, at, 1));
  }
  template <class Words>
  static void add_row(u64 v, u32 own, u64 rows, u64 at, Words& words) {
    const u32 named = Shape::element(v);
    words.add_relation(own, named, in_word(Shape::blurred(v, own), at, Bits),
                       in_word(named != own, at + Bits, bits_for_count(rows)));
  }
  static bool related(u64, u64) { return false; }
  static bool row_related(u64 word, u64 at, u64 rows) {
    const u64 count = bits_for_count(rows), all = word >> (64 - at - Bits - count);
    return ((all & low_bits(count)) != 0) | Shape::names_other(all >> count & low_bits(Bits));
  }
  template <class Words, class Map>
  static void put(const u64* p, u64 offset, u64, const Words&, const Map& map, u64* q) {
    move_value<Shape, false>(p, offset, q, offset, map);
  }
};

template <class Part, u64 N>
struct InWords<Array<Part, N>> {
  static constexpr u64 kBits = N * InWords<Part>::kBits;
  static constexpr u32 kRowNames = N * InWords<Part>::kRowNames;
  static constexpr u64 in_row(u64 rows) { return N * InWords<Part>::in_row(rows); }
  template <class Words>
  static void add(const u64* p, u64 offset, u64 at, Words& words) {
    if constexpr (Array<Part, N>::kFlat && N * Part::kBits != 0) {
      add_value(get_bits(p, offset, N * Part::kBits), at, words);
    } else {
      for (u64 i = 0; i < N; ++i)
        InWords<Part>::add(p, offset + i * Part::kBits, at + i * InWords<Part>::kBits, words);
    }
  }
  template <class Words>
  static void add_value(u64 v, u64 at, Words& words) {
    STRATA_ROUNDS(Words::kRounds)
    for (u64 i = 0; i < N; ++i)
      InWords<Part>::add_value(v >> i * Part::kBits & low_bits(Part::kBits), at + i * InWords<Part>::kBits,
                               words);
  }
  template <class Words>
  static void add_row(u64 v, u32 own, u64 rows, u64 at, Words& words) {
    STRATA_ROUNDS(Words::kRounds)
    for (u64 i = 0; i < N; ++i)
      InWords<Part>::add_row(v >> i * Part::kBits & low_bits(Part::kBits), own, rows,
                             at + i * InWords<Part>::in_row(rows), words);
  }
  static bool related(u64 word, u64 at) {
    bool result = false;
    for (u64 i = 0; Part::kRelates && i < N; ++i)
      result |= InWords<Part>::related(word, at + i * InWords<Part>::kBits);
    return result;
  }
  static bool row_related(u64 word, u64 at, u64 rows) {
    bool result = false;
    STRATA_ROLL
    for (u64 i = 0; i < N; ++i)
      result |= InWords<Part>::row_related(word, at + i * InWords<Part>::in_row(rows), rows);
    return result;
  }
  template <class Words, class Map>
  static void put(const u64* p, u64 offset, u64, const Words&, const Map& map, u64* q) {
    move_value<Array<Part, N>, false>(p, offset, q, offset, map);
  }
};

template <class Part, class... Indexes>
struct InWords<ByElement<Part, Indexes...>> {
  template <class Index>
  static constexpr u64 bits() {
    if (!Index::kElements) return Index::kSize * InWords<Part>::kBits;
    return Part::kFlat ? InWords<Part>::in_row(Index::kSize) : kNoRows;
  }
  static constexpr u64 kBits = (bits<Indexes>() + ...);
  static constexpr u32 kRowNames =
      ((Indexes::kElements ? Part::kNames : Indexes::kSize * InWords<Part>::kRowNames) + ...);
  static constexpr u64 in_row(u64) { return kNoRows; }
  template <class Words>
  static void add(const u64* p, u64 offset, u64 at, Words& words) {
    ((add_part<Indexes>(p, offset, at, words), offset += Indexes::kSize * Part::kBits, at += bits<Indexes>()),
     ...);
  }
  template <class Index, class Words>
  static void add_part(const u64* p, u64 offset, u64 at, Words& words) {
    constexpr u64 bits = Index::kSize * Part::kBits;
    if constexpr (Index::kElements && Part::kFlat && bits != 0 && bits <= 64) {
      const u64 rows = get_bits(p, offset, bits);
      STRATA_ROUNDS(Words::kRounds)
      for (u64 i = 0; i < Index::kSize; ++i)
        InWords<Part>::add_row(rows >> i * Part::kBits & low_bits(Part::kBits),
                               Index::kBase + static_cast<u32>(i), Index::kSize, at, words);
      return;
    }
    STRATA_ROUNDS(Words::kRounds)
    for (u64 i = 0; i < Index::kSize; ++i) {
      const u64 row = offset + i * Part::kBits;
      if constexpr (!Index::kElements)
        InWords<Part>::add(p, row, at + i * InWords<Part>::kBits, words);
      else if constexpr (Part::kFlat)
        InWords<Part>::add_row(load_bits<Part::kBits>(p, row), Index::kBase + static_cast<u32>(i),
                               Index::kSize, at, words);
    }
  }
  template <class Words>
  static void add_row(u64, u32, u64, u64, Words&) {}
  static bool related(u64 word, u64 at) {
    bool result = false;
    ((result |= part_related<Indexes>(word, at), at += bits<Indexes>()), ...);
    return result;
  }
  template <class Index>
  static bool part_related(u64 word, u64 at) {
    if constexpr (Index::kElements) return InWords<Part>::row_related(word, at, Index::kSize);
    bool result = false;
    for (u64 i = 0; Part::kRelates && i < Index::kSize; ++i)
      result |= InWords<Part>::related(word, at + i * InWords<Part>::kBits);
    return result;
  }
  static bool row_related(u64, u64, u64) { return false; }
  // Rows that name nobody are in the sorted words as they are.
  static constexpr bool kPutRows = sizeof...(Indexes) == 1 && (Indexes::kElements && ...) &&
                                   !Part::kSymmetric && ByElement<Part, Indexes...>::kWord;
  template <class Words, class Map>
  static void put(const u64* p, u64 offset, u64 at, const Words& sorted, const Map& map, u64* q) {
    if constexpr (kPutRows) {
      constexpr u32 base = (Indexes::kBase + ...);
      constexpr u64 size = (Indexes::kSize + ...), bits = ByElement<Part, Indexes...>::kBits;
      u64 word = 0;
      STRATA_ROUNDS(Words::kRounds)
      for (u64 i = 0; i < size; ++i)
        word |= (Words::long_word(sorted.of[base + i]) >> (64 - at - Part::kBits) & low_bits(Part::kBits))
                << i * Part::kBits;
      put_bits(q, offset, bits, word);
    } else {
      move_value<ByElement<Part, Indexes...>, false>(p, offset, q, offset, map);
    }
  }
};

template <class... Fields>
struct InWords<Record<Fields...>> {
  static constexpr u64 kBits = (InWords<Fields>::kBits + ... + 0);
  static constexpr u32 kRowNames = (InWords<Fields>::kRowNames + ... + 0);
  static constexpr u64 in_row(u64 rows) { return (InWords<Fields>::in_row(rows) + ... + 0); }
  template <class Words>
  static void add(const u64* p, u64 offset, u64 at, Words& words) {
    ((InWords<Fields>::add(p, offset, at, words), offset += Fields::kBits, at += InWords<Fields>::kBits),
     ...);
  }
  template <class Words>
  static void add_value(u64 v, u64 at, Words& words) {
    u64 shift = 0;
    ((InWords<Fields>::add_value(shift < 64 ? v >> shift & low_bits(Fields::kBits) : 0, at, words),
      shift += Fields::kBits, at += InWords<Fields>::kBits),
     ...);
  }
  template <class Words, class Map>
  static void put(const u64* p, u64 offset, u64 at, const Words& sorted, const Map& map, u64* q) {
    ((InWords<Fields>::put(p, offset, at, sorted, map, q), offset += Fields::kBits,
      at += InWords<Fields>::kBits),
     ...);
  }
  template <class Words>
  static void add_row(u64 v, u32 own, u64 rows, u64 at, Words& words) {
    u64 shift = 0;
    ((InWords<Fields>::add_row(shift < 64 ? v >> shift & low_bits(Fields::kBits) : 0, own, rows, at, words),
      shift += Fields::kBits, at += InWords<Fields>::in_row(rows)),
     ...);
  }
  static bool related(u64 word, u64 at) {
    bool result = false;
    ((result |= InWords<Fields>::related(word, at), at += InWords<Fields>::kBits), ...);
    return result;
  }
  static bool row_related(u64 word, u64 at, u64 rows) {
    bool result = false;
    ((result |= InWords<Fields>::row_related(word, at, rows), at += InWords<Fields>::in_row(rows)), ...);
    return result;
  }
};

template <class Part, u64 Capacity, u64 CountBits, class Order>
struct InWords<Multiset<Part, Capacity, CountBits, Order>> {
  static constexpr u64 kBits = kNoRows;
  static constexpr u32 kRowNames = 0;
  static constexpr u64 in_row(u64) { return kNoRows; }
  template <class Words>
  static void add(const u64*, u64, u64, Words&) {}
  template <class Words>
  static void add_row(u64, u32, u64, u64, Words&) {}
  static bool related(u64, u64) { return false; }
  static bool row_related(u64, u64, u64) { return false; }
};
