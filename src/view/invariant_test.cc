#include "view/invariant.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
  const InvariantModel invariant(model, {{b, "b fails"}});
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

// Node 0 breaks the model's own property and the first condition, node 1 both conditions, node 2 the second one.
TEST(InvariantModelTest, SeveralConditionsBesideTheModelsOwn) {
  Graph graph;
  graph.nodes.resize(3);
  graph.nodes[0].violates = true;
  graph.nodes[0].propositions = 2;
  graph.nodes[2].propositions = 1;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  ltl::FormulaPool pool;
  const ltl::Formula a = pool.literal(*pool.proposition("a")), b = pool.literal(*pool.proposition("b"));
  const InvariantModel invariant(model, {{a, "a fails"}, {b, "b fails"}}, InvariantModel::Own::checked);
  EXPECT_TRUE(invariant.info().goals.empty());
  std::vector<uint8_t> states(3 * model.info().state_bytes);
  for (uint32_t node = 0; node < 3; ++node)
    model.encode(node, states.data() + node * model.info().state_bytes);
  const auto failures_of = [&](bool expands) {
    Expansion out(invariant.info(), 4);
    out.deadlock = DeadlockMode::off;
    expands ? invariant.expand(states.data(), 3, out) : invariant.check(states.data(), 3, out);
    std::string found;
    for (const Failure& failure : out.failures)
      found += std::to_string(failure.state) + ": " + invariant.describe_failure(failure).message + "\n";
    return found;
  };
  const std::string own = model.describe_failure({0, kNoRule, Failure::Kind::property, 0}).message;
  EXPECT_EQ(failures_of(true), "0: " + own + "\n0: a fails\n1: a fails\n2: b fails\n");
  EXPECT_EQ(failures_of(false), failures_of(true));
  uint64_t values[3] = {};
  std::vector<Failure> failures;
  invariant.propositions(states.data(), 3, values, failures);
  EXPECT_EQ(values[0], 2u);
  EXPECT_EQ(values[1], 0u);
  EXPECT_EQ(values[2], 1u);
}

}  // namespace
}  // namespace strata
