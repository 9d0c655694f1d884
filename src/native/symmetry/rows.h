// What a state says of each element, as a word without loss, where it is little enough; behind shapes.h. From
// the highest bit down, the word has
//
//   the element's rows, in which the names of others are replaced by what tells only itself from them,
//   of each name within rows, how many rows of others name the element,
//   of each name elsewhere, whether it is the element's.
//
// Its lowest byte is left for the element's number.
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

// Puts words into ascending order by a network of exchanges, which depends on no value (Bose and Nelson).
template <u32 I, u32 J>
[[gnu::always_inline]] static inline void exchange(u64* w) {
  const u64 a = w[I], b = w[J];
  w[I] = a < b ? a : b;
  w[J] = a < b ? b : a;
}
template <u32 I, u32 N, u32 J, u32 M>
[[gnu::always_inline]] static inline void merge_words(u64* w) {
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
template <u32 I, u32 N>
[[gnu::always_inline]] static inline void sort_words(u64* w) {
  if constexpr (N > 1) {
    sort_words<I, N / 2>(w);
    sort_words<I + N / 2, N - N / 2>(w);
    merge_words<I, N / 2, I + N / 2, N - N / 2>(w);
  }
}

// Of a shape: the bits that it takes of each word, outside of rows and in a row of `rows`; and the functions
// that put them there, from bit `at`.
template <class Shape>
struct InWords;

template <u64 Bits>
struct InWords<Plain<Bits>> {
  static constexpr u64 kBits = 0;
  static constexpr u64 in_row(u64) { return Bits; }
  static void add(const u64*, u64, u64, u64*) {}
  static void add_value(u64, u64, u64*) {}
  static void add_row(u64 v, u32 own, u64, u64 at, u64* words) { words[own] |= in_word(v, at, Bits); }
  template <class Map>
  static void put(const u64*, u64, u64, const u64*, const Map&, u64*) {}
};

template <u64 Bits, u32 None, class... Runs>
struct InWords<Name<Bits, None, Runs...>> {
  using Shape = Name<Bits, None, Runs...>;
  static constexpr u64 kBits = 1;
  static constexpr u64 in_row(u64 rows) { return Bits + bits_for_count(rows); }
  static void add(const u64* p, u64 offset, u64 at, u64* words) {
    add_value(get_bits(p, offset, Bits), at, words);
  }
  static void add_value(u64 v, u64 at, u64* words) { words[Shape::element(v)] |= in_word(1, at, 1); }
  static void add_row(u64 v, u32 own, u64 rows, u64 at, u64* words) {
    const u32 named = Shape::element(v);
    words[own] |= in_word(Shape::blurred(v, own), at, Bits);
    words[named] += in_word(named != own, at + Bits, bits_for_count(rows));
  }
  template <class Map>
  static void put(const u64* p, u64 offset, u64, const u64*, const Map& map, u64* q) {
    move_value<Shape, false>(p, offset, q, offset, map);
  }
};

template <class Part, u64 N>
struct InWords<Array<Part, N>> {
  static constexpr u64 kBits = N * InWords<Part>::kBits;
  static constexpr u64 in_row(u64 rows) { return N * InWords<Part>::in_row(rows); }
  static void add(const u64* p, u64 offset, u64 at, u64* words) {
    if constexpr (Array<Part, N>::kFlat && N * Part::kBits != 0) {
      add_value(get_bits(p, offset, N * Part::kBits), at, words);
    } else {
      for (u64 i = 0; i < N; ++i)
        InWords<Part>::add(p, offset + i * Part::kBits, at + i * InWords<Part>::kBits, words);
    }
  }
  static void add_value(u64 v, u64 at, u64* words) {
    STRATA_UNROLL
    for (u64 i = 0; i < N; ++i)
      InWords<Part>::add_value(v >> i * Part::kBits & low_bits(Part::kBits), at + i * InWords<Part>::kBits,
                               words);
  }
  static void add_row(u64 v, u32 own, u64 rows, u64 at, u64* words) {
    STRATA_UNROLL
    for (u64 i = 0; i < N; ++i)
      InWords<Part>::add_row(v >> i * Part::kBits & low_bits(Part::kBits), own, rows,
                             at + i * InWords<Part>::in_row(rows), words);
  }
  template <class Map>
  static void put(const u64* p, u64 offset, u64, const u64*, const Map& map, u64* q) {
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
  static constexpr u64 in_row(u64) { return kNoRows; }
  static void add(const u64* p, u64 offset, u64 at, u64* words) {
    ((add_part<Indexes>(p, offset, at, words), offset += Indexes::kSize * Part::kBits, at += bits<Indexes>()),
     ...);
  }
  template <class Index>
  static void add_part(const u64* p, u64 offset, u64 at, u64* words) {
    constexpr u64 bits = Index::kSize * Part::kBits;
    if constexpr (Index::kElements && Part::kFlat && bits != 0 && bits <= 64) {
      const u64 rows = get_bits(p, offset, bits);
      STRATA_UNROLL
      for (u64 i = 0; i < Index::kSize; ++i)
        InWords<Part>::add_row(rows >> i * Part::kBits & low_bits(Part::kBits),
                               Index::kBase + static_cast<u32>(i), Index::kSize, at, words);
      return;
    }
    STRATA_UNROLL
    for (u64 i = 0; i < Index::kSize; ++i) {
      const u64 row = offset + i * Part::kBits;
      if constexpr (!Index::kElements)
        InWords<Part>::add(p, row, at + i * InWords<Part>::kBits, words);
      else if constexpr (Part::kFlat)
        InWords<Part>::add_row(load_bits<Part::kBits>(p, row), Index::kBase + static_cast<u32>(i),
                               Index::kSize, at, words);
    }
  }
  static void add_row(u64, u32, u64, u64, u64*) {}
  // Rows that name nobody are in the sorted words as they are.
  static constexpr bool kPutRows = sizeof...(Indexes) == 1 && (Indexes::kElements && ...) &&
                                   !Part::kSymmetric && ByElement<Part, Indexes...>::kWord;
  template <class Map>
  static void put(const u64* p, u64 offset, u64 at, const u64* sorted, const Map& map, u64* q) {
    if constexpr (kPutRows) {
      constexpr u32 base = (Indexes::kBase + ...);
      constexpr u64 size = (Indexes::kSize + ...), bits = ByElement<Part, Indexes...>::kBits;
      u64 word = 0;
      STRATA_UNROLL
      for (u64 i = 0; i < size; ++i)
        word |= (sorted[base + i] >> (64 - at - Part::kBits) & low_bits(Part::kBits)) << i * Part::kBits;
      put_bits(q, offset, bits, word);
    } else {
      move_value<ByElement<Part, Indexes...>, false>(p, offset, q, offset, map);
    }
  }
};

template <class... Fields>
struct InWords<Record<Fields...>> {
  static constexpr u64 kBits = (InWords<Fields>::kBits + ... + 0);
  static constexpr u64 in_row(u64 rows) { return (InWords<Fields>::in_row(rows) + ... + 0); }
  static void add(const u64* p, u64 offset, u64 at, u64* words) {
    ((InWords<Fields>::add(p, offset, at, words), offset += Fields::kBits, at += InWords<Fields>::kBits),
     ...);
  }
  static void add_value(u64 v, u64 at, u64* words) {
    u64 shift = 0;
    ((InWords<Fields>::add_value(shift < 64 ? v >> shift & low_bits(Fields::kBits) : 0, at, words),
      shift += Fields::kBits, at += InWords<Fields>::kBits),
     ...);
  }
  template <class Map>
  static void put(const u64* p, u64 offset, u64 at, const u64* sorted, const Map& map, u64* q) {
    ((InWords<Fields>::put(p, offset, at, sorted, map, q), offset += Fields::kBits,
      at += InWords<Fields>::kBits),
     ...);
  }
  static void add_row(u64 v, u32 own, u64 rows, u64 at, u64* words) {
    u64 shift = 0;
    ((InWords<Fields>::add_row(shift < 64 ? v >> shift & low_bits(Fields::kBits) : 0, own, rows, at, words),
      shift += Fields::kBits, at += InWords<Fields>::in_row(rows)),
     ...);
  }
};

template <class Part, u64 Capacity, u64 CountBits, class Order>
struct InWords<Multiset<Part, Capacity, CountBits, Order>> {
  static constexpr u64 kBits = kNoRows;
  static constexpr u64 in_row(u64) { return kNoRows; }
  static void add(const u64*, u64, u64, u64*) {}
  static void add_row(u64, u32, u64, u64, u64*) {}
};
