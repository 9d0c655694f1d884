// Places in packed states (native/text/place_form.h); compiled into the text of models whose states stay packed, behind
// words_on_host.h or words_on_device.cuh. A place is a position in an array of words, in which all bits of a value of
// its type are:
//
//   PackedValue    such an array, of one value, with kWordsBehind words behind it: what variables, parameters and
//                  results of functions are
//   PackedWords    the array of a state
//   ScalarPlace    the place of a scalar; reads and writes its raw code
//   PackedPlace    that of an aggregate; the generator derives a class with a member function for each part
//
// Assigning to a place changes the bits there, whatever the place is called.
//
// Before the words of every array is one that tells which words were written, so that whoever compares or restores a
// state looks at those alone: bit i for the words i, i + 64, i + 128 ...
#pragma once

// Replaces Width bits. Where the compiler knows the position, this is a few instructions; elsewhere it is many, so it
// is called.
template <u64 Width>
[[gnu::always_inline]] static inline void set_bits_here(u64* words, u64 at, u64 value) {
  constexpr u64 ones = Width == 64 ? ~0ull : (1ull << Width % 64) - 1;
  const u64 k = at >> 6, shift = at & 63;
  words[k] = (words[k] & ~(ones << shift)) | value << shift;
  u64 written = 1ull << (k & 63);
  if (Width > 1 && shift + Width > 64) {
    words[k + 1] = (words[k + 1] & ~(ones >> (64 - shift))) | value >> (64 - shift);
    written |= 1ull << ((k + 1) & 63);
  }
  words[-1] |= written;
}
template <u64 Width>
STRATA_SELDOM static void set_bits_apart(u64* words, u64 at, u64 value) {
  set_bits_here<Width>(words, at, value);
}
template <u64 Width>
[[gnu::always_inline]] static inline void set_bits(u64* words, u64 at, u64 value) {
  if constexpr (Width != 0) {
    if (STRATA_IS_CONSTANT(at))
      set_bits_here<Width>(words, at, value);
    else
      set_bits_apart<Width>(words, at, value);
  }
}
template <u64 Width>
[[gnu::always_inline]] static inline u64 bits_at(const u64* words, u64 at) {
  if constexpr (Width == 0) {
    return 0;
  } else if constexpr (Width > 57) {
    return get_bits(words, at, Width);
  } else {
    constexpr u64 ones = (1ull << Width) - 1;
    if (!STRATA_IS_CONSTANT(at)) return few_bits<Width>(words, at) & ones;
    // Not get_bits(), which compilers do not always put here.
    const u64 k = at >> 6, shift = at & 63;
    const u64 low = words[k] >> shift;
    return (shift + Width > 64 ? low | words[k + 1] << (64 - shift) : low) & ones;
  }
}
// Copies bits; source and target do not overlap.
template <u64 Width>
static inline void copy_bits(const u64* from, u64 from_at, u64* to, u64 to_at) {
  for (u64 k = 0; k < Width / 64; ++k) set_bits<64>(to, to_at + k * 64, bits_at<64>(from, from_at + k * 64));
  set_bits<Width % 64>(to, to_at + Width / 64 * 64, bits_at<Width % 64>(from, from_at + Width / 64 * 64));
}
template <u64 Width>
static inline bool equal_bits(const u64* a, u64 a_at, const u64* b, u64 b_at) {
  u64 difference = 0;
  for (u64 k = 0; k < Width / 64; ++k)
    difference |= bits_at<64>(a, a_at + k * 64) ^ bits_at<64>(b, b_at + k * 64);
  constexpr u64 rest = Width / 64 * 64;
  return (difference | (bits_at<Width % 64>(a, a_at + rest) ^ bits_at<Width % 64>(b, b_at + rest))) == 0;
}

template <u64 Width>
struct PackedValue {
  u64 cells[Width / 64 + 2 + kWordsBehind] = {};

  u64* words() { return cells + 1; }
  const u64* words() const { return cells + 1; }
};

template <class Raw, u64 Width>
struct ScalarPlace {
  u64* words;
  u64 at;

  ScalarPlace(u64* array, u64 position) : words(array), at(position) {}
  explicit ScalarPlace(PackedValue<Width>& variable) : words(variable.words()), at(0) {}
  ScalarPlace(const ScalarPlace&) = default;
  [[gnu::always_inline]] operator Raw() const { return static_cast<Raw>(bits_at<Width>(words, at)); }
  [[gnu::always_inline]] ScalarPlace& operator=(Raw code) {
    set_bits<Width>(words, at, code);
    return *this;
  }
  ScalarPlace& operator=(const ScalarPlace& other) { return *this = static_cast<Raw>(other); }
};

template <class Value, u64 Width>
struct PackedPlace {
  u64* words;
  u64 at;

  PackedPlace(u64* array, u64 position) : words(array), at(position) {}
  // The place in a value, which is written to only if it is a variable.
  PackedPlace(const Value& value) : words(const_cast<u64*>(value.words())), at(0) {}
  PackedPlace(const PackedPlace&) = default;
  operator Value() const {
    Value value;
    copy_bits<Width>(words, at, value.words(), 0);
    return value;
  }
  PackedPlace& operator=(const Value& value) {
    copy_bits<Width>(value.words(), 0, words, at);
    return *this;
  }
  PackedPlace& operator=(const PackedPlace& other) { return *this = static_cast<Value>(other); }
};
template <class Value, u64 Width>
static inline bool equal_places(const PackedPlace<Value, Width>& a, const PackedPlace<Value, Width>& b) {
  return equal_bits<Width>(a.words, a.at, b.words, b.at);
}

// A multiset: how many elements it has, and these in ascending order. No slot before the last one is ever free, so a
// slot number means the same element only until one is inserted or removed.
template <class Value, u64 Width, class Element, u64 CountBits, u64 Stride>
struct PackedMultiset : PackedPlace<Value, Width> {
  using PackedPlace<Value, Width>::PackedPlace;
  using PackedPlace<Value, Width>::operator=;

  u64 count() const { return bits_at<CountBits>(this->words, this->at); }
  void set_count(u64 count) { set_bits<CountBits>(this->words, this->at, count); }
  Element e(u64 slot) const { return {this->words, this->at + CountBits + slot * Stride}; }
};
// REQUIRES: a slot is free. `compare` is that of the elements.
template <class Multiset, class Element, class Compare>
static inline void insert_element(Multiset multiset, const Element& element, const Compare& compare) {
  const u64 count = multiset.count();
  u64 i = count;
  for (; i > 0 && compare(element, multiset.e(i - 1)) < 0; --i) multiset.e(i) = multiset.e(i - 1);
  multiset.e(i) = element;
  multiset.set_count(count + 1);
}
template <class Multiset, class Element>
static inline void remove_element(Multiset multiset, u64 slot, const Element& none) {
  const u64 last = multiset.count() - 1;
  for (u64 i = slot; i < last; ++i) multiset.e(i) = multiset.e(i + 1);
  multiset.e(last) = none;
  multiset.set_count(last);
}
static inline u64 slot_of(u64 count, i64 slot, Site site) {
  if (__builtin_expect(static_cast<u64>(slot) < count, 1)) return static_cast<u64>(slot);
  fail(site);
  return 0;
}

template <u64 Words>
struct PackedWords {
  u64 cells[Words + 2];

  u64* words() const { return const_cast<u64*>(cells + 1); }
  u64& written() { return cells[0]; }
  // From words that are the state `before` of the following.
  void load(const u64* from) {
    written() = cells[Words + 1] = 0;
    copy_words<Words>(from, reinterpret_cast<u8*>(words()));
  }
  // Whether it is another state now; and which halves of words differ, by the bits of `halves` (kHalves words).
  static constexpr u64 kHalves = (Words + 31) / 32;
  bool differs(const u64* before, u64* halves) const {
    u64 any = 0;
    for (u64 i = 0; i < kHalves; ++i) halves[i] = 0;
    each_written([&](u64 k) {
      const u64 difference = cells[1 + k] ^ before[k];
      const u64 low = static_cast<u32>(difference) != 0, high = difference >> 32 != 0;
      halves[k / 32] |= (low | high << 1) << k % 32 * 2;
      any |= difference;
    });
    return any != 0;
  }
  bool differs(const u64* before) const {
    u64 any = 0;
    each_written([&](u64 k) { any |= cells[1 + k] ^ before[k]; });
    return any != 0;
  }
  void undo(const u64* before) {
    each_written([&](u64 k) { cells[1 + k] = before[k]; });
    written() = 0;
  }

 private:
  template <class F>
  void each_written(const F& f) const {
    for (u64 rest = cells[0]; rest != 0; rest &= rest - 1)
      for (u64 k = lowest_one(rest); k < Words; k += 64) f(k);
  }
};
