// The shapes of packed values, as templates: here of scalars, in shapes.h of arrays, records and multisets. Behind
// permutations.h.
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

template <class Shape, class Fixed>
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
  static constexpr u64 kFirst = First;
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
  static constexpr bool kTabled = Bits <= 8 && !kSmallArraysInRegisters;
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
    return map.template renamed<Name>(code);
  }
  // Whether a blurred code names an element and not `own`.
  static bool names_other(u64 blurred_code) { return ((blurred_code == Runs::kFirst) | ...); }
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
