// For tests: a model given by its graph (nodes, edges, labels), so that answers are known.
//
// A state is the number of its node, multiplied by an odd constant so that the order of bytes differs from the order of
// numbers, followed by padding that depends on the node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/device_code.h"
#include "model/model.h"

namespace strata {

struct GraphEdge {
  uint32_t target = 0;
  uint32_t rule = 0;
  bool fails = false;  // firing this rule is a run-time error; the target is not reached
};

struct GraphNode {
  std::vector<GraphEdge> edges;
  bool violates = false;      // breaks property 0, an invariant
  bool violates_b = false;    // breaks property 1, an invariant
  bool covers = false;        // makes property 2, a cover, hold
  bool accepting = false;     // with such a node, the model has an automaton of its own
  uint64_t propositions = 0;  // bit i: the value of proposition i
};

struct Graph {
  uint64_t state_bytes = 4;  // at least enough for the node numbers
  std::vector<GraphNode> nodes;
  std::vector<uint32_t> initial;
  bool with_cover = false;     // property 2 exists
  bool initial_fails = false;  // the code of the last start state is a run-time error
  uint32_t goals = 0;  // this many of the propositions must stay reachable; each has a property of its own
  bool two_passes = false;  // how a device expands
  uint32_t processes = 0;   // rule r belongs to process r modulo this, unless it is 0
};

class ExplicitGraphModel final : public Model, public DeviceModel {
 public:
  explicit ExplicitGraphModel(Graph graph);

  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>& failures) const override;
  void accepting(const uint8_t* states, uint64_t n, uint8_t* values) const override;
  Value describe(const uint8_t* state) const override;
  InstanceName rule_name(uint32_t rule) const override;
  InstanceName start_name(uint32_t start) const override;
  FailureText describe_failure(const Failure& failure) const override;

  // Its rules and properties as text (graph_device_code.h).
  Capabilities capabilities() const override;
  Status runs_on_device() const override { return {}; }
  Result<DeviceCode> device_code() const override;

  const Graph& graph() const { return graph_; }
  void encode(uint32_t node, uint8_t* state) const;
  uint32_t decode(const uint8_t* state) const;
  // What the number in the first bytes of a state is multiplied by to get the node; all modulo the size of the number.
  static uint32_t unscramble();

 private:
  // Records the properties of a node. False if an invariant fails.
  bool check_node(uint32_t node, uint32_t state, Expansion& out) const;
  void append(uint32_t node, uint32_t rule, uint32_t parent, Expansion& out) const;

  Graph graph_;
  ModelInfo info_;
  uint64_t id_bytes_;
};

}  // namespace strata
