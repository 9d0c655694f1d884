#include "search/device/device_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/units.h"
#include "engine/contract/parameters.h"

namespace strata {

namespace {

constexpr uint64_t kLeastStretch = 1 << 10;
// The host's buffers.
constexpr uint64_t kBatch = 64, kMostBuffer = 4 << 20, kBufferShare = 4;

}  // namespace

DeviceHostPlan plan_device_host(const PlanInput& input) {
  DeviceHostPlan plan;
  plan.shares = MemoryPlan(input.memory);
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

Status DeviceSearch::prepare() {
  const auto plan = run_.plan(plan_device_host);
  if (!plan.ok()) return plan.status();
  if (Status status = run_.start(plan->batch); !status.ok()) return status;
  reader_.emplace(states_, run_.pool(), run_.info.state_bytes, plan->buffer);
  return {};
}

bool DeviceSearch::search() {
  insert_initial();
  if (lost_) run_.fail(full_);
  while (next_level()) {
    if (!process_level()) return false;
    if (run_.at_bound(level_)) run_.stop(StopReason::bound);
    ++level_;
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
  return Status::limit(fmt::format("the memory of the device ({}) is full: {}; leave --device out, and the "
                                   "processor continues on disk, or make the model smaller",
                                   device_.name, room),
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
  if (!run_.rounds().another_level(states_.size() > to_)) return false;
  from_ = to_;
  to_ = states_.size();
  level_sizes_.push_back(to_ - from_);
  run_.context.progress.begin_level(to_ - from_);
  run_.phase(fmt::format("expanding level {}", level_));
  return true;
}

// False: a part of the level is left, because the memory is full.
bool DeviceSearch::process_level() {
  at_ = from_;
  if (goes_by_course())
    expand_course();
  else
    expand_stretches();
  if (lost_ && !run_.halted()) return false;
  static_cast<void>(run_.rounds().end_round(false));
  run_.end_level();
  if (!run_.halted() && states_.size() > to_) works(better_.take_over(kernels_).status());
  return true;
}

// A level of at most so many states is expanded without the host.
uint64_t DeviceSearch::small_level() const { return std::min(small_level_, states_.most_together()); }

bool DeviceSearch::goes_by_course() const { return to_ - from_ <= small_level() && !run_.at_bound(level_); }

// Expands the level, and further ones as long as there is nothing to do for the host.
void DeviceSearch::expand_course() {
  if (run_.halted()) return;
  const uint64_t most = run_.options.bound ? *run_.options.bound - level_ : device::kernels::kMostOfCourse;
  if (!step([&] { return states_.expand_course(from_, to_, most, small_level()); }) || lost_) return;
  const uint64_t levels = states_.course_levels();
  for (uint64_t i = 0; i < levels; ++i) {
    if (i > 0) {
      ++level_;
      from_ = to_;
      to_ = states_.course_end(i - 1);
      level_sizes_.push_back(to_ - from_);
      run_.context.progress.begin_level(to_ - from_);
    }
    expansions_ += to_ - from_;
  }
  note_progress(to_);
  look_at_flagged(from_, to_, level_);
}

// At the bound, states are only checked.
void DeviceSearch::expand_stretches() {
  const bool checks = run_.at_bound(level_);
  while (at_ < to_ && !run_.halted()) {
    const uint64_t end = std::min(at_ + std::min(stretch_, states_.most_together()), to_);
    const auto begin = Clock::now();
    if (!step([&] { return checks ? states_.check(at_, end) : states_.expand(at_, end); }) || lost_) return;
    const double seconds = seconds_between(begin, Clock::now());
    if (!checks) expansions_ += end - at_;
    note_progress(end);
    look_at_flagged(at_, end, level_);
    if (seconds < kShortSeconds && end - at_ == stretch_) stretch_ *= 4;
    if (seconds > kLongSeconds) stretch_ = std::max(stretch_ / 4, kLeastStretch);
    at_ = end;
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
  board.transitions.store(states_.all_fired(), std::memory_order_relaxed);
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

// ---- the end

void DeviceSearch::count() {
  RuleCounts counts(run_.info);
  for (uint64_t rule = 0; rule < run_.info.rules.size(); ++rule) {
    counts.rules[rule].fired = states_.fired(rule);
    counts.rules[rule].states = states_.fired_in(rule);
  }
  counts.state = expansions_;
  run_.count_elsewhere(expansions_, states_.orbit_states(), counts);
}

Result<SearchResult> DeviceSearch::finish() {
  if (states_.size() > to_) level_sizes_.push_back(states_.size() - to_);
  count();
  DeviceHistory history(states_, *reader_, level_sizes_, device_.lanes);
  return run_.finish({states_.size(), level_sizes_, {}}, &history);
}

}  // namespace strata
