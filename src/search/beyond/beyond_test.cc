// Searches that outgrow the memory of their device, on the processor as a device, against the reference checker and
// `ram` on seeded random graphs, with tiny memories of the device and of the host, and disks.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "base/testing/test_count.h"
#include "device/testing/faulty_device.h"
#include "device/testing/late_device.h"
#include "model/testing/random_graph.h"
#include "model/testing/shrink_graph.h"
#include "model/testing/walkers.h"
#include "search/testing/device_expected.h"
#include "search/testing/faults.h"
#include "search/testing/test_device.h"
#include "view/quotient/quotient.h"

namespace strata {
namespace {

uint64_t graphs_beyond() { return test_count("STRATA_GRAPHS", 24); }

// A number of the result's details; 0: the search did not go beyond.
uint64_t detail(const SearchResult& result, const std::string& name) {
  for (const auto& [key, value] : result.details)
    if (key == name) return std::get<uint64_t>(value);
  return 0;
}

uint64_t table_bytes(const ExplicitGraphModel& model) { return model.device_code()->data.size() * 8; }

// Twice the memory that a search may have: it takes half of a --memory that is less than the process holds.
constexpr uint64_t kHostMemories[] = {kPlenty, 2 << 20, 512 << 10, 256 << 10};

struct Tallies {
  uint64_t beyond = 0, full = 0;
  std::map<std::string, uint64_t> forms;

  void count(const SearchResult& result) {
    if (result.stop == StopReason::memory) ++full;
    if (detail(result, "beyond_at_states") == 0) return;
    ++beyond;
    ++forms[result.device->slots];
  }
};

TEST(BeyondTest, AgreesWithTheReferenceAndRamOnRandomGraphs) {
  const auto one = make_test_device(1), four = make_test_device(4);
  device::LateDevice late(*four);
  const TemporaryFolder folder;
  Tallies tallies;
  for (uint64_t seed = 1; seed <= graphs_beyond(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = large_random_graph(seed);
    if (seed % 3 == 0) graph = random_graph(seed);
    graph.two_passes = seed % 4 == 1;
    check_and_shrink(graph, [&](const Graph& checked) {
      const ExplicitGraphModel model(checked);
      const ReferenceOptions reference = varied_options(seed);
      const Expected expected(model, reference);
      SearchOptions options = options_for(reference, 1 + seed % 2, kHostMemories[seed % 4]);
      options.disk.disks = {folder.path()};
      vary_steps(options, seed / 3);
      const StateTree tree = long_tree(model.info().state_bytes);
      const bool folds = seed % 4 < 2 && tree.pairs.size() > 1;
      for (const uint64_t memory : {32ull << 10, 64ull << 10, 128ull << 10, 300ull << 10}) {
        SCOPED_TRACE("memory " + std::to_string(memory));
        device::Device& device = memory == 64 << 10 ? *four : memory == 128 << 10 ? late : *one;
        const auto actual = run_on_device(device, model, options, table_bytes(model) + memory, false, nullptr,
                                          folds ? &tree : nullptr);
        EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
        if (!actual.ok()) {
          EXPECT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
          continue;
        }
        tallies.count(*actual);
        if (actual->stop == StopReason::memory) {
          EXPECT_LE(actual->states, expected.reference().states);
          expect_coverage_adds_up(*actual);
        } else {
          expected.expect(*actual);
        }
      }
    });
    if (testing::Test::HasFailure()) return;
  }
  if (is_gpu(*one) || graphs_beyond() < 20) return;
  EXPECT_GT(tallies.beyond, graphs_beyond() / 2);
  EXPECT_LT(tallies.full, graphs_beyond() / 2);
  for (const char* form : {"states", "places", "folded"})
    EXPECT_GT(tallies.forms[form], graphs_beyond() / 40) << form;
}

// With a filter, new states may come late: then levels may be others, and nothing else.
TEST(BeyondTest, FindsAllStatesLateOrNot) {
  const auto device = make_test_device(3);
  const TemporaryFolder folder;
  uint64_t beyond = 0, late = 0, answers = 0;
  const Algorithm* row = find_algorithm("gpu");
  for (uint64_t seed = 1; seed <= graphs_beyond(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = large_random_graph(seed);
    graph.two_passes = seed % 4 == 1;
    const ExplicitGraphModel model(graph);
    const ReferenceOptions reference = varied_options(seed);
    const ReferenceResult expected = reference_check(model, reference);
    SearchOptions options = options_for(reference, 1, kHostMemories[seed % 4]);
    options.disk.disks = {folder.path()};
    vary_steps(options, seed / 3);
    options.parameters["beyond"] = "free";
    const StateTree tree = long_tree(model.info().state_bytes);
    const bool folds = seed % 7 < 2 && tree.pairs.size() > 1;
    const bool exact = reference.bound.has_value();
    const Variant variant{
        row, {}, exact ? row->traits | trait::level_by_level | trait::exact_depth : row->traits};
    for (const uint64_t memory : {48ull << 10, 100ull << 10, 300ull << 10}) {
      SCOPED_TRACE("memory " + std::to_string(memory));
      const auto actual = run_on_device(*device, model, options, table_bytes(model) + memory, false, nullptr,
                                        folds ? &tree : nullptr);
      if (!actual.ok() || actual->stop == StopReason::memory) continue;
      ++answers;
      expect_same(expected, *actual, variant);
      uint64_t sum = 0;
      for (const uint64_t size : actual->levels) sum += size;
      EXPECT_EQ(sum, actual->states);
      beyond += detail(*actual, "beyond_at_states") > 0;
      late += detail(*actual, "late_states") > 0;
    }
    if (testing::Test::HasFailure()) return;
  }
  if (is_gpu(*device) || graphs_beyond() < 20) return;
  EXPECT_GT(beyond, graphs_beyond() / 2);
  EXPECT_GT(late, graphs_beyond() / 8);
}

// More states than the host's memory has room for: the others are on disk. An error is far from the start.
Graph graph_for_disks(uint64_t state_bytes) {
  Graph graph;
  graph.state_bytes = state_bytes;
  graph.nodes.resize(40'000);
  graph.initial = {0};
  for (uint32_t i = 0; i < graph.nodes.size(); ++i)
    for (const uint32_t target : {2 * i + 1, 2 * i + 2, i / 3, (i * 7919) % 40'000})
      if (target < graph.nodes.size()) graph.nodes[i].edges.push_back({target, i % 5, false});
  graph.nodes[39'000].violates = true;
  return graph;
}

TEST(BeyondTest, KeysAreOnDiskWhereTheMemoryOfTheHostIsFull) {
  const auto device = make_test_device(2);
  if (is_gpu(*device)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const TemporaryFolder folder;
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  for (const uint64_t bytes : {8ull, 15ull, 40ull}) {
    const Graph graph = graph_for_disks(bytes);
    const ExplicitGraphModel model(graph);
    const Expected expected(model, reference);
    SearchOptions options = options_for(reference, 2, 400 << 10);
    options.parameters["beyond"] = "exact";
    options.disk.disks = {folder.path()};
    SCOPED_TRACE(fmt::format("{} bytes", bytes));
    const auto actual = run_on_device(*device, model, options, (200 << 10) + table_bytes(model));
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    expected.expect(*actual);
    EXPECT_GT(detail(*actual, "disk_bytes"), 0u);
    EXPECT_GT(actual->disk_peak, 0u);
    EXPECT_GT(actual->disk_read, 0u);
    EXPECT_LE(detail(*actual, "host_bytes"), 200u << 10);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
  }
}

// The size of an orbit counts where its representative is found to be new.
TEST(BeyondTest, CountsOrbits) {
  const auto device = make_test_device(3);
  uint64_t beyond = 0, seed = 0;
  for (const uint32_t walkers : {3u, 4u}) {
    WalkerModel model(walkers, walkers == 3 ? 20 : 14);
    const QuotientModel quotient(model);
    for (const uint64_t errors : {uint64_t{1}, uint64_t{1} << 20}) {
      SearchOptions options = options_for({DeadlockMode::off, {}, errors}, 2);
      const auto ram = run_ram(quotient, options);
      ASSERT_TRUE(ram.ok());
      for (const bool two_passes : {false, true}) {
        model.use_two_passes(two_passes);
        for (const uint64_t memory : {40 << 10, 80 << 10}) {
          vary_steps(options, ++seed);
          const bool free = errors > 1 && seed % 2 == 0;
          options.parameters["beyond"] = free ? "free" : "exact";
          const auto actual = run_on_device(*device, quotient, options, memory);

          if (!actual.ok()) continue;
          if (actual->stop == StopReason::memory) continue;
          beyond += detail(*actual, "beyond_at_states") > 0;
          EXPECT_EQ(ram->states, actual->states);
          EXPECT_EQ(ram->transitions, actual->transitions);
          EXPECT_EQ(ram->orbit_states, actual->orbit_states);
          if (free) continue;
          EXPECT_EQ(ram->levels, actual->levels);
          EXPECT_EQ(fingerprint(*ram), fingerprint(*actual));
        }
      }
    }
  }
  if (is_gpu(*device)) return;
  EXPECT_GT(beyond, 5u);
}

// Each call to the device fails in turn, and each operation of the disk.
TEST(BeyondTest, AFailingDeviceIsNoWrongAnswer) {
  using Fault = device::DevicePlan::Fault;
  const auto base = make_test_device(1);
  const TemporaryFolder folder;
  Graph graph = graph_for_disks(8);
  graph.nodes.resize(3000);
  for (GraphNode& node : graph.nodes)
    std::erase_if(node.edges, [](const auto& edge) { return edge.target >= 3000; });
  graph.nodes[2900].violates = true;
  const ExplicitGraphModel model(graph);
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  SearchOptions options = options_for(reference, 1, 400 << 10);
  options.disk.disks = {folder.path()};
  for (const Fault fault : {Fault::error, Fault::lost}) {
    options.parameters["beyond"] = fault == Fault::lost ? "free" : "exact";
    for (uint64_t after = 0;; after += 1 + after / 16) {
      SCOPED_TRACE(fmt::format("fault {} after {}", static_cast<int>(fault), after));
      device::DevicePlan plan{fault, after};
      device::FaultyDevice device(*base, plan);
      const auto actual = run_on_device(device, model, options, table_bytes(model) + (40 << 10));
      EXPECT_TRUE(is_gpu(*base) || base->free_memory().value() == base->info().memory)
          << "memory was not given back";
      EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
      if (!plan.struck) {
        ASSERT_TRUE(actual.ok()) << actual.status().message();
        if (fault != Fault::lost) expected.expect(*actual);
        EXPECT_EQ(expected.reference().verdict, actual->verdict);
        EXPECT_TRUE(is_gpu(*base) || detail(*actual, "beyond_at_states") > 0);
        break;
      }
      ASSERT_FALSE(actual.ok());
      EXPECT_EQ(StatusCode::system, actual.status().code());
      EXPECT_NE(std::string::npos, actual.status().message().find("injected fault"))
          << actual.status().message();
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(BeyondTest, AFailingDiskIsNoWrongAnswer) {
  const auto device = make_test_device(1);
  if (is_gpu(*device)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const TemporaryFolder folder;
  const ExplicitGraphModel model(graph_for_disks(8));
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  SearchOptions options = options_for(reference, 1, 256 << 10);
  options.parameters["beyond"] = "exact";
  options.disk.disks = {folder.path()};
  uint64_t struck = 0;
  for (uint64_t seed = 1; seed <= 4 * fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + plan.text);
    options.disk.faults = &faults;
    const auto actual = run_on_device(*device, model, options, table_bytes(model) + (200 << 10));
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
    struck += faults.struck() > 0;
    if (!actual.ok()) {
      EXPECT_GT(faults.struck(), 0u) << actual.status().message();
    } else if (actual->stop == StopReason::disk) {
      EXPECT_EQ(Fault::disk_full, plan.fault);
      EXPECT_EQ(Verdict::incomplete, actual->verdict);
    } else {
      expected.expect(*actual);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(struck, fault_runs());
}

// The time limit strikes at any moment; what was found until then is true.
TEST(BeyondTest, EndsWhenTimeIsOver) {
  const auto device = make_test_device(1);
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Graph graph = graph_for_disks(8);
  const ExplicitGraphModel model(graph);
  const Expected expected(model, reference);
  SearchOptions options = options_for(reference, 1);
  options.parameters["beyond"] = "exact";
  options.parameters["stretch"] = "100";
  uint64_t beyond = 0;
  for (double seconds = 0.001; seconds < 20; seconds *= 1.5) {
    options.time_limit = seconds;
    const auto actual = run_on_device(*device, model, options, table_bytes(model) + (200 << 10));
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    if (actual->stop == StopReason::none) {
      expected.expect(*actual);
      break;
    }
    EXPECT_EQ(StopReason::time, actual->stop);
    EXPECT_LE(actual->states, expected.reference().states);
    uint64_t sum = 0;
    for (const uint64_t size : actual->levels) sum += size;
    EXPECT_EQ(sum, actual->states);
    beyond += detail(*actual, "beyond_at_states") > 0;
  }
  EXPECT_TRUE(is_gpu(*device) || beyond > 0);
}

TEST(BeyondTest, AFullDiskEndsTheSearch) {
  const auto device = make_test_device(1);
  if (is_gpu(*device)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const TemporaryFolder folder;
  const ExplicitGraphModel model(graph_for_disks(40));
  SearchOptions options = options_for({DeadlockMode::off, {}, 1}, 1, 400 << 10);
  options.parameters["beyond"] = "exact";
  options.disk.disks = {folder.path()};
  options.disk.limit = 300 << 10;
  const auto actual = run_on_device(*device, model, options, table_bytes(model) + (200 << 10));
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(StopReason::disk, actual->stop);
  EXPECT_EQ(Verdict::incomplete, actual->verdict);
  EXPECT_EQ(Reason::disk_limit, actual->reason);
  EXPECT_LE(actual->disk_peak, 300u << 10);
  EXPECT_NE(std::string::npos, actual->stop_message.find("--disk-limit")) << actual->stop_message;
}

}  // namespace
}  // namespace strata
