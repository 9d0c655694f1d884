#include "view/fair/fair_paths.h"

#include <gtest/gtest.h>

#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

TEST(FairModelTest, a_loop_is_fair_when_every_process_moves_or_is_disabled) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{0, 0, false}, {1, 1, false}};
  graph.nodes[1].edges = {{0, 0, false}};
  graph.initial = {0, 1};
  graph.processes = 2;
  const ExplicitGraphModel inner(graph);
  const FairModel model(inner);
  Expansion start(model.info(), 2);
  model.initial(start);
  EXPECT_FALSE(model.is_fair({start.successor(0)}, {0}));
  EXPECT_TRUE(model.is_fair({start.successor(0), start.successor(1)}, {1, 0}));
  EXPECT_TRUE(model.is_fair({start.successor(1), start.successor(0)}, {0, 0}));
}

// The processes of a rule with parameters, of which the one in the middle counts.
TEST(FairModelTest, instances_belong_to_processes) {
  class Rules final : public Model {
   public:
    Rules() {
      info_.state_bits = info_.state_bytes = 8;
      info_.processes = 9;
      RuleInfo empty, plain, family, pair;
      empty.instances = 0;
      plain.processes = {8};
      family.instances = 24;
      family.processes = {3};
      family.process_stride = 4;
      family.process_values = 3;
      pair.processes = {0, 2};
      info_.rules = {empty, plain, family, pair};
    }
    const ModelInfo& info() const override { return info_; }
    void starts(Expansion&, const Full&) const override {}
    void expand(const uint8_t*, uint64_t, Expansion&) const override {}
    void check(const uint8_t*, uint64_t, Expansion&) const override {}
    Value describe(const uint8_t*) const override { return {}; }
    InstanceName rule_name(uint32_t) const override { return {}; }
    InstanceName start_name(uint32_t) const override { return {}; }
    FailureText describe_failure(const Failure&) const override { return {}; }

   private:
    ModelInfo info_;
  };
  const Rules rules;
  const FairModel model(rules);
  std::vector<uint32_t> found;
  const auto processes = [&](uint32_t rule) {
    RuleTable(model.info()).processes_of(rule, found);
    return found;
  };
  EXPECT_EQ(processes(0), std::vector<uint32_t>{8});
  EXPECT_EQ(processes(1), std::vector<uint32_t>{3});
  EXPECT_EQ(processes(5), std::vector<uint32_t>{4});
  EXPECT_EQ(processes(12), std::vector<uint32_t>{5});
  EXPECT_EQ(processes(13), std::vector<uint32_t>{3});
  EXPECT_EQ(processes(25), (std::vector<uint32_t>{0, 2}));
  EXPECT_EQ(processes(26), std::vector<uint32_t>{});
  EXPECT_EQ(processes(kNoRule - 1), std::vector<uint32_t>{});
}

}  // namespace
}  // namespace strata
