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

}  // namespace
}  // namespace strata
