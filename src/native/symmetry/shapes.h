// The shapes of packed values, as templates; behind permutations.h.
#pragma once

// Of each shape: kSymmetric: it names elements or has rows for them; kRelates: it may tell of several
// elements at once; kRows, kSlots: it has rows, multisets. kFlat: it fits into a word, and has neither. A
// flat shape works on its value:
//
// The value 0 names no element (it is "undefined" wherever elements are among the values), and nothing is
// said by it: most of a large state is 0.
//
//   renamed(v, map)     with all elements renamed
//   blurred(v, own)     with all elements replaced by what tells only `own` from the others
//   name(v, at, f)      calls f(element, at + position) for each place that can name an element
//
// The others visit their parts: each part(visitor, offset, place, owners) calls visitor.visit<Part>(...),
// which comes back here.

template <class S, class Fixed>
static constexpr void remove_moving(Fixed& fixed, u64 offset);

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
  static constexpr bool has(u64 code) { return code - First < Size; }
  static constexpr u32 element(u64 code, u32 none) {
    return has(code) ? Base + static_cast<u32>(code - First) : none;
  }
  static constexpr u64 blank(u64 code) { return has(code) ? First : code; }
};

// A scalar some of whose codes are elements. A code that names none is its own `blank` one; for the others
// that is the first code of their set, and the element's number in its set comes on top.
template <u64 Bits, u32 None, class... Runs>
struct Name {
  static constexpr u64 kBits = Bits;
  static constexpr u32 kNames = 1;
  static constexpr bool kSymmetric = true, kFlat = true, kRelates = false;
  static constexpr bool kRows = false, kSlots = false;
  static constexpr bool indexed_by(u32) { return false; }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }

  static constexpr u32 find_element(u64 code) {
    u32 found = None;
    ((found = Runs::element(code, found)), ...);
    return found;
  }
  static constexpr u64 find_blank(u64 code) {
    u64 found = code;
    ((found = Runs::has(code) ? Runs::blank(code) : found), ...);
    return found;
  }
  // Which codes are elements cannot be foreseen: a look into a table costs less than a jump.
  static constexpr bool kTabled = Bits <= 8;
  struct Table {
    u8 element[kTabled ? 1 << Bits : 1] = {}, blank[kTabled ? 1 << Bits : 1] = {};
    constexpr Table() {
      for (u64 code = 0; kTabled && code < 1u << Bits; ++code) {
        element[code] = static_cast<u8>(find_element(code));
        blank[code] = static_cast<u8>(find_blank(code));
      }
    }
  };
  static constexpr Table kTable{};

  static u32 element(u64 code) { return kTabled ? kTable.element[code] : find_element(code); }
  static u64 blank(u64 code) { return kTabled ? kTable.blank[code] : find_blank(code); }
  template <class Map>
  static u64 renamed(u64 code, const Map& map) {
    return blank(code) + map.to[element(code)];
  }
  // A set has two elements at least, so there are two codes to use.
  static u64 blurred(u64 code, u32 own) { return blank(code) + (element(code) == own); }
  template <class F>
  static void name(u64 code, u64 at, const F& f) {
    f(element(code), at);
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    fixed.remove(offset, kBits);
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
  template <bool kMoves, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    for (u64 i = 0; i < N; ++i) move_value<E, kMoves>(p, from + i * E::kBits, q, into + i * E::kBits, map);
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    for (u64 i = 0; i < N; ++i) remove_moving<E>(fixed, offset + i * E::kBits);
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

  template <bool, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    if constexpr (kWord) {
      const u64 old = load_bits<kBits>(p, from);
      u64 word = 0, first = 0;
      ((word |= moved_word<Indexes>(old, first, map), first += Indexes::kSize), ...);
      put_bits(q, into, kBits, word);
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
      if constexpr (I::kElements) target = map.to[I::kBase + i];
      move_value<E, true>(p, from + (first + i) * kRow, q, into + (first + target) * kRow, map);
    }
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    fixed.remove(offset, kBits);
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
  template <bool kMoves, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    u64 at = 0;
    ((move_value<Fields, kMoves>(p, from + at, q, into + at, map), at += Fields::kBits), ...);
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    ((remove_moving<Fields>(fixed, offset), offset += Fields::kBits), ...);
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
  template <bool, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    copy_bits(p, from, q, into, CountBits);
    if constexpr (E::kFlat) {
      sort_slots(p, from, q, into, map);
    } else {
      for (u64 i = 0; i < Capacity; ++i) move_value<E, true>(p, slot(from, i), q, slot(into, i), map);
      Order::normalise(q, into);
    }
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    fixed.remove(offset, kBits);
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
    for (u64 i = 0; i < used; ++i) put_bits(q, slot(into, i), E::kBits, sorted[i]);
  }
  template <u32 Base>
  static bool alike(const u64*, u64, u64, u64) {
    return false;
  }
};

// Puts the value at `from` in p, with its elements renamed, to `into` in q, where q is 0; kMoves: it is part
// of what may move, where plain bits do so too.
template <class S, bool kMoves, class Map>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
  if constexpr (!S::kSymmetric) {
    if constexpr (kMoves && S::kFlat && S::kBits != 0)
      put_bits(q, into, S::kBits, load_bits<S::kBits>(p, from));
    else if constexpr (kMoves)
      copy_bits(p, from, q, into, S::kBits);
  } else if constexpr (S::kFlat) {
    const u64 old = load_bits<S::kBits>(p, from);
    if (old != 0) put_bits(q, into, S::kBits, S::renamed(old, map));
  } else if (map.any(from, S::kBits)) {
    S::template move<kMoves>(p, from, q, into, map);
  }
}

// Removes what move_value() puts there.
template <class S, class Fixed>
static constexpr void remove_moving(Fixed& fixed, u64 offset) {
  if constexpr (S::kSymmetric) S::remove_from(fixed, offset);
}
