// The choice of one state of each orbit; behind keys.h.
//
// A symmetric set is a set of elements whose names do not matter. A permutation renames the elements of each
// set; it acts on a state by renaming all elements that the state names and by moving the rows of arrays that
// they index. Two states are in one orbit when a permutation makes one of the other. canonical() gives the
// same state for all states of an orbit:
//
//   1. Each element gets a key, a sum of hashes of what the state says of it: its rows, where it is named, and how it
//      stands to others. The sum does not depend on names. In small states that is a word without loss
//      instead (rows.h).
//   2. The elements of each set are sorted by key. Unequal keys mean that the order is the same for the whole
//      orbit. Equal ones are looked at (equal keys prove nothing: they are hashes):
//   3. Twins, elements that can be exchanged without changing the state, may stay in any order.
//   4. Others are told apart by what they stand in relation to: hashes with the places of the other elements, until no
//      class of equal elements is divided any more.
//   5. What is then still equal is tried: one of a class is put first, the rest follows by 4; of all states
//      that result the smallest is chosen. Of twins one is tried.
//
// So a collision of hashes costs time, and no more. 1 to 4 are colour refinement and 5 is individualisation,
// as in McKay's canonical labelling of graphs.
#pragma once

// S: the shape of a state; G: its sets. kMayUseWords: false is for tests.
template <class S, class G, bool kMayUseWords = true>
struct Orbits {
  static constexpr u64 kWords = S::kBits == 0 ? 1 : (S::kBits + 63) / 64;
  static constexpr u32 kElements = G::kElements;
  // An entry of a sorted list: the element's number in its set is in the lowest byte, the rest is what it is sorted by.
  static constexpr u64 kIndex = 0xff;

  static constexpr FixedBits<kWords> fixed_bits() {
    FixedBits<kWords> fixed;
    remove_moving<S>(fixed, 0);
    return fixed;
  }
  // A constant, except where states are so large that the compiler leaves it to the start.
  static inline const FixedBits<kWords> kFixed = fixed_bits();

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
    if constexpr (Set < G::kSets) {
      constexpr Lead lead = S::lead(G::base(Set), 0);
      if (base != G::base(Set)) return leading<Set + 1>(p, base, i);
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
    G::each([&](u32 base, u32 size) {
      for (u32 i = 0; i < size; ++i) sorted[base + i] = rank_of(p, key[base + i], base, i) | i;
      sort(sorted + base, size);
      for (u32 i = 1; i < size; ++i) tied |= equal(sorted[base + i - 1], sorted[base + i]);
    });
    return tied;
  }
  using Known = Knowledge<kElements>;
  static void learn(const u64* p, Known& known) {
    KeyPass<false, kElements> pass{p, known.key, known.names, nullptr};
    pass.template visit<S>(0, 0, Owners<0>{});
  }
  // The permutation that puts each element to its place in the list. Whether it moves any.
  static bool permutation(const u64* sorted, Element* to) {
    bool moves = false;
    G::each([&](u32 base, u32 size) {
      for (u32 i = 0; i < size; ++i) {
        const u64 element = sorted[base + i] & kIndex;
        to[base + element] = static_cast<Element>(i);
        moves |= element != i;
      }
    });
    to[kElements] = 0;
    return moves;
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
    move_value<S, false>(p, 0, q, 0, map);
  }
  // What no permutation changes; the rest of q is 0.
  static void begin(const u64* p, u64* q) {
    for (u64 i = 0; i < kWords; ++i) q[i] = p[i] & kFixed.word[i];
    q[kWords] = 0;
  }

  // What a small state says of an element fits into a word. It is then not followed from a parent: all is
  // done anew, almost without a jump.
  static constexpr bool kInWords =
      kMayUseWords && InWords<S>::kBits <= kMostRowBits && kWords <= kFewWords && kElements <= kFewElements;
  struct Words {
    u64 of[kElements + 1] = {};  // the last one: of "none"

    explicit Words(const u64* p) { InWords<S>::add(p, 0, 0, of); }
    bool in_order() const {
      bool result = true;
      G::each([&](u32 base, u32 size) {
#pragma GCC unroll 16
        for (u32 i = 1; i < size; ++i) result &= of[base + i - 1] < of[base + i];
      });
      return result;
    }
    // Sorts them. Whether some are equal.
    template <u32 Set = 0>
    [[gnu::always_inline]] bool sort() {
      if constexpr (Set == G::kSets) {
        return false;
      } else {
        constexpr u32 base = G::base(Set), size = G::base(Set + 1) - base;
        bool tied = false;
#pragma GCC unroll 16
        for (u32 i = 1; i < size; ++i) of[base + i] |= i;
        sort_words<base, size>(of);
#pragma GCC unroll 16
        for (u32 i = 1; i < size; ++i) tied |= equal(of[base + i - 1], of[base + i]);
        return sort<Set + 1>() | tied;
      }
    }
  };
  static const u64* by_words(const u64* p, u64* q) {
    Words words(p);
    if (words.in_order()) return p;
    // What is said of no other element makes those with equal words twins.
    if (words.sort() && S::kRelates) return settle_words(p, words.of, q);
    Element to[kElements + 1];
    permutation(words.of, to);
    begin(p, q);
    InWords<S>::put(p, 0, 0, words.of, Permutation<NoMarks>{to, {}}, q);
    return q;
  }
  [[gnu::noinline]] static const u64* settle_words(const u64* p, u64* sorted, u64* q) {
    u32 names[kElements + 1] = {};
    each_name<S>(p, 0, [&](u32 e) { ++names[e]; });
    return settle(p, names, sorted, q);
  }

  // The state of the orbit: p itself, or q, which it then fills in.
  static const u64* canonical(const u64* p, u64* q) {
    if constexpr (kInWords) return by_words(p, q);
    Known known;
    learn(p, known);
    return sort_all(p, known, q);
  }
  static const u64* sort_all(const u64* p, const Known& known, u64* q) {
    u64 sorted[kElements];
    if (sort_by_key(p, known.key, sorted)) return settle(p, known.names, sorted, q);
    return put_in_order(p, sorted, q);
  }
  static const u64* put_in_order(const u64* p, const u64* sorted, u64* q) {
    Element to[kElements + 1];
    if (!permutation(sorted, to)) return p;
    permute(p, to, q);
    return q;
  }
  static const u64* settle(const u64* p, const u32* names, u64* sorted, u64* q) {
    return Search(p, names, q).settle(sorted) ? put_in_order(p, sorted, q) : q;
  }

  // A state, and what is known of it for the sake of its successors, which differ from it in little.
  struct Parent {
    u64 p[kWords + 1];
    Known known;
    u64 rank[kElements];
    bool in_order;         // the elements are sorted by their keys, and those with equal keys are twins
    bool twin[kElements];  // has twins
    double automorphisms;  // permutations that leave the state as it is

    // p is filled in.
    void learn() {
      if constexpr (kInWords) return learn_from_words();
      known = Known();
      Orbits::learn(p, known);
      u64 sorted[kElements];
      for (u32 e = 0; e < kElements; ++e) twin[e] = false;
      automorphisms = 1;
      in_order = true;
      if (sort_by_key(p, known.key, sorted)) {
        u64 best[kWords + 1];
        Search search(p, known.names, best);
        in_order = search.twins_only(sorted);
        if (!in_order) search.settle(sorted);
        automorphisms = search.found;
        Search::each_class(sorted, [&](u32 base, u32 i, u32 j) {
          for (; i < j; ++i) twin[base + (sorted[base + i] & kIndex)] = true;
          return true;
        });
      }
      G::each([&](u32 base, u32 size) {
        for (u32 i = 0; i < size; ++i) {
          in_order &= (sorted[base + i] & kIndex) == i;
          rank[base + i] = rank_of(p, known.key[base + i], base, i);
        }
      });
    }

    void learn_from_words() {
      Words words(p);
      automorphisms = 1;
      if (words.in_order()) return;
      words.sort();
      u64 best[kWords + 1];
      u32 names[kElements + 1] = {};
      each_name<S>(p, 0, [&](u32 e) { ++names[e]; });
      Search search(p, names, best);
      search.settle(words.of);
      automorphisms = search.found;
    }

    // The state of the orbit of a successor: s itself, or q.
    const u64* successor(const u64* s, u64* q) const {
      if constexpr (kInWords) return by_words(s, q);
      Known next = known;
      bool touched[kElements + 1] = {};
      DeltaPass<kWords, kElements> pass(p, s, next, touched);
      pass.template visit<S>(0, 0, Owners<0>{});
      if (in_order) {
        if (const u64* found = rotate(s, next, touched, q)) return found;
      }
      return sort_all(s, next, q);
    }

    // Where one element of each set changed at most, it alone goes to another place. Null: it is not that simple.
    const u64* rotate(const u64* s, const Known& next, const bool* touched, u64* q) const {
      Rotations<G> rotations;
      bool simple = true, moves = false;
      G::each([&](u32 base, u32 size) {
        u32 changes = 0, changed = 0;
        bool twin_touched = false;
        for (u32 i = 0; i < size; ++i) {
          const bool differs = next.key[base + i] != known.key[base + i];
          changes += differs;
          changed = differs ? i : changed;
          twin_touched |= !differs && touched[base + i] && twin[base + i];
        }
        simple &= changes <= 1 && !twin_touched;
        if (simple && changes == 1) {
          const u64 own = rank_of(s, next.key[base + changed], base, changed);
          u32 before = 0, same = 0, equals = 0;
          for (u32 i = 0; i < size; ++i) {
            before += i != changed && rank[base + i] < own;
            const bool is_equal = i != changed && rank[base + i] == own;
            same = is_equal ? i : same;
            equals += is_equal;
          }
          // What it is equal to now are twins, and it must be one of them.
          simple = equals == 0 || Search(s, next.names, q).twins(base, changed, same);
          rotations.from[G::number(base)] = changed;
          rotations.into[G::number(base)] = before;
          moves |= before != changed;
        }
      });
      if (!simple) return nullptr;
      if (!moves) return s;
      rotations.prepare();
      if constexpr (kWords > kFewWords)
        permute(s, rotations.to, q);
      else
        apply(s, rotations, q);
      return q;
    }
  };

  static double order() {
    double product = 1;
    G::each([&](u32, u32 size) { product *= factorial(size); });
    return product;
  }
  static double factorial(u32 n) { return n <= 1 ? 1 : n * factorial(n - 1); }

  struct Search {
    const u64* p;
    const u32* names;
    u64* best;         // the smallest state that an attempt gave
    double found = 0;  // how many permutations lead to it

    Search(const u64* state, const u32* names_, u64* best_) : p(state), names(names_), best(best_) {}

    // Orders a list in which some are equal: true. Or finds that several orders have to be tried: false, and
    // the best state is the result.
    [[gnu::noinline]] bool settle(u64* sorted) {
      if (twins_only(sorted)) return true;
      refine(sorted);
      if (twins_only(sorted)) return true;
      found = 0;
      attempt(sorted, 1);
      return false;
    }

    // Calls f(base, i, j) for each class of several equal elements, from i to before j of a list; while f says so.
    template <class F>
    static bool each_class(const u64* sorted, const F& f) {
      bool go_on = true;
      G::each([&](u32 base, u32 size) {
        for (u32 i = 0, j; go_on && i < size; i = j) {
          for (j = i + 1; j < size && equal(sorted[base + i], sorted[base + j]); ++j) {
          }
          if (j - i > 1) go_on = f(base, i, j);
        }
      });
      return go_on;
    }
    bool class_of_twins(const u64* sorted, u32 base, u32 i, u32 j) const {
      for (; i + 1 < j; ++i)
        if (!twins(base, sorted[base + i] & kIndex, sorted[base + i + 1] & kIndex)) return false;
      return true;
    }
    bool twins_only(const u64* sorted) {
      found = 1;
      return each_class(sorted, [&](u32 base, u32 i, u32 j) {
        found *= factorial(j - i);
        return class_of_twins(sorted, base, i, j);
      });
    }
    // Whether exchanging two elements of a set leaves the state as it is.
    bool twins(u32 set, u64 a, u64 b) const {
      if (names[set + a] == 0 && names[set + b] == 0 && alike(set, a, b)) return true;
      Element to[kElements + 1];
      G::each([&](u32 base, u32 size) {
        for (u32 i = 0; i < size; ++i) to[base + i] = static_cast<Element>(i);
      });
      to[kElements] = 0;
      to[set + a] = static_cast<Element>(b);
      to[set + b] = static_cast<Element>(a);
      u64 q[kWords + 1];
      permute(p, to, q);
      return !differ(p, q, kWords * 8);
    }
    bool alike(u32 set, u64 a, u64 b) const { return alike_in<0>(set, a, b); }
    template <u32 Base>
    bool alike_in(u32 set, u64 a, u64 b) const {
      if constexpr (Base >= kElements) {
        return true;
      } else {
        if (set == Base) {
          if constexpr (S::indexed_by(Base)) return S::template alike<Base>(p, 0, a, b);
          return true;
        }
        return alike_in<Base + 1>(set, a, b);
      }
    }

    // Calls f(base, i, first) for each place i of a list, where the class of the element there begins at `first`.
    template <class F>
    static void each_place(const u64* sorted, const F& f) {
      G::each([&](u32 base, u32 size) {
        for (u32 i = 0, first = 0; i < size; ++i) {
          if (i == 0 || !equal(sorted[base + i - 1], sorted[base + i])) first = i;
          f(base, i, first);
        }
      });
    }
    // Fills in the colours of all elements, one for each class. How many classes there are.
    static u32 colours(const u64* sorted, u64* colour) {
      u32 classes = 0;
      colour[kElements] = 0;
      each_place(sorted, [&](u32 base, u32 i, u32 first) {
        classes += i == first;
        colour[base + (sorted[base + i] & kIndex)] = mixed(base + first + 1);
      });
      return classes;
    }
    // Divides classes of equal elements by what they stand in relation to, as far as that goes.
    void refine(u64* sorted) const {
      if constexpr (!S::kRelates) return;
      u64 colour[kElements + 1];
      for (u32 classes = 0;;) {
        const u32 now = colours(sorted, colour);
        if (now == kElements || now == classes) return;
        classes = now;
        u64 key[kElements + 1] = {}, next[kElements];
        KeyPass<true, kElements> pass{p, key, nullptr, colour};
        pass.template visit<S>(0, 0, Owners<0>{});
        // The classes keep their places: what is divided stays divided.
        each_place(sorted, [&](u32 base, u32 i, u32 first) {
          const u64 element = sorted[base + i] & kIndex;
          next[base + i] = static_cast<u64>(first) << 56 | (key[base + element] >> 8 & ~kIndex) | element;
        });
        __builtin_memcpy(sorted, next, sizeof next);
        G::each([&](u32 base, u32 size) { sort(sorted + base, size); });
      }
    }

    // Tries the orders of a refined list; each counts for `weight` of them.
    void attempt(const u64* sorted, double weight) {
      double same = 1;
      u32 open = 0, begin = 0, end = 0;
      each_class(sorted, [&](u32 base, u32 i, u32 j) {
        if (class_of_twins(sorted, base, i, j)) {
          same *= factorial(j - i);
          return true;
        }
        open = base, begin = i, end = j;
        return false;
      });
      if (end == 0) return judge(sorted, weight * same);
      u32 tried[kElements], alike[kElements], count = 0;
      for (u32 i = begin; i < end; ++i) {
        u32 twin = 0;
        while (twin < count && !twins(open, sorted[open + tried[twin]] & kIndex, sorted[open + i] & kIndex))
          ++twin;
        if (twin == count) {
          tried[count] = i;
          alike[count++] = 0;
        }
        ++alike[twin];
      }
      for (u32 i = 0; i < count; ++i) {
        u64 next[kElements];
        put_first(sorted, open, begin, end, tried[i], next);
        refine(next);
        attempt(next, weight * alike[i]);
      }
    }
    // The list with one of a class before the others of the class.
    static void put_first(const u64* sorted, u32 set, u32 begin, u32 end, u32 chosen, u64* next) {
      each_place(sorted, [&](u32 base, u32 i, u32 first) {
        next[base + i] = static_cast<u64>(first) << 56 | (sorted[base + i] & kIndex);
      });
      u32 at = begin;
      next[set + at++] = static_cast<u64>(begin) << 56 | (sorted[set + chosen] & kIndex);
      for (u32 i = begin; i < end; ++i)
        if (i != chosen) next[set + at++] = static_cast<u64>(begin + 1) << 56 | (sorted[set + i] & kIndex);
    }
    void judge(const u64* sorted, double weight) {
      Element to[kElements + 1];
      permutation(sorted, to);
      u64 q[kWords + 1];
      permute(p, to, q);
      int order = found == 0 ? -1 : 0;
      for (u64 i = 0; order == 0 && i < kWords; ++i) order = q[i] < best[i] ? -1 : q[i] > best[i];
      if (order > 0) return;
      if (order < 0) __builtin_memcpy(best, q, kWords * 8);
      found = order < 0 ? weight : found + weight;
    }
  };
};
