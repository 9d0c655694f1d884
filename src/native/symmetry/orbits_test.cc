// The choice of one state of each orbit, on shapes made by hand: no compiler has a part in it. Every state is
// compared with those that all permutations make of it. That these are the right ones is known from the
// number of orbits: they are graphs, mappings, matrices and others that have been counted up to renaming.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

// The order matters: each builds on those before it.
// clang-format off
#include "native/abi.h"
#include "native/runtime/failing.h"
#include "native/runtime/state_bytes.h"
#include "native/runtime/state_bits.h"
#include "native/runtime/words_on_host.h"
#include "native/symmetry/permutations.h"
#include "native/symmetry/scalar_shapes.h"
#include "native/symmetry/shapes.h"
#include "native/symmetry/rows.h"
#include "native/symmetry/element_keys.h"
#include "native/symmetry/element_lists.h"
#include "native/symmetry/tie_search.h"
#include "native/symmetry/orbits.h"
// clang-format on

namespace {

using Words = std::vector<u64>;
using Renaming = std::vector<Element>;

template <class G>
std::vector<Renaming> all_permutations() {
  std::vector<Renaming> all{{}};
  G::each([&](u32, u32 size) {
    std::vector<Renaming> longer;
    Renaming own(size);
    std::iota(own.begin(), own.end(), Element{0});
    do {
      for (Renaming sofar : all) {
        sofar.insert(sofar.end(), own.begin(), own.end());
        longer.push_back(std::move(sofar));
      }
    } while (std::next_permutation(own.begin(), own.end()));
    all = std::move(longer);
  });
  return all;
}

// A state of one or more words, with the word behind it that may be read.
template <class S>
Words state_of(u64 first, u64 second = 0) {
  Words words((S::kBits + 63) / 64 + 1);
  words[0] = first;
  if (words.size() > 2) words[1] = second;
  return words;
}

template <class O>
double automorphisms_of(const Words& state) {
  typename O::Parent parent;
  std::copy(state.begin(), state.end(), parent.p);
  parent.learn();
  return parent.automorphisms;
}

// With words, where the state is small enough for them, or with keys alone.
template <class S, class G, bool kWords>
struct TriedWith {
  using Exact = Orbits<S, G, kWords>;

  const std::vector<Renaming> permutations = all_permutations<G>();

  Words applied(const Words& state, const Renaming& to) const {
    Words result(state.size());
    Renaming numbers = to;
    numbers.push_back(0);  // of "none"
    Exact::permute(state.data(), numbers.data(), result.data());
    result.back() = 0;
    return result;
  }
  std::set<Words> orbit(const Words& state) const {
    std::set<Words> all;
    for (const Renaming& to : permutations) all.insert(applied(state, to));
    return all;
  }
  template <class O>
  static Words canonical(const Words& state) {
    Words other(state.size());
    const u64* chosen = O::canonical(state.data(), other.data());
    return chosen == state.data() ? state : other;
  }
  // The same, as a successor of another state.
  static Words canonical_after(const Words& parent, const Words& state) {
    typename Exact::Parent known;
    std::copy(parent.begin(), parent.end(), known.p);
    known.learn();
    Words other(state.size());
    const u64* chosen = known.successor(state.data(), other.data());
    return chosen == state.data() ? state : other;
  }

  // Everything that is promised of one state.
  void check(const Words& state) const {
    const std::set<Words> all = orbit(state);
    const Words chosen = canonical<Exact>(state);
    ASSERT_EQ(all.count(chosen), 1u);
    for (const Words& other : all) ASSERT_EQ(canonical<Exact>(other), chosen);
    ASSERT_EQ(Exact::order() / automorphisms_of<Exact>(state), static_cast<double>(all.size()));
  }
  // The number of orbits, where all of them are checked that are met for the first time.
  uint64_t orbits(const std::vector<Words>& states) const {
    std::set<Words> met;
    Words parent = canonical<Exact>(states.front());
    for (const Words& state : states) {
      const Words chosen = canonical<Exact>(state);
      EXPECT_EQ(canonical_after(parent, state), chosen);
      parent = met.size() % 3 == 0 ? state : chosen;
      if (met.insert(chosen).second) check(state);
      if (testing::Test::HasFatalFailure()) return 0;
    }
    return met.size();
  }
};

template <class S, class G>
struct Tried {
  const TriedWith<S, G, true> with_words{};
  const TriedWith<S, G, false> with_keys{};

  void check(const Words& state) const {
    if (Orbits<S, G>::kInWords) with_words.check(state);
    with_keys.check(state);
  }
  uint64_t orbits(const std::vector<Words>& states) const {
    const uint64_t found = with_keys.orbits(states);
    if (Orbits<S, G>::kInWords) {
      EXPECT_EQ(with_words.orbits(states), found);
    }
    return found;
  }
};

// The states of a shape that fits into a word and whose bits may all be set freely.
template <class S>
std::vector<Words> all_states() {
  std::vector<Words> states;
  for (u64 v = 0; v < u64{1} << S::kBits; ++v) states.push_back(state_of<S>(v));
  return states;
}

template <u32 Base, u32 Size, class E>
using By = ByElement<E, Rows<Base, Size>>;

// ---- Relations

template <u32 N>
using Edges = Record<By<0, N, By<0, N, Plain<1>>>>;

// All graphs on N nodes, without loops.
template <u32 N>
std::vector<Words> graphs(bool directed) {
  std::vector<Words> states;
  std::vector<std::pair<u32, u32>> pairs;
  for (u32 i = 0; i < N; ++i)
    for (u32 j = directed ? 0 : i + 1; j < N; ++j)
      if (i != j) pairs.emplace_back(i, j);
  for (u64 chosen = 0; chosen < u64{1} << pairs.size(); ++chosen) {
    u64 bits = 0;
    for (size_t k = 0; k < pairs.size(); ++k) {
      if ((chosen >> k & 1) == 0) continue;
      bits |= u64{1} << (pairs[k].first * N + pairs[k].second);
      if (!directed) bits |= u64{1} << (pairs[k].second * N + pairs[k].first);
    }
    states.push_back(state_of<Edges<N>>(bits));
  }
  return states;
}

TEST(Orbits, GraphsUpToIsomorphism) {
  EXPECT_EQ((Tried<Edges<4>, Sets<4>>().orbits(graphs<4>(false))), 11u);
  EXPECT_EQ((Tried<Edges<5>, Sets<5>>().orbits(graphs<5>(false))), 34u);
  EXPECT_EQ((Tried<Edges<6>, Sets<6>>().orbits(graphs<6>(false))), 156u);
  EXPECT_EQ((Tried<Edges<4>, Sets<4>>().orbits(graphs<4>(true))), 218u);
}

TEST(Orbits, RelationsWithLoops) {
  EXPECT_EQ((Tried<Edges<3>, Sets<3>>().orbits(all_states<Edges<3>>())), 104u);
  EXPECT_EQ((Tried<Edges<4>, Sets<4>>().orbits(all_states<Edges<4>>())), 3044u);
}

TEST(Orbits, AutomorphismsOfKnownGraphs) {
  using Graph = Orbits<Edges<6>, Sets<6>>;
  const auto automorphisms = [](const std::vector<std::pair<u32, u32>>& edges) {
    Words state = state_of<Edges<6>>(0);
    for (const auto& [i, j] : edges) state[0] |= u64{1} << (i * 6 + j) | u64{1} << (j * 6 + i);
    return automorphisms_of<Graph>(state);
  };
  EXPECT_EQ(automorphisms({}), 720);
  EXPECT_EQ(automorphisms({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}), 12);  // a ring
  EXPECT_EQ(automorphisms({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}), 72);  // two triangles
  EXPECT_EQ(automorphisms({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}), 2);           // a line
  EXPECT_EQ(automorphisms({{0, 1}, {2, 3}, {4, 5}}), 48);
  EXPECT_EQ(automorphisms({{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}), 120);  // a star
}

// Of which refinement by neighbours alone tells nothing: each of the six has two neighbours.
TEST(Orbits, ARingIsNotTwoTriangles) {
  const auto state = [](const std::vector<std::pair<u32, u32>>& edges) {
    Words words = state_of<Edges<6>>(0);
    for (const auto& [i, j] : edges) words[0] |= u64{1} << (i * 6 + j) | u64{1} << (j * 6 + i);
    return TriedWith<Edges<6>, Sets<6>, true>::canonical<Orbits<Edges<6>, Sets<6>>>(words);
  };
  const Words ring = state({{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  EXPECT_EQ(ring, state({{0, 3}, {3, 1}, {1, 4}, {4, 2}, {2, 5}, {5, 0}}));
  EXPECT_NE(ring, state({{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}}));
}

TEST(Orbits, MatricesUpToRowsAndColumns) {
  using Three = Record<By<0, 3, By<3, 3, Plain<1>>>>;
  EXPECT_EQ((Tried<Three, Sets<3, 3>>().orbits(all_states<Three>())), 36u);
  using Four = Record<By<0, 4, By<4, 4, Plain<1>>>>;
  EXPECT_EQ((Tried<Four, Sets<4, 4>>().orbits(all_states<Four>())), 317u);
}

TEST(Orbits, TernaryRelations) {
  using Cube = Record<By<0, 2, By<0, 2, By<0, 2, Plain<1>>>>>;
  // 2^8 of them; the exchange leaves those 2^4 alone in which opposite corners are equal.
  EXPECT_EQ((Tried<Cube, Sets<2>>().orbits(all_states<Cube>())), (256u + 16u) / 2);
}

// ---- Elements that name others

// One of N elements, or none.
template <u64 Bits, u32 None, u32 Base, u32 Size>
using Pointer = Name<Bits, None, Run<1, Base, Size>>;

// All values of N pointers with `codes` values each, of which `least` is the first.
template <class S>
std::vector<Words> pointers(u32 n, u64 bits, u64 least, u64 codes) {
  std::vector<Words> states;
  std::vector<u64> values(n, least);
  for (;;) {
    u64 word = 0;
    for (u32 i = 0; i < n; ++i) word |= values[i] << i * bits;
    states.push_back(state_of<S>(word));
    u32 i = 0;
    while (i < n && ++values[i] == codes) values[i++] = least;
    if (i == n) return states;
  }
}

TEST(Orbits, MappingsUpToRenaming) {
  using Four = Record<By<0, 4, Pointer<3, 4, 0, 4>>>;
  EXPECT_EQ((Tried<Four, Sets<4>>().orbits(pointers<Four>(4, 3, 1, 5))), 19u);
  using Five = Record<By<0, 5, Pointer<3, 5, 0, 5>>>;
  EXPECT_EQ((Tried<Five, Sets<5>>().orbits(pointers<Five>(5, 3, 1, 6))), 47u);
  // Now pointers may also be undefined.
  EXPECT_EQ((Tried<Five, Sets<5>>().orbits(pointers<Five>(5, 3, 0, 6))), 121u);
}

TEST(Orbits, CyclesOfPointers) {
  using Six = Orbits<Record<By<0, 6, Pointer<3, 6, 0, 6>>>, Sets<6>>;
  const auto automorphisms = [](const std::vector<u64>& next) {
    Words state{0, 0};
    for (size_t i = 0; i < next.size(); ++i) state[0] |= (next[i] + 1) << i * 3;
    return automorphisms_of<Six>(state);
  };
  EXPECT_EQ(automorphisms({1, 2, 3, 4, 5, 0}), 6);
  EXPECT_EQ(automorphisms({1, 2, 0, 4, 5, 3}), 18);
  EXPECT_EQ(automorphisms({1, 0, 3, 2, 5, 4}), 48);
  EXPECT_EQ(automorphisms({0, 1, 2, 3, 4, 5}), 720);
  EXPECT_EQ(automorphisms({1, 2, 3, 4, 0, 0}), 1);
}

TEST(Orbits, GlobalsThatNameElements) {
  // Three variables of one set of four: which are equal is all that matters, so these are the partitions of a
  // set of three, or of those of them that are defined.
  using Globals = Record<Pointer<3, 4, 0, 4>, Plain<2>, Pointer<3, 4, 0, 4>, Pointer<3, 4, 0, 4>>;
  std::vector<Words> states;
  for (u64 a = 0; a < 5; ++a)
    for (u64 b = 0; b < 5; ++b)
      for (u64 c = 0; c < 5; ++c) states.push_back(state_of<Globals>(a | u64{2} << 3 | b << 5 | c << 8));
  EXPECT_EQ((Tried<Globals, Sets<4>>().orbits(states)), 5u + 3 * 2 + 3 * 1 + 1);
}

// ---- Twins

TEST(Orbits, TwinsStayInAnyOrder) {
  using Rowwise = Record<By<0, 5, Plain<2>>>;
  // Five elements with four values: multisets.
  EXPECT_EQ((Tried<Rowwise, Sets<5>>().orbits(all_states<Rowwise>())), 56u);
  using Set = Orbits<Rowwise, Sets<5>>;
  Words state = state_of<Rowwise>(0b11'11'00'00'01);
  EXPECT_EQ(automorphisms_of<Set>(state), 4);
}

TEST(Orbits, FixedBitsOfLargeStates) {
  // More bits than a compiler goes through one by one.
  static constexpr FixedBits<8192> kFixed = [] {
    FixedBits<8192> fixed;
    fixed.remove(3, 300'000);
    fixed.remove(300'100, 28);
    return fixed;
  }();
  EXPECT_EQ(kFixed.word[0], 7u);
  EXPECT_EQ(kFixed.word[1], 0u);
  EXPECT_EQ(kFixed.word[300'003 / 64], ~u64{0} << 300'003 % 64);
  EXPECT_EQ(kFixed.word[300'100 / 64], ~(low_bits(28) << 300'100 % 64));
  EXPECT_EQ(kFixed.word[8191], ~u64{0});
}

TEST(Orbits, RowsOfMoreThanAWord) {
  using Long = Record<By<0, 3, Record<Plain<40>, Plain<33>>>, Pointer<2, 3, 0, 3>>;
  const Tried<Long, Sets<3>> tried;
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    Words state(5);
    // Two kinds of rows, so that there are twins.
    const u64 row = random() | 1;
    for (u64 i = 0; i < 3; ++i)
      if (random() % 2 == 0) xor_bits(state.data(), i * 73 + 9, 64, row);
    xor_bits(state.data(), 219, 2, random() % 4);
    tried.check(state);
    if (HasFatalFailure()) return;
  }
}

// ---- Unions

TEST(Orbits, RowsOfAUnion) {
  // Two rows that are no elements, between those of two sets.
  using Mixed = Record<ByElement<Plain<1>, Rows<0, 3>, OtherRows<2>, Rows<3, 2>>>;
  EXPECT_EQ((Tried<Mixed, Sets<3, 2>>().orbits(all_states<Mixed>())), 4u * 4u * 3u);
}

// 0: undefined, 1 and 2: members of an enum, 3 to 5: of the first set, 6 and 7: of the second.
using Who = Name<3, 5, Run<3, 0, 3>, Run<6, 3, 2>>;

TEST(Orbits, NamesOfAUnion) {
  using Mixed = Record<ByElement<Who, Rows<0, 3>, Rows<3, 2>>>;
  // By Burnside's lemma: the mean, over the 12 permutations, of the number of states that each leaves alone.
  EXPECT_EQ((Tried<Mixed, Sets<3, 2>>().orbits(all_states<Mixed>())), 3409u);
}

// ---- Multisets

struct ByValue {
  static bool less(u64 a, u64 b) { return a < b; }
};

// All multisets of up to `capacity` members of 2 bits and 2 bits, edges between three elements of which one
// may be none.
template <class S>
std::vector<Words> bags(u64 capacity, u64 count_bits, u64 member_bits, u64 offset) {
  std::vector<Words> states;
  const u64 members = u64{1} << member_bits;
  const auto put = [&](const auto& self, std::vector<u64>& bag) -> void {
    Words state = state_of<S>(0);
    xor_bits(state.data(), offset, count_bits, bag.size());
    for (size_t i = 0; i < bag.size(); ++i)
      xor_bits(state.data(), offset + count_bits + i * member_bits, member_bits, bag[i]);
    states.push_back(state);
    if (bag.size() == capacity) return;
    for (u64 next = bag.empty() ? 0 : bag.back(); next < members; ++next) {
      bag.push_back(next);
      self(self, bag);
      bag.pop_back();
    }
  };
  std::vector<u64> bag;
  put(put, bag);
  return states;
}

using Edge = Record<Pointer<2, 3, 0, 3>, Pointer<2, 3, 0, 3>>;

TEST(Orbits, BagsOfNames) {
  using Bag = Record<Multiset<Pointer<2, 3, 0, 3>, 3, 2, ByValue>>;
  // How often each element and none is in it, up to the order of the elements.
  EXPECT_EQ((Tried<Bag, Sets<3>>().orbits(bags<Bag>(3, 2, 2, 0))), 1u + 2u + 4u + 7u);
}

TEST(Orbits, BagsOfEdges) {
  using Bag = Record<Multiset<Edge, 2, 2, ByValue>>;
  // By Burnside's lemma: 1 + 16 + 136 bags, of which an exchange leaves 1 + 4 + 16 alone and a rotation 1 + 1 + 1.
  EXPECT_EQ((Tried<Bag, Sets<3>>().orbits(bags<Bag>(2, 2, 4, 0))), (153u + 3 * 21u + 2 * 3u) / 6);
}

TEST(Orbits, BagsInRows) {
  // Each element has a bag of one edge, and one of them is chosen.
  using Bags = Record<By<0, 3, Multiset<Edge, 1, 1, ByValue>>, Pointer<2, 3, 0, 3>>;
  const Tried<Bags, Sets<3>> tried;
  std::mt19937_64 random(2);
  for (int round = 0; round < 2000; ++round) {
    Words state = state_of<Bags>(0);
    for (u64 i = 0; i < 3; ++i)
      if (random() % 4 != 0) xor_bits(state.data(), i * 5, 5, 1 | (random() % 16) << 1);
    xor_bits(state.data(), 15, 2, random() % 4);
    tried.check(state);
    if (HasFatalFailure()) return;
  }
}

// ---- Several sets at once

TEST(Orbits, SetsThatNameEachOther) {
  // Clients 0 to 2 have a server or none, servers 3 and 4 a client or none, and there is a client whose turn it is.
  using System = Record<By<0, 3, Record<Pointer<2, 5, 3, 2>, Plain<1>>>, By<3, 2, Pointer<2, 5, 0, 3>>,
                        Pointer<2, 5, 0, 3>>;
  const Tried<System, Sets<3, 2>> tried;
  std::mt19937_64 random(3);
  for (int round = 0; round < 3000; ++round) {
    u64 word = 0;
    for (u64 i = 0; i < 3; ++i) word |= (random() % 3 | (random() % 2) << 2) << i * 3;
    for (u64 i = 0; i < 3; ++i) word |= (random() % 4) << (9 + i * 2);
    tried.check(state_of<System>(word));
    if (HasFatalFailure()) return;
  }
}

// The example in doc/design/symmetry.md: pc[1] is critical, pc[2] waiting, and turn names the second process.
using Example = Record<ByElement<Plain<2>, Rows<0, 2>>, Name<2, 2, Run<1, 0, 2>>>;
TEST(Orbits, TheExampleOfTheDocumentation) {
  const auto canonical = [](auto orbits, u64 state) {
    const u64 p[2] = {state, 0};
    u64 q[2];
    return decltype(orbits)::canonical(p, q)[0];
  };
  for (const u64 state : {43, 30}) {
    EXPECT_EQ(canonical(Orbits<Example, Sets<2>>(), state), 30u);
    EXPECT_EQ(canonical(Orbits<Example, Sets<2>, false>(), state), 30u);
  }
  // Both critical, turn undefined: twins.
  EXPECT_EQ((automorphisms_of<Orbits<Example, Sets<2>>>({15, 0})), 2);
}

}  // namespace
