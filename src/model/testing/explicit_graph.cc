#include "model/testing/explicit_graph.h"

#include <algorithm>

#include "model/testing/graph_device_code.h"

namespace strata {

namespace {

constexpr uint32_t kScramble = 0x9e3779b1u;  // odd, so that multiplication by it can be undone modulo 2^k
constexpr uint32_t kUnscramble = [] {
  uint32_t inverse = 1;
  for (int i = 0; i < 5; ++i) inverse *= 2 - kScramble * inverse;
  return inverse;
}();

uint32_t low_bytes(uint32_t value, uint64_t bytes) {
  return bytes >= 4 ? value : value & ((1u << (8 * bytes)) - 1);
}

}  // namespace

ExplicitGraphModel::ExplicitGraphModel(Graph graph) : graph_(std::move(graph)) {
  uint64_t needed = 1;
  while (needed < 4 && graph_.nodes.size() > uint64_t{1} << (8 * needed)) ++needed;
  graph_.state_bytes = std::max(graph_.state_bytes, needed);
  id_bytes_ = std::min<uint64_t>(graph_.state_bytes, 4);
  info_.path = "graph";
  info_.language = "graph";
  info_.state_bytes = graph_.state_bytes;
  info_.state_bits = 8 * graph_.state_bytes;
  for (const GraphNode& node : graph_.nodes) {
    info_.max_successors = std::max<uint64_t>(info_.max_successors, node.edges.size());
    info_.has_accepting |= node.accepting;
  }
  info_.max_initial = graph_.initial.size();
  info_.processes = graph_.processes;
  for (const GraphNode& node : graph_.nodes) {
    for (const GraphEdge& edge : node.edges) {
      while (info_.rules.size() <= edge.rule) {
        RuleInfo rule;
        rule.name = "Rule " + std::to_string(info_.rules.size());
        if (graph_.processes != 0)
          rule.processes = {static_cast<uint32_t>(info_.rules.size() % graph_.processes)};
        info_.rules.push_back(rule);
      }
    }
  }
  info_.variables = {{"node", "int", info_.state_bits}};
  info_.properties = {{PropertyKind::invariant, "first", {}}, {PropertyKind::invariant, "second", {}}};
  if (graph_.with_cover) info_.properties.push_back({PropertyKind::cover, "goal", {}});
  for (uint32_t i = 0; i < graph_.goals; ++i) {
    info_.goals.push_back(static_cast<uint32_t>(info_.properties.size()));
    info_.properties.push_back({PropertyKind::liveness, "goal " + std::to_string(i), {}});
  }
}

Capabilities ExplicitGraphModel::capabilities() const {
  Capabilities offered;
  offered.device = this;
  return offered;
}

Result<DeviceCode> ExplicitGraphModel::device_code() const {
  return graph_device_code(*this, graph_.two_passes);
}

uint32_t ExplicitGraphModel::unscramble() { return kUnscramble; }

void ExplicitGraphModel::encode(uint32_t node, uint8_t* state) const {
  const uint32_t scrambled = low_bytes(node * kScramble, id_bytes_);
  for (uint64_t i = 0; i < info_.state_bytes; ++i) {
    state[i] = static_cast<uint8_t>(i < id_bytes_ ? scrambled >> (8 * i) : (scrambled >> 7) * i);
  }
}

uint32_t ExplicitGraphModel::decode(const uint8_t* state) const {
  uint32_t scrambled = 0;
  for (uint64_t i = 0; i < id_bytes_; ++i) scrambled |= uint32_t{state[i]} << (8 * i);
  return low_bytes(scrambled * kUnscramble, id_bytes_);
}

void ExplicitGraphModel::append(uint32_t node, uint32_t rule, uint32_t parent, Expansion& out) const {
  encode(node, out.states.data() + out.count * out.state_bytes);
  out.rules[out.count] = rule;
  out.parents[out.count] = parent;
  ++out.count;
}

void ExplicitGraphModel::starts(Expansion& out, const Full& full) const {
  for (uint32_t i = 0; i < graph_.initial.size(); ++i) {
    if (graph_.initial_fails && i + 1 == graph_.initial.size()) {
      out.failures.push_back({0, i, Failure::Kind::runtime, 1});
    } else {
      out.make_room(full);
      append(graph_.initial[i], i, 0, out);
    }
  }
}

bool ExplicitGraphModel::check_node(uint32_t node, uint32_t state, Expansion& out) const {
  const GraphNode& labels = graph_.nodes[node];
  if (labels.covers && graph_.with_cover) out.covered[2] = 1;
  if (labels.violates) out.failures.push_back({state, kNoRule, Failure::Kind::property, 0});
  if (labels.violates_b) out.failures.push_back({state, kNoRule, Failure::Kind::property, 1});
  return !labels.violates && !labels.violates_b;
}

void ExplicitGraphModel::expand(const uint8_t* states, uint64_t n, Expansion& out) const {
  for (uint32_t i = 0; i < n; ++i) {
    if (out.count + info_.max_successors > out.capacity()) break;
    ++out.consumed;
    if (out.counts != nullptr) out.counts->next_state();
    const uint32_t node = decode(states + i * info_.state_bytes);
    if (out.check_properties && !check_node(node, i, out)) continue;
    bool moved = false, enabled = false;
    for (const GraphEdge& edge : graph_.nodes[node].edges) {
      ++out.transitions;
      if (out.counts != nullptr) out.counts->count(edge.rule);
      enabled = true;
      if (edge.fails) {
        moved = true;
        out.failures.push_back({i, edge.rule, Failure::Kind::runtime, 0});
        continue;
      }
      moved |= edge.target != node;
      if (edge.target != node || out.emit_self_loops) append(edge.target, edge.rule, i, out);
    }
    const bool dead = out.deadlock == DeadlockMode::stuck        ? !enabled
                      : out.deadlock == DeadlockMode::stuttering ? !moved
                                                                 : false;
    if (dead) out.failures.push_back({i, kNoRule, Failure::Kind::deadlock, 0});
  }
}

void ExplicitGraphModel::check(const uint8_t* states, uint64_t n, Expansion& out) const {
  for (uint32_t i = 0; i < n; ++i) check_node(decode(states + i * info_.state_bytes), i, out);
  out.consumed = n;
}

void ExplicitGraphModel::propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                                      std::vector<Failure>&) const {
  for (uint64_t i = 0; i < n; ++i)
    values[i] = graph_.nodes[decode(states + i * info_.state_bytes)].propositions;
}

void ExplicitGraphModel::accepting(const uint8_t* states, uint64_t n, uint8_t* values) const {
  for (uint64_t i = 0; i < n; ++i) values[i] = graph_.nodes[decode(states + i * info_.state_bytes)].accepting;
}

Value ExplicitGraphModel::describe(const uint8_t* state) const {
  Value node, all;
  node.kind = Value::Kind::integer;
  node.number = decode(state);
  all.kind = Value::Kind::record;
  all.members.emplace_back("node", node);
  return all;
}

InstanceName ExplicitGraphModel::rule_name(uint32_t rule) const {
  return {"Rule " + std::to_string(rule), "", false};
}

InstanceName ExplicitGraphModel::start_name(uint32_t start) const {
  return {"Startstate " + std::to_string(start), "", false};
}

FailureText ExplicitGraphModel::describe_failure(const Failure& failure) const {
  switch (failure.kind) {
    case Failure::Kind::property:
      return {FailureText::Verdict::invariant,
              "Invariant \"" + info_.properties[failure.detail].name + "\" failed.",
              {}};
    case Failure::Kind::deadlock: return {FailureText::Verdict::deadlock, "Deadlocked state found.", {}};
    case Failure::Kind::runtime: break;
  }
  return {FailureText::Verdict::error, "Run-time error.", {}};
}

}  // namespace strata
