// The shapes of packed values, as templates; the first part of the run-time support of models with symmetric sets (orbits.h).
// A model is compiled with a text that names the shape of its state (symmetry_emitter.h), behind model_runtime.h, shapes.h, keys.h
// and orbits.h, which include nothing; unit tests include them in this order.
#pragma once

// An element by its number among those of all sets. There are at most kMostElements, and the number behind the last one stands
// for "none": what is added to its key nobody reads.
using Element = u8;
enum : u32 { kMostElements = 254 };

__extension__ typedef unsigned __int128 strata_u128;
static inline u64 mixed(u64 x) {
  const strata_u128 product = static_cast<strata_u128>(x ^ 0x9e3779b97f4a7c15ull) * 0xd6e8feb86659fd93ull;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}
[[gnu::always_inline]] static inline u64 low_bits(u64 width) {
  return width >= 64 ? ~0ull : (1ull << width) - 1;
}

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

// Bits of a state, of a constant width. A state has a word behind it, so a machine word can be read from any of its bytes.
template <u64 Width>
[[gnu::always_inline]] static inline u64 load_bits(const u64* p, u64 offset) {
  if constexpr (Width == 0) {
    return 0;
  } else if constexpr (Width <= 57) {
    u64 word;
    __builtin_memcpy(&word, reinterpret_cast<const u8*>(p) + offset / 8, 8);
    return word >> offset % 8 & low_bits(Width);
  } else {
    return get_bits(p, offset, Width);
  }
}
template <u64 Width>
static inline void flip_bits(u64* p, u64 offset, u64 difference) {
  if constexpr (Width != 0) xor_bits(p, offset, Width, difference);
}
// Puts what is at `from` in p to `into` in q, where q still has what p has.
static inline void copy_bits(const u64* p, u64 from, u64* q, u64 into, u64 width) {
  if (from == into) return;
  for (; width > 64; width -= 64, from += 64, into += 64)
    xor_bits(q, into, 64, get_bits(p, from, 64) ^ get_bits(p, into, 64));
  if (width != 0) xor_bits(q, into, width, get_bits(p, from, width) ^ get_bits(p, into, width));
}
static inline bool same_bits_in(const u64* p, u64 a, const u64* q, u64 b, u64 width) {
  for (; width > 64; width -= 64, a += 64, b += 64)
    if (get_bits(p, a, 64) != get_bits(q, b, 64)) return false;
  return width == 0 || get_bits(p, a, width) == get_bits(q, b, width);
}
static inline bool same_bits(const u64* p, u64 a, u64 b, u64 width) {
  return same_bits_in(p, a, p, b, width);
}

template <class S, class Map>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Map& map);

// Permutations. index(base, i) is the new number in its set of element i of the set that begins at `base`; rows<>() are rows of
// a set, in a word, in their new order.

// any(offset, bits) is false only where all bits of the state are 0.

// Any one: new numbers by element.
template <u64 kWords>
struct Permutation {
  const Element* to;
  const WordMarks<kWords>& marks;

  [[gnu::always_inline]] bool any(u64 offset, u64 bits) const { return marks.any(offset, bits); }

  u64 index(u32 base, u64 i) const { return to[base + i]; }
  template <u32 Base, u64 Size, u64 Row>
  u64 rows(u64 word) const {
    u64 result = 0;
    for (u64 i = 0; i < Size; ++i) result |= (word >> i * Row & low_bits(Row)) << to[Base + i] * Row;
    return result;
  }
};

// In each set one element goes to another place, or none, and those between move up or down by one.
template <class Sets>
struct Rotations {
  // For small states, where it does not pay to look.
  static constexpr bool any(u64, u64) { return true; }

  u64 from[Sets::kSets] = {}, into[Sets::kSets] = {};
  Element to[Sets::kElements];

  // Works out the new numbers.
  void prepare() {
    Sets::each([&](u32 base, u32 size) {
      const u64 a = from[Sets::number(base)], b = into[Sets::number(base)];
      for (u64 i = 0; i < size; ++i)
        to[base + i] = static_cast<Element>(i - (a < i && i <= b) + (b <= i && i < a));
      to[base + a] = static_cast<Element>(b);
    });
  }
  u64 index(u32 base, u64 i) const { return to[base + i]; }
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

// Where the rows of a set begin with some plain bits, at most a byte of them: elements are sorted by these first. Rules mostly
// change them by little, as a counter or the place in a program, so that elements seldom change places.
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

// ---- Shapes. kSymmetric: it names elements or has rows for them; kRelates: it may tell of several elements at once; kRows,
// kSlots: it has rows, multisets. kFlat: it fits into a word, and has neither. A flat shape works on its value:
//
// The value 0 names no element (it is "undefined" wherever elements are among the values), and nothing is said by it: most of a large
// state is 0.
//
//   renamed(v, map)     with all elements renamed
//   blurred(v, own)     with all elements replaced by what tells only `own` from the others
//   name(v, at, f)      calls f(element, at + position) for each place that can name an element
//
// The others visit their parts: each part(visitor, offset, place, owners) calls visitor.visit<Part>(...), which comes back here.

// What names no element.
template <u64 Bits>
struct Plain {
  static constexpr u64 kBits = Bits;
  static constexpr u32 kNames = 0;
  static constexpr bool kSymmetric = false, kFlat = Bits <= 64, kRelates = false;
  static constexpr bool kRows = false, kSlots = false;
  static constexpr bool indexed_by(u32) { return false; }
  static constexpr u64 kLead = most_lead(Bits);
  static constexpr Lead lead(u32, u64) { return {}; }
  template <class Map>
  static u64 renamed(u64 v, const Map&) {
    return v;
  }
  static u64 blurred(u64 v, u32) { return v; }
  template <class F>
  static void name(u64, u64, const F&) {}
};

// The codes First.. of a scalar are the elements Base.. of a set.
template <u64 First, u32 Base, u32 Size>
struct Run {
  static_assert(First > 0 && Size > 1);
  static bool has(u64 code) { return code - First < Size; }
  static u32 element(u64 code, u32 none) { return has(code) ? Base + static_cast<u32>(code - First) : none; }
  template <class Map>
  static u64 renamed(u64 code, const Map& map) {
    return First + map.index(Base, code - First);
  }
  static constexpr u64 kFirst = First;
};

// A scalar some of whose codes are elements.
template <u64 Bits, u32 None, class... Runs>
struct Name {
  static constexpr u64 kBits = Bits;
  static constexpr u32 kNames = 1;
  static constexpr bool kSymmetric = true, kFlat = true, kRelates = false;
  static constexpr bool kRows = false, kSlots = false;
  static constexpr bool indexed_by(u32) { return false; }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }
  static u32 element(u64 code) {
    u32 found = None;
    ((found = Runs::element(code, found)), ...);
    return found;
  }
  template <class Map>
  static u64 renamed(u64 code, const Map& map) {
    u64 result = code;
    ((result = Runs::has(code) ? Runs::renamed(code, map) : result), ...);
    return result;
  }
  // A set has two elements at least, so there are two codes to use.
  static u64 blurred(u64 code, u32 own) {
    u64 result = code;
    ((result = Runs::has(code) ? Runs::kFirst + (Runs::element(code, None) == own) : result), ...);
    return result;
  }
  template <class F>
  static void name(u64 code, u64 at, const F& f) {
    f(element(code), at);
  }
};

template <class E, u64 N>
struct Array {
  static constexpr u64 kBits = N * E::kBits;
  static constexpr u32 kNames = N * E::kNames;
  static constexpr bool kSymmetric = E::kSymmetric, kFlat = E::kFlat && kBits <= 64, kRelates = E::kRelates;
  static constexpr bool kRows = E::kRows, kSlots = E::kSlots;
  static constexpr bool indexed_by(u32 set) { return E::indexed_by(set); }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }
  template <class Map>
  static u64 renamed(u64 v, const Map& map) {
    u64 result = 0;
    for (u64 i = 0; i < N; ++i)
      result |= E::renamed(v >> i * E::kBits & low_bits(E::kBits), map) << i * E::kBits;
    return result;
  }
  static u64 blurred(u64 v, u32 own) {
    u64 result = 0;
    for (u64 i = 0; i < N; ++i)
      result |= E::blurred(v >> i * E::kBits & low_bits(E::kBits), own) << i * E::kBits;
    return result;
  }
  template <class F>
  static void name(u64 v, u64 at, const F& f) {
    for (u64 i = 0; i < N; ++i)
      E::name(v >> i * E::kBits & low_bits(E::kBits), at + i * E::kBits * kPlaceStep, f);
  }
  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    for (u64 i = 0; i < N; ++i)
      visitor.template visit<E>(offset + i * E::kBits, place + i * E::kBits * kPlaceStep, owners);
  }
  template <class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    for (u64 i = 0; i < N; ++i) move_value<E>(p, from + i * E::kBits, q, into + i * E::kBits, map);
  }
  template <u32 Base>
  static bool alike(const u64* p, u64 offset, u64 a, u64 b) {
    if constexpr (E::indexed_by(Base))
      for (u64 i = 0; i < N; ++i)
        if (!E::template alike<Base>(p, offset + i * E::kBits, a, b)) return false;
    return true;
  }
};

// Part of the index of an array: the elements of a set.
template <u32 Base, u32 Size>
struct Rows {
  static constexpr u64 kSize = Size;
  static constexpr u32 kBase = Base;
  static constexpr bool kElements = true;
};
// The other values of an index that is a union.
template <u64 Size>
struct OtherRows {
  static constexpr u64 kSize = Size;
  static constexpr u32 kBase = 0;
  static constexpr bool kElements = false;
};

// An array with a row for each element.
template <class E, class... Indexes>
struct ByElement {
  static constexpr u64 kRow = E::kBits, kBits = (Indexes::kSize + ...) * E::kBits;
  static constexpr u32 kNames = (Indexes::kSize + ...) * E::kNames;
  static constexpr bool kSymmetric = true, kFlat = false, kRelates = E::kSymmetric;
  static constexpr bool kRows = true, kSlots = E::kSlots;
  static constexpr bool kWord = E::kFlat && kBits <= 64 && kBits != 0;
  static constexpr bool indexed_by(u32 set) {
    return E::indexed_by(set) || ((Indexes::kElements && Indexes::kBase == set) || ...);
  }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32 set, u64 offset) {
    const bool own = sizeof...(Indexes) == 1 && ((Indexes::kElements && Indexes::kBase == set) && ...);
    return own && E::kLead > 1 ? Lead{offset, kRow, E::kLead} : Lead{};
  }

  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    [[maybe_unused]] u64 word = 0, first = 0;
    if constexpr (kWord && V::kCompares && sizeof...(Indexes) == 1) {
      (changed_rows<Indexes>(visitor, offset, place, owners), ...);
    } else {
      if constexpr (kWord && !V::kCompares) word = load_bits<kBits>(visitor.p, offset);
      ((rows<Indexes>(visitor, offset, word, first, place, owners), first += Indexes::kSize), ...);
    }
  }
  template <class I, class V, class O>
  static void rows(V& visitor, u64 offset, u64 word, u64 first, u64 place, const O& owners) {
    for (u64 i = 0; i < I::kSize; ++i) {
      const u64 at = (first + i) * kRow;
      if constexpr (I::kElements && kWord && !V::kCompares)
        visitor.template value<E>(word >> at & low_bits(kRow), place,
                                  owners + (I::kBase + static_cast<u32>(i)));
      else if constexpr (I::kElements)
        visitor.template visit<E>(offset + at, place, owners + (I::kBase + static_cast<u32>(i)));
      else
        visitor.template visit<E>(offset + at, place + (at + 1) * kPlaceStep, owners);
    }
  }

  // Those that differ in the two states of the visitor.
  template <class I, class V, class O>
  static void changed_rows(V& visitor, u64 offset, u64 place, const O& owners) {
    const u64 was = load_bits<kBits>(visitor.p, offset), is = load_bits<kBits>(visitor.q, offset);
    for (u64 difference = was ^ is; difference != 0;) {
      const u64 i = static_cast<u64>(__builtin_ctzll(difference)) / kRow, at = i * kRow;
      visitor.template values<E>(was >> at & low_bits(kRow), is >> at & low_bits(kRow), place,
                                 owners + (I::kBase + static_cast<u32>(i)));
      difference &= ~(low_bits(kRow) << at);
    }
  }

  template <class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    if constexpr (kWord) {
      const u64 old = load_bits<kBits>(p, from);
      u64 word = 0, first = 0;
      ((word |= moved_word<Indexes>(old, first, map), first += Indexes::kSize), ...);
      const u64 there = from == into ? old : load_bits<kBits>(p, into);
      flip_bits<kBits>(q, into, word ^ there);
    } else {
      u64 first = 0;
      ((move_rows<Indexes>(p, from, q, into, first, map), first += Indexes::kSize), ...);
    }
  }
  template <class I, class Map>
  static u64 moved_word(u64 old, u64 first, const Map& map) {
    const u64 part = old >> first * kRow & low_bits(I::kSize * kRow);
    if constexpr (!I::kElements)
      return renamed_rows<I>(part, map) << first * kRow;
    else
      return map.template rows<I::kBase, I::kSize, kRow>(renamed_rows<I>(part, map)) << first * kRow;
  }
  template <class I, class Map>
  static u64 renamed_rows(u64 part, const Map& map) {
    if constexpr (!E::kSymmetric) return part;
    u64 result = 0;
    for (u64 i = 0; i < I::kSize; ++i)
      result |= E::renamed(part >> i * kRow & low_bits(kRow), map) << i * kRow;
    return result;
  }
  template <class I, class Map>
  static void move_rows(const u64* p, u64 from, u64* q, u64 into, u64 first, const Map& map) {
    for (u64 i = 0; i < I::kSize; ++i) {
      u64 target = i;
      if constexpr (I::kElements) target = map.index(I::kBase, i);
      move_value<E>(p, from + (first + i) * kRow, q, into + (first + target) * kRow, map);
    }
  }

  template <u32 Base>
  static bool alike(const u64* p, u64 offset, u64 a, u64 b) {
    u64 first = 0;
    bool result = true;
    ((result = result && alike_rows<Indexes, Base>(p, offset + first * kRow, a, b), first += Indexes::kSize),
     ...);
    return result;
  }
  template <class I, u32 Base>
  static bool alike_rows(const u64* p, u64 offset, u64 a, u64 b) {
    if constexpr (I::kElements && I::kBase == Base) {
      // The columns would have to be compared too.
      if constexpr (E::indexed_by(Base)) return false;
      return same_bits(p, offset + a * kRow, offset + b * kRow, kRow);
    } else if constexpr (E::indexed_by(Base)) {
      for (u64 i = 0; i < I::kSize; ++i)
        if (!E::template alike<Base>(p, offset + i * kRow, a, b)) return false;
    }
    return true;
  }
};

template <class... Fields>
struct Record {
  static constexpr u64 kBits = (Fields::kBits + ... + 0);
  static constexpr u32 kNames = (Fields::kNames + ... + 0);
  static constexpr bool kSymmetric = (Fields::kSymmetric || ...),
                        kFlat = (Fields::kFlat && ...) && kBits <= 64, kRelates = (Fields::kRelates || ...);
  static constexpr bool kRows = (Fields::kRows || ...), kSlots = (Fields::kSlots || ...);
  static constexpr bool indexed_by(u32 set) { return (Fields::indexed_by(set) || ...); }
  static constexpr u64 first_lead() {
    u64 result = 0;
    bool first = true;
    ((result = first ? Fields::kLead : result, first = false), ...);
    return result;
  }
  static constexpr u64 kLead = first_lead();
  static constexpr Lead lead(u32 set, u64 offset) {
    Lead found;
    ((found = found.bits == 0 ? Fields::lead(set, offset) : found, offset += Fields::kBits), ...);
    return found;
  }
  template <class Map>
  static u64 renamed(u64 v, const Map& map) {
    u64 result = v, at = 0;
    ((result ^= changed<Fields>(v, at, [&](u64 field) { return Fields::renamed(field, map); }),
      at += Fields::kBits),
     ...);
    return result;
  }
  static u64 blurred(u64 v, u32 own) {
    u64 result = v, at = 0;
    ((result ^= changed<Fields>(v, at, [&](u64 field) { return Fields::blurred(field, own); }),
      at += Fields::kBits),
     ...);
    return result;
  }
  template <class F, class Change>
  static u64 changed(u64 v, u64 at, const Change& change) {
    if constexpr (!F::kSymmetric) return 0;
    const u64 field = v >> at & low_bits(F::kBits);
    return (field ^ change(field)) << at;
  }
  template <class F>
  static void name(u64 v, u64 place, const F& f) {
    u64 at = 0;
    ((name_in<Fields>(v, at, place, f), at += Fields::kBits), ...);
  }
  template <class Field, class F>
  static void name_in(u64 v, u64 at, u64 place, const F& f) {
    if constexpr (Field::kSymmetric)
      Field::name(v >> at & low_bits(Field::kBits), place + at * kPlaceStep, f);
  }
  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    u64 at = 0;
    ((visitor.template visit<Fields>(offset + at, place + at * kPlaceStep, owners), at += Fields::kBits),
     ...);
  }
  template <class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    u64 at = 0;
    ((move_value<Fields>(p, from + at, q, into + at, map), at += Fields::kBits), ...);
  }
  template <u32 Base>
  static bool alike(const u64* p, u64 offset, u64 a, u64 b) {
    u64 at = 0;
    bool result = true;
    ((result = result && alike_in<Fields, Base>(p, offset + at, a, b), at += Fields::kBits), ...);
    return result;
  }
  template <class Field, u32 Base>
  static bool alike_in(const u64* p, u64 offset, u64 a, u64 b) {
    if constexpr (Field::indexed_by(Base)) return Field::template alike<Base>(p, offset, a, b);
    return true;
  }
};

// Order is how the model sorts the slots: less(a, b) of flat ones, normalise(q, offset) of others.
template <class E, u64 Capacity, u64 CountBits, class Order>
struct Multiset {
  static constexpr u64 kBits = CountBits + Capacity * E::kBits;
  static constexpr u32 kNames = Capacity * E::kNames;
  static constexpr bool kSymmetric = E::kSymmetric, kFlat = false, kRelates = E::kSymmetric;
  static constexpr bool kRows = E::kRows, kSlots = true;
  static constexpr bool indexed_by(u32 set) { return E::indexed_by(set); }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }
  using Slot = E;
  static u64 count(const u64* p, u64 offset) { return load_bits<CountBits>(p, offset); }
  static u64 slot(u64 offset, u64 i) { return offset + CountBits + i * E::kBits; }

  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    if constexpr (V::kCompares) {
      visitor.template slots<Multiset>(offset, place, owners);
    } else {
      const u64 used = count(visitor.p, offset);
      for (u64 i = 0; i < used; ++i) visitor.template slot<E>(slot(offset, i), place, owners);
    }
  }
  template <class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    copy_bits(p, from, q, into, CountBits);
    if constexpr (E::kFlat) {
      sort_slots(p, from, q, into, map);
    } else {
      for (u64 i = 0; i < Capacity; ++i) move_value<E>(p, slot(from, i), q, slot(into, i), map);
      Order::normalise(q, into);
    }
  }
  template <class Map>
  static void sort_slots(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    u64 sorted[Capacity];
    const u64 used = count(p, from);
    for (u64 i = 0; i < used; ++i) {
      const u64 v = E::renamed(load_bits<E::kBits>(p, slot(from, i)), map);
      u64 j = i;
      for (; j > 0 && Order::less(v, sorted[j - 1]); --j) sorted[j] = sorted[j - 1];
      sorted[j] = v;
    }
    for (u64 i = 0; i < Capacity; ++i) {
      const u64 old = load_bits<E::kBits>(p, slot(into, i)), v = i < used ? sorted[i] : 0;
      if (v != old) flip_bits<E::kBits>(q, slot(into, i), v ^ old);
    }
  }
  template <u32 Base>
  static bool alike(const u64*, u64, u64, u64) {
    return false;
  }
};

// Puts the value at `from` in p, with its elements renamed, to `into` in q, where q still has what p has.
template <class S, class Map>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
  if constexpr (!S::kSymmetric) {
    copy_bits(p, from, q, into, S::kBits);
  } else if constexpr (S::kFlat) {
    const u64 old = load_bits<S::kBits>(p, from);
    if (old == 0 && from == into) return;
    const u64 v = S::renamed(old, map), there = from == into ? old : load_bits<S::kBits>(p, into);
    if (v != there) flip_bits<S::kBits>(q, into, v ^ there);
  } else if (map.any(from, S::kBits) || map.any(into, S::kBits)) {
    S::move(p, from, q, into, map);
  }
}
