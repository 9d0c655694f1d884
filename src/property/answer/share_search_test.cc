// Searches by several ranks, as threads of one process whose messages take their time and overtake each
// other: against the reference checker and against the search of one rank, on seeded random graphs, with
// little memory.
#include "property/answer/share_search.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "cluster/testing/in_process.h"
#include "model/testing/random_graph.h"
#include "model/testing/walkers.h"
#include "property/testing/distributed.h"
#include "view/share/state_owner.h"

namespace strata {
namespace {

using cluster::InProcessNetwork;
using cluster::InProcessOptions;
using cluster::Transport;

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
    Result<SearchResult> result = search_as_rank(algorithm, model, options, &exchange);
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

TEST(ShareSearchTest, AgreesWithTheReferenceOnRandomGraphs) {
  const std::vector<Variant> chosen = distributed_variants();
  ASSERT_EQ(4u, chosen.size());
  const Algorithm& ram = *find_row(algorithms(), "ram");
  uint64_t runs = 0, too_small = 0, on_disk = 0;
  const GraphRange graphs = graph_range(15);
  for (uint64_t seed = graphs.first; seed <= graphs.last; ++seed) {
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
    const Result<SearchResult> alone = search_as_rank(ram, model, plenty, nullptr);
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

// By whatever a state belongs to a rank, the answer is the same, and fewer states travel.
TEST(ShareSearchTest, GivesTheSameByBitsThatSeldomChange) {
  const WalkerModel model(8, 4);
  const Algorithm& ram = *find_row(algorithms(), "ram");
  SearchOptions options;
  options.memory = 64 << 20;
  options.max_errors = 0;
  const Result<SearchResult> alone = search_as_rank(ram, model, options, nullptr);
  ASSERT_TRUE(alone.ok());
  std::map<std::string, uint64_t> sent;
  for (const std::string owner : {"hash", "local"}) {
    options.parameters = {{"owner", owner}};
    for (const Result<SearchResult>& actual : search_with_ranks(4, 1, ram, model, options)) {
      ASSERT_TRUE(actual.ok());
      EXPECT_EQ(alone->states, actual->states);
      EXPECT_EQ(alone->transitions, actual->transitions);
      EXPECT_EQ(alone->levels, actual->levels);
      expect_same_paths(*alone, *actual);
      sent[owner] = 0;
      for (const RankReport& rank : actual->ranks) sent[owner] += rank.sent;
    }
  }
  EXPECT_LT(sent["local"] * 4, sent["hash"] * 3);
}

// However many ranks there are, each gets about as many states.
// One rank refuses, and the other ones have begun: all end, with what the one says.
TEST(ShareSearchTest, ARankWithoutRoomEndsAll) {
  const WalkerModel model(6, 4);
  SearchOptions options;
  options.memory = 64 << 20;
  InProcessNetwork network(3, {});
  std::vector<std::optional<Result<SearchResult>>> found(3);
  cluster::run_ranks(network, [&](Transport& transport) {
    cluster::Exchange exchange(transport);
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    SearchContext context{model, options, progress, stop};
    context.exchange = &exchange;
    const Runner run = sharing([](const Algorithm& row, const SearchContext& with) -> Result<SearchResult> {
      if (with.exchange->rank() == 1) return stopped_at_once(with, Status::limit("no room here"));
      Result<SearchResult> result = row.run(with);
      return leaves_no_room(result.status()) ? stopped_at_once(with, result.status()) : result;
    });
    found[static_cast<size_t>(transport.rank())].emplace(run(*find_row(algorithms(), "ram"), context));
    static_cast<void>(transport.finish());
  });
  for (const auto& result : found) {
    ASSERT_TRUE(result->ok()) << result->status().message();
    EXPECT_EQ(StopReason::memory, (**result).stop);
    EXPECT_NE(std::string::npos, (**result).stop_message.find("no room here")) << (**result).stop_message;
  }
}

TEST(ShareSearchTest, IsBalanced) {
  std::vector<uint64_t> counts(64, 0);
  constexpr uint64_t kStates = 1 << 20;
  for (uint64_t i = 0; i < kStates; ++i) {
    const uint64_t state = i;
    ++counts[StateOwner::of_hash(quick_hash(reinterpret_cast<const uint8_t*>(&state), sizeof state),
                                 counts.size())];
  }
  for (const uint64_t count : counts) EXPECT_LE(count * counts.size(), kStates / 100 * 105);
}

}  // namespace
}  // namespace strata
