#include "view/quotient/quotient.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "model/testing/walkers.h"

namespace strata {
namespace {

using State = std::vector<uint8_t>;

std::set<State> reachable(const Model& model, double* orbit_states = nullptr) {
  const uint64_t bytes = model.info().state_bytes;
  std::set<State> seen;
  std::vector<State> waiting;
  Expansion out(model.info(), 100);
  const auto add = [&] {
    for (uint64_t i = 0; i < out.count; ++i) {
      State state(out.successor(i), out.successor(i) + bytes);
      if (seen.insert(state).second) waiting.push_back(state);
    }
  };
  model.initial(out);
  add();
  while (!waiting.empty()) {
    const State state = waiting.back();
    waiting.pop_back();
    out.reset();
    model.expand(state.data(), 1, out);
    if (orbit_states != nullptr) *orbit_states += out.orbit_states;
    add();
  }
  return seen;
}

TEST(QuotientModelTest, OneStateOfEachOrbit) {
  const WalkerModel model(3, 3);
  const std::set<State> all = reachable(model);
  std::set<State> chosen;
  for (State state : all) {
    model.symmetry()->canonicalise(state.data(), 1);
    chosen.insert(state);
  }
  const QuotientModel quotient(model);
  double orbit_states = 0;
  EXPECT_EQ(reachable(quotient, &orbit_states), chosen);
  EXPECT_LT(chosen.size() * 4, all.size());
  EXPECT_EQ(orbit_states, static_cast<double>(all.size()));
}

TEST(QuotientModelTest, ASuccessorInTheSameOrbitIsALoop) {
  const WalkerModel model(2, 2);
  const QuotientModel quotient(model);
  Expansion out(quotient.info(), 10);
  const State state{0, 0, 1};  // the second walker can say that he moved last, which is the same state
  quotient.expand(state.data(), 1, out);
  EXPECT_EQ(out.transitions, 3u);
  ASSERT_EQ(out.count, 2u);
  for (uint64_t i = 0; i < out.count; ++i) EXPECT_NE(State(out.successor(i), out.successor(i) + 3), state);
  out.reset();
  out.emit_self_loops = true;
  quotient.expand(state.data(), 1, out);
  EXPECT_EQ(out.count, 3u);
}

TEST(QuotientModelTest, ParentsAndRulesStayWithTheirSuccessors) {
  const WalkerModel model(2, 2);
  const QuotientModel quotient(model);
  Expansion out(quotient.info(), 100);
  const State states{0, 0, 1, 0, 1, 1, 0, 0, 0};
  quotient.expand(states.data(), 3, out);
  Expansion plain(model.info(), 100);
  model.expand(states.data(), 3, plain);
  uint64_t at = 0;
  for (uint64_t i = 0; i < plain.count; ++i) {
    State successor(plain.successor(i), plain.successor(i) + 3);
    model.symmetry()->canonicalise(successor.data(), 1);
    if (std::equal(successor.begin(), successor.end(), states.begin() + plain.parents[i] * 3)) continue;
    ASSERT_LT(at, out.count);
    EXPECT_EQ(State(out.successor(at), out.successor(at) + 3), successor);
    EXPECT_EQ(out.rules[at], plain.rules[i]);
    EXPECT_EQ(out.parents[at], plain.parents[i]);
    ++at;
  }
  EXPECT_EQ(at, out.count);
}

}  // namespace
}  // namespace strata
