// Bits of packed states, and permutations of the elements of symmetric sets; the first part of the run-time support of
// models with such sets (orbits.h), behind the run-time support. A model is compiled with a text that
// names the shape of its state (symmetry_emitter.h), behind the run-time support of all models (native/runtime). These
// headers include nothing; unit tests include them in the order of symmetry_emitter.cc.
#pragma once

// An element by its number among those of all sets. There are at most kMostElements, and the number behind
// the last one stands for "none": what is added to its key nobody reads.
using Element = u8;
enum : u32 { kMostElements = 254 };

static inline u64 mixed(u64 x) { return folded_product(x ^ 0x9e3779b97f4a7c15ull, 0xd6e8feb86659fd93ull); }
[[gnu::always_inline]] static constexpr u64 low_bits(u64 width) {
  return width >= 64 ? ~0ull : (1ull << width) - 1;
}

// A word with at least so many bits.
template <bool kShort>
struct ShortOrLong {
  using Word = u32;
};
template <>
struct ShortOrLong<false> {
  using Word = u64;
};
template <u64 Bits>
using WordOf = typename ShortOrLong<Bits <= 32>::Word;

// A bit for each word of a state, and whether one of the words is marked that some bits are in.
template <u64 kWords>
struct WordMarks {
  u64 mark[(kWords + 63) / 64] = {};

  void set(u64 word, bool marked) { mark[word / 64] |= static_cast<u64>(marked) << word % 64; }
  [[gnu::always_inline]] bool any(u64 offset, u64 bits) const {
    const u64 first = offset / 64, last = (offset + bits - 1) / 64;
    if (kWords <= 64 || first / 64 == last / 64)
      return (mark[first / 64] >> first % 64 & low_bits(last - first + 1)) != 0;
    if (mark[first / 64] >> first % 64 != 0) return true;
    for (u64 i = first / 64 + 1; i < last / 64; ++i)
      if (mark[i] != 0) return true;
    return (mark[last / 64] & low_bits(last % 64 + 1)) != 0;
  }
};

// Places in a state, and parts played in a relation, are told apart by multiples of these.
enum : u64 {
  kPlaceStep = 0xa0761d6478bd642full,
  kPartStep = 0xe7037ed1a0b428dbull,
  kSame = 0x8ebc6af09c88c6e3ull
};

// Bits of a state, of a constant width.
template <u64 Width>
[[gnu::always_inline]] static inline u64 load_bits(const u64* p, u64 offset) {
  if constexpr (Width == 0) {
    return 0;
  } else if constexpr (Width <= 57) {
    return few_bits<Width>(p, offset) & low_bits(Width);
  } else {
    return get_bits(p, offset, Width);
  }
}
static inline void copy_words(const u64* from, u64* to, u64 n) {
  for (u64 i = 0; i < n; ++i) to[i] = from[i];
}
// Puts what is at `from` in p to `into` in q, where q is 0.
static inline void copy_bits(const u64* p, u64 from, u64* q, u64 into, u64 width) {
  for (; width > 64; width -= 64, from += 64, into += 64) put_bits(q, into, 64, get_bits(p, from, 64));
  if (width != 0) put_bits(q, into, width, get_bits(p, from, width));
}
static inline bool same_bits_in(const u64* p, u64 a, const u64* q, u64 b, u64 width) {
  for (; width > 64; width -= 64, a += 64, b += 64)
    if (get_bits(p, a, 64) != get_bits(q, b, 64)) return false;
  return width == 0 || get_bits(p, a, width) == get_bits(q, b, width);
}
static inline bool same_bits(const u64* p, u64 a, u64 b, u64 width) {
  return same_bits_in(p, a, p, b, width);
}

// The bits of a state that no permutation changes.
template <u64 kWords>
struct FixedBits {
  u64 word[kWords] = {};

  constexpr FixedBits() {
    for (u64& w : word) w = ~0ull;
  }
  constexpr void remove(u64 offset, u64 bits) {
    for (u64 end = offset + bits; offset < end;) {
      const u64 in_word = end - offset < 64 - offset % 64 ? end - offset : 64 - offset % 64;
      word[offset / 64] &= ~(low_bits(in_word) << offset % 64);
      offset += in_word;
    }
  }
};

template <class Shape, bool kMoves, class Map>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Map& map);

// Permutations. `to` has the new number in its set of each element, and 0 for "none"; rows<>() are rows of a
// set, in a word, in their new order. any(offset, bits) is false only where all bits of the state are 0.

// For small states, where it does not pay to look.
struct NoMarks {
  static constexpr bool any(u64, u64) { return true; }
};

template <class Marks, class Numbers = const Element*, u32 Rounds = 1>
struct Permutation {
  static constexpr u32 kRounds = Rounds;
  const Numbers& to;
  const Marks& marks;

  [[gnu::always_inline]] bool any(u64 offset, u64 bits) const { return marks.any(offset, bits); }
  template <class Name>
  u64 renamed(u64 code) const {
    return Name::blank(code) + to[Name::element(code)];
  }
  template <u32 Base, u64 Size, u64 Row>
  u64 rows(u64 word) const {
    u64 result = 0;
    STRATA_ROUNDS(kRounds)
    for (u64 i = 0; i < Size; ++i) result |= (word >> i * Row & low_bits(Row)) << to[Base + i] * Row;
    return result;
  }
};

// A number for each of a few elements; that of "none" is 0. Each is set once.
template <u32 kElements, bool kInWord = kSmallArraysInRegisters&& kElements<16> struct FewNumbers {
  Element number[kElements + 1] = {};

  void set(u32 element, u32 to) { number[element] = static_cast<Element>(to); }
  u32 operator[](u64 element) const { return number[element]; }
};
// The same with four bits for each.
template <u32 kElements>
struct FewNumbers<kElements, true> {
  using Word = WordOf<4 * (kElements + 1)>;
  Word all = 0;

  void set(u32 element, u32 to) { all |= static_cast<Word>(to) << 4 * element; }
  u32 operator[](u64 element) const { return static_cast<u32>(all >> 4 * static_cast<u32>(element)) & 15; }
};

// In each set one element goes to another place, or none, and those between move up or down by one.
template <class Sets>
struct Rotations : NoMarks {
  static constexpr u32 kRounds = 1;
  u64 from[Sets::kSets] = {}, into[Sets::kSets] = {};
  Element to[Sets::kElements + 1];

  template <class Name>
  u64 renamed(u64 code) const {
    return Name::blank(code) + to[Name::element(code)];
  }
  // Works out the new numbers.
  void prepare() {
    Sets::each([&](u32 base, u32 size) {
      const u64 a = from[Sets::number(base)], b = into[Sets::number(base)];
      for (u64 i = 0; i < size; ++i)
        to[base + i] = static_cast<Element>(i - (a < i && i <= b) + (b <= i && i < a));
      to[base + a] = static_cast<Element>(b);
    });
    to[Sets::kElements] = 0;
  }
  template <u32 Base, u64 Size, u64 Row>
  u64 rows(u64 word) const {
    const u64 a = from[Sets::number(Base)], b = into[Sets::number(Base)];
    if (a == b) return word;
    const u64 row = word >> a * Row & low_bits(Row);
    const u64 low = a < b ? a : b, high = a < b ? b : a;
    const u64 between = low_bits((high - low) * Row);
    const u64 moved = a < b ? (word >> (low + 1) * Row & between) << low * Row | row << high * Row
                            : (word >> low * Row & between) << (low + 1) * Row | row << low * Row;
    const u64 range = low_bits((high - low + 1) * Row) << low * Row;
    return (word & ~range) | moved;
  }
};

// In the place of element `a`, element `b` of the same set; in flat values only.
struct OwnName {
  u64 a, b;
  template <class Name>
  u64 renamed(u64 code) const {
    return Name::element(code) == a ? code + b - a : code;
  }
};

// The sets by their sizes; their elements are numbered from the first set to the last.
template <u32... Sizes>
struct Sets {
  static constexpr u32 kSets = sizeof...(Sizes), kElements = (Sizes + ... + 0);
  // Calls f(base, size) for each.
  template <class F>
  static void each(const F& f) {
    u32 base = 0;
    ((f(base, Sizes), base += Sizes), ...);
  }
  static constexpr u32 base(u32 set) {
    u32 result = 0, i = 0;
    ((result += i < set ? Sizes : 0, ++i), ...);
    return result;
  }
  // The number of the set that begins at `base`.
  static constexpr u32 number(u32 base) {
    u32 result = 0, at = 0;
    ((result += at < base, at += Sizes), ...);
    return result;
  }
};

// Where the rows of a set begin with some plain bits, at most a byte of them: elements are sorted by these
// first. Rules mostly change them by little, as a counter or the place in a program, so that elements seldom
// change places.
struct Lead {
  u64 offset = 0, row = 0, bits = 0;
};
static constexpr u64 most_lead(u64 bits) { return bits < 8 ? bits : 8; }

// The elements that a value is about because it lies in their rows, from the outside in.
template <u32 N>
struct Owners {
  u32 e[N == 0 ? 1 : N];
};
template <u32 N>
static inline Owners<N + 1> operator+(const Owners<N>& owners, u32 element) {
  Owners<N + 1> more{};
  for (u32 i = 0; i < N; ++i) more.e[i] = owners.e[i];
  more.e[N] = element;
  return more;
}
