#include "view/share/state_owner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/hash.h"
#include "model/testing/explicit_graph.h"
#include "model/testing/random_graph.h"
#include "model/testing/walkers.h"

namespace strata {
namespace {

constexpr uint32_t kWalkers = 8;
constexpr uint8_t kPlaces = 4;

// All states of the walkers in which somebody has moved.
std::vector<std::vector<uint8_t>> walker_states() {
  std::vector<std::vector<uint8_t>> states;
  for (uint32_t places = 0; places < 1u << 2 * kWalkers; ++places)
    for (uint8_t last = 1; last <= kWalkers; ++last) {
      std::vector<uint8_t> state(kWalkers + 1, last);
      for (uint32_t walker = 0; walker < kWalkers; ++walker)
        state[walker] = static_cast<uint8_t>(places >> 2 * walker & 3);
      states.push_back(std::move(state));
    }
  return states;
}

uint64_t rank_of(const StateOwner& owner, const uint8_t* state, uint64_t bytes) {
  return owner(state, quick_hash(state, bytes));
}

// Of the transitions from every tenth state, how many lead to another rank.
double travelling(const Model& model, const StateOwner& owner) {
  const uint64_t bytes = model.info().state_bytes;
  Expansion out(model.info(), model.info().max_successors);
  uint64_t transitions = 0, travel = 0, number = 0;
  for (const std::vector<uint8_t>& state : walker_states()) {
    if (number++ % 10 != 0) continue;
    out.reset();
    model.expand(state.data(), 1, out);
    const uint64_t from = rank_of(owner, state.data(), bytes);
    for (uint64_t i = 0; i < out.count; ++i) travel += rank_of(owner, out.successor(i), bytes) != from;
    transitions += out.count;
  }
  return static_cast<double>(travel) / static_cast<double>(transitions);
}

TEST(StateOwnerTest, KeepsMostSuccessorsWithEvenShares) {
  constexpr uint64_t kRanks = 4;
  const WalkerModel model(kWalkers, kPlaces);
  const StateOwner local = StateOwner::local(model, kRanks);
  ASSERT_TRUE(local.is_local());
  EXPECT_NEAR(0.75, travelling(model, StateOwner(kRanks)), 0.02);
  EXPECT_LT(travelling(model, local), 0.6);
  std::vector<uint64_t> counts(kRanks, 0);
  const auto states = walker_states();
  for (const std::vector<uint8_t>& state : states) ++counts.at(rank_of(local, state.data(), state.size()));
  for (const uint64_t count : counts)
    EXPECT_NEAR(1.0, static_cast<double>(count * kRanks) / static_cast<double>(states.size()), 0.1);
}

TEST(StateOwnerTest, IsTheSameForAllWhoAsk) {
  const WalkerModel model(kWalkers, kPlaces);
  const StateOwner one = StateOwner::local(model, 3), other = StateOwner::local(model, 3);
  for (const std::vector<uint8_t>& state : walker_states())
    ASSERT_EQ(rank_of(one, state.data(), state.size()), rank_of(other, state.data(), state.size()));
}

// The more ranks, the more bits; where there are too few, the whole state counts.
TEST(StateOwnerTest, FallsBackToTheHash) {
  EXPECT_FALSE(StateOwner::local(WalkerModel(kWalkers, kPlaces), 1).is_local());
  EXPECT_FALSE(StateOwner::local(WalkerModel(3, 2), 4).is_local());
  EXPECT_FALSE(StateOwner::local(WalkerModel(7, 2), 1000).is_local());
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const ExplicitGraphModel model(random_graph(seed));
    const StateOwner owner = StateOwner::local(model, 5);
    Expansion out(model.info(), model.info().max_initial);
    out.reset();
    model.initial(out);
    for (uint64_t i = 0; i < out.count; ++i)
      EXPECT_LT(rank_of(owner, out.successor(i), model.info().state_bytes), 5u);
  }
}

}  // namespace
}  // namespace strata
