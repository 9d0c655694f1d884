#include "view/goal_model.h"

#include <gtest/gtest.h>

#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

TEST(GoalModelTest, StatesFailOnceItIsKnownWhatTheyLack) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.nodes[0].violates = true;
  graph.initial = {0};
  graph.goals = 2;
  const ExplicitGraphModel model(graph);
  GoalModel goals(model);
  std::vector<uint8_t> states(2 * model.info().state_bytes);
  for (uint32_t node = 0; node < 2; ++node)
    model.encode(node, states.data() + node * model.info().state_bytes);
  Expansion out(goals.info(), 4);
  out.deadlock = DeadlockMode::stuck;
  goals.expand(states.data(), 2, out);
  EXPECT_EQ(out.count, 1u);
  EXPECT_TRUE(out.failures.empty());

  // Node 1 lacks the second goal.
  goals.judge_by([&](const uint8_t* state) { return model.decode(state) == 1 ? 2u : 0u; });
  out.reset();
  goals.expand(states.data(), 2, out);
  ASSERT_EQ(out.failures.size(), 1u);
  EXPECT_EQ(out.failures[0].state, 1u);
  EXPECT_EQ(out.failures[0].detail, goals.info().goals[1]);
  EXPECT_EQ(goals.describe_failure(out.failures[0]).message, "Invariant \"goal 1\" failed.");
  out.reset();
  goals.check(states.data(), 2, out);
  EXPECT_EQ(out.failures.size(), 1u);
  out.reset();
  out.check_properties = false;
  goals.expand(states.data(), 2, out);
  EXPECT_TRUE(out.failures.empty());
}

}  // namespace
}  // namespace strata
