// Elements with equal keys: steps 3 to 5 of orbits.h. Behind element_lists.h.
//
// A class is a maximal run of equal elements in a sorted list.
#pragma once

static constexpr double factorial(u32 n) {
  double product = 1;
  for (u32 i = 2; i <= n; ++i) product *= i;
  return product;
}

template <class Shape, class AllSets>
struct TieSearch : ElementLists<Shape, AllSets> {
  using Lists = ElementLists<Shape, AllSets>;
  using Lists::equal, Lists::kElements, Lists::kIndex, Lists::kWords, Lists::permutation, Lists::permute,
      Lists::sort;

  const u64* p;
  const u32* names;
  u64* best;         // the smallest state that an attempt gave
  double found = 0;  // how many permutations lead to it

  TieSearch(const u64* state, const u32* names_, u64* best_) : p(state), names(names_), best(best_) {}

  // Orders a list in which some are equal: true. Or finds that several orders have to be tried: false, and
  // the best state is the result.
  STRATA_SELDOM bool break_ties(u64* sorted) {
    if (break_by_links(sorted) || twins_only(sorted)) return true;
    refine(sorted);
    if (twins_only(sorted)) return true;
    found = 0;
    attempt(sorted);
    return false;
  }

  // The same, as far as names in rows tell elements apart: whether the list is ordered.
  bool break_by_links(u64* sorted) {
    return plain_twins_only(sorted) || (follow_links(sorted) && plain_twins_only(sorted));
  }

  // Calls f(base, i, j) for each class of several equal elements, from i to before j of a list; while f says so.
  template <class F>
  static bool each_class(const u64* sorted, const F& f) {
    bool go_on = true;
    AllSets::each([&](u32 base, u32 size) {
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
  // The same, where nobody names the twins, which is quickly seen.
  bool plain_twins_only(const u64* sorted) {
    found = 1;
    return each_class(sorted, [&](u32 base, u32 i, u32 j) {
      found *= factorial(j - i);
      for (; i + 1 < j; ++i)
        if (!are_plain_twins(base, sorted[base + i] & kIndex, sorted[base + i + 1] & kIndex)) return false;
      return true;
    });
  }
  bool are_plain_twins(u32 set, u64 a, u64 b) const {
    return names[set + a] == 0 && names[set + b] == 0 && alike(set, a, b);
  }
  // Whether exchanging two elements of a set leaves the state as it is.
  bool twins(u32 set, u64 a, u64 b) const {
    if (are_plain_twins(set, a, b)) return true;
    Element to[kElements + 1];
    AllSets::each([&](u32 base, u32 size) {
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
        if constexpr (Shape::indexed_by(Base)) return Shape::template alike<Base>(p, 0, a, b);
        return true;
      }
      return alike_in<Base + 1>(set, a, b);
    }
  }

  // Calls f(base, i, first) for each place i of a list, where the class of the element there begins at `first`.
  template <class F>
  static void each_place(const u64* sorted, const F& f) {
    AllSets::each([&](u32 base, u32 size) {
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
    if constexpr (!Shape::kRelates) return;
    divide(sorted, [&](u64* key, const u64* colour) {
      KeyPass<true, kElements> pass{p, key, nullptr, colour};
      pass.template visit<Shape>(0, 0, Owners<0>{});
    });
  }
  // The same by what their rows name alone, which are few names in many models. Whether some are divided.
  bool follow_links(u64* sorted) const {
    if constexpr (!Shape::kRelates) return false;
    LinkPass<kElements> links(p);
    links.template visit<Shape>(0, 0, Owners<0>{});
    if (links.count == 0 || links.count > links.kMost) return false;
    return divide(sorted, [&](u64* key, const u64* colour) {
      for (u32 i = 0; i < links.count; ++i) {
        const u32 own = links.own[i], named = links.named[i];
        key[own] += mixed(links.at[i] + colour[named]);
        key[named] += mixed(~links.at[i] + colour[own]);
      }
    });
  }
  // Divides classes by keys that add_keys(key, colour) makes from the colours of the classes, until the keys divide
  // none any more. Whether some were divided.
  template <class F>
  static bool divide(u64* sorted, const F& add_keys) {
    u64 colour[kElements + 1];
    for (u32 before = 0, first_classes = 0;;) {
      const u32 classes = colours(sorted, colour);
      if (before == 0) first_classes = classes;
      if (classes == kElements || classes == before) return classes != first_classes;
      before = classes;
      u64 key[kElements + 1] = {}, next[kElements];
      add_keys(key, colour);
      // The classes keep their places: what is divided stays divided.
      each_place(sorted, [&](u32 base, u32 i, u32 first) {
        const u64 element = sorted[base + i] & kIndex;
        next[base + i] = static_cast<u64>(first) << 56 | (key[base + element] >> 8 & ~kIndex) | element;
      });
      copy_words(next, sorted, kElements);
      AllSets::each([&](u32 base, u32 size) { sort(sorted + base, size); });
    }
  }

  // A list and one of its classes. The search puts one element of the class after another first; of twins, one.
  struct Branch {
    u64 sorted[kElements];
    double weight;             // the list represents so many orders
    u32 open, begin, end;      // the class: its set, and where in the list it is
    u32 count, done;           // so many elements are to be tried, and so many of them were
    Element tried[kElements];  // their places in the list
    Element alike[kElements];  // of each: how many elements of the class are its twins, with itself
  };
  // Each branch divides a class.
  static constexpr u32 kMostBranches = kElements - AllSets::kSets + 1;

  // Tries the orders of a refined list. Not by recursion, for which devices have no room.
  void attempt(const u64* sorted) {
    Branch branches[kMostBranches];
    u32 depth = begin_branch(sorted, 1, branches[0]) ? 1 : 0;
    while (depth > 0) {
      Branch& branch = branches[depth - 1];
      if (branch.done == branch.count) {
        --depth;
        continue;
      }
      const u32 i = branch.done++;
      u64 next[kElements];
      put_first(branch.sorted, branch.open, branch.begin, branch.end, branch.tried[i], next);
      refine(next);
      if (begin_branch(next, branch.weight * branch.alike[i], branches[depth])) ++depth;
    }
  }
  // False: the list leaves nothing to try, and its state was judged.
  bool begin_branch(const u64* sorted, double weight, Branch& branch) {
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
    if (end == 0) {
      keep_if_smaller(sorted, weight * same);
      return false;
    }
    branch.weight = weight;
    branch.open = open, branch.begin = begin, branch.end = end;
    branch.count = branch.done = 0;
    copy_words(sorted, branch.sorted, kElements);
    for (u32 i = begin; i < end; ++i) add_to_branch(branch, i);
    return true;
  }
  void add_to_branch(Branch& branch, u32 i) const {
    const auto element = [&](u32 at) { return branch.sorted[branch.open + at] & kIndex; };
    u32 twin = 0;
    while (twin < branch.count && !twins(branch.open, element(branch.tried[twin]), element(i))) ++twin;
    if (twin == branch.count) {
      branch.tried[branch.count] = static_cast<Element>(i);
      branch.alike[branch.count++] = 0;
    }
    ++branch.alike[twin];
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
  void keep_if_smaller(const u64* sorted, double weight) {
    Element to[kElements + 1];
    permutation(sorted, to);
    u64 q[kWords + 1];
    permute(p, to, q);
    int order = found == 0 ? -1 : 0;
    for (u64 i = 0; order == 0 && i < kWords; ++i) order = q[i] < best[i] ? -1 : q[i] > best[i];
    if (order > 0) return;
    if (order < 0) copy_words(q, best, kWords);
    found = order < 0 ? weight : found + weight;
  }
};
