// `minimal` against brute force: the shortest lasso of a random graph from the distances between all states.
// The lassos of `semi`, which are shortest for their accepting state only, show that the difference matters.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <map>

#include "base/testing/test_count.h"
#include "liveness/testing/cycle_variants.h"

namespace strata {
namespace {

constexpr uint64_t kFar = 1'000'000'000;

// A graph as lists of numbers, taken from a model state by state.
struct ListedGraph {
  explicit ListedGraph(const Model& model) {
    Expansion start(model.info(), model.info().max_initial + 1);
    model.initial(start);
    for (uint64_t i = 0; i < start.count; ++i) number(start.successor(i), start.state_bytes);
    initial = states.size();
    for (uint64_t i = 0; i < states.size(); ++i) {
      Expansion out(model.info(), model.info().max_successors + 1);
      out.emit_self_loops = true;
      out.check_properties = false;
      out.deadlock = DeadlockMode::off;
      const StateBytesOf state = states[i];
      model.expand(state.data(), 1, out);
      for (uint64_t s = 0; s < out.count; ++s) {
        const uint64_t to = number(out.successor(s), out.state_bytes);
        next[i].push_back(to);
        before[to].push_back(i);
      }
      uint8_t value = 0;
      model.accepting(state.data(), 1, &value);
      accepting.push_back(value != 0);
    }
  }
  using StateBytesOf = std::vector<uint8_t>;
  uint64_t number(const uint8_t* bytes, uint64_t size) {
    const StateBytesOf state(bytes, bytes + size);
    const auto [place, added] = numbers.try_emplace(state, states.size());
    if (added) {
      states.push_back(state);
      next.emplace_back();
      before.emplace_back();
    }
    return place->second;
  }
  static std::vector<uint64_t> distances(const std::vector<std::vector<uint64_t>>& edges,
                                         const std::vector<uint64_t>& from) {
    std::vector<uint64_t> result(edges.size(), kFar);
    std::deque<uint64_t> queue(from.begin(), from.end());
    for (const uint64_t i : from) result[i] = 0;
    for (; !queue.empty(); queue.pop_front()) {
      for (const uint64_t to : edges[queue.front()]) {
        if (result[to] != kFar) continue;
        result[to] = result[queue.front()] + 1;
        queue.push_back(to);
      }
    }
    return result;
  }

  std::map<StateBytesOf, uint64_t> numbers;
  std::vector<StateBytesOf> states;
  std::vector<std::vector<uint64_t>> next, before;
  std::vector<bool> accepting;
  uint64_t initial = 0;
};

// The length of the shortest lasso; kFar: there is none.
uint64_t shortest_lasso(const ListedGraph& graph) {
  std::vector<uint64_t> starts(graph.initial);
  for (uint64_t i = 0; i < starts.size(); ++i) starts[i] = i;
  const std::vector<uint64_t> depth = ListedGraph::distances(graph.next, starts);
  uint64_t best = kFar;
  for (uint64_t r = 0; r < graph.states.size(); ++r) {
    if (!graph.accepting[r]) continue;
    const std::vector<uint64_t> from = ListedGraph::distances(graph.next, {r});
    const std::vector<uint64_t> to = ListedGraph::distances(graph.before, {r});
    for (uint64_t v = 0; v < graph.states.size(); ++v)
      if (v != r) best = std::min(best, depth[v] + from[v] + to[v]);
    for (const uint64_t s : graph.next[r]) best = std::min(best, depth[r] + 1 + to[s]);
  }
  return best;
}

TEST(MinimalTest, NoLassoIsShorter) {
  const uint64_t graphs = test_count("STRATA_GRAPHS", 60);
  uint64_t cycles = 0, differs = 0;
  for (uint64_t seed = 1; seed <= graphs; ++seed) {
    const ExplicitGraphModel model(accepting_graph(seed));
    const uint64_t expected = shortest_lasso(ListedGraph(model));
    for (const Variant& variant : cycle_variants()) {
      const std::string algorithm = variant.algorithm->name;
      if (algorithm != "minimal" && algorithm != "semi") continue;
      SearchOptions options;
      options.memory = 16 << 20;
      options.threads = 1 + static_cast<unsigned>(seed % 2);
      options.parameters = variant.parameters;
      options.disk.disks = {std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp"};
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant));
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      const auto actual = variant.algorithm->run({model, options, progress, stop});
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      ASSERT_EQ(expected == kFar, actual->verdict == Verdict::holds);
      if (expected == kFar) continue;
      const uint64_t length = actual->counterexamples.at(0).steps.size();
      ASSERT_GE(length, expected);
      differs += length > expected;
      cycles += variant.has(trait::shortest_lasso);
      if (variant.has(trait::shortest_lasso)) {
        ASSERT_EQ(expected, length);
      }
    }
  }
  // Short enough for both to happen, and others do not find the shortest by chance.
  EXPECT_GT(cycles, graphs / 5);
  EXPECT_GT(differs, graphs / 20);
}

}  // namespace
}  // namespace strata
