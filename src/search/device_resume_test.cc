// Searches on a device that are ended again and again, and resumed on the device, with other memory and threads, or on
// the processor, and the other way round; against the reference checker and `ram` on seeded random graphs.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/testing/test_count.h"
#include "block/testing/storages.h"
#include "device/testing/faulty_device.h"
#include "model/testing/random_graph.h"
#include "model/testing/walkers.h"
#include "search/testing/device_expected.h"
#include "search/testing/device_legs.h"
#include "search/testing/faults.h"
#include "view/quotient/quotient.h"

namespace strata {
namespace {

uint64_t resumed_graphs() { return test_count("STRATA_GRAPHS", 40); }

// Of a search that may have found states late.
void expect_answer_of_auto(const Expected& expected, const SearchResult& actual) {
  const Algorithm* row = find_algorithm("auto");
  expect_same(expected.reference(), actual, {row, {}, row->traits});
}

TEST(DeviceResumeTest, GivesTheAnswerOfARunThatWasNotEnded) {
  const auto one = make_test_device(1), four = make_test_device(4);
  LegTally tally;
  for (uint64_t seed = 1; seed <= resumed_graphs(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = seed % 3 == 0 ? random_graph(seed) : large_random_graph(seed);
    graph.two_passes = seed % 4 == 1;
    const ExplicitGraphModel model(graph);
    const ReferenceOptions reference = varied_options(seed);
    const Expected expected(model, reference);
    // The size of blocks stays that of the first leg, so all legs have little memory if one has.
    const uint64_t little = seed % 4 == 2 ? 512 << 10 : 0;
    SearchOptions options = options_for(reference, 1 + seed % 2, little > 0 ? little : kPlenty);
    vary_steps(options, seed / 3);
    const StateTree tree = long_tree(model.info().state_bytes);
    const bool folds = seed % 5 < 2 && tree.pairs.size() > 1;
    // Little memory begins with a small table, which grows.
    const uint64_t memory = folds ? 0 : (2 << 20) + 8 * model.info().state_bytes * 3000;
    Legs legs(model, options, seed, tally);
    legs.add_device(*one, 0);
    legs.add_device(*four, memory, folds ? &tree : nullptr);
    if (seed % 4 > 0) legs.add_processor(options.memory);
    const Result<SearchResult> actual = legs.run();
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    SCOPED_TRACE(legs.story());
    if (legs.on_disk())
      expect_answer_of_auto(expected, *actual);
    else
      expected.expect(*actual);
    if (testing::Test::HasFailure()) return;
  }
  tally.print();
  if (resumed_graphs() < 40) return;
  EXPECT_GT(tally.from_device_to_device, 10u);
  EXPECT_GT(tally.from_device_to_processor, 10u);
  EXPECT_GT(tally.from_processor_to_device, 10u);
  EXPECT_GT(tally.to_disk, 0u);
}

// Beyond the memory of the device and back, with levels that are exact or not.
TEST(DeviceResumeTest, GivesTheSameAnswerBeyondTheMemoryOfTheDevice) {
  const auto device = make_test_device(2);
  LegTally tally;
  uint64_t answers = 0;
  for (uint64_t seed = 1; seed <= resumed_graphs(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Graph graph = large_random_graph(seed);
    graph.two_passes = seed % 4 == 1;
    const ExplicitGraphModel model(graph);
    const ReferenceOptions reference = varied_options(seed);
    const Expected expected(model, reference);
    SearchOptions options = options_for(reference, 1 + seed % 2, seed % 5 == 0 ? 2 << 20 : kPlenty);
    vary_steps(options, seed / 3);
    const bool free = seed % 2 == 0 && !reference.bound;
    if (free) options.parameters["beyond"] = "free";
    const uint64_t least = model.device_code()->data.size() * 8;
    Legs legs(model, options, seed, tally);
    const StateTree tree = long_tree(model.info().state_bytes);
    const bool folds = seed % 7 < 2 && tree.pairs.size() > 1;
    legs.add_device(*device, least + (64 << 10), folds ? &tree : nullptr);
    legs.add_device(*device, least + (100 << 10));
    legs.add_device(*device, least + (300 << 10));
    if (seed % 3 == 0) legs.add_device(*device, 0);
    if (seed % 4 > 1) legs.add_processor(options.memory);
    const Result<SearchResult> actual = legs.run();
    SCOPED_TRACE(legs.story());
    if (!actual.ok()) {
      ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
      continue;
    }
    if (actual->stop == StopReason::memory) continue;
    ++answers;
    if (free || legs.on_disk())
      expect_answer_of_auto(expected, *actual);
    else
      expected.expect(*actual);
    uint64_t sum = 0;
    for (const uint64_t size : actual->levels) sum += size;
    EXPECT_EQ(sum, actual->states);
    if (testing::Test::HasFailure()) return;
  }
  tally.print();
  if (is_gpu(*device) || resumed_graphs() < 40) return;
  EXPECT_GT(answers, resumed_graphs() / 2);
  EXPECT_GT(tally.beyond, resumed_graphs() / 2);
}

// The sizes of orbits are counted once, wherever states are found and expanded.
TEST(DeviceResumeTest, CountsOrbits) {
  const auto device = make_test_device(3);
  LegTally tally;
  uint64_t seed = 0;
  for (const uint32_t walkers : {3u, 4u, 5u}) {
    const WalkerModel model(walkers, walkers == 3 ? 20 : 8);
    const QuotientModel quotient(model);
    for (const uint64_t errors : {uint64_t{1}, uint64_t{1} << 20}) {
      SearchOptions options = options_for({DeadlockMode::off, {}, errors}, 2);
      const auto ram = run_ram(quotient, options);
      ASSERT_TRUE(ram.ok());
      for (uint64_t i = 0; i < 4; ++i) {
        vary_steps(options, ++seed);
        Legs legs(quotient, options, seed, tally);
        legs.add_device(*device, seed % 2 == 0 ? 0 : 2 << 20);
        legs.add_device(*device, 60 << 10);
        legs.add_processor(kPlenty);
        const Result<SearchResult> actual = legs.run();
        if (!actual.ok() || actual->stop == StopReason::memory) continue;
        SCOPED_TRACE(fmt::format("{} walkers, {} errors, {}", walkers, errors, legs.story()));
        EXPECT_EQ(ram->states, actual->states);
        EXPECT_EQ(ram->transitions, actual->transitions);
        EXPECT_EQ(ram->levels, actual->levels);
        EXPECT_EQ(fingerprint(*ram), fingerprint(*actual));
        // A search on a device counts the orbits of all states that it finds, another those of states it expands.
        if (errors > 1) {
          EXPECT_EQ(ram->orbit_states, actual->orbit_states);
        }
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  tally.print();
}

// More states than a little device has room for. An error is far from the start.
Graph graph_to_resume() {
  constexpr uint32_t kNodes = 8000;
  Graph graph;
  graph.state_bytes = 15;
  graph.nodes.resize(kNodes);
  graph.initial = {0};
  for (uint32_t i = 0; i < kNodes; ++i)
    for (const uint32_t target : {2 * i + 1, 2 * i + 2, i / 3, (i * 7919) % kNodes})
      if (target < kNodes) graph.nodes[i].edges.push_back({target, i % 5, false});
  graph.nodes[kNodes - 100].violates = true;
  return graph;
}

// One leg, with checkpoints all the time.
Result<SearchResult> run_saved(device::Device* device, const Model& model, SearchOptions options,
                               uint64_t memory, const Checkpoints::Options& where, bool resumes) {
  auto checkpoints = resumes ? Checkpoints::open(where) : Checkpoints::create(where, "a run");
  if (!checkpoints.ok()) return checkpoints.status();
  const SearchDevice use{device, memory, &test_kernels(), nullptr};
  options.disk.disks = {where.folder};
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchContext context{model, options, progress, stop};
  context.checkpoints = checkpoints->get();
  if (device != nullptr) context.device = &use;
  return find_algorithm(device == nullptr ? "auto" : "gpu")->run(context);
}

// The last checkpoint is valid, whichever call to the device fails, and whichever operation of the disk.
TEST(DeviceResumeTest, ALostDeviceLeavesTheLastCheckpoint) {
  using Fault = device::DevicePlan::Fault;
  const auto base = make_test_device(1);
  if (is_gpu(*base)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const ExplicitGraphModel model(graph_to_resume());
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  SearchOptions options = options_for(reference, 1);
  options.parameters = {{"small", "20"}, {"stretch", "100"}, {"beyond", "exact"}};
  uint64_t resumed = 0;
  for (const uint64_t memory : {uint64_t{0}, model.device_code()->data.size() * 8 + (64 << 10)}) {
    bool struck = true;
    for (uint64_t after = 8; struck; after += 5 + after / 4) {
      SCOPED_TRACE(fmt::format("memory {} fault after {}", memory, after));
      const TemporaryFolder folder(true);
      const Checkpoints::Options where{folder.path() + "/run", {}, 0};
      device::DevicePlan plan{after % 2 == 0 ? Fault::lost : Fault::error, after};
      device::FaultyDevice device(*base, plan);
      const auto first = run_saved(&device, model, options, memory, where, false);
      struck = plan.struck;
      if (!struck) {
        ASSERT_TRUE(first.ok());
        expected.expect(*first);
        continue;
      }
      ASSERT_FALSE(first.ok());
      EXPECT_NE(first.status().message().find("injected fault"), std::string::npos);
      resumed += (*Checkpoints::open(where))->stands();
      const auto then = run_saved(after % 3 == 0 ? nullptr : base.get(), model, options, memory, where, true);
      ASSERT_TRUE(then.ok()) << then.status().message();
      expected.expect(*then);
      if (testing::Test::HasFailure()) return;
    }
  }
  EXPECT_GT(resumed, 10u);
}

// With a disk that fails or is full, the search continues, and so does a run from what was saved last.
TEST(DeviceResumeTest, AFailingDiskLeavesTheLastCheckpoint) {
  const auto device = make_test_device(1);
  if (is_gpu(*device)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const ExplicitGraphModel model(graph_to_resume());
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  const uint64_t little = model.device_code()->data.size() * 8 + (64 << 10);
  uint64_t struck = 0, ended = 0;
  for (uint64_t seed = 1; seed <= 4 * fault_runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const FaultCase plan = make_faults(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + plan.text);
    const TemporaryFolder folder(true);
    const Checkpoints::Options where{folder.path() + "/run", {}, 0};
    // Little memory has small blocks, so many are written.
    SearchOptions options = options_for(reference, 1, 1 << 20);
    vary_steps(options, seed);
    SearchOptions faulty = options;
    faulty.disk.faults = &faults;
    faulty.time_limit = 0.001 * static_cast<double>(1 + random.below(100));
    const uint64_t memory = seed % 2 == 0 ? 0 : little;
    const auto first = run_saved(device.get(), model, faulty, memory, where, false);
    struck += faults.struck() > 0;
    if (first.ok() && first->stop == StopReason::none) {
      expected.expect(*first);
      continue;
    }
    ++ended;
    const auto then = run_saved(seed % 3 == 0 ? nullptr : device.get(), model, options, memory, where, true);
    if (!then.ok()) {  // the disk kept something else than was written
      EXPECT_TRUE(plan.fault == Fault::torn_write || plan.fault == Fault::flipped_bit)
          << then.status().message();
      continue;
    }
    expected.expect(*then);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(struck, 0u);
  EXPECT_GT(ended, 0u);
}

// What fills the memory of a device that may not go beyond it is saved, and continues where there is more.
TEST(DeviceResumeTest, AFullDeviceIsSaved) {
  const auto device = make_test_device(1);
  if (is_gpu(*device)) GTEST_SKIP() << "these graphs fit in the memory that its lanes take";
  const ExplicitGraphModel model(graph_to_resume());
  const ReferenceOptions reference{DeadlockMode::off, {}, 1};
  const Expected expected(model, reference);
  SearchOptions options = options_for(reference, 1);
  options.parameters = {{"small", "0"}, {"stretch", "100"}, {"beyond", "off"}};
  for (const bool on_processor : {false, true}) {
    const TemporaryFolder folder(true);
    const Checkpoints::Options where{folder.path() + "/run", {}, 1000};
    const uint64_t little = model.device_code()->data.size() * 8 + (64 << 10);
    for (const bool resumes : {false, true}) {
      const auto full = run_saved(device.get(), model, options, little, where, resumes);
      ASSERT_TRUE(full.ok()) << full.status().message();
      EXPECT_EQ(full->stop, StopReason::memory);
      EXPECT_GT(full->states, 0u);
      EXPECT_NE(full->stop_message.find("resume with --device none"), std::string::npos)
          << full->stop_message;
      EXPECT_TRUE((*Checkpoints::open(where))->stands());
    }
    const auto then = run_saved(on_processor ? nullptr : device.get(), model, options, 0, where, true);
    ASSERT_TRUE(then.ok()) << then.status().message();
    expected.expect(*then);
  }
}

}  // namespace
}  // namespace strata
