// Every search on disk, with every store, table and parameter set, against the reference checker on seeded
// random graphs, at budgets of 64 KiB to 1 MiB. The message of a failure has the seed, the variant, and the
// smallest graph that fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/testing/test_count.h"
#include "model/testing/random_graph.h"
#include "model/testing/shrink_graph.h"
#include "search/testing/variants.h"
#include "view/fold/folded_model.h"

namespace strata {
namespace {

// How many random graphs; slow builds ask for fewer.
uint64_t graphs() { return test_count("STRATA_GRAPHS", 80) * 5; }

SearchOptions options_for(const Variant& variant, const ReferenceOptions& reference, uint64_t seed) {
  SearchOptions options;
  const uint64_t budgets[] = {64 << 10, 128 << 10, 256 << 10, 1 << 20};
  // Less than the process holds already: a search then takes half of it.
  options.memory = 2 * budgets[seed % 4];
  options.threads = 1 + static_cast<unsigned>(seed / 4 % 2);
  options.deadlock = reference.deadlock;
  options.bound = reference.bound;
  options.max_errors = reference.max_errors;
  options.parameters = variant.parameters;
  // Signatures of 64 bits tell the few thousand states of a graph apart.
  if (seed / 8 % 3 == 0 && variant.has(trait::signatures)) options.store.signature_bits = 64;
  // A file system in memory is quick, a real one is real.
  const bool quick = seed % 8 != 3 && std::filesystem::exists("/dev/shm");
  options.disk.disks = {quick ? "/dev/shm" : std::filesystem::temp_directory_path().string()};
  return options;
}

ReferenceOptions varied_options(uint64_t seed, const Variant& variant) {
  ReferenceOptions options;
  const DeadlockMode modes[] = {DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering,
                                DeadlockMode::off};
  options.deadlock = modes[seed % 4];
  if (seed % 7 == 0 && variant.has(trait::bounded)) options.bound = seed / 7 % 40;
  if (seed % 4 == 0) options.max_errors = 1 + seed % 7;
  return options;
}

// Without a variant, no test would compare the row's algorithm with another.
TEST(DiskSearchesTest, HaveAVariantForEachRow) {
  for (const Algorithm& row : algorithms()) {
    if (row.has(trait::on_device)) continue;
    EXPECT_TRUE(std::any_of(variants().begin(), variants().end(), [&](const Variant& variant) {
      return variant.algorithm == &row;
    })) << row.name;
  }
}

// The variant takes turns; each graph is searched by two of them.
TEST(DiskSearchesTest, AgreeWithTheReferenceOnRandomGraphs) {
  std::vector<Tally> tallies(variants().size());
  for (uint64_t seed = 1; seed <= graphs(); ++seed) {
    const bool large = seed % 10 == 0;
    const Graph graph = large ? large_random_graph(seed) : random_graph(seed);
    for (uint64_t turn = 0; turn < 2; ++turn) {
      const uint64_t number = (seed * 2 + turn) % variants().size();
      const Variant& variant = variants()[number];
      Tally& tally = tallies[number];
      const ReferenceOptions reference = varied_options(seed / 3, variant);
      const SearchOptions options = options_for(variant, reference, seed / variants().size());
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " memory " +
                   std::to_string(options.memory >> 10) + " threads " + std::to_string(options.threads) +
                   " bits " + std::to_string(options.store.signature_bits));
      check_and_shrink(graph, [&](const Graph& checked) {
        const ExplicitGraphModel model(checked);
        // Each third graph is searched by keys of its states.
        const FoldedModel folded(model, 16 << 20);
        const Model& searched = seed % 3 == 0 ? static_cast<const Model&>(folded) : model;
        ProgressBoard progress;
        const std::atomic<bool> stop{false};
        const auto actual = variant.algorithm->run({searched, options, progress, stop});
        ++tally.runs;
        if (!actual.ok()) {
          ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
          ++tally.too_small;
        } else if (has_no_room(*actual, variant)) {
          ++tally.gave_up;
        } else {
          expect_same(reference_check(model, reference), *actual, variant);
        }
      });
      if (testing::Test::HasFailure()) return;
    }
  }
  if (graphs() < 400) return;
  for (uint64_t i = 0; i < variants().size(); ++i) tallies[i].expect_enough(variants()[i]);
}

}  // namespace
}  // namespace strata
