// `gpu` on the processor as a device, against the reference checker and `ram` on seeded random graphs. The message of a
// failure has the seed, and the smallest graph that fails.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>

#include "base/testing/test_count.h"
#include "device/testing/faulty_device.h"
#include "model/testing/random_graph.h"
#include "model/testing/shrink_graph.h"
#include "model/testing/walkers.h"
#include "search/testing/device_expected.h"
#include "search/testing/ram_runs.h"
#include "search/testing/test_device.h"
#include "search/testing/variants.h"
#include "view/quotient/quotient.h"
#include "view/view.h"

namespace strata {
namespace {

uint64_t graphs() { return test_count("STRATA_GRAPHS", 80); }

TEST(GpuTest, AgreesWithTheReferenceAndRamOnRandomGraphs) {
  const auto one = make_test_device(1), four = make_test_device(4);
  const uint64_t memories[] = {0, 8 << 20, 2 << 20};
  std::map<std::string, uint64_t> forms;
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = seed % 4 == 0 ? large_random_graph(seed) : random_graph(seed);
    graph.two_passes = seed % 3 == 0;
    check_and_shrink(graph, [&](const Graph& checked) {
      const ExplicitGraphModel model(checked);
      const ReferenceOptions reference = varied_options(seed);
      const Expected expected(model, reference);
      SearchOptions options = options_for(reference, 1 + seed % 2);
      vary_steps(options, seed);
      for (device::Device* device : {one.get(), four.get()}) {
        // Little memory begins with a small table, which grows.
        const uint64_t share = memories[seed / 16 % 3];
        const uint64_t memory = share == 0 ? 0 : share + 8 * model.info().state_bytes * 3000;
        const StateTree tree = long_tree(model.info().state_bytes);
        const bool folds = seed % 5 < 2 && tree.pairs.size() > 1;
        const auto actual =
            run_on_device(*device, model, options, memory, false, nullptr, folds ? &tree : nullptr);
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        expected.expect(*actual);
        ASSERT_TRUE(actual->device.has_value());
        ++forms[actual->device->slots];
        EXPECT_EQ(actual->device->slots == "folded", folds);
      }
    });
    if (testing::Test::HasFailure()) return;
  }
  for (const char* form : {"states", "places", "folded"}) EXPECT_GT(forms[form], 0u) << form;
}

// Tables that grow change all keys.
TEST(GpuTest, FoldedStatesStayTheSameWhenTheirPartsGetNewNumbers) {
  const auto device = make_test_device(4);
  Graph graph;
  graph.state_bytes = 40;
  graph.nodes.resize(60'000);
  graph.initial = {0};
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    for (const uint32_t target : {2 * i + 1, 2 * i + 2, i / 3, (i * 7919) % 60'000})
      if (target < graph.nodes.size()) graph.nodes[i].edges.push_back({target, i % 5, false});
  graph.nodes[59'000].violates = true;
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const StateTree tree = long_tree(graph.state_bytes);
  for (const bool two_passes : {false, true}) {
    graph.two_passes = two_passes;
    const ExplicitGraphModel model(graph);
    const Expected expected(model, reference);
    SearchOptions options = options_for(reference, 2);
    for (uint64_t seed = 0; seed < 4; ++seed) {
      vary_steps(options, seed * 5);
      const auto actual = run_on_device(*device, model, options, 0, false, nullptr, &tree);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      expected.expect(*actual);
      // Each state has a pair of its own beside the root.
      EXPECT_GE(actual->folding->nodes, actual->states);
      EXPECT_GT(actual->folding->node_bytes, 8 * actual->folding->nodes);
      EXPECT_EQ(actual->folding->leaves, 10u);
    }
  }
}

// With one state of each orbit. Those of walkers at the same place wait for the slow way to a representative.
TEST(GpuTest, AgreesWithRamOnOrbits) {
  const auto device = make_test_device(3);
  uint64_t seed = 0;
  for (const uint32_t walkers : {2u, 3u, 5u, 7u}) {
    WalkerModel model(walkers, walkers == 7 ? 3 : 4);
    const QuotientModel quotient(model);
    const auto all = run_ram(model, options_for({DeadlockMode::off, {}, 1u << 20}, 2));
    ASSERT_TRUE(all.ok());
    for (const uint64_t errors : {1u, 1u << 20}) {
      for (const std::optional<uint64_t> bound : {std::optional<uint64_t>(), std::optional<uint64_t>(4)}) {
        SCOPED_TRACE(fmt::format("{} walkers, {} errors, bound {}", walkers, errors, bound.value_or(0)));
        SearchOptions options = options_for({DeadlockMode::off, bound, errors}, 2);
        const auto ram = run_ram(quotient, options);
        ASSERT_TRUE(ram.ok());
        for (const bool two_passes : {false, true}) {
          model.use_two_passes(two_passes);
          vary_steps(options, ++seed);
          const auto actual = run_on_device(*device, quotient, options, seed % 2 == 0 ? 0 : 2 << 20);
          ASSERT_TRUE(actual.ok()) << actual.status().message();
          EXPECT_EQ(ram->verdict, actual->verdict);
          EXPECT_EQ(ram->states, actual->states);
          EXPECT_EQ(ram->transitions, actual->transitions);
          EXPECT_EQ(ram->levels, actual->levels);
          EXPECT_EQ(fingerprint(*ram), fingerprint(*actual));
          if (errors > 1 && !bound) {
            EXPECT_EQ(ram->orbit_states, actual->orbit_states);
            EXPECT_EQ(static_cast<double>(all->states), actual->orbit_states);
            EXPECT_LT(actual->states, all->states);
          }
        }
      }
    }
  }
}

TEST(GpuTest, ASymmetryWithoutAProofIsForTheProcessor) {
  const WalkerModel model(3, 3, WalkerModel::Bias::step);
  const auto device = make_test_device(1);
  const auto actual = run_on_device(*device, QuotientModel(model), options_for({}, 1));
  ASSERT_FALSE(actual.ok());
  EXPECT_NE(std::string::npos, actual.status().message().find("not proved")) << actual.status().message();
}

// The device goes back through a level in stretches that have room for what it finds of their states.
TEST(GpuTest, PathsThroughLevelsThatAreLargerThanAStretch) {
  const auto device = make_test_device(2);
  Graph graph;
  graph.two_passes = true;
  graph.nodes.resize(1200);
  graph.initial = {0};
  for (uint32_t i = 1; i <= 600; ++i) {
    graph.nodes[0].edges.push_back({i, i % 7, false});
    graph.nodes[i].edges = {{i == 590 ? 1199 : 600 + i % 500, i % 5, false}};
  }
  graph.nodes[1199].violates = true;
  const ExplicitGraphModel model(graph);
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  const uint64_t tables = model.device_code()->data.size() * 8;
  for (const uint64_t memory : {tables + (300 << 10), tables + (2 << 20)}) {
    const auto actual = run_on_device(*device, model, options_for(reference, 1), memory);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    expected.expect(*actual);
    EXPECT_EQ(actual->counterexamples.size(), 1u);
  }
}

// What the memory has no room for ends the search, and all that it says is true.
TEST(GpuTest, TinyMemoriesGiveTheRightAnswerOrNone) {
  const auto device = make_test_device(2);
  uint64_t too_small = 0, incomplete = 0, answers = 0;
  for (uint64_t seed = 1; seed <= graphs() / 4; ++seed) {
    Graph graph = large_random_graph(seed);
    graph.two_passes = seed % 3 == 0;
    const ExplicitGraphModel model(graph);
    const ReferenceOptions reference = varied_options(seed);
    const Expected all(model, reference);
    const ReferenceResult& expected = all.reference();
    SearchOptions options = options_for(reference, 2);
    vary_steps(options, seed);
    const uint64_t tables = model.device_code()->data.size() * 8;
    const StateTree tree = long_tree(model.info().state_bytes);
    const bool folds = seed % 2 == 0 && tree.pairs.size() > 1;
    for (const uint64_t memory : {8ull << 10, 64ull << 10, 256ull << 10, 1ull << 20}) {
      SCOPED_TRACE("seed " + std::to_string(seed) + " memory " + std::to_string(memory));
      const auto actual =
          run_on_device(*device, model, options, tables + memory, false, nullptr, folds ? &tree : nullptr);
      if (!actual.ok()) {
        EXPECT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
        EXPECT_EQ(Reason::memory_of_device, actual.status().reason());
        ++too_small;
      } else if (actual->stop == StopReason::memory) {
        ++incomplete;
        EXPECT_EQ(Reason::memory_of_device, actual->reason);
        EXPECT_LE(actual->states, expected.states);
        EXPECT_LE(actual->transitions, expected.transitions);
        EXPECT_NE(std::string::npos, actual->stop_message.find("room for")) << actual->stop_message;
        if (expected.verdict == Verdict::holds || expected.verdict == Verdict::incomplete) {
          EXPECT_EQ(Verdict::incomplete, actual->verdict);
        }
        expect_coverage_adds_up(*actual);
      } else {
        ++answers;
        all.expect(*actual);
      }
      EXPECT_TRUE(is_gpu(*device) || device->free_memory().value() == device->info().memory)
          << "memory was not given back";
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(answers, graphs() / 40);
  if (is_gpu(*device)) return;  // what its lanes take leaves these graphs room
  EXPECT_GT(too_small, graphs() / 40);
  EXPECT_GT(incomplete, graphs() / 40);
}

TEST(GpuTest, ManyStartStates) {
  constexpr uint32_t kNodes = 25000;
  Graph graph;
  graph.nodes.resize(2 * kNodes);
  for (uint32_t i = 1; i < 2 * kNodes; ++i) graph.nodes[i].edges = {{i / 2, 0, false}};
  for (uint32_t i = kNodes; i < 2 * kNodes; ++i) graph.initial.push_back(i);
  const ExplicitGraphModel model(graph);
  const Expected expected(model, {DeadlockMode::off, {}, 1});
  const auto device = make_test_device(4);
  for (const uint64_t memory : {uint64_t{0}, uint64_t{8} << 20}) {
    const auto actual = run_on_device(*device, model, options_for({DeadlockMode::off, {}, 1}, 1), memory);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    expected.expect(*actual);
  }
}

// More flagged states than the device can tell: the host goes over all of them.
TEST(GpuTest, MoreErrorsThanAreFlagged) {
  Graph graph;
  graph.nodes.resize(10000);
  graph.state_bytes = 5;
  for (uint32_t i = 0; i < 10000; ++i) {
    graph.initial.push_back(i);
    graph.nodes[i].violates = i % 16 != 0;
    graph.nodes[i].edges = {{i / 2, i % 70, i % 3 == 0}};
  }
  const auto device = make_test_device(4);
  for (const uint64_t errors : {1, 300}) {
    graph.two_passes = errors == 300;
    const ExplicitGraphModel model(graph);
    const Expected expected(model, {DeadlockMode::stuck, {}, errors});
    SearchOptions options = options_for({DeadlockMode::stuck, {}, errors}, 2);
    for (uint64_t seed = 0; seed < 2; ++seed) {
      vary_steps(options, seed);
      options.parameters["stretch"] = "6000";
      const auto actual = run_on_device(*device, model, options);
      ASSERT_TRUE(actual.ok()) << actual.status().message();
      expected.expect(*actual);
    }
  }
}

TEST(GpuTest, EndsWhenAsked) {
  const ExplicitGraphModel model(random_graph(7));
  const auto device = make_test_device(2);
  const auto interrupted = run_on_device(*device, model, options_for({}, 2), 0, true);
  ASSERT_TRUE(interrupted.ok());
  EXPECT_EQ(StopReason::interrupted, interrupted->stop);
  EXPECT_EQ(Verdict::incomplete, interrupted->verdict);
  EXPECT_EQ(0u, interrupted->expansions);
  SearchOptions options = options_for({}, 1);
  options.time_limit = 0.0;
  const auto late = run_on_device(*device, model, options);
  ASSERT_TRUE(late.ok());
  EXPECT_EQ(StopReason::time, late->stop);
}

TEST(GpuTest, SaysWhatItNeeds) {
  const ExplicitGraphModel model(random_graph(7));
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  const SearchOptions options = options_for({}, 1);
  const auto without = find_algorithm("gpu")->run({model, options, progress, stop});
  ASSERT_FALSE(without.ok());
  EXPECT_EQ(StatusCode::usage, without.status().code());
  EXPECT_EQ("it searches on a device, such as a GPU; name one with --device", without.status().message());

  const View view(model);
  const auto device = make_test_device(1);
  const auto of_view = run_on_device(*device, view, options);
  ASSERT_FALSE(of_view.ok());
  EXPECT_EQ(StatusCode::usage, of_view.status().code());
  EXPECT_TRUE(of_view.status().message().starts_with("no device can run this model"))
      << of_view.status().message();

  SearchOptions signatures = options;
  signatures.store.signature_bits = 64;
  EXPECT_EQ(StatusCode::usage, run_on_device(*device, model, signatures).status().code());
}

TEST(GpuTest, KernelsAreCompiledOnce) {
  const auto device = make_test_device(1);
  const ExplicitGraphModel model(random_graph(7));
  ASSERT_TRUE(run_on_device(*device, model, options_for({}, 1)).ok());
  const uint64_t kept = test_kernels().size(), found = test_kernels().found();
  const auto again = run_on_device(*device, model, options_for({}, 1));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->device->kernels_found);
  EXPECT_EQ(kept, test_kernels().size());
  EXPECT_EQ(found + 1, test_kernels().found());
}

// Each call to the device fails in turn.
TEST(GpuTest, AFailingDeviceIsNoWrongAnswer) {
  using Fault = device::DevicePlan::Fault;
  const auto base = make_test_device(2);
  for (const uint64_t seed : {3u, 10u, 21u}) {
    Graph graph = large_random_graph(seed);
    graph.nodes[graph.nodes.size() / 2].violates = true;
    graph.two_passes = seed == 10;
    if (seed == 21) graph.state_bytes = 20;
    const ExplicitGraphModel model(graph);
    const StateTree tree = long_tree(graph.state_bytes);
    const ReferenceOptions reference{DeadlockMode::off, {}, 1};
    const Expected expected(model, reference);
    SearchOptions options = options_for(reference, 2);
    vary_steps(options, 3);
    for (const Fault fault : {Fault::full, Fault::error, Fault::lost}) {
      for (uint64_t after = 0;; after += 1 + after / 16) {
        SCOPED_TRACE("seed " + std::to_string(seed) + ", fault " + std::to_string(static_cast<int>(fault)) +
                     " after " + std::to_string(after));
        device::DevicePlan plan{fault, after};
        device::FaultyDevice device(*base, plan);
        const auto actual =
            run_on_device(device, model, options, 4 << 20, false, nullptr, seed == 21 ? &tree : nullptr);
        if (!plan.struck) {
          ASSERT_TRUE(actual.ok()) << actual.status().message();
          expected.expect(*actual);
          break;
        }
        const Status told =
            actual.ok() ? Status::limit(actual->stop_message, actual->reason) : actual.status();
        EXPECT_EQ(fault == Fault::full ? StatusCode::limit : StatusCode::system, told.code());
        EXPECT_NE(std::string::npos, told.message().find("injected fault")) << told.message();
        if (actual.ok()) {
          EXPECT_EQ(StopReason::memory, actual->stop);
          EXPECT_EQ(Reason::memory_of_device, actual->reason);
        }
        EXPECT_TRUE(is_gpu(*base) || base->free_memory().value() == base->info().memory)
            << "memory was not given back";
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace strata
