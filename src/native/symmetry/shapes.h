// The shapes of arrays, records and multisets, by the shapes of their parts; behind scalar_shapes.h, which
// says what a shape has. Part is the shape of an element, a row or a slot.
#pragma once

template <class Part, u64 N>
struct Array {
  static constexpr u64 kBits = N * Part::kBits;
  static constexpr u32 kNames = N * Part::kNames;
  static constexpr bool kSymmetric = Part::kSymmetric, kFlat = Part::kFlat && kBits <= 64,
                        kRelates = Part::kRelates;
  static constexpr bool kRows = Part::kRows, kSlots = Part::kSlots;
  static constexpr bool indexed_by(u32 set) { return Part::indexed_by(set); }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }
  template <class Map>
  static u64 renamed(u64 v, const Map& map) {
    u64 result = 0;
    for (u64 i = 0; i < N; ++i)
      result |= Part::renamed(v >> i * Part::kBits & low_bits(Part::kBits), map) << i * Part::kBits;
    return result;
  }
  static u64 blurred(u64 v, u32 own) {
    u64 result = 0;
    for (u64 i = 0; i < N; ++i)
      result |= Part::blurred(v >> i * Part::kBits & low_bits(Part::kBits), own) << i * Part::kBits;
    return result;
  }
  template <class F>
  static void name(u64 v, u64 at, const F& f) {
    for (u64 i = 0; i < N; ++i)
      Part::name(v >> i * Part::kBits & low_bits(Part::kBits), at + i * Part::kBits * kPlaceStep, f);
  }
  template <class Visitor, class Owned>
  static void parts(Visitor& visitor, u64 offset, u64 place, const Owned& owners) {
    STRATA_ROLL
    for (u64 i = 0; i < N; ++i)
      visitor.template visit<Part>(offset + i * Part::kBits, place + i * Part::kBits * kPlaceStep, owners);
  }
  template <bool kMoves, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    STRATA_ROLL
    for (u64 i = 0; i < N; ++i)
      move_value<Part, kMoves>(p, from + i * Part::kBits, q, into + i * Part::kBits, map);
  }
  template <class Fixed>
  static constexpr void remove_from(Fixed& fixed, u64 offset) {
    for (u64 i = 0; i < N; ++i) remove_moving<Part>(fixed, offset + i * Part::kBits);
  }
  template <u32 Base>
  static bool alike(const u64* p, u64 offset, u64 a, u64 b) {
    if constexpr (Part::indexed_by(Base))
      for (u64 i = 0; i < N; ++i)
        if (!Part::template alike<Base>(p, offset + i * Part::kBits, a, b)) return false;
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
template <class Part, class... Indexes>
struct ByElement {
  static constexpr u64 kRow = Part::kBits, kBits = (Indexes::kSize + ...) * Part::kBits;
  static constexpr u32 kNames = (Indexes::kSize + ...) * Part::kNames;
  static constexpr bool kSymmetric = true, kFlat = false, kRelates = Part::kSymmetric;
  static constexpr bool kRows = true, kSlots = Part::kSlots;
  static constexpr bool kWord = Part::kFlat && kBits <= 64 && kBits != 0;
  static constexpr bool indexed_by(u32 set) {
    return Part::indexed_by(set) || ((Indexes::kElements && Indexes::kBase == set) || ...);
  }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32 set, u64 offset) {
    const bool own = sizeof...(Indexes) == 1 && ((Indexes::kElements && Indexes::kBase == set) && ...);
    return own && Part::kLead > 1 ? Lead{offset, kRow, Part::kLead} : Lead{};
  }

  template <class Visitor, class Owned>
  static void parts(Visitor& visitor, u64 offset, u64 place, const Owned& owners) {
    [[maybe_unused]] u64 word = 0, first = 0;
    if constexpr (kWord && Visitor::kCompares && sizeof...(Indexes) == 1) {
      (changed_rows<Indexes>(visitor, offset, place, owners), ...);
    } else {
      if constexpr (kWord && !Visitor::kCompares) word = load_bits<kBits>(visitor.p, offset);
      ((rows<Indexes>(visitor, offset, word, first, place, owners), first += Indexes::kSize), ...);
    }
  }
  template <class Index, class Visitor, class Owned>
  static void rows(Visitor& visitor, u64 offset, u64 word, u64 first, u64 place, const Owned& owners) {
    STRATA_ROLL
    for (u64 i = 0; i < Index::kSize; ++i) {
      const u64 at = (first + i) * kRow;
      if constexpr (Index::kElements && kWord && !Visitor::kCompares)
        visitor.template value<Part>(word >> at & low_bits(kRow), place,
                                     owners + (Index::kBase + static_cast<u32>(i)));
      else if constexpr (Index::kElements)
        visitor.template visit<Part>(offset + at, place, owners + (Index::kBase + static_cast<u32>(i)));
      else
        visitor.template visit<Part>(offset + at, place + (at + 1) * kPlaceStep, owners);
    }
  }

  // Those that differ in the two states of the visitor.
  template <class Index, class Visitor, class Owned>
  static void changed_rows(Visitor& visitor, u64 offset, u64 place, const Owned& owners) {
    const u64 was = load_bits<kBits>(visitor.p, offset), is = load_bits<kBits>(visitor.q, offset);
    for (u64 difference = was ^ is; difference != 0;) {
      const u64 i = lowest_one(difference) / kRow, at = i * kRow;
      visitor.template values<Part>(was >> at & low_bits(kRow), is >> at & low_bits(kRow), place,
                                    owners + (Index::kBase + static_cast<u32>(i)));
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
  template <class Index, class Map>
  static u64 moved_word(u64 old, u64 first, const Map& map) {
    const u64 part = old >> first * kRow & low_bits(Index::kSize * kRow);
    if constexpr (!Index::kElements)
      return renamed_rows<Index>(part, map) << first * kRow;
    else
      return map.template rows<Index::kBase, Index::kSize, kRow>(renamed_rows<Index>(part, map))
             << first * kRow;
  }
  template <class Index, class Map>
  static u64 renamed_rows(u64 part, const Map& map) {
    if constexpr (!Part::kSymmetric) return part;
    u64 result = 0;
    STRATA_ROUNDS(Map::kRounds)
    for (u64 i = 0; i < Index::kSize; ++i)
      result |= Part::renamed(part >> i * kRow & low_bits(kRow), map) << i * kRow;
    return result;
  }
  template <class Index, class Map>
  static void move_rows(const u64* p, u64 from, u64* q, u64 into, u64 first, const Map& map) {
    STRATA_ROLL
    for (u64 i = 0; i < Index::kSize; ++i) {
      u64 target = i;
      if constexpr (Index::kElements) target = map.to[Index::kBase + i];
      move_value<Part, true>(p, from + (first + i) * kRow, q, into + (first + target) * kRow, map);
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
  template <class Index, u32 Base>
  static bool alike_rows(const u64* p, u64 offset, u64 a, u64 b) {
    if constexpr (Index::kElements && Index::kBase == Base) {
      // The columns would have to be compared too.
      if constexpr (Part::indexed_by(Base)) return false;
      if constexpr (Part::kFlat && Part::kSymmetric && kRow != 0)
        return Part::renamed(load_bits<kRow>(p, offset + a * kRow), OwnName{Base + a, Base + b}) ==
               load_bits<kRow>(p, offset + b * kRow);
      return same_bits(p, offset + a * kRow, offset + b * kRow, kRow);
    } else if constexpr (Part::indexed_by(Base)) {
      for (u64 i = 0; i < Index::kSize; ++i)
        if (!Part::template alike<Base>(p, offset + i * kRow, a, b)) return false;
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
  template <class Visitor, class Owned>
  static void parts(Visitor& visitor, u64 offset, u64 place, const Owned& owners) {
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
template <class Part, u64 Capacity, u64 CountBits, class Order>
struct Multiset {
  static constexpr u64 kBits = CountBits + Capacity * Part::kBits;
  static constexpr u32 kNames = Capacity * Part::kNames;
  static constexpr bool kSymmetric = Part::kSymmetric, kFlat = false, kRelates = Part::kSymmetric;
  static constexpr bool kRows = Part::kRows, kSlots = true;
  static constexpr bool indexed_by(u32 set) { return Part::indexed_by(set); }
  static constexpr u64 kLead = 0;
  static constexpr Lead lead(u32, u64) { return {}; }
  using Slot = Part;
  static u64 count(const u64* p, u64 offset) { return load_bits<CountBits>(p, offset); }
  static u64 slot(u64 offset, u64 i) { return offset + CountBits + i * Part::kBits; }

  template <class Visitor, class Owned>
  static void parts(Visitor& visitor, u64 offset, u64 place, const Owned& owners) {
    if constexpr (Visitor::kCompares) {
      visitor.template slots<Multiset>(offset, place, owners);
    } else {
      const u64 used = count(visitor.p, offset);
      for (u64 i = 0; i < used; ++i) visitor.template slot<Part>(slot(offset, i), place, owners);
    }
  }
  template <bool, class Map>
  static void move(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
    copy_bits(p, from, q, into, CountBits);
    if constexpr (Part::kFlat) {
      sort_slots(p, from, q, into, map);
    } else {
      for (u64 i = 0; i < Capacity; ++i) move_value<Part, true>(p, slot(from, i), q, slot(into, i), map);
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
      const u64 v = Part::renamed(load_bits<Part::kBits>(p, slot(from, i)), map);
      u64 j = i;
      for (; j > 0 && Order::less(v, sorted[j - 1]); --j) sorted[j] = sorted[j - 1];
      sorted[j] = v;
    }
    for (u64 i = 0; i < used; ++i) put_bits(q, slot(into, i), Part::kBits, sorted[i]);
  }
  template <u32 Base>
  static bool alike(const u64*, u64, u64, u64) {
    return false;
  }
};

// Puts the value at `from` in p, with its elements renamed, to `into` in q, where q is 0; kMoves: it is part
// of what may move, where plain bits do so too.
template <class Shape, bool kMoves, class Map>
static inline void move_value(const u64* p, u64 from, u64* q, u64 into, const Map& map) {
  if constexpr (!Shape::kSymmetric) {
    if constexpr (kMoves && Shape::kFlat && Shape::kBits != 0)
      put_bits(q, into, Shape::kBits, load_bits<Shape::kBits>(p, from));
    else if constexpr (kMoves)
      copy_bits(p, from, q, into, Shape::kBits);
  } else if constexpr (Shape::kFlat) {
    const u64 old = load_bits<Shape::kBits>(p, from);
    if (old != 0) put_bits(q, into, Shape::kBits, Shape::renamed(old, map));
  } else if (map.any(from, Shape::kBits)) {
    Shape::template move<kMoves>(p, from, q, into, map);
  }
}

// Removes what move_value() puts there.
template <class Shape, class Fixed>
static constexpr void remove_moving(Fixed& fixed, u64 offset) {
  if constexpr (Shape::kSymmetric) Shape::remove_from(fixed, offset);
}
