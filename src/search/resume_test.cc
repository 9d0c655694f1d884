// Every search that can be resumed, ended again and again and resumed with other memory and threads, against
// the reference checker on seeded random graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/random.h"
#include "base/testing/test_count.h"
#include "block/testing/storages.h"
#include "model/testing/random_graph.h"
#include "search/testing/variants.h"
#include "view/fold/folded_model.h"

namespace strata {
namespace {

// How many random graphs; slow builds ask for fewer.
uint64_t resumed_graphs() { return test_count("STRATA_GRAPHS", 60); }

std::vector<Variant> resumable_variants() {
  std::vector<Variant> chosen = variants();
  std::erase_if(chosen, [](const Variant& variant) { return !variant.has(trait::resumable); });
  return chosen;
}

// One run after another, each of which ends by its time limit, until one gives an answer.
struct Resumption {
  const Model& model;
  const Variant& variant;
  const SearchOptions& asked;
  Random& random;
  const bool folded;
  uint64_t resumed = 0;

  Result<SearchResult> run() {
    const bool quick = !random.chance(3);
    const TemporaryFolder folder(quick);
    Checkpoints::Options where{folder.path() + "/run", {}, 0};
    if (random.chance(30)) where.disks = {folder.path()};
    // More time each time, so that it ends.
    for (double limit = 0.0002;; limit *= 1.5) {
      auto checkpoints = resumed == 0 ? Checkpoints::create(where, "a run") : Checkpoints::open(where);
      if (!checkpoints.ok()) return checkpoints.status();
      where.disks.clear();
      SearchOptions options = asked;
      options.time_limit = limit;
      where.every = quick && random.chance(50) ? 0 : 1000;
      if (resumed > 0) {
        options.threads = 1 + static_cast<unsigned>(random.below(2));
        options.memory = asked.memory * (1 + random.below(3));
      }
      ProgressBoard progress;
      const std::atomic<bool> stop{false};
      // A process of its own begins with no nodes; some have more memory for them.
      constexpr uint64_t kShape = 8 << 20;
      const FoldedModel keys(model, FoldTree::even(model.info().state_bytes), kShape * (1 + random.below(2)),
                             kShape);
      SearchContext context{folded ? static_cast<const Model&>(keys) : model, options, progress, stop};
      context.checkpoints = checkpoints->get();
      Result<SearchResult> result = variant.algorithm->run(context);
      if (!result.ok() || result->stop != StopReason::time) return result;
      ++resumed;
    }
  }
};

TEST(ResumeTest, GivesTheAnswerOfARunThatWasNotEnded) {
  const std::vector<Variant> all = resumable_variants();
  ASSERT_FALSE(all.empty());
  std::vector<uint64_t> resumed(all.size()), answers(all.size());
  for (uint64_t seed = 1; seed <= resumed_graphs(); ++seed) {
    const ExplicitGraphModel model(seed % 3 == 0 ? random_graph(seed) : large_random_graph(seed));
    for (uint64_t turn = 0; turn < 2; ++turn) {
      const uint64_t number = (seed * 2 + turn) % all.size();
      const Variant& variant = all[number];
      Random random(seed * 2 + turn);
      ReferenceOptions reference;
      reference.deadlock = random.chance(50) ? DeadlockMode::off : DeadlockMode::stuttering;
      if (random.chance(15) && variant.has(trait::bounded)) reference.bound = random.below(40);
      if (random.chance(25)) reference.max_errors = 1 + random.below(7);
      SearchOptions options;
      options.memory = uint64_t{256 << 10} << random.below(3);
      options.threads = 1 + static_cast<unsigned>(random.below(2));
      options.deadlock = reference.deadlock;
      options.bound = reference.bound;
      options.max_errors = reference.max_errors;
      options.parameters = variant.parameters;
      if (random.chance(25) && variant.has(trait::signatures)) options.store.signature_bits = 64;
      options.disk.disks = {std::filesystem::temp_directory_path().string()};
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " memory " +
                   std::to_string(options.memory >> 10) + " threads " + std::to_string(options.threads) +
                   " bits " + std::to_string(options.store.signature_bits));
      Resumption runs{model, variant, options, random, random.chance(25)};
      const Result<SearchResult> actual = runs.run();
      if (!actual.ok()) {
        ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
        continue;
      }
      if (has_no_room(*actual, variant)) continue;
      SCOPED_TRACE(std::to_string(runs.resumed) + " times resumed");
      expect_same(reference_check(model, reference), *actual, variant);
      if (testing::Test::HasFailure()) return;
      resumed[number] += runs.resumed;
      ++answers[number];
    }
  }
  for (uint64_t i = 0; i < all.size(); ++i) {
    if (std::getenv("STRATA_TALLY") != nullptr)
      std::printf("%s: %lu answers, %lu times resumed\n", name_of(all[i]).c_str(),
                  static_cast<unsigned long>(answers[i]), static_cast<unsigned long>(resumed[i]));
    if (resumed_graphs() < 100) continue;
    EXPECT_GT(answers[i], 0u) << name_of(all[i]);
    EXPECT_GT(resumed[i], answers[i]) << name_of(all[i]);
  }
}

}  // namespace
}  // namespace strata
