// The choice of one state of each orbit; behind tie_search.h.
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

// Shape: the shape of a state; AllSets: its sets. kMayUseWords: false is for tests.
template <class Shape, class AllSets, bool kMayUseWords = true>
struct Orbits : ElementLists<Shape, AllSets> {
  using Lists = ElementLists<Shape, AllSets>;
  using Lists::apply, Lists::begin, Lists::equal, Lists::kElements, Lists::kFewElements, Lists::kFewWords,
      Lists::kIndex, Lists::kWords, Lists::permutation, Lists::permute, Lists::rank_of, Lists::sort_by_key;
  using Search = TieSearch<Shape, AllSets>;

  using Known = Knowledge<kElements>;
  static void learn(const u64* p, Known& known) {
    KeyPass<false, kElements> pass{p, known.key, known.names, nullptr};
    pass.template visit<Shape>(0, 0, Owners<0>{});
  }
  // What a small state says of an element fits into a word. It is then not followed from a parent: all is
  // done anew, almost without a jump.
  static constexpr bool kInWords = kMayUseWords && InWords<Shape>::kBits <= kMostRowBits &&
                                   kWords <= kFewWords && kElements <= kFewElements;
  struct Words {
    u64 of[kElements + 1] = {};  // the last one: of "none"

    explicit Words(const u64* p) { InWords<Shape>::add(p, 0, 0, of); }
    // Whether they are sorted, and all that are equal are twins. Before they have the numbers of elements.
    bool in_order() const {
      bool result = true;
      AllSets::each([&](u32 base, u32 size) {
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) {
          const u64 before = of[base + i - 1], after = of[base + i];
          result &= Shape::kRelates ? before < after : before <= after;
        }
      });
      return result;
    }
    // The permutations of twins, where all that are equal are twins.
    double automorphisms() const {
      u64 product = 1;
      AllSets::each([&](u32 base, u32 size) {
        u64 run = 1;
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) {
          run = equal(of[base + i - 1], of[base + i]) ? run + 1 : 1;
          product *= run;
        }
      });
      return static_cast<double>(product);
    }
    // Sorts them. Whether some are equal and may be no twins: where nothing relates elements, equal ones are twins.
    template <u32 Set = 0>
    [[gnu::always_inline]] bool sort() {
      if constexpr (Set == AllSets::kSets) {
        return false;
      } else {
        constexpr u32 base = AllSets::base(Set), size = AllSets::base(Set + 1) - base;
        bool tied = false;
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) of[base + i] |= i;
        sort_words<base, size>(of);
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) tied |= Shape::kRelates && equal(of[base + i - 1], of[base + i]);
        return sort<Set + 1>() | tied;
      }
    }
  };
  static const u64* by_words(const u64* p, u64* q) {
    Words words(p);
    if (words.in_order()) return p;
    if (words.sort()) return order_words(p, words.of, q);
    return put_words(p, words.of, q);
  }
  static const u64* put_words(const u64* p, const u64* sorted, u64* q) {
    Element to[kElements + 1];
    permutation(sorted, to);
    begin(p, q);
    InWords<Shape>::put(p, 0, 0, sorted, Permutation<NoMarks>{to, {}}, q);
    return q;
  }
  STRATA_SELDOM static const u64* order_words(const u64* p, u64* sorted, u64* q) {
    double automorphisms;
    return order_words(p, sorted, q, automorphisms);
  }
  static const u64* order_words(const u64* p, u64* sorted, u64* q, double& automorphisms) {
    u32 names[kElements + 1] = {};
    each_name<Shape>(p, 0, [&](u32 e) { ++names[e]; });
    return break_ties(p, names, sorted, q, automorphisms);
  }

  // For devices, canonical() in two parts; both also tell how many permutations leave the state as it is. quick() is
  // null where several elements seem to be alike.
  static const u64* quick(const u64* p, u64* q, double& automorphisms) {
    if constexpr (kInWords) {
      Words words(p);
      const bool in_order = words.in_order();
      if (!in_order && words.sort()) return nullptr;
      automorphisms = words.automorphisms();
      return in_order ? p : put_words(p, words.of, q);
    } else {
      automorphisms = 1;
      Known known;
      learn(p, known);
      u64 sorted[kElements];
      return sort_by_key(p, known.key, sorted) ? nullptr : put_in_order(p, sorted, q);
    }
  }
  static const u64* slow(const u64* p, u64* q, double& automorphisms) {
    if constexpr (kInWords && !Shape::kRelates) {
      return quick(p, q, automorphisms);
    } else if constexpr (kInWords) {
      Words words(p);
      words.sort();
      return order_words(p, words.of, q, automorphisms);
    } else {
      Known known;
      learn(p, known);
      u64 sorted[kElements];
      sort_by_key(p, known.key, sorted);
      return break_ties(p, known.names, sorted, q, automorphisms);
    }
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
    double automorphisms;
    if (sort_by_key(p, known.key, sorted)) return break_ties(p, known.names, sorted, q, automorphisms);
    return put_in_order(p, sorted, q);
  }
  static const u64* put_in_order(const u64* p, const u64* sorted, u64* q) {
    Element to[kElements + 1];
    if (!permutation(sorted, to)) return p;
    permute(p, to, q);
    return q;
  }
  static const u64* break_ties(const u64* p, const u32* names, u64* sorted, u64* q, double& automorphisms) {
    Search search(p, names, q);
    const bool is_ordered = search.break_ties(sorted);
    automorphisms = search.found;
    return is_ordered ? put_in_order(p, sorted, q) : q;
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
        if (!in_order) search.break_ties(sorted);
        automorphisms = search.found;
        Search::each_class(sorted, [&](u32 base, u32 i, u32 j) {
          for (; i < j; ++i) twin[base + (sorted[base + i] & kIndex)] = true;
          return true;
        });
      }
      AllSets::each([&](u32 base, u32 size) {
        for (u32 i = 0; i < size; ++i) {
          in_order &= (sorted[base + i] & kIndex) == i;
          rank[base + i] = rank_of(p, known.key[base + i], base, i);
        }
      });
    }

    void learn_from_words() {
      Words words(p);
      if (words.in_order() || !words.sort()) {
        automorphisms = words.automorphisms();
        return;
      }
      u64 best[kWords + 1];
      order_words(p, words.of, best, automorphisms);
    }

    // The state of the orbit of a successor: s itself, or q.
    const u64* successor(const u64* s, u64* q) const {
      if constexpr (kInWords) return by_words(s, q);
      Known next = known;
      bool touched[kElements + 1] = {};
      DeltaPass<kWords, kElements> pass(p, s, next, touched);
      pass.template visit<Shape>(0, 0, Owners<0>{});
      if (in_order) {
        if (const u64* found = rotate(s, next, touched, q)) return found;
      }
      return sort_all(s, next, q);
    }

    // Where one element of each set changed at most, it alone goes to another place. Null: it is not that simple.
    const u64* rotate(const u64* s, const Known& next, const bool* touched, u64* q) const {
      Rotations<AllSets> rotations;
      bool simple = true, moves = false;
      AllSets::each([&](u32 base, u32 size) {
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
          rotations.from[AllSets::number(base)] = changed;
          rotations.into[AllSets::number(base)] = before;
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
    AllSets::each([&](u32, u32 size) { product *= factorial(size); });
    return product;
  }
};
