#include "search/device/device_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/units.h"
#include "engine/contract/parameters.h"

namespace strata {

namespace {

constexpr uint64_t kLeastStretch = 1 << 10;
// The host's buffers.
constexpr uint64_t kBatch = 64, kMostBuffer = 4 << 20, kBufferShare = 4;

}  // namespace

DeviceHostPlan plan_device_host(const PlanInput& input, uint64_t kept) {
  DeviceHostPlan plan;
  plan.shares = MemoryPlan(input.memory);
  if (kept > 0) plan.shares.give("checkpoints", kept);
  plan.batch = std::max(kBatch, std::min(input.max_successors, kSureSuccessors));
  plan.shares.give("successors", input.threads * plan.batch * input.successor_bytes());
  plan.buffer =
      std::clamp(plan.shares.left() / kBufferShare, input.state_bytes + 2 * kSlackBytes, kMostBuffer);
  plan.shares.give("buffers", plan.buffer);
  return plan;
}

DeviceSearch::DeviceSearch(SearchRun& run, DeviceStates& states, const device::DeviceInfo& device,
                           DeviceKernels& kernels, BetterKernels& better)
    : run_(run),
      states_(states),
      device_(device),
      kernels_(kernels),
      better_(better),
      small_level_(parameter<uint64_t>(run.options, "small")),
      stretch_(parameter<uint64_t>(run.options, "stretch")) {}

Status DeviceSearch::prepare(uint64_t kept) {
  const auto plan = run_.plan([&](const PlanInput& input) { return plan_device_host(input, kept); });
  if (!plan.ok()) return plan.status();
  if (Status status = run_.start(plan->batch); !status.ok()) return status;
  reader_.emplace(states_, run_.pool(), run_.info.state_bytes, plan->buffer);
  return {};
}

bool DeviceSearch::search() {
  if (!restored_) insert_initial();
  if (lost_) run_.fail(full_);
  while (std::exchange(restored_, false) ? run_.goes_on() : next_level()) {
    if (!process_level()) return false;
    if (run_.at_bound(here_.level)) run_.stop(StopReason::bound);
    ++here_.level;
  }
  return true;
}

void DeviceSearch::fail(const std::string& more) {
  run_.fail(Status::limit(full_.message() + more, full_.reason()));
  static_cast<void>(run_.rounds().end_round(false));
  run_.end_level();
}

Status DeviceSearch::full() const {
  const std::string room =
      states_.lacks_nodes()
          ? fmt::format(
                "it has no room for more than {} parts of folded states, and might have more for whole "
                "states (--fold off)",
                states_.nodes())
          : fmt::format("{} has room for {} states", bytes_text(states_.bytes()), states_.capacity());
  const char* const way =
      run_.context.checkpoints == nullptr ? "leave --device out" : "resume with --device none";
  return Status::limit(
      fmt::format("the memory of the device ({}) is full: {}; {}, and the processor continues on "
                  "disk, or make the model smaller",
                  device_.name, room, way),
      Reason::memory_of_device);
}

// ---- levels

void DeviceSearch::insert_initial() {
  run_.initial([&](const Expansion& some) {
    if (some.count == 0 || lost_) return;
    step([&] { return states_.add(some.states.data(), some.count); });
    note_progress(0);
  });
}

// Makes a level of the states found last. False: there are none, or the search has to end.
bool DeviceSearch::next_level() {
  if (!run_.rounds().another_level(states_.size() > here_.to)) return false;
  here_.from = here_.to;
  here_.at = here_.from;
  here_.to = states_.size();
  level_sizes_.push_back(here_.to - here_.from);
  run_.context.progress.begin_level(here_.to - here_.from);
  run_.phase(fmt::format("expanding level {}", here_.level));
  return true;
}

// False: a part of the level is left, because the memory is full.
bool DeviceSearch::process_level() {
  if (goes_by_course())
    expand_course();
  else
    expand_stretches();
  if (lost_ && !run_.halted()) return false;
  static_cast<void>(run_.rounds().end_round(false));
  run_.end_level();
  if (!run_.halted() && states_.size() > here_.to) works(better_.take_over(kernels_).status());
  return true;
}

// A level of at most so many states is expanded without the host.
uint64_t DeviceSearch::small_level() const { return std::min(small_level_, states_.most_together()); }

bool DeviceSearch::goes_by_course() const {
  const bool whole = here_.at == here_.from;
  return whole && here_.to - here_.from <= small_level() && !run_.at_bound(here_.level);
}

// Expands the level, and further ones as long as there is nothing to do for the host.
void DeviceSearch::expand_course() {
  if (run_.halted()) return;
  const uint64_t most =
      run_.options.bound ? *run_.options.bound - here_.level : device::kernels::kMostOfCourse;
  if (!step([&] { return states_.expand_course(here_.from, here_.to, most, small_level()); }) || lost_)
    return;
  const uint64_t levels = states_.course_levels();
  for (uint64_t i = 0; i < levels; ++i) {
    if (i > 0) {
      ++here_.level;
      here_.from = here_.to;
      here_.to = states_.course_end(i - 1);
      level_sizes_.push_back(here_.to - here_.from);
      run_.context.progress.begin_level(here_.to - here_.from);
    }
    expansions_ += here_.to - here_.from;
  }
  here_.at = here_.to;
  note_progress(here_.to);
  look_at_flagged(here_.from, here_.to, here_.level);
  rest_if_wanted();
}

// At the bound, states are only checked.
void DeviceSearch::expand_stretches() {
  const bool checks = run_.at_bound(here_.level);
  while (here_.at < here_.to && !run_.halted()) {
    const uint64_t end = std::min(here_.at + std::min(stretch_, states_.most_together()), here_.to);
    const auto begin = Clock::now();
    if (!step([&] { return checks ? states_.check(here_.at, end) : states_.expand(here_.at, end); }) || lost_)
      return;
    const double seconds = seconds_between(begin, Clock::now());
    if (!checks) expansions_ += end - here_.at;
    note_progress(end);
    look_at_flagged(here_.at, end, here_.level);
    if (seconds < kShortSeconds && end - here_.at == stretch_) stretch_ *= 4;
    if (seconds > kLongSeconds) stretch_ = std::max(stretch_ / 4, kLeastStretch);
    here_.at = end;
    rest_if_wanted();
  }
}

bool DeviceSearch::step(const std::function<Status()>& run_step) {
  states_.begin_step();
  if (!works(run_step())) return false;
  while (states_.full() && states_.can_grow())
    if (!works(states_.undo()) || !works(states_.grow()) || !works(run_step())) return false;
  if (states_.full()) {
    lost_ = true;
    full_ = full();
    return works(states_.take_back());
  }
  return !states_.crowded() || works(states_.grow());
}

bool DeviceSearch::works(const Status& status) {
  if (status.ok()) return true;
  // What a device has no room for is a matter of its memory, not of --memory.
  run_.fail(status.code() == StatusCode::limit ? Status::limit(status.message(), Reason::memory_of_device)
                                               : status);
  return false;
}

// All states up to this place are expanded, or checked.
void DeviceSearch::note_progress(uint64_t done) {
  ProgressBoard& board = run_.context.progress;
  board.states.store(states_.size(), std::memory_order_relaxed);
  board.queue.store(states_.size() - done, std::memory_order_relaxed);
  board.transitions.store(transitions(), std::memory_order_relaxed);
}

// ---- flagged states

void DeviceSearch::look_at_flagged(uint64_t from, uint64_t to, uint64_t level) {
  if (states_.flags() == 0) return;
  if (!states_.knows_flagged()) {
    if (!works(states_.forget_flagged())) return;
    return look_at_all(from, to, level);
  }
  const uint64_t n = states_.flags();
  if (!works(states_.take_flagged(flagged_))) return;
  run_.look_again(run_.worker(0), flagged_.data(), n, level);
}

// More states were flagged than the device could tell.
void DeviceSearch::look_at_all(uint64_t from, uint64_t to, uint64_t level) {
  const auto look = [&](unsigned thread, const uint8_t* states, uint64_t n) {
    run_.look_again(run_.worker(thread), states, n, level);
  };
  works(reader_->visit(from, to, look, [&] { return run_.halted(); }));
}

// ---- checkpoints and the end

void DeviceSearch::rest_if_wanted() {
  if (run_.halted() || !run_.saving().pause_wanted()) return;
  if (give_counts()) run_.saving().checkpoint();
}

void DeviceSearch::save() {
  if (!run_.halted() && run_.saving().offered() && give_counts()) run_.saving().checkpoint_phase();
}

// False: the device failed.
bool DeviceSearch::give_counts() {
  const Result<double> ahead = weigh_ahead();
  return works(ahead.status()) && hand_over_counts(*ahead);
}

// What the states stand for that are not expanded. At the bound, none are.
Result<double> DeviceSearch::weigh_ahead() {
  const uint64_t open = run_.at_bound(here_.level) ? here_.from : here_.at;
  return states_.weigh(open, states_.size() - open);
}

void DeviceSearch::continue_counts(double ahead) {
  transitions_ = run_.context.progress.transitions;
  ahead_ = ahead;
}

void DeviceSearch::continue_from(const Rest& here) {
  here_ = here;
  restored_ = true;
  if (!works(states_.forget_counts())) return;
  const Result<double> ahead = weigh_ahead();
  if (works(ahead.status())) continue_counts(*ahead);
  run_.phase(fmt::format("expanding level {}", here_.level));
}

bool DeviceSearch::add_saved(const uint8_t* states, uint64_t n) {
  return step([&] { return states_.add(states, n); }) && !lost_;
}

bool DeviceSearch::hand_over_counts(double ahead) {
  count(ahead);
  transitions_ = transitions();
  expansions_ = 0;
  ahead_ = ahead;
  return works(states_.forget_counts());
}

void DeviceSearch::count(double ahead) {
  RuleCounts counts(run_.info);
  for (uint64_t rule = 0; rule < run_.info.rules.size(); ++rule) {
    counts.rules[rule].fired = states_.fired(rule);
    counts.rules[rule].states = states_.fired_in(rule);
  }
  counts.state = expansions_;
  run_.count_elsewhere(expansions_, states_.orbit_states() + ahead_ - ahead, counts);
}

Result<SearchResult> DeviceSearch::finish() {
  if (states_.size() > here_.to) level_sizes_.push_back(states_.size() - here_.to);
  count();
  DeviceHistory history(states_, *reader_, level_sizes_, device_.lanes);
  return run_.finish({states_.size(), level_sizes_, {}}, &history);
}

}  // namespace strata
