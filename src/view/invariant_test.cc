#include "view/invariant.h"

#include <gtest/gtest.h>

#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

TEST(InvariantModelTest, TheConditionIsTheOnlyProperty) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.nodes[0].violates = true;
  graph.nodes[0].propositions = 2;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  ltl::FormulaPool pool;
  pool.proposition("a");
  const ltl::Formula b = pool.literal(*pool.proposition("b"));
  const InvariantModel invariant(model, b, "b fails");
  std::vector<uint8_t> states(2 * model.info().state_bytes);
  for (uint32_t node = 0; node < 2; ++node)
    model.encode(node, states.data() + node * model.info().state_bytes);
  Expansion out(invariant.info(), 4);
  out.deadlock = DeadlockMode::off;
  invariant.expand(states.data(), 2, out);
  EXPECT_EQ(out.count, 1u);
  ASSERT_EQ(out.failures.size(), 1u);
  EXPECT_EQ(out.failures[0].state, 1u);
  EXPECT_EQ(invariant.describe_failure(out.failures[0]).message, "b fails");
  EXPECT_EQ(invariant.info().goals, std::vector<uint32_t>{out.failures[0].detail});
  uint64_t values[2] = {7, 7};
  std::vector<Failure> failures;
  invariant.propositions(states.data(), 2, values, failures);
  EXPECT_EQ(values[0], 1u);
  EXPECT_EQ(values[1], 0u);
}

}  // namespace
}  // namespace strata
