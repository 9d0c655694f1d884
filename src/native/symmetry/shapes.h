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
// Places in a state, and parts played in a relation, are told apart by multiples of these.
enum : u64 {
  kPlaceStep = 0xa0761d6478bd642full,
  kPartStep = 0xe7037ed1a0b428dbull,
  kSame = 0x8ebc6af09c88c6e3ull
};

static inline u64 low_bits(u64 width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }
// get_bits and xor_bits for a width of 0 too.
template <u64 Width>
static inline u64 load_bits(const u64* p, u64 offset) {
  if constexpr (Width == 0) return 0;
  return get_bits(p, offset, Width);
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
static inline bool same_bits(const u64* p, u64 a, u64 b, u64 width) {
  for (; width > 64; width -= 64, a += 64, b += 64)
    if (get_bits(p, a, 64) != get_bits(p, b, 64)) return false;
  return width == 0 || get_bits(p, a, width) == get_bits(p, b, width);
}

template <class S>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Element* to);

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

// ---- Shapes. kFlat: it fits into a word, and has no rows and no multisets. A flat shape works on its value:
//
//   renamed(v, to)      with all elements renamed
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
  static constexpr bool indexed_by(u32) { return false; }
  static u64 renamed(u64 v, const Element*) { return v; }
  static u64 blurred(u64 v, u32) { return v; }
  template <class F>
  static void name(u64, u64, const F&) {}
};

// The codes First.. of a scalar are the elements Base.. of a set.
template <u64 First, u32 Base, u32 Size>
struct Run {
  static bool has(u64 code) { return code - First < Size; }
  static u32 element(u64 code, u32 none) { return has(code) ? Base + static_cast<u32>(code - First) : none; }
  static u64 renamed(u64 code, const Element* to) { return First + to[Base + code - First]; }
  static constexpr u64 kFirst = First;
};

// A scalar some of whose codes are elements.
template <u64 Bits, u32 None, class... Runs>
struct Name {
  static constexpr u64 kBits = Bits;
  static constexpr u32 kNames = 1;
  static constexpr bool kSymmetric = true, kFlat = true, kRelates = false;
  static constexpr bool indexed_by(u32) { return false; }
  static u32 element(u64 code) {
    u32 found = None;
    ((found = Runs::element(code, found)), ...);
    return found;
  }
  static u64 renamed(u64 code, const Element* to) {
    u64 result = code;
    ((result = Runs::has(code) ? Runs::renamed(code, to) : result), ...);
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
  static constexpr bool indexed_by(u32 set) { return E::indexed_by(set); }
  static u64 renamed(u64 v, const Element* to) {
    u64 result = 0;
    for (u64 i = 0; i < N; ++i)
      result |= E::renamed(v >> i * E::kBits & low_bits(E::kBits), to) << i * E::kBits;
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
  static void move(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
    for (u64 i = 0; i < N; ++i) move_value<E>(p, from + i * E::kBits, q, into + i * E::kBits, to);
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
  static constexpr bool kSymmetric = true, kFlat = false, kRelates = true;
  static constexpr bool kWord = E::kFlat && kBits <= 64 && kBits != 0;
  static constexpr bool indexed_by(u32 set) {
    return E::indexed_by(set) || ((Indexes::kElements && Indexes::kBase == set) || ...);
  }

  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    [[maybe_unused]] u64 word = 0, first = 0;
    if constexpr (kWord) word = load_bits<kBits>(visitor.p, offset);
    ((rows<Indexes>(visitor, offset, word, first, place, owners), first += Indexes::kSize), ...);
  }
  template <class I, class V, class O>
  static void rows(V& visitor, u64 offset, u64 word, u64 first, u64 place, const O& owners) {
    for (u64 i = 0; i < I::kSize; ++i) {
      const u64 at = (first + i) * kRow;
      if constexpr (I::kElements && kWord)
        visitor.template value<E>(word >> at & low_bits(kRow), place,
                                  owners + (I::kBase + static_cast<u32>(i)));
      else if constexpr (I::kElements)
        visitor.template visit<E>(offset + at, place, owners + (I::kBase + static_cast<u32>(i)));
      else
        visitor.template visit<E>(offset + at, place + (at + 1) * kPlaceStep, owners);
    }
  }

  static void move(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
    if constexpr (kWord) {
      const u64 old = load_bits<kBits>(p, from);
      u64 word = 0, first = 0;
      ((word |= moved_word<Indexes>(old, first, to), first += Indexes::kSize), ...);
      const u64 there = from == into ? old : load_bits<kBits>(p, into);
      flip_bits<kBits>(q, into, word ^ there);
    } else {
      u64 first = 0;
      ((move_rows<Indexes>(p, from, q, into, first, to), first += Indexes::kSize), ...);
    }
  }
  template <class I>
  static u64 moved_word(u64 old, u64 first, const Element* to) {
    u64 word = 0;
    for (u64 i = 0; i < I::kSize; ++i) {
      const u64 row = E::renamed(old >> (first + i) * kRow & low_bits(kRow), to);
      word |= row << (first + (I::kElements ? to[I::kBase + i] : i)) * kRow;
    }
    return word;
  }
  template <class I>
  static void move_rows(const u64* p, u64 from, u64* q, u64 into, u64 first, const Element* to) {
    for (u64 i = 0; i < I::kSize; ++i) {
      const u64 target = first + (I::kElements ? to[I::kBase + i] : i);
      move_value<E>(p, from + (first + i) * kRow, q, into + target * kRow, to);
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
  static constexpr bool indexed_by(u32 set) { return (Fields::indexed_by(set) || ...); }
  static u64 renamed(u64 v, const Element* to) {
    u64 result = v, at = 0;
    ((result ^= changed<Fields>(v, at, [&](u64 field) { return Fields::renamed(field, to); }),
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
  static void move(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
    u64 at = 0;
    ((move_value<Fields>(p, from + at, q, into + at, to), at += Fields::kBits), ...);
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
  static constexpr bool kSymmetric = E::kSymmetric, kFlat = false, kRelates = true;
  static constexpr bool indexed_by(u32 set) { return E::indexed_by(set); }
  static u64 count(const u64* p, u64 offset) { return load_bits<CountBits>(p, offset); }
  static u64 slot(u64 offset, u64 i) { return offset + CountBits + i * E::kBits; }

  template <class V, class O>
  static void parts(V& visitor, u64 offset, u64 place, const O& owners) {
    const u64 used = count(visitor.p, offset);
    for (u64 i = 0; i < used; ++i) visitor.template slot<E>(slot(offset, i), place, owners);
  }
  static void move(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
    copy_bits(p, from, q, into, CountBits);
    if constexpr (E::kFlat) {
      sort_slots(p, from, q, into, to);
    } else {
      for (u64 i = 0; i < Capacity; ++i) move_value<E>(p, slot(from, i), q, slot(into, i), to);
      Order::normalise(q, into);
    }
  }
  static void sort_slots(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
    u64 sorted[Capacity] = {};
    const u64 used = count(p, from);
    for (u64 i = 0; i < used; ++i) {
      const u64 v = E::renamed(load_bits<E::kBits>(p, slot(from, i)), to);
      u64 j = i;
      for (; j > 0 && Order::less(v, sorted[j - 1]); --j) sorted[j] = sorted[j - 1];
      sorted[j] = v;
    }
    for (u64 i = 0; i < Capacity; ++i) {
      const u64 old = load_bits<E::kBits>(p, slot(into, i)), v = sorted[i];
      if (v != old) flip_bits<E::kBits>(q, slot(into, i), v ^ old);
    }
  }
  template <u32 Base>
  static bool alike(const u64*, u64, u64, u64) {
    return false;
  }
};

// Puts the value at `from` in p, with its elements renamed, to `into` in q, where q still has what p has.
template <class S>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Element* to) {
  if constexpr (!S::kSymmetric) {
    copy_bits(p, from, q, into, S::kBits);
  } else if constexpr (S::kFlat) {
    const u64 old = load_bits<S::kBits>(p, from), v = S::renamed(old, to);
    const u64 there = from == into ? old : load_bits<S::kBits>(p, into);
    if (v != there) flip_bits<S::kBits>(q, into, v ^ there);
  } else {
    S::move(p, from, q, into, to);
  }
}
