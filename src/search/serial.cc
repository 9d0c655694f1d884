// `serial`: Della Penna, Intrigila, Melatti, Tronci, Venturini Zilli, "Integrating RAM and disk based verification
// within the Murphi verifier" (CHARME 2003), figure 2. Cached breadth-first search (cached_search.h) while RAM lasts;
// when its collision rate exceeds gamma, or on SIGUSR1, the search continues as disk based search (checked_search.h)
// without repeating work:
//
//   queue file            the states to be expanded next     ->  the first level of the disk search
//   state space file      the states of the cache table      ->  the disk search's file of visited states
//   administrative file   level, counts, store, parameters   ->  where the disk search continues
//
// The paper's controller is a process of its own that sends a signal; here it is a test between two levels.
// States that the cache has forgotten are in neither file: the disk search may visit them again, as the paper's does.
#include <fmt/format.h>

#include "engine/contract/parameters.h"
#include "report/run_info.h"
#include "search/cached/cached_search.h"
#include "search/checked/age_choice.h"
#include "search/checked/checked_search.h"

namespace strata {

namespace {

class SerialSearch {
 public:
  SerialSearch(const SearchContext& context, double gamma)
      : run_(context), cached_(run_, gamma), context_(context), gamma_(gamma) {}

  Result<SearchResult> run();

 private:
  static constexpr uint64_t kLogs = CachedSearch::kLogs + CheckedSearch::kLogs;
  // The cache table and the table of the search on disk have the same share, one after the other.
  static CachedPlan plan_in_ram(const PlanInput& input) { return plan_cached(input, kLogs); }
  static CheckedPlan plan_on_disk(const PlanInput& input) {
    return plan_checked(input, TableKind::chained, kLogs);
  }
  // When and why the search went to disk.
  struct Switch {
    CachedSearch::End why = CachedSearch::End::done;
    uint64_t level = 0, expansions = 0;
    double seconds = 0;
  };

  Status search_in_ram();
  void make_checked();
  Status write_image(CachedSearch::End why);
  Status go_on_disk(bool restored);
  void serialize(Image& image);
  std::vector<std::pair<std::string, SearchResult::Detail>> details() const;
  Result<SearchResult> finish();

  DiskRun run_;
  CachedSearch cached_;
  AgeChoice choice_;
  std::unique_ptr<CheckedSearch> checked_;  // null: not on disk yet
  const SearchContext& context_;
  const double gamma_;
  bool on_disk_ = false;
  Switch switch_;
};

Result<SearchResult> SerialSearch::run() {
  const auto plan = run_.plan(plan_in_ram);
  if (!plan.ok()) return plan.status();
  if (Status status = run_.start_on_disk(plan->disk); !status.ok()) return status;
  cached_.make_files();
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { serialize(image); }); !status.ok()) return status;
  if (resumes && on_disk_) {
    if (Status status = go_on_disk(true); !status.ok()) return status;
    return finish();
  }
  if (Status status = cached_.prepare(plan->cache); !status.ok()) return status;
  if (resumes)
    cached_.reload();
  else
    cached_.begin_anew();
  if (Status status = search_in_ram(); !status.ok()) return status;
  return finish();
}

Status SerialSearch::search_in_ram() {
  const CachedSearch::End end = cached_.search(context_.to_disk);
  if (end == CachedSearch::End::done || !run_.goes_on()) return {};
  if (Status status = write_image(end); !status.ok()) {
    run_.fail(status);
    return {};
  }
  return go_on_disk(false);
}

void SerialSearch::serialize(Image& image) {
  image.value("on_disk", on_disk_);
  image.value("switch", switch_);
  cached_.serialize(image);
  if (!on_disk_) return;
  if (image.restores()) make_checked();
  checked_->serialize(image);
}

void SerialSearch::make_checked() {
  checked_ = std::make_unique<CheckedSearch>(run_, TableKind::chained, choice_, cached_.level() + 1);
  checked_->make_files();
}

// The table becomes the file of visited states; the queue is a file already.
Status SerialSearch::write_image(CachedSearch::End why) {
  context_.progress.phase("going from RAM to disk");
  make_checked();
  StateLog& visited = checked_->visited().keys();
  Status status;
  uint64_t states = 0;
  cached_.table().for_each([&](const uint8_t* key) {
    if (status.ok()) status = visited.append(key, 1);
    ++states;
  });
  if (!status.ok()) return status;
  uint64_t expansions = 0;
  for (unsigned i = 0; i < run_.threads(); ++i) expansions += run_.worker(i).expansions;
  const LogRange queue = cached_.queue().front();
  switch_ = {why, cached_.level(), expansions, run_.elapsed()};
  return run_.write_file(
      "administrative",
      fmt::format("level: {}\nqueue: {} {} {}\nstates: {} {}\nstore: {}\nstate_bytes: {}\nkey_bytes: {}\n"
                  "expansions: {}\ncollisions: {}\ngamma: {}\n",
                  cached_.level(), queue.log->name(), queue.begin, queue.end, visited.name(), states,
                  store_name(run_.mode()), run_.state_bytes(), run_.key_bytes(), expansions,
                  cached_.collisions(), gamma_));
}

Status SerialSearch::go_on_disk(bool restored) {
  cached_.drop_table();
  const auto plan = run_.plan(plan_on_disk);
  if (!plan.ok()) return plan.status();
  if (Status status = checked_->prepare(plan->table); !status.ok()) return status;
  if (restored) {
    checked_->reload();
  } else {
    checked_->resume(cached_.queue());
    on_disk_ = true;
  }
  checked_->search();
  return {};
}

std::vector<std::pair<std::string, SearchResult::Detail>> SerialSearch::details() const {
  if (!on_disk_) return {{"switched", false}};
  const std::string by = switch_.why == CachedSearch::End::signal    ? "signal"
                         : switch_.why == CachedSearch::End::repeats ? "repeated states"
                                                                     : "collision rate";
  return {{"switched", true},
          {"switched_by", by},
          {"switched_at_level", switch_.level},
          {"switched_after_seconds", switch_.seconds},
          {"expansions_before", switch_.expansions},
          {"redone", uint64_t{0}}};
}

Result<SearchResult> SerialSearch::finish() {
  std::vector<std::pair<std::string, SearchResult::Detail>> told = details();
  if (!checked_) make_checked();
  cached_.drop_table();
  StateLog& inserted = cached_.inserted().keys();
  uint64_t states = inserted.size();
  states += checked_->level_sizes().sum();
  if (cached_.collisions() > 0 || checked_->visited().keys().size() > 0) {
    states = checked_->count_states({{&inserted, 0, inserted.size()}}, states,
                                    plan_on_disk(run_.plan_input()).table);
  }
  NumberList levels = cached_.level_sizes();
  const uint64_t in_ram = levels.size();
  levels.append(checked_->level_sizes());
  LogHistory history(run_, [&](uint64_t level) -> Result<std::vector<LogRange>> {
    return std::vector<LogRange>{level < in_ram ? cached_.level_range(level) : checked_->level_range(level)};
  });
  told.push_back({"collisions", cached_.collisions()});
  told.push_back({"collision_rate", cached_.collision_rate()});
  Result<SearchResult> result = checked_->finish({states, levels, {}}, history);
  if (result.ok()) result->details = std::move(told);
  return result;
}

}  // namespace

Result<SearchResult> search_serial(const SearchContext& context) {
  return SerialSearch(context, parameter<double>(context.options, "gamma")).run();
}

}  // namespace strata
