#include "engine/disk/log_expander.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "base/random.h"
#include "base/sanitized.h"
#include "engine/testing/reference_checker.h"
#include "model/testing/random_graph.h"

namespace strata {
namespace {

// Explores a graph with the visited states in a std::set, and looks at what the expander does on the way.
class Explorer {
 public:
  Explorer(const SearchContext& context, uint64_t seed, bool discards)
      : run_(context), random_(seed), discards_(discards) {}

  void explore() {
    ASSERT_TRUE(run_.start_on_disk(disk_sizes(run_.plan_input(), 2)).ok());
    log_ = run_.make_log("log", run_.state_bytes());
    run_.initial([&](const Expansion& some) {
      for (uint64_t i = 0; i < some.count; ++i) add(some.successor(i), "");
    });
    // In several rounds, as `part` does for its partitions: what is left out is appended between them.
    uint64_t expanded = 0;
    while (expanded < log_->size()) {
      LogExpander expander(run_, *log_, expanded, discards_, [&](uint64_t end) {
        EXPECT_GT(end, ends_.empty() ? 0 : ends_.back());
        ends_.push_back(end);
        return ends_.size() - 1;
      });
      while (!expander.run([&](DiskWorker& worker, Batch& batch) { return sink(worker, batch, expander); }))
        ++pauses_;
      expanded = log_->size();
      for (const auto& [state, parent] : std::exchange(left_out_, {})) add(bytes(state), parent);
    }
  }

  uint64_t states() const { return places_.size(); }
  uint64_t pauses() const { return pauses_; }
  uint64_t expansions() {
    uint64_t sum = 0;
    for (unsigned i = 0; i < run_.threads(); ++i) sum += run_.worker(i).expansions;
    return sum;
  }
  // Each state's parent is in an earlier epoch.
  void check_epochs() const {
    for (const auto& [state, found] : places_) {
      if (found.parent.empty()) continue;
      EXPECT_LT(epoch_of(places_.at(found.parent).place), epoch_of(found.place));
    }
    if (!ends_.empty()) {
      EXPECT_EQ(ends_.back(), states());
    }
  }

 private:
  struct Found {
    uint64_t place;
    std::string parent;
  };

  static const uint8_t* bytes(const std::string& state) {
    return reinterpret_cast<const uint8_t*>(state.data());
  }
  uint64_t epoch_of(uint64_t place) const {
    return static_cast<uint64_t>(std::upper_bound(ends_.begin(), ends_.end(), place) - ends_.begin());
  }
  void add(const uint8_t* state, const std::string& parent) {
    const std::string key(reinterpret_cast<const char*>(state), run_.state_bytes());
    if (!places_.try_emplace(key, Found{log_->size(), parent}).second) return;
    ASSERT_TRUE(log_->append(state, 1).ok());
  }
  bool sink(DiskWorker& worker, Batch& batch, LogExpander& expander) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const uint64_t size = run_.state_bytes();
    for (; batch.done < batch.keys.count; ++batch.done) {
      const uint64_t i = batch.done;
      const uint8_t* state = batch.states + i * size;
      const uint8_t* parent = batch.parents + worker.base.out.parents[i] * size;
      const std::string parent_key(reinterpret_cast<const char*>(parent), size);
      if (random_.below(1000) == 0) return false;
      if (random_.below(50) == 0) {
        left_out_.emplace_back(std::string(reinterpret_cast<const char*>(state), size), parent_key);
      } else {
        add(state, parent_key);
      }
    }
    if (random_.below(100) == 0) expander.pause();
    expander.appended();
    return true;
  }

  DiskRun run_;
  std::mutex mutex_;
  Random random_;
  const bool discards_;
  std::unique_ptr<StateLog> log_;
  std::map<std::string, Found> places_;
  std::vector<std::pair<std::string, std::string>> left_out_;
  std::vector<uint64_t> ends_;
  uint64_t pauses_ = 0;
};

TEST(LogExpanderTest, ExpandsEachStateOnceAndParentsFirst) {
  uint64_t pauses = 0;
  for (uint64_t seed = 1; seed <= (kSanitized ? 6 : 40); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const ExplicitGraphModel model(seed % 4 == 0 ? large_random_graph(seed) : random_graph(seed));
    ReferenceOptions reference;
    reference.deadlock = DeadlockMode::off;
    reference.max_errors = UINT64_MAX;
    SearchOptions options;
    options.memory = (256ull << 10) << seed % 3;
    options.threads = 1 + static_cast<unsigned>(seed % 3);
    options.deadlock = DeadlockMode::off;
    options.max_errors = UINT64_MAX;
    options.disk.disks = {std::filesystem::temp_directory_path().string()};
    ProgressBoard progress;
    const std::atomic<bool> stop{false};
    const SearchContext context{model, options, progress, stop};
    Explorer explorer(context, seed, seed % 2 == 0);
    explorer.explore();
    EXPECT_EQ(reference_check(model, reference).states, explorer.states());
    EXPECT_EQ(explorer.states(), explorer.expansions());
    explorer.check_epochs();
    pauses += explorer.pauses();
    if (HasFailure()) return;
  }
  EXPECT_GT(pauses, 10u);
}

}  // namespace
}  // namespace strata
