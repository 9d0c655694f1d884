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
  // On a device, where rows name elements, comparing these with each makes the code so long that warps wait for it.
  static constexpr bool kCompares = kSmallArraysInRegisters && !Shape::kRelates;
  using WordsOfElements = ElementWords<kInWords ? InWords<Shape>::kBits : 0, AllSets::kElements, kCompares>;
  struct Words : WordsOfElements {
    using WordsOfElements::of, WordsOfElements::long_word, typename WordsOfElements::Word;

    explicit Words(const u64* p) { InWords<Shape>::add(p, 0, 0, *this); }
    // Whether they are sorted, and all that are equal are twins. Before they have the numbers of elements.
    bool in_order() const {
      bool result = true;
      AllSets::each([&](u32 base, u32 size) {
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) {
          const auto before = of[base + i - 1], after = of[base + i];
          result &= Shape::kRelates ? before < after : before <= after;
        }
      });
      return result;
    }
    // The permutations of twins, where all that are equal are twins.
    double automorphisms() const {
      u64 product = 1;
      AllSets::each([&](u32 base, u32 size) {
        u32 run = 1;
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
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) of[base + i] |= i;
        sort_words<base, size>(of);
        bool tied = false;
        STRATA_UNROLL
        for (u32 i = 1; i < size; ++i) tied |= Shape::kRelates && equal(of[base + i - 1], of[base + i]);
        return sort<Set + 1>() | (tied && has_related(base, size));
      }
    }
    // Whether some of a set's elements that are equal are related to others.
    bool has_related(u32 base, u32 size) const {
      bool result = false;
      for (u32 i = 1; i < size; ++i)
        result |=
            equal(of[base + i - 1], of[base + i]) && InWords<Shape>::related(long_word(of[base + i]), 0);
      return result;
    }
    // The same as an ordered list of ElementLists.
    void copy_to(u64* sorted) const {
      for (u32 e = 0; e < kElements; ++e)
        sorted[e] = long_word(static_cast<Word>(of[e] & ~kIndex)) | (of[e] & kIndex);
    }
  };
  static const u64* by_words(const u64* p, u64* q) {
    Words words(p);
    if (words.in_order()) return p;
    if (words.sort()) return order_words(p, words, q);
    return put_words(p, words, q);
  }
  static const u64* put_words(const u64* p, const Words& sorted, u64* q) {
    const FewNumbers<kElements> to = Lists::template few_numbers<Words::kRounds>(sorted.of);
    begin(p, q);
    InWords<Shape>::put(p, 0, 0, sorted, Permutation<NoMarks, FewNumbers<kElements>, Words::kRounds>{to, {}},
                        q);
    return q;
  }
  STRATA_SELDOM static const u64* order_words(const u64* p, const Words& words, u64* q) {
    double automorphisms;
    return order_words(p, words, q, automorphisms);
  }
  static const u64* order_words(const u64* p, const Words& words, u64* q, double& automorphisms) {
    u64 sorted[kElements];
    if (divide_words(p, words, sorted, q, automorphisms)) return q;
    u32 names[kElements + 1] = {};
    each_name<Shape>(p, 0, [&](u32 e) { ++names[e]; });
    return break_ties(p, names, sorted, q, automorphisms);
  }

  // The same, where it is done by words; null: several orders have to be tried. The list is sorted as far as that goes.
  static const u64* divide_words(const u64* p, const Words& words, u64* sorted, u64* q,
                                 double& automorphisms) {
    words.copy_to(sorted);
    if (!divide(p, sorted, automorphisms)) return nullptr;
    const FewNumbers<kElements> to = Lists::template few_numbers<Words::kRounds>(sorted);
    apply(p, Permutation<NoMarks, FewNumbers<kElements>, Words::kRounds>{to, {}}, q);
    return q;
  }

  // Tells elements with equal words apart by the places of those that they name, until no class of equal ones is
  // divided any more. Whether all that are still equal are seen to be twins: nobody names them, and they name the same.
  static bool divide(const u64* p, u64* sorted, double& automorphisms) {
    constexpr u32 kNames = InWords<Shape>::kRowNames, kPlaceBits = RelationWords<kElements>::kPlaceBits;
    if constexpr (!kInWords || kNames * kPlaceBits > 48) return false;
    for (u32 classes = 0;;) {
      FewNumbers<kElements> place;
      u32 now = 0,
          several = 0;  // of the classes: how many; a bit for the place of each that has several elements
      AllSets::each([&](u32 base, u32 size) {
        u32 first = base;
        STRATA_ROLL
        for (u32 i = 0; i < size; ++i) {
          const bool is_equal = i != 0 && equal(sorted[base + i - (i != 0)], sorted[base + i]);
          first = is_equal ? first : base + i;
          several |= static_cast<u32>(is_equal) << first;
          now += !is_equal;
          place.set(base + static_cast<u32>(sorted[base + i] & kIndex), first);
        }
      });
      RelationWords<kElements> relations(place);
      InWords<Shape>::add(p, 0, 0, relations);
      if (now == classes || now == kElements)
        return are_twins(sorted, place, several, relations, automorphisms);
      classes = now;
      AllSets::each([&](u32 base, u32 size) {
        STRATA_ROLL
        for (u32 i = 0; i < size; ++i)
          sorted[base + i] = static_cast<u64>(place[base + i]) << 56 | relations.of[base + i] << 8 | i;
      });
      sort_all_words(sorted);
    }
  }
  template <u32 Set = 0>
  static void sort_all_words(u64* sorted) {
    if constexpr (Set < AllSets::kSets) {
      constexpr u32 base = AllSets::base(Set), size = AllSets::base(Set + 1) - base;
      sort_words<base, size>(sorted);
      sort_all_words<Set + 1>(sorted);
    }
  }
  // Of classes that are not divided any more: a bit of `several` is the place of one with several elements.
  static bool are_twins(const u64* sorted, const FewNumbers<kElements>& place, u32 several,
                        const RelationWords<kElements>& relations, double& automorphisms) {
    bool result = true;
    u64 product = 1;
    AllSets::each([&](u32 base, u32 size) {
      u32 run = 1;
      STRATA_ROLL
      for (u32 i = 0; i < size; ++i) {
        run = i != 0 && equal(sorted[base + i - (i != 0)], sorted[base + i]) ? run + 1 : 1;
        product *= run;
        const u32 e = base + i;
        bool related = (relations.named >> e & 1) != 0;
        STRATA_ROLL
        for (u32 k = 0; k < InWords<Shape>::kRowNames; ++k) {
          const u32 named = static_cast<u32>(relations.of[e] >> k * relations.kPlaceBits) & 31;
          related |= named != 0 && (several >> (named - 1) & 1) != 0;
        }
        result &= !(related && (several >> place[e] & 1) != 0);
      }
    });
    automorphisms = static_cast<double>(product);
    return result;
  }

  // For devices, canonical() in three stages, which also tell how many permutations leave the state as it is. quick()
  // is null where elements are equal that may be no twins, slow() where following the names in rows does not tell them
  // apart. Of small states without words, quick() follows the names, too: finding the keys once more would take longer.
  static constexpr bool kFollowsAtOnce = !kInWords && kWords <= kFewWords;
  static const u64* quick(const u64* p, u64* q, double& automorphisms) {
    if constexpr (kInWords) {
      Words words(p);
      if (words.sort()) return nullptr;
      automorphisms = words.automorphisms();
      return put_words(p, words, q);
    } else {
      automorphisms = 1;
      Known known;
      learn(p, known);
      u64 sorted[kElements];
      if (sort_by_key(p, known.key, sorted)) {
        Search search(p, known.names, q);
        if (!(kFollowsAtOnce ? search.break_by_links(sorted) : search.plain_twins_only(sorted)))
          return nullptr;
        automorphisms = search.found;
      }
      return put_in_order(p, sorted, q);
    }
  }
  static const u64* slow(const u64* p, u64* q, double& automorphisms) {
    u64 sorted[kElements];
    if constexpr (kInWords && Shape::kRelates) {
      Words words(p);
      words.sort();
      return divide_words(p, words, sorted, q, automorphisms);
    } else if constexpr (kInWords || kFollowsAtOnce) {
      return whole(p, q, automorphisms);
    } else {
      Known known;
      learn(p, known);
      sort_by_key(p, known.key, sorted);
      Search search(p, known.names, q);
      if (!search.break_by_links(sorted)) return nullptr;
      automorphisms = search.found;
      return put_in_order(p, sorted, q);
    }
  }
  static const u64* whole(const u64* p, u64* q, double& automorphisms) {
    if constexpr (kInWords && !Shape::kRelates) {
      return quick(p, q, automorphisms);
    } else if constexpr (kInWords) {
      Words words(p);
      words.sort();
      return order_words(p, words, q, automorphisms);
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
      order_words(p, words, best, automorphisms);
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
