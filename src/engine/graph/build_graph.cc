#include "engine/graph/build_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "engine/trace/starts.h"

namespace strata {
namespace {

using Bytes = std::vector<uint8_t>;

// Labels with more lines than this are not helpful.
constexpr size_t kMostLines = 12;

class GraphBuilder {
 public:
  GraphBuilder(const Model& model, const GraphOptions& options, const std::atomic<bool>& stop)
      : model_(model),
        options_(options),
        stop_(stop),
        out_(model.info(), std::max<uint64_t>(model.info().max_successors, 1)) {}

  BuiltGraph build() {
    find_first();
    for (uint64_t level = 0; begin_ < order_.size() && !stop_; ++level) {
      const size_t end = order_.size();
      const bool last = options_.around != nullptr && level >= options_.distance;
      std::set<Bytes> next;
      for (; begin_ < end; ++begin_) expand(*order_[begin_], next);
      if (!last) add_level(next, level + 1);
    }
    add_edges();
    mark_path();
    describe();
    if (limited_)
      result_.graph.note = fmt::format(
          "This graph has {} states, of more: it was cut at --states {}. Dashed states have successors that "
          "are not shown.",
          order_.size(), options_.states);
    else if (options_.around != nullptr)
      result_.graph.note =
          fmt::format("Only states within {} of the counterexample are shown.",
                      options_.distance == 1 ? "1 step" : fmt::format("{} steps", options_.distance));
    result_.limited = limited_;
    return std::move(result_);
  }

 private:
  struct Firing {
    uint32_t rule;
    Bytes to;
  };

  // Level 0: the initial states; or the states of the path, from which distances are counted.
  void find_first() {
    std::set<Bytes> first;
    Expansion out = start_expansion(model_.info());
    each_start(model_, out, [&] {
      for (uint64_t i = 0; i < out.count; ++i) {
        initial_.insert(Bytes(out.successor(i), out.successor(i) + out.state_bytes));
        // As many as are shown, and one more to know that there are more.
        if (options_.around == nullptr && initial_.size() > options_.states + 1)
          initial_.erase(std::prev(initial_.end()));
      }
    });
    if (options_.around == nullptr) return add_level(initial_, 0);
    for (const TraceStep& step : options_.around->steps) first.insert(step.state);
    add_level(first, 0);
  }

  // Adds states of a level in the order of their bytes, as long as there is room.
  void add_level(const std::set<Bytes>& states, uint64_t level) {
    for (const Bytes& state : states) {
      if (numbers_.contains(state)) continue;
      if (order_.size() >= options_.states) {
        limited_ = true;
        return;
      }
      const auto added = numbers_.emplace(state, static_cast<uint32_t>(order_.size())).first;
      order_.push_back(&added->first);
      StateGraph::State described;
      described.level = level;
      described.initial = initial_.contains(state);
      result_.graph.states.push_back(std::move(described));
    }
  }

  void expand(const Bytes& state, std::set<Bytes>& next) {
    ask(state, [&] { model_.expand(state.data(), 1, out_); });
    std::vector<Firing> firings;
    for (uint64_t i = 0; i < out_.count; ++i) {
      firings.push_back({out_.rules[i], Bytes(out_.successor(i), out_.successor(i) + out_.state_bytes)});
      if (!numbers_.contains(firings.back().to)) next.insert(firings.back().to);
    }
    firings_.push_back(std::move(firings));
    StateGraph::State& described = result_.graph.states[firings_.size() - 1];
    note_failures(described);
    ask(state, [&] { model_.check(state.data(), 1, out_); });
    note_failures(described);
    uint8_t accepting = 0;
    model_.accepting(state.data(), 1, &accepting);
    described.accepting = accepting != 0;
  }

  template <class Call>
  void ask(const Bytes&, const Call& call) {
    out_.reset();
    out_.deadlock = options_.deadlock;
    out_.check_properties = false;
    out_.emit_self_loops = true;
    call();
  }

  void note_failures(StateGraph::State& state) {
    for (const Failure& failure : out_.failures) {
      state.deadlock |= failure.kind == Failure::Kind::deadlock;
      std::string text = model_.describe_failure(failure).message;
      if (failure.rule != kNoRule) text = model_.rule_name(failure.rule).title("Rule") + ": " + text;
      if (std::find(state.errors.begin(), state.errors.end(), text) == state.errors.end())
        state.errors.push_back(std::move(text));
    }
  }

  void add_edges() {
    for (uint32_t from = 0; from < firings_.size(); ++from) {
      for (const Firing& firing : firings_[from]) {
        const auto to = numbers_.find(firing.to);
        if (to == numbers_.end())
          result_.graph.states[from].cut = true;
        else
          add_edge(from, to->second, model_.rule_name(firing.rule));
      }
    }
  }

  void add_edge(uint32_t from, uint32_t to, const InstanceName& rule) {
    result_.graph.edges.push_back({from, to, rule.text(), false, rule.parameters});
  }

  void mark_path() {
    if (options_.around == nullptr) return;
    const Counterexample& path = *options_.around;
    std::set<std::pair<uint32_t, std::pair<uint32_t, std::string>>> steps;
    const auto number = [&](size_t i) { return numbers_.at(path.steps[i].state); };
    for (size_t i = 0; i < path.steps.size(); ++i) {
      result_.graph.states[number(i)].on_path = true;
      if (i > 0) steps.insert({number(i - 1), {number(i), model_.rule_name(path.steps[i].rule).text()}});
    }
    if (path.loop && path.loop_rule != kNoRule)
      steps.insert(
          {number(path.steps.size() - 1), {number(*path.loop), model_.rule_name(path.loop_rule).text()}});
    for (StateGraph::Edge& edge : result_.graph.edges)
      edge.on_path = steps.contains({edge.from, {edge.to, edge.rule}});
  }

  // Whether a leaf is the variable of this name, or a part of the variable.
  static bool belongs(const std::string& path, const std::string& name) {
    if (!path.starts_with(name)) return false;
    return path.size() == name.size() || std::string(".[{").find(path[name.size()]) != std::string::npos;
  }

  void describe() {
    for (size_t i = 0; i < order_.size(); ++i) {
      StateGraph::State& state = result_.graph.states[i];
      state.value = model_.describe(order_[i]->data());
      const std::vector<Leaf> all = leaves(state.value);
      if (options_.labels.empty() && all.size() > kMostLines) continue;
      for (const Leaf& leaf : all) {
        const bool wanted = options_.labels.empty() ||
                            std::any_of(options_.labels.begin(), options_.labels.end(),
                                        [&](const std::string& name) { return belongs(leaf.path, name); });
        if (wanted)
          state.label += fmt::format("{}{}:{}", state.label.empty() ? "" : "\n", leaf.path, leaf.text);
      }
    }
  }

  const Model& model_;
  const GraphOptions& options_;
  const std::atomic<bool>& stop_;
  Expansion out_;
  std::map<Bytes, uint32_t> numbers_;
  std::vector<const Bytes*> order_;           // by number
  std::vector<std::vector<Firing>> firings_;  // by the number of their source
  std::set<Bytes> initial_;
  size_t begin_ = 0;  // of the states that are not expanded
  bool limited_ = false;
  BuiltGraph result_;
};

}  // namespace

BuiltGraph build_graph(const Model& model, const GraphOptions& options, const std::atomic<bool>& stop) {
  return GraphBuilder(model, options, stop).build();
}

}  // namespace strata
