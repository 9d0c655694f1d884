#include "view/target.h"

#include <gtest/gtest.h>

#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

class TargetModelTest : public testing::Test {
 protected:
  static Graph graph() {
    Graph graph;
    graph.nodes.resize(3);
    graph.nodes[0].edges = {{1, 0, false}};
    graph.nodes[0].violates = true;
    graph.nodes[1].edges = {{2, 1, false}};
    graph.initial = {0};
    return graph;
  }
  std::vector<uint8_t> state(uint32_t node) const {
    std::vector<uint8_t> bytes(model_.info().state_bytes);
    model_.encode(node, bytes.data());
    return bytes;
  }
  const ExplicitGraphModel model_{graph()};
};

TEST_F(TargetModelTest, OnlyTheTargetFails) {
  const TargetModel target(model_, state(1));
  Expansion out(target.info(), 4);
  for (uint32_t node = 0; node < 3; ++node) {
    out.reset();
    target.expand(state(node).data(), 1, out);
    ASSERT_EQ(out.failures.size(), node == 1 ? 1u : 0u) << node;
    EXPECT_EQ(out.count, node == 2 ? 0u : 1u) << node;
    if (node != 1) continue;
    EXPECT_TRUE(target.is_target(out.failures[0]));
    EXPECT_EQ(target.describe_failure(out.failures[0]).message, "The state was reached.");
  }
  EXPECT_FALSE(target.is_target({0, kNoRule, Failure::Kind::property, 0}));
  EXPECT_FALSE(target.is_target({0, 1, Failure::Kind::runtime, 0}));
}

TEST_F(TargetModelTest, ACallerThatWantsNoPropertiesGetsNone) {
  const TargetModel target(model_, state(1));
  Expansion out(target.info(), 4);
  out.check_properties = false;
  target.expand(state(1).data(), 1, out);
  EXPECT_TRUE(out.failures.empty());
  target.check(state(1).data(), 1, out);
  EXPECT_EQ(out.failures.size(), 1u);
}

TEST_F(TargetModelTest, OtherStarts) {
  std::vector<uint8_t> starts = state(2);
  const std::vector<uint8_t> second = state(1);
  starts.insert(starts.end(), second.begin(), second.end());
  const TargetModel target(model_, state(0), starts);
  ASSERT_EQ(target.info().max_initial, 2u);
  Expansion out(target.info(), 2);
  target.initial(out);
  ASSERT_EQ(out.count, 2u);
  EXPECT_EQ(model_.decode(out.successor(0)), 2u);
  EXPECT_EQ(model_.decode(out.successor(1)), 1u);
  EXPECT_EQ(out.rules[1], 1u);
  EXPECT_EQ(target.start_name(1).text(), "start");
}

}  // namespace
}  // namespace strata
