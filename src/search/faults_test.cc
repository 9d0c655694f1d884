// Every search on disk, on disks that fail: the answer of the reference checker, or an error, or an incomplete result that
// says what happened; never a wrong answer, never a hang, and nothing is left on the disk. A failing seed is in the
// test's message.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "base/random.h"
#include "model/random_graph.h"
#include "search/disk_testing.h"

namespace strata {
namespace {

// How many runs of each variant; slow builds ask for fewer, ./test --long for more.
uint64_t runs() {
  const char* wanted = std::getenv("STRATA_FAULT_RUNS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 20;
}

class OwnFolder {
 public:
  OwnFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "strata-faults-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~OwnFolder() { std::filesystem::remove_all(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Plan {
  Fault fault;
  std::string text;
};

// One fault among the first operations or the later ones, or many.
Plan make_plan(FaultPlan& faults, Random& random) {
  const Fault kinds[] = {Fault::read_error, Fault::write_error, Fault::disk_full, Fault::torn_write,
                         Fault::flipped_bit};
  const char* names[] = {"read error", "write error", "full disk", "torn write", "flipped bit"};
  const uint64_t kind = random.below(std::size(kinds));
  if (random.chance(75)) {
    const uint64_t passed = random.below(uint64_t{1} << random.below(8));
    faults.fail_once(kinds[kind], passed);
    return {kinds[kind], std::string(names[kind]) + " after " + std::to_string(passed)};
  }
  const double probability = random.chance(50) ? 0.01 : 0.2;
  faults.fail_at_random(kinds[kind], probability, random.next());
  return {kinds[kind], std::string(names[kind]) + " with probability " + std::to_string(probability)};
}

SearchOptions make_options(const Variant& variant, const std::string& folder, Random& random) {
  SearchOptions options;
  const uint64_t budgets[] = {96 << 10, 128 << 10, 192 << 10, 256 << 10};
  // Less than the process holds already: a search then takes half of it.
  options.memory = 2 * budgets[random.below(std::size(budgets))];
  options.threads = 1 + static_cast<unsigned>(random.below(2));
  options.max_errors = random.chance(25) ? 3 : 1;
  options.deadlock = random.chance(50) ? DeadlockMode::off : DeadlockMode::stuttering;
  if (random.chance(25)) options.store.signature_bits = 64;
  options.trace = random.chance(80);
  options.parameters = variant.parameters;
  options.disk.disks = {folder};
  options.time_limit = 100;
  return options;
}

// A search reads its files again at each level: on a chain of thousands it takes long and meets nothing new.
ExplicitGraphModel make_model(Random& random) {
  while (true) {
    ExplicitGraphModel model(large_random_graph(random.below(1000)));
    if (reference_check(model, {DeadlockMode::off, {}, 1}).levels.size() < 500) return model;
  }
}

// What the user is told: what happened, to which file.
void expect_clear(const std::string& message, const Plan& plan, const std::string& folder) {
  EXPECT_NE(std::string::npos, message.find(folder + "/strata-run-")) << message;
  const bool full = message.find("the disk is full: ") != std::string::npos;
  const bool error = message.find("Input/output error") != std::string::npos;
  const bool damaged = message.find("the disk or another program changed it") != std::string::npos;
  switch (plan.fault) {
    case Fault::disk_full: EXPECT_TRUE(full) << message; break;
    case Fault::read_error:
    case Fault::write_error: EXPECT_TRUE(error) << message; break;
    default: EXPECT_TRUE(damaged) << message; break;
  }
}

// The search ended before its time. What it found until then is true.
void expect_incomplete(const ReferenceResult& expected, const SearchResult& actual, const Variant& variant) {
  EXPECT_TRUE(actual.missed_covers.empty());
  const std::vector<uint64_t> lengths = error_lengths(actual);
  if (actual.counterexamples.empty()) {
    EXPECT_EQ(Verdict::incomplete, actual.verdict);
  } else {
    EXPECT_NE(Verdict::incomplete, actual.verdict);
    EXPECT_FALSE(expected.error_lengths.empty());
  }
  if (!lengths.empty() && !expected.error_lengths.empty()) {
    EXPECT_GE(lengths.front(), expected.error_lengths.front());
  }
  if (actual.exact) {
    EXPECT_GE(actual.states, std::accumulate(actual.levels.begin(), actual.levels.end(), uint64_t{0}));
  }
  if (variant.once && expected.verdict == Verdict::holds) {
    EXPECT_LE(actual.states, expected.states);
  }
}

class FaultsTest : public testing::TestWithParam<Variant> {};

TEST_P(FaultsTest, GiveTheRightAnswerOrAnError) {
  const Variant& variant = GetParam();
  uint64_t struck = 0, errors = 0;
  const OwnFolder folder;
  for (uint64_t seed = 1; seed <= runs(); ++seed) {
    Random random(seed);
    FaultPlan faults;
    const ExplicitGraphModel model = make_model(random);
    SearchOptions options = make_options(variant, folder.path(), random);
    const Plan plan = make_plan(faults, random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name_of(variant) + ", " + plan.text + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads) +
                 ", bits " + std::to_string(options.store.signature_bits));
    options.disk.faults = &faults;
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const auto actual = find_algorithm(variant.algorithm)->run({model, options, progress, stop});
    struck += faults.struck() > 0;
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "something was left on the disk";
    if (!actual.ok()) {
      if (actual.status().code() == StatusCode::limit) continue;  // no room to begin
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      EXPECT_EQ(plan.fault == Fault::disk_full ? StatusCode::disk_full : StatusCode::system,
                actual.status().code());
      expect_clear(actual.status().message(), plan, folder.path());
    } else if (actual->stop == StopReason::disk) {
      ++errors;
      EXPECT_GT(faults.struck(), 0u);
      expect_clear(actual->stop_message, plan, folder.path());
      expect_incomplete(reference_check(model, {options.deadlock, {}, options.max_errors}), *actual, variant);
    } else if (!has_no_room(*actual, variant)) {
      ReferenceResult expected = reference_check(model, {options.deadlock, {}, options.max_errors});
      // Without paths there are no lengths.
      if (!options.trace) expected.error_lengths = error_lengths(*actual);
      expect_same(expected, *actual, variant);
    }
    if (HasFailure()) return;
  }
  RecordProperty("struck", static_cast<int>(struck));
  RecordProperty("errors", static_cast<int>(errors));
  if (runs() >= 20) {
    EXPECT_GT(struck, runs() / 8);
    EXPECT_GT(errors, runs() / 10);
  }
}

INSTANTIATE_TEST_SUITE_P(All, FaultsTest, testing::ValuesIn(variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
