// Searches by several ranks, as threads of one process whose messages take their time and overtake each other: against the reference
// checker and against the search of one rank, on seeded random graphs, with little memory.
#include "property/share_search.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cluster/testing/in_process.h"
#include "model/testing/random_graph.h"
#include "property/fold_search.h"
#include "search/testing/variants.h"
#include "view/share/shared_model.h"

namespace strata {
namespace {

using cluster::InProcessNetwork;
using cluster::InProcessOptions;
using cluster::Transport;

// The first of them, to run some of many again.
uint64_t first_shared_graph() {
  const char* wanted = std::getenv("STRATA_FIRST_GRAPH");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 1;
}

uint64_t shared_graphs() {
  const char* wanted = std::getenv("STRATA_GRAPHS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 15;
}

std::vector<Variant> shared_variants() {
  return make_variants(algorithms(), {{"auto", {{"ram", "0"}}}, {"auto", {{"ram", "0.3"}}}});
}

Result<SearchResult> run_plainly(const Algorithm& algorithm, const SearchContext& context) {
  return algorithm.run(context);
}

Result<SearchResult> search(const Algorithm& algorithm, const Model& model, const SearchOptions& options,
                            cluster::Exchange* exchange) {
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchContext context{model, options, progress, stop};
  context.exchange = exchange;
  return sharing(folding(run_plainly))(algorithm, context);
}

// What each rank answers.
std::vector<Result<SearchResult>> search_with_ranks(int ranks, uint64_t seed, const Algorithm& algorithm,
                                                    const Model& model, const SearchOptions& options) {
  InProcessOptions how;
  how.seed = seed;
  how.delay = std::chrono::microseconds(seed % 3 * 100);
  InProcessNetwork network(ranks, how);
  std::vector<std::optional<Result<SearchResult>>> found(static_cast<size_t>(ranks));
  cluster::run_ranks(network, [&](Transport& transport) {
    cluster::Exchange exchange(transport);
    Result<SearchResult> result = search(algorithm, model, options, &exchange);
    if (!result.ok()) transport.fail(result.status());
    found[static_cast<size_t>(transport.rank())].emplace(std::move(result));
    static_cast<void>(transport.finish());
  });
  std::vector<Result<SearchResult>> results;
  for (auto& result : found) results.push_back(std::move(*result));
  return results;
}

SearchOptions shared_options(const ReferenceOptions& reference, const Variant& variant, uint64_t seed) {
  SearchOptions options;
  const uint64_t budgets[] = {256 << 10, 512 << 10, 1 << 20};
  options.memory = budgets[seed % 3];
  options.threads = 1 + static_cast<unsigned>(seed / 3 % 2);
  options.deadlock = reference.deadlock;
  options.bound = reference.bound;
  options.max_errors = reference.max_errors;
  options.parameters = variant.parameters;
  options.fold = seed % 4 == 0 ? FoldMode::on : FoldMode::off;
  const bool quick = std::filesystem::exists("/dev/shm");
  options.disk.disks = {quick ? "/dev/shm" : std::filesystem::temp_directory_path().string()};
  return options;
}

ReferenceOptions reference_options(uint64_t seed) {
  ReferenceOptions options;
  const DeadlockMode modes[] = {DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering};
  options.deadlock = modes[seed % 3];
  if (seed % 7 == 0) options.bound = seed / 7 % 40;
  if (seed % 4 == 0) options.max_errors = 1 + seed % 7;
  return options;
}

void expect_same_paths(const SearchResult& expected, const SearchResult& actual) {
  ASSERT_EQ(expected.counterexamples.size(), actual.counterexamples.size());
  for (size_t i = 0; i < expected.counterexamples.size(); ++i) {
    const Counterexample& one = expected.counterexamples[i];
    const Counterexample& other = actual.counterexamples[i];
    EXPECT_EQ(one.text.message, other.text.message);
    ASSERT_EQ(one.steps.size(), other.steps.size());
    for (size_t k = 0; k < one.steps.size(); ++k) {
      EXPECT_EQ(one.steps[k].rule, other.steps[k].rule);
      EXPECT_EQ(one.steps[k].state, other.steps[k].state);
    }
  }
}

TEST(ShareSearchTest, AgreesWithTheReferenceOnRandomGraphs) {
  const std::vector<Variant> chosen = [] {
    std::vector<Variant> all = shared_variants();
    std::erase_if(all, [](const Variant& variant) { return !variant.has(trait::distributed); });
    for (Variant& variant : all) variant.traits |= trait::level_by_level | trait::exact_depth;
    return all;
  }();
  ASSERT_EQ(4u, chosen.size());
  const Algorithm& ram = *find_row(algorithms(), "ram");
  uint64_t runs = 0, too_small = 0, on_disk = 0;
  for (uint64_t seed = first_shared_graph(); seed <= shared_graphs(); ++seed) {
    const ExplicitGraphModel model(seed % 2 == 0 ? large_random_graph(seed) : random_graph(seed));
    const Variant& variant = chosen[seed % chosen.size()];
    const int ranks = 1 + static_cast<int>(seed % 9);
    const ReferenceOptions reference = reference_options(seed / 3);
    const SearchOptions options = shared_options(reference, variant, seed / 4);
    SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " ranks " + std::to_string(ranks) +
                 " memory " + std::to_string(options.memory >> 10) + " threads " +
                 std::to_string(options.threads));
    SearchOptions plenty = options;
    plenty.memory = 64 << 20;
    plenty.parameters.clear();
    plenty.fold = FoldMode::off;
    const Result<SearchResult> alone = search(ram, model, plenty, nullptr);
    ASSERT_TRUE(alone.ok());
    const ReferenceResult expected = reference_check(model, reference);
    for (const Result<SearchResult>& actual :
         search_with_ranks(ranks, seed, *variant.algorithm, model, options)) {
      ++runs;
      if (!actual.ok()) {
        ASSERT_EQ(StatusCode::limit, actual.status().code()) << actual.status().message();
        ++too_small;
        continue;
      }
      if (has_no_room(*actual, variant)) {
        ++too_small;
        continue;
      }
      on_disk += !actual->disk_access.empty();
      expect_same(expected, *actual, variant);
      expect_same_paths(*alone, *actual);
      ASSERT_EQ(static_cast<size_t>(ranks), actual->ranks.size());
      if (testing::Test::HasFailure()) return;
    }
  }
  RecordProperty("runs", static_cast<int>(runs));
  EXPECT_LE(too_small * 4, runs);
  EXPECT_GT(on_disk * 4, runs);
}

// However many ranks there are, each gets about as many states.
TEST(ShareSearchTest, IsBalanced) {
  std::vector<uint64_t> counts(64, 0);
  constexpr uint64_t kStates = 1 << 20;
  for (uint64_t i = 0; i < kStates; ++i) {
    const uint64_t state = i;
    ++counts[SharedModel::owner(quick_hash(reinterpret_cast<const uint8_t*>(&state), sizeof state),
                                counts.size())];
  }
  for (const uint64_t count : counts) EXPECT_LE(count * counts.size(), kStates / 100 * 105);
}

}  // namespace
}  // namespace strata
