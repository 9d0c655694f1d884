// Runs of several ranks that end before they are done, by their time limit or because a rank dies, and go on
// with another number of ranks, again and again: against the reference checker and against the search of one
// process, on seeded random graphs, with little memory.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.h"
#include "block/testing/storages.h"
#include "cluster/testing/in_process.h"
#include "engine/contract/old_ranks.h"
#include "model/testing/random_graph.h"
#include "property/testing/distributed.h"
#include "store/checkpoint/rank_sets.h"

namespace strata {
namespace {

using cluster::InProcessNetwork;
using cluster::InProcessOptions;
using cluster::Transport;

constexpr uint64_t kAlone = 0;  // a process that knows of no others

// A rank of a part continues from this.
struct Start {
  std::unique_ptr<Checkpoints> checkpoints;
  std::unique_ptr<OldRanks> old_ranks;
};

struct RegroupedRun {
  const Model& model;
  const Algorithm& algorithm;
  Random& random;
  const std::string folder;
  bool often = true;  // some parts make checkpoints all the time
  uint64_t resumed = 0, regrouped = 0, killed = 0;

  Result<SearchResult> search(const SearchOptions& options, cluster::Exchange* exchange, const Start& start) {
    return search_as_rank(algorithm, model, options, exchange, start.checkpoints.get(),
                          start.old_ranks.get());
  }

  Checkpoints::Options where(const RankFolder& one, uint64_t number, double every) const {
    Checkpoints::Options options{path_of(folder, one), {}, every};
    if (number != one.last) options.from = CheckpointFolder::From::previous;
    if (number == 0) options.from = CheckpointFolder::From::none;
    return options;
  }

  // The starts of this many ranks.
  std::vector<Start> begin(uint64_t ranks, double every) {
    const uint64_t count = std::max<uint64_t>(ranks, 1);
    std::vector<Start> starts(count);
    const std::vector<RankFolder> found = find_rank_folders(folder);
    uint64_t part = 1;
    std::optional<SavedSet> set;
    if (resumed > 0) {
      set = choose_saved(folder, std::vector(count, found), false).value();
      for (const SavedSet::Other& other : set->others)
        EXPECT_TRUE(CheckpointFolder::discard(path_of(folder, other.folder)).ok());
      part = set->newest_part + 1;
      if (set->ranks == ranks && set->folders.size() == count) {
        for (uint64_t i = 0; i < count; ++i)
          starts[i].checkpoints =
              std::move(Checkpoints::open(where(set->folders[i], set->number, every)).value());
        return starts;
      }
      ++regrouped;
    }
    for (uint64_t i = 0; i < count; ++i) {
      const std::string own = ranks == kAlone ? folder : rank_folder(folder, part, i, ranks);
      std::filesystem::create_directories(own);
      // All folders of a run have its id.
      const Checkpoints::Options where{own, {}, every, CheckpointFolder::From::last, "00000000000000ab"};
      starts[i].checkpoints = std::move(Checkpoints::create(where, "a run").value());
    }
    if (set && set->number > 0) take_origins(*set, starts);
    if (set && set->number == 0) {
      for (const RankFolder& old : set->folders)
        EXPECT_TRUE(CheckpointFolder::discard(path_of(folder, old)).ok());
    }
    return starts;
  }

  void take_origins(const SavedSet& set, std::vector<Start>& starts) {
    const std::vector<uint64_t> readers = set.readers(starts.size());
    std::vector<std::vector<std::unique_ptr<Checkpoints>>> saved(starts.size());
    size_t passes = 0;
    for (size_t k = 0; k < readers.size(); ++k) {
      auto& own = saved[readers[k]];
      own.push_back(std::move(Checkpoints::open(where(set.folders[k], set.number, 1000)).value()));
      passes = std::max(passes, own.size());
    }
    for (size_t i = 0; i < starts.size(); ++i)
      starts[i].old_ranks = std::make_unique<OldRanks>(std::move(saved[i]), passes, set.ranks);
  }

  // What each rank answers. Some runs lose a rank.
  std::vector<Result<SearchResult>> run_part(uint64_t ranks, const SearchOptions& options, bool kills) {
    const std::vector<Start> starts = begin(ranks, often && random.chance(50) ? 0 : 1000);
    ++resumed;
    std::vector<Result<SearchResult>> results;
    if (ranks == kAlone) {
      results.push_back(search(options, nullptr, starts.front()));
      return results;
    }
    InProcessOptions how;
    how.seed = random.below(1000);
    how.delay = std::chrono::microseconds(random.below(3) * 50);
    InProcessNetwork network(static_cast<int>(ranks), how);
    const uint64_t victim = kills ? random.below(ranks) : ranks;
    const std::chrono::microseconds after(random.below(20000));
    killed += kills;
    std::vector<std::optional<Result<SearchResult>>> found(ranks);
    cluster::run_ranks(network, [&](Transport& transport) {
      const auto rank = static_cast<uint64_t>(transport.rank());
      cluster::Exchange exchange(transport);
      std::thread killer;
      if (rank == victim)
        killer = std::thread([&] {
          std::this_thread::sleep_for(after);
          transport.fail(Status::system("killed"));
        });
      Result<SearchResult> result = search(options, &exchange, starts[rank]);
      if (!result.ok()) transport.fail(result.status());
      found[rank].emplace(std::move(result));
      if (killer.joinable()) killer.join();
      static_cast<void>(transport.finish());
    });
    for (auto& result : found) results.push_back(std::move(*result));
    return results;
  }
};

struct RegroupedQuestion {
  ReferenceOptions reference;
  SearchOptions options;

  RegroupedQuestion(Random& random, const Variant& variant) {
    const DeadlockMode modes[] = {DeadlockMode::off, DeadlockMode::stuck, DeadlockMode::stuttering};
    reference.deadlock = modes[random.below(3)];
    if (random.chance(15)) reference.bound = random.below(40);
    if (random.chance(30)) reference.max_errors = 1 + random.below(7);
    options.memory = uint64_t{512 << 10} << random.below(3);
    options.deadlock = reference.deadlock;
    options.bound = reference.bound;
    options.max_errors = reference.max_errors;
    options.parameters = variant.parameters;
    options.fold = random.chance(35) ? FoldMode::on : FoldMode::off;
    if (random.chance(20)) options.store.signature_bits = 64;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
  }
};

void expect_equal_coverage(const Coverage& expected, const Coverage& actual) {
  ASSERT_EQ(expected.rules.size(), actual.rules.size());
  for (size_t i = 0; i < expected.rules.size(); ++i) {
    EXPECT_EQ(expected.rules[i].fired, actual.rules[i].fired) << "rule " << i;
    EXPECT_EQ(expected.rules[i].states, actual.rules[i].states) << "rule " << i;
  }
  EXPECT_EQ(expected.stuttered, actual.stuttered);
}

TEST(RegroupTest, GivesTheAnswerOfARunThatWasNotEnded) {
  const std::vector<Variant> all = distributed_variants();
  ASSERT_EQ(4u, all.size());
  const Algorithm& ram = *find_row(algorithms(), "ram");
  uint64_t answers = 0, too_small = 0, regrouped = 0, killed = 0, resumed = 0;
  const GraphRange graphs = graph_range(12);
  for (uint64_t seed = graphs.first; seed <= graphs.last; ++seed) {
    const ExplicitGraphModel model(seed % 4 == 0 ? random_graph(seed) : large_random_graph(seed));
    const Variant& variant = all[seed % all.size()];
    Random random(seed);
    const RegroupedQuestion question(random, variant);
    SearchOptions plenty = question.options;
    plenty.memory = 64 << 20;
    plenty.parameters.clear();
    plenty.fold = FoldMode::off;
    const TemporaryFolder folder(!random.chance(10));
    RegroupedRun run{model, *variant.algorithm, random, folder.path() + "/run"};
    const Result<SearchResult> alone = run.search(plenty, nullptr, {});
    ASSERT_TRUE(alone.ok());
    std::string history;
    std::vector<Result<SearchResult>> last;
    // A run that was begun by one process goes on with several as long as it is in RAM.
    bool one_process = random.chance(10);
    for (double limit = 0.0005; last.empty(); limit *= 1.5) {
      const uint64_t ranks = one_process ? kAlone : 1 + random.below(9);
      const bool kills = !one_process && random.chance(25);
      SearchOptions options = question.options;
      options.time_limit = limit;
      options.threads = 1 + static_cast<unsigned>(random.below(2));
      if (one_process) options.parameters.try_emplace("levels", "exact");
      if (variant.algorithm == &ram) options.parameters.clear();
      history += " " + std::to_string(ranks) + (kills ? "!" : "");
      SCOPED_TRACE("seed " + std::to_string(seed) + " " + name_of(variant) + " memory " +
                   std::to_string(options.memory >> 10) + " fold " +
                   std::to_string(options.fold == FoldMode::on) + " bits " +
                   std::to_string(options.store.signature_bits) + " ranks" + history);
      std::vector<Result<SearchResult>> results = run.run_part(ranks, options, kills);
      const Result<SearchResult>& first = results.front();
      if (!first.ok() && first.status().code() == StatusCode::system) {
        ASSERT_TRUE(kills) << first.status().message();
        continue;
      }
      if (!first.ok() && first.status().code() == StatusCode::usage) {
        one_process = true;  // on disk, the run of one process continues only with one
        continue;
      }
      if (!first.ok()) {
        ASSERT_EQ(StatusCode::limit, first.status().code()) << first.status().message();
      }
      if (first.ok() && first->stop == StopReason::time) {
        one_process = false;
        continue;
      }
      last = std::move(results);
      for (const Result<SearchResult>& actual : last) {
        if (!actual.ok() || has_no_room(*actual, variant) || actual->stop == StopReason::memory) {
          ++too_small;
          break;
        }
        expect_same(reference_check(model, question.reference), *actual, variant);
        expect_same_paths(*alone, *actual);
        if (actual->stop == StopReason::none && actual->counterexamples.empty())
          expect_equal_coverage(alone->coverage, actual->coverage);
        if (testing::Test::HasFailure()) return;
      }
      ++answers;
    }
    regrouped += run.regrouped;
    killed += run.killed;
    resumed += run.resumed;
  }
  if (std::getenv("STRATA_TALLY") != nullptr)
    std::printf("%lu answers, %lu without room, %lu parts, %lu times with other ranks, %lu with a lost one\n",
                static_cast<unsigned long>(answers), static_cast<unsigned long>(too_small),
                static_cast<unsigned long>(resumed), static_cast<unsigned long>(regrouped),
                static_cast<unsigned long>(killed));
  EXPECT_LE(too_small * 3, answers);
  EXPECT_GT(regrouped, answers);
}

// When the memory of a rank is full all of them rest, and are saved with what is on its way; with more memory
// they go on.
TEST(RegroupTest, GoesOnFromFullMemory) {
  const Algorithm& ram = *find_row(algorithms(), "ram");
  const Variant variant{&ram, {}, ram.traits};
  uint64_t full = 0;
  const ExplicitGraphModel model(large_random_graph(33));
  // How full a rank becomes before the others rest depends on their pace, so memories are tried until three are full.
  for (uint64_t step = 0; step < 60 && full < 3; ++step) {
    Random random(step);
    const TemporaryFolder folder(true);
    RegroupedRun run{model, ram, random, folder.path() + "/run", false};
    SearchOptions options;
    options.memory = uint64_t{120 + 3 * step} << 10;
    ReferenceOptions reference;
    reference.deadlock = DeadlockMode::off;
    options.deadlock = reference.deadlock;
    options.max_errors = reference.max_errors;
    options.fold = FoldMode::off;
    const uint64_t ranks = 2 + step % 2;
    SCOPED_TRACE("memory " + std::to_string(options.memory >> 10) + " ranks " + std::to_string(ranks));
    const std::vector<Result<SearchResult>> first = run.run_part(ranks, options, false);
    if (!first.front().ok() || first.front()->stop != StopReason::memory || first.front()->states == 0)
      continue;
    ++full;
    options.memory = 64 << 20;
    for (const Result<SearchResult>& last :
         run.run_part(random.chance(50) ? ranks : ranks + 1, options, false)) {
      ASSERT_TRUE(last.ok()) << last.status().message();
      expect_same(reference_check(model, reference), *last, variant);
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(full, 3u);
}

}  // namespace
}  // namespace strata
