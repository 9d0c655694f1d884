#include "liveness/testing/reference_cycles.h"

#include <algorithm>
#include <map>
#include <vector>

namespace strata {

namespace {

using Bytes = std::vector<uint8_t>;

struct Node {
  std::vector<uint32_t> successors;
  bool accepting = false;
  uint32_t number = 0, low = 0;  // 0: not visited
  bool on_stack = false;
};

class Tarjan {
 public:
  explicit Tarjan(const Model& model) : model_(model) {}

  ReferenceCycles run() {
    Expansion start(model_.info(), model_.info().max_initial + 1);
    model_.initial(start);
    for (uint64_t i = 0; i < start.count; ++i) find(start.successor(i));
    const uint32_t roots = static_cast<uint32_t>(nodes_.size());
    for (uint32_t i = 0; i < nodes_.size(); ++i) expand(i);
    for (uint32_t i = 0; i < roots; ++i)
      if (nodes_[i].number == 0) visit(i);
    result_.states = nodes_.size();
    return result_;
  }

 private:
  uint32_t find(const uint8_t* bytes) {
    const Bytes state(bytes, bytes + model_.info().state_bytes);
    const auto [entry, added] = numbers_.try_emplace(state, static_cast<uint32_t>(nodes_.size()));
    if (added) {
      nodes_.emplace_back();
      states_.push_back(state);
    }
    return entry->second;
  }

  void expand(uint32_t node) {
    Expansion out(model_.info(), model_.info().max_successors + 1);
    out.emit_self_loops = true;
    out.check_properties = false;
    out.deadlock = DeadlockMode::off;
    const Bytes state = states_[node];
    model_.expand(state.data(), 1, out);
    result_.transitions += out.transitions;
    for (uint64_t i = 0; i < out.count; ++i) {
      const uint32_t next = find(out.successor(i));
      nodes_[node].successors.push_back(next);
    }
    uint8_t accepting = 0;
    model_.accepting(state.data(), 1, &accepting);
    nodes_[node].accepting = accepting != 0;
  }

  // With a stack of its own, as graphs may be deep.
  void visit(uint32_t root) {
    std::vector<std::pair<uint32_t, size_t>> calls;
    const auto enter = [&](uint32_t node) {
      nodes_[node].number = nodes_[node].low = ++visited_;
      nodes_[node].on_stack = true;
      stack_.push_back(node);
      calls.emplace_back(node, 0);
    };
    enter(root);
    while (!calls.empty()) {
      const uint32_t at = calls.back().first;
      Node& node = nodes_[at];
      if (calls.back().second < node.successors.size()) {
        const uint32_t next = node.successors[calls.back().second++];
        if (nodes_[next].number == 0) {
          enter(next);
        } else if (nodes_[next].on_stack) {
          node.low = std::min(node.low, nodes_[next].number);
        }
        continue;
      }
      calls.pop_back();
      if (!calls.empty()) nodes_[calls.back().first].low = std::min(nodes_[calls.back().first].low, node.low);
      if (node.low == node.number) close(at);
    }
  }

  void close(uint32_t root) {
    std::vector<uint32_t> component;
    do {
      component.push_back(stack_.back());
      nodes_[stack_.back()].on_stack = false;
      stack_.pop_back();
    } while (component.back() != root);
    const std::vector<uint32_t>& successors = nodes_[root].successors;
    const bool cyclic =
        component.size() > 1 || std::find(successors.begin(), successors.end(), root) != successors.end();
    for (const uint32_t node : component) result_.accepting_cycle |= cyclic && nodes_[node].accepting;
  }

  const Model& model_;
  ReferenceCycles result_;
  std::map<Bytes, uint32_t> numbers_;
  std::vector<Node> nodes_;
  std::vector<Bytes> states_;
  std::vector<uint32_t> stack_;
  uint32_t visited_ = 0;
};

}  // namespace

ReferenceCycles reference_cycles(const Model& model) { return Tarjan(model).run(); }

}  // namespace strata
