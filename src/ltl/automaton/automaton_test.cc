#include "ltl/automaton/automaton.h"

#include <gtest/gtest.h>

#include "ltl/automaton/simulation.h"
#include "ltl/automaton/word.h"
#include "ltl/translate/degeneralize.h"

namespace strata::ltl {
namespace {

const Cube kAny, kIfA{1, 0}, kIfNotA{0, 1}, kIfB{2, 0};

Automaton random_automaton(uint64_t seed) {
  Random random(seed);
  Automaton automaton;
  automaton.sets = static_cast<uint32_t>(random.below(4));
  automaton.states.resize(1 + random.below(7));
  for (auto& edges : automaton.states) {
    for (uint64_t i = random.below(4); i > 0; --i) {
      const uint64_t positive = random.below(4);
      const Cube label{positive, random.below(4) & ~positive};
      const uint32_t target = static_cast<uint32_t>(random.below(automaton.states.size()));
      edges.push_back({label, target, random.next() & automaton.all_marks()});
    }
  }
  return automaton;
}

TEST(Components, AreNumberedFromTheLast) {
  Automaton automaton;
  automaton.states = {{{kAny, 1, 0}}, {{kAny, 2, 0}, {kAny, 3, 0}}, {{kAny, 1, 1}}, {{kAny, 3, 1}}, {}};
  const Components parts = components(automaton);
  EXPECT_EQ(parts.count, 4u);
  EXPECT_EQ(parts.of, (std::vector<uint32_t>{2, 1, 1, 0, 3}));
  EXPECT_EQ(parts.cyclic, (std::vector<uint8_t>{1, 1, 0, 0}));
  EXPECT_EQ(parts.marks, (std::vector<uint64_t>{1, 1, 0, 0}));
}

TEST(RemoveUseless, KeepsWhatAcceptsAndTheInitialState) {
  Automaton automaton;
  // State 1 accepts, 2 does not, 3 is unreachable.
  automaton.states = {{{kIfA, 1, 1}, {kIfNotA, 2, 0}}, {{kAny, 1, 1}}, {{kAny, 2, 0}}, {{kAny, 1, 0}}};
  remove_useless(automaton);
  ASSERT_EQ(automaton.states.size(), 2u);
  EXPECT_EQ(automaton.states[0], (std::vector<Edge>{{kIfA, 1, 0}}));
  EXPECT_EQ(automaton.states[1], (std::vector<Edge>{{kAny, 1, 1}}));
  automaton.states = {{{kIfA, 0, 0}}};
  remove_useless(automaton);
  ASSERT_EQ(automaton.states.size(), 1u);
  EXPECT_TRUE(automaton.states[0].empty());
}

TEST(Degeneralize, GivesAStateBasedAutomatonOfTheSameLanguage) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Automaton automaton = random_automaton(seed);
    const Automaton result = degeneralize(automaton, {seed % 2 == 0, seed % 4 < 2});
    EXPECT_TRUE(result.is_state_based());
    EXPECT_EQ(result.sets, 1u);
    Random random(seed);
    for (int i = 0; i < 40; ++i) {
      const Word word = random_word(random, 2);
      ASSERT_EQ(accepts(result, word), accepts(automaton, word)) << "seed " << seed;
    }
  }
}

TEST(Degeneralize, DoesNotSplitWhatIsStateBased) {
  Automaton automaton;
  automaton.states = {{{kAny, 0, 0}, {kIfA, 1, 0}}, {{kAny, 0, 1}}};
  EXPECT_EQ(degeneralize(automaton, {false, false}).states.size(), 2u);
}

TEST(Simulation, MergesAndPrunes) {
  Automaton automaton;
  // States 1 and 2 are equivalent; the edge with label true covers the edge with label b.
  automaton.states = {{{kAny, 1, 0}, {kIfB, 2, 0}}, {{kIfA, 1, 1}}, {{kIfA, 2, 1}}};
  reduce_by_simulation(automaton);
  ASSERT_EQ(automaton.states.size(), 2u);
  EXPECT_EQ(automaton.edge_count(), 2u);
}

TEST(Simulation, KeepsTheLanguage) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    const Automaton automaton = random_automaton(seed);
    for (const Automaton& source : {automaton, degeneralize(automaton)}) {
      Automaton reduced = source;
      reduce_by_simulation(reduced);
      make_more_deterministic(reduced);
      EXPECT_LE(reduced.states.size(), source.states.size());
      EXPECT_TRUE(reduced.is_state_based() || !source.is_state_based());
      Random random(seed);
      for (int i = 0; i < 40; ++i) {
        const Word word = random_word(random, 2);
        ASSERT_EQ(accepts(reduced, word), accepts(source, word)) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace strata::ltl
