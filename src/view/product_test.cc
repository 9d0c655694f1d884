#include "view/product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "ltl/automaton/word.h"
#include "ltl/formula/formula_parser.h"
#include "ltl/testing/random_formula.h"
#include "ltl/translate/translate.h"
#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

using namespace ltl;

constexpr uint32_t kPropositions = 2;

Automaton automaton_of(const std::string& text) {
  FormulaPool pool;
  for (const char* name : {"a", "b"}) pool.proposition(name);
  const SourceFile file("formula", text);
  return translate(pool, parse_property(file, pool)->formula).value();
}

// The graph of a product, found by expanding it through buffers of a given size. The states of `graph` are those of the
// product, with the automaton's marks as acceptance.
struct Explored {
  std::vector<std::string> states;
  Automaton graph;
  uint64_t transitions = 0;
};

Explored explore(const ProductModel& product, uint64_t capacity) {
  Explored result;
  std::map<std::string, uint32_t> numbers;
  const uint64_t bytes = product.info().state_bytes;
  const auto number = [&](const uint8_t* state) {
    const std::string text(reinterpret_cast<const char*>(state), bytes);
    const auto [entry, added] = numbers.try_emplace(text, static_cast<uint32_t>(result.states.size()));
    if (added) result.states.push_back(text);
    return entry->second;
  };
  // State 0 leads to the initial states.
  number(reinterpret_cast<const uint8_t*>(std::string(bytes, '\xff').data()));
  result.graph.states.resize(1);
  Expansion start(product.info(), product.info().max_initial);
  product.initial(start);
  for (uint64_t i = 0; i < start.count; ++i)
    result.graph.states[0].push_back({{}, number(start.successor(i)), 0});
  Expansion out(product.info(), std::max(capacity, product.info().max_successors));
  out.emit_self_loops = true;
  out.check_properties = false;
  out.deadlock = DeadlockMode::off;
  for (size_t done = 1; done < result.states.size();) {
    std::string batch;
    for (size_t i = done; i < std::min(done + 7, result.states.size()); ++i) batch += result.states[i];
    const auto* states = reinterpret_cast<const uint8_t*>(batch.data());
    out.reset();
    product.expand(states, batch.size() / bytes, out);
    EXPECT_GE(out.consumed, 1u);
    std::vector<uint8_t> accepting(out.consumed);
    product.accepting(states, out.consumed, accepting.data());
    result.graph.states.resize(done + out.consumed);
    for (uint64_t i = 0; i < out.count; ++i) {
      const uint32_t parent = out.parents[i];
      result.graph.states[done + parent].push_back({{}, number(out.successor(i)), accepting[parent]});
    }
    result.transitions += out.transitions;
    done += out.consumed;
  }
  return result;
}

Graph labelled_graph(Random& random) {
  Graph graph;
  graph.nodes.resize(1 + random.below(12));
  for (GraphNode& node : graph.nodes) {
    node.propositions = random.below(1 << kPropositions);
    for (uint64_t i = random.below(4); i > 0; --i) {
      node.edges.push_back({static_cast<uint32_t>(random.below(graph.nodes.size())), 0, false});
    }
  }
  graph.initial = {0};
  graph.state_bytes = 1 + random.below(3);
  return graph;
}

// A random lasso of the graph, as a word; none when it ran into a dead end and such paths do not count.
std::optional<Word> random_lasso(const Graph& graph, Random& random, FinitePaths finite_paths) {
  Word word;
  std::vector<uint32_t> path{0};
  while (true) {
    const GraphNode& node = graph.nodes[path.back()];
    word.letters.push_back(node.propositions);
    if (node.edges.empty()) {
      word.loop = static_cast<uint32_t>(word.letters.size() - 1);
      return finite_paths == FinitePaths::stutter ? std::optional(word) : std::nullopt;
    }
    const uint32_t next = node.edges[random.below(node.edges.size())].target;
    const auto seen = std::find(path.begin(), path.end(), next);
    if (seen != path.end() && (random.chance(30) || path.size() > 30)) {
      word.loop = static_cast<uint32_t>(seen - path.begin());
      return word;
    }
    path.push_back(next);
  }
}

// An accepting lasso of a graph as a word of the model's propositions: a breadth-first path to an accepting state on a
// cycle, and one back to it.
std::vector<uint32_t> path_between(const Automaton& graph, uint32_t from, uint32_t to) {
  std::vector<uint32_t> parent(graph.states.size(), UINT32_MAX), queue{from};
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const Edge& edge : graph.states[queue[i]]) {
      if (parent[edge.target] != UINT32_MAX) continue;
      parent[edge.target] = queue[i];
      if (edge.target == to) {
        std::vector<uint32_t> path{to};
        for (uint32_t at = queue[i]; at != from; at = parent[at]) path.push_back(at);
        std::reverse(path.begin(), path.end());
        return path;
      }
      queue.push_back(edge.target);
    }
  }
  return {};
}

std::optional<Word> accepting_lasso(const ProductModel& product, const Explored& explored) {
  const Components parts = components(explored.graph);
  for (uint32_t state = 1; state < explored.states.size(); ++state) {
    const auto& edges = explored.graph.states[state];
    if (edges.empty() || edges[0].marks == 0 || !parts.cyclic[parts.of[state]]) continue;
    const std::vector<uint32_t> prefix = path_between(explored.graph, 0, state);
    const std::vector<uint32_t> loop = path_between(explored.graph, state, state);
    if (prefix.empty() || loop.empty()) continue;
    std::vector<uint32_t> path = prefix;
    path.insert(path.end(), loop.begin(), loop.end());
    Word word;
    std::vector<Failure> failures;
    for (const uint32_t member : path) {
      uint64_t letter = 0;
      product.propositions(reinterpret_cast<const uint8_t*>(explored.states[member].data()), 1, &letter,
                           failures);
      word.letters.push_back(letter);
    }
    // The last state is the one that the prefix ends with: it is read once.
    word.letters.pop_back();
    word.loop = static_cast<uint32_t>(prefix.size() - 1);
    return word;
  }
  return std::nullopt;
}

TEST(Product, AcceptsExactlyThePathsThatSatisfyTheFormula) {
  uint64_t found = 0, empty = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    Random random(seed);
    const Graph graph = labelled_graph(random);
    const ExplicitGraphModel model(graph);
    RandomFormulaOptions options;
    options.propositions = kPropositions;
    options.operators = static_cast<uint32_t>(random.below(8));
    const TestFormula formula = TestFormula::random(random, options);
    const FinitePaths finite_paths = random.chance(50) ? FinitePaths::stutter : FinitePaths::ignore;
    const ProductModel product(model, automaton_of(formula.text()), finite_paths);
    const Explored explored = explore(product, random.below(40));
    EXPECT_EQ(explored.transitions + explored.graph.states[0].size(), explored.graph.edge_count());
    const std::optional<Word> word = accepting_lasso(product, explored);
    if (word) {
      ++found;
      ASSERT_TRUE(formula.holds(*word)) << "seed " << seed << ": " << formula.text();
      continue;
    }
    ++empty;
    for (int i = 0; i < 50; ++i) {
      const std::optional<Word> lasso = random_lasso(graph, random, finite_paths);
      ASSERT_FALSE(lasso && formula.holds(*lasso)) << "seed " << seed << ": " << formula.text();
    }
  }
  EXPECT_GT(found, 100u);
  EXPECT_GT(empty, 100u);
}

TEST(Product, FinitePathsStutterOrAreIgnored) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 3, false}};
  graph.nodes[1].propositions = 1;
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  const ProductModel stutter(model, automaton_of("F G a"), FinitePaths::stutter);
  EXPECT_TRUE(accepting_lasso(stutter, explore(stutter, 0)).has_value());
  EXPECT_EQ(stutter.rule_name(kStutterRule).text(), "Stuttering");
  EXPECT_EQ(stutter.rule_name(3).text(), "Rule 3");
  const ProductModel ignore(model, automaton_of("F G a"), FinitePaths::ignore);
  EXPECT_FALSE(accepting_lasso(ignore, explore(ignore, 0)).has_value());
}

TEST(Product, PassesFailuresOnAndDoesNotStutterThere) {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.nodes[1].edges = {{0, 5, true}};
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  const ProductModel product(model, automaton_of("G !a"), FinitePaths::stutter);
  const Explored explored = explore(product, 0);
  ASSERT_EQ(explored.states.size(), 3u);
  Expansion out(product.info(), 10);
  product.expand(reinterpret_cast<const uint8_t*>(explored.states[2].data()), 1, out);
  EXPECT_EQ(out.count, 0u);
  ASSERT_EQ(out.failures.size(), 1u);
  EXPECT_EQ(out.failures[0].rule, 5u);
  EXPECT_EQ(product.describe_failure(out.failures[0]).message, "Run-time error.");
}

// Counts to 5 in three bits, and from there to 0; a holds at 5.
class CounterModel final : public Model {
 public:
  CounterModel() {
    info_.state_bits = 3;
    info_.state_bytes = info_.max_successors = info_.max_initial = 1;
  }
  const ModelInfo& info() const override { return info_; }
  void starts(Expansion& out, const Full&) const override { put(0, 0, out); }
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override {
    for (uint32_t i = 0; i < n && out.count < out.capacity(); ++i) {
      EXPECT_LE(states[i], 5);
      put(static_cast<uint8_t>((states[i] + 1) % 6), i, out);
      ++out.consumed;
    }
  }
  void check(const uint8_t*, uint64_t n, Expansion& out) const override { out.consumed = n; }
  void propositions(const uint8_t* states, uint64_t n, uint64_t* values,
                    std::vector<Failure>&) const override {
    for (uint64_t i = 0; i < n; ++i) values[i] = states[i] == 5;
  }
  Value describe(const uint8_t*) const override { return {}; }
  InstanceName rule_name(uint32_t) const override { return {}; }
  InstanceName start_name(uint32_t) const override { return {}; }
  FailureText describe_failure(const Failure&) const override { return {}; }

 private:
  static void put(uint8_t state, uint32_t parent, Expansion& out) {
    out.states[out.count] = state;
    out.rules[out.count] = 0;
    out.parents[out.count++] = parent;
  }
  ModelInfo info_;
};

TEST(Product, TheAutomatonTakesUnusedBits) {
  const CounterModel model;
  for (const char* text : {"G F a", "F (a && X X X a)", "G (a -> X X X X X X a)", "F (a && X a)"}) {
    const Automaton automaton = automaton_of(text);
    const ProductModel product(model, automaton, FinitePaths::ignore);
    EXPECT_EQ(product.info().state_bytes, automaton.states.size() <= 32 ? 1u : 2u);
    const Word word{{0, 0, 0, 0, 0, 1}, 0};
    EXPECT_EQ(accepting_lasso(product, explore(product, 3)).has_value(), accepts(automaton, word)) << text;
  }
}

TEST(Product, StatesAreOfTwoParts) {
  Graph graph;
  graph.nodes.resize(300);
  graph.initial = {299};
  const ExplicitGraphModel model(graph);
  const ProductModel product(model, automaton_of("F a"), FinitePaths::stutter);
  EXPECT_EQ(product.info().state_bits, model.info().state_bits + 1);
  EXPECT_EQ(product.info().state_bytes, model.info().state_bytes + 1);
  Expansion out(product.info(), 4);
  product.initial(out);
  ASSERT_EQ(out.count, 1u);
  EXPECT_EQ(product.automaton_state(out.successor(0)), 0u);
  std::vector<uint8_t> own(model.info().state_bytes);
  product.model_state(out.successor(0), own.data());
  EXPECT_EQ(model.decode(own.data()), 299u);
  EXPECT_EQ(product.describe(out.successor(0)).members[0].second.number, 299);
}

}  // namespace
}  // namespace strata
