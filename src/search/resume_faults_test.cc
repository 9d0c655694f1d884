// Every search that can be resumed, with checkpoints all the time, on disks that fail, and with images that
// are damaged between two runs. A run gives the right answer or names a file; then it is resumed without
// faults and gives the right answer, too. Only where the disk kept something else than was written may it
// refuse, with file and offset. A failing seed is in the test's message.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "block/testing/storages.h"
#include "model/testing/random_graph.h"
#include "search/testing/faults.h"
#include "view/fold/folded_model.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// A chain of thousands takes long and meets nothing new.
ExplicitGraphModel wide_model(Random& random) {
  while (true) {
    ExplicitGraphModel model(large_random_graph(random.below(1000)));
    if (reference_check(model, {DeadlockMode::off, {}, 1}).levels.size() < 500) return model;
  }
}

bool says(const std::string& message, const std::string& text) {
  return message.find(text) != std::string::npos;
}

// A byte is another one, the end is missing, or the file is.
std::string damage(const std::string& path, Random& random) {
  std::error_code error;
  const uint64_t size = fs::file_size(path, error), place = random.below(std::max<uint64_t>(size, 1));
  if (random.chance(10) || error) {
    fs::remove(path);
    return path + " removed";
  }
  if (random.chance(40)) {
    // What is missing at the end reads as zeros, so something else has to be cut off.
    std::ifstream whole(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
    const uint64_t end = std::min<uint64_t>(place, bytes.find_last_not_of('\0'));
    fs::resize_file(path, end);
    return path + " cut at " + std::to_string(end);
  }
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(place));
  file.put(static_cast<char>(byte ^ (1 << random.below(8))));
  return path + " has another byte at " + std::to_string(place);
}

// What happened in all runs.
struct Counts {
  uint64_t struck = 0, told = 0, errors = 0, damaged = 0, refused = 0, answers = 0, resumed = 0;
};

// One question, from its first run to its answer.
class Trial {
 public:
  Trial(const Model& model, const Variant& variant, SearchOptions options, Random& random, Counts& counts)
      : model_(model),
        variant_(variant),
        options_(std::move(options)),
        random_(random),
        counts_(counts),
        folded_(random.chance(25)) {
    where_.folder = folder_.path() + "/run";
    where_.every = 0;
  }

  void run() {
    if (random_.chance(30)) where_.disks = {folder_.path()};
    uint64_t faulty = 1 + random_.below(4);
    // More time each time, so that it ends.
    for (double limit = 0.001;; limit *= 1.5) {
      auto checkpoints = begun_ ? reopened() : Checkpoints::create(where_, "a run");
      ASSERT_TRUE(checkpoints.ok()) << checkpoints.status().message();
      begun_ = true;
      where_.disks.clear();
      FaultPlan faults;
      FaultCase plan{Fault::none, "no faults"};
      if (faulty > 0 && random_.chance(60)) {
        --faulty;
        plan = make_faults(faults, random_);
      }
      history_ += ", " + plan.text;
      SCOPED_TRACE("so far" + history_);
      if (over(part(**checkpoints, limit, faults), plan, faults) || testing::Test::HasFailure()) return;
      ++counts_.resumed;
    }
  }

 private:
  // The run as it was left, or with its last image damaged: then it is refused, and the one before has to do.
  Result<std::unique_ptr<Checkpoints>> reopened() {
    if (!random_.chance(15)) return Checkpoints::open(where_);
    Checkpoints::Options where = where_;
    std::string image;
    {
      auto opened = Checkpoints::open(where);
      if (!opened.ok() || !(*opened)->stands() || !(*opened)->folder().has_previous()) return opened;
      image = (*opened)->folder().image();
    }
    ++counts_.damaged;
    const std::string text = damage(image, random_);
    history_ += ", " + text;
    const auto refused = Checkpoints::open(where);
    EXPECT_FALSE(refused.ok()) << text;
    if (refused.ok()) return refused.status();
    EXPECT_EQ(StatusCode::system, refused.status().code());
    const std::string message = refused.status().message();
    EXPECT_TRUE(says(message, image) && says(message, "resume from that with --previous")) << message;
    EXPECT_TRUE(says(message, "offset") || says(text, "removed")) << message;
    where.from = CheckpointFolder::From::previous;
    return Checkpoints::open(where);
  }

  Result<SearchResult> part(Checkpoints& checkpoints, double limit, FaultPlan& faults) {
    SearchOptions options = options_;
    options.time_limit = limit;
    options.disk.faults = &faults;
    if (begun_) {
      options.threads = 1 + static_cast<unsigned>(random_.below(2));
      options.memory = options_.memory * (1 + random_.below(3));
    }
    checkpoints.tell([&](const std::string& text) {
      ++counts_.told;
      if (says(text, "--memory")) return;
      EXPECT_GT(faults.struck(), 0u) << text;
      EXPECT_TRUE(says(text, folder_.path())) << text;
    });
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    constexpr uint64_t kShape = 8 << 20;
    const FoldedModel keys(model_, FoldTree::even(model_.info().state_bytes), kShape, kShape);
    SearchContext context{folded_ ? static_cast<const Model&>(keys) : model_, options, progress, stop};
    context.checkpoints = &checkpoints;
    return variant_.algorithm->run(context);
  }

  // Whether the question has its answer, or none can be had.
  bool over(const Result<SearchResult>& result, const FaultCase& plan, const FaultPlan& faults) {
    const bool struck = faults.struck() > 0;
    counts_.struck += struck;
    silent_ |= struck && (plan.fault == Fault::torn_write || plan.fault == Fault::flipped_bit);
    if (!result.ok() && result.status().code() == StatusCode::limit) return true;
    if (!result.ok() || result->stop == StopReason::disk) {
      const std::string message = result.ok() ? result->stop_message : result.status().message();
      ++counts_.errors;
      expect_clear(message, struck ? plan.fault : Fault::none);
      // What is damaged stays so.
      const bool refuses = says(message, "the disk or another program changed it");
      counts_.refused += refuses;
      return refuses && !struck;
    }
    if (result->stop == StopReason::time) return false;
    if (has_no_room(*result, variant_)) return true;
    ReferenceResult expected = reference_check(model_, {options_.deadlock, {}, options_.max_errors});
    // Without paths there are no lengths.
    if (!options_.trace) expected.error_lengths = error_lengths(*result);
    expect_same(expected, *result, variant_);
    ++counts_.answers;
    return true;
  }

  void expect_clear(const std::string& message, Fault fault) const {
    EXPECT_TRUE(says(message, folder_.path() + "/")) << message;
    EXPECT_TRUE(says(message, "offset")) << message;
    const bool full = says(message, "the disk is full: "), error = says(message, "Input/output error");
    const bool damaged = says(message, "the disk or another program changed it");
    EXPECT_TRUE((full && fault == Fault::disk_full) || (damaged && silent_) ||
                (error && (fault == Fault::read_error || fault == Fault::write_error)))
        << message;
  }

  const Model& model_;
  const Variant& variant_;
  const SearchOptions options_;
  Random& random_;
  Counts& counts_;
  const bool folded_;
  const TemporaryFolder folder_{true};
  Checkpoints::Options where_;
  bool begun_ = false, silent_ = false;  // silent: the disk may hold something else than was written
  std::string history_;
};

TEST(ResumeFaultsTest, GiveTheRightAnswerOrNameAFile) {
  std::vector<Variant> all = variants();
  std::erase_if(all, [](const Variant& variant) { return !variant.has(trait::resumable); });
  ASSERT_FALSE(all.empty());
  const uint64_t runs = 3 * fault_runs();
  Counts counts;
  for (uint64_t seed = 1; seed <= runs; ++seed) {
    const Variant& variant = all[seed % all.size()];
    Random random(seed);
    const ExplicitGraphModel model = wide_model(random);
    const SearchOptions options = faulty_options(variant, "/nowhere", random);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + name_of(variant) + ", memory " +
                 std::to_string(options.memory >> 10) + ", threads " + std::to_string(options.threads) +
                 ", bits " + std::to_string(options.store.signature_bits));
    Trial(model, variant, options, random, counts).run();
    if (HasFailure()) return;
  }
  if (std::getenv("STRATA_TALLY") != nullptr)
    std::printf(
        "%lu runs: struck %lu, told %lu, errors %lu, damaged %lu, refused %lu, answers %lu, resumed %lu\n",
        runs, counts.struck, counts.told, counts.errors, counts.damaged, counts.refused, counts.answers,
        counts.resumed);
  if (runs < 50) return;
  EXPECT_GT(counts.struck, runs / 6);  // fewer on a busy machine: limits of time come earlier
  EXPECT_GT(counts.errors, runs / 6);
  EXPECT_GT(counts.damaged, runs / 6);
  EXPECT_GT(counts.answers, runs / 2);
}

}  // namespace
}  // namespace strata
