#include "search/beyond/beyond_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/contract/parameters.h"
#include "engine/disk/disk_run.h"
#include "search/beyond/beyond_history.h"

namespace strata {

// ---- levels

bool BeyondSearch::next_level() {
  if (!run_.rounds().another_level(found_ > 0)) return false;
  ++number_;
  excess_.begin_level();
  mark();
  level_ = level_of(number_);
  parts_.before.level_sizes().push_back(found_);
  run_.context.progress.begin_level(found_);
  run_.phase(fmt::format("expanding level {}", number_));
  expanded_ = found_ = 0;
  return true;
}

void BeyondSearch::search() {
  do {
    expand_level();
    static_cast<void>(run_.rounds().end_round(false));
    run_.end_level();
    if (space_->disk() != nullptr)
      run_.context.progress.disk_used.store(space_->disk()->used(), std::memory_order_relaxed);
    if (run_.at_bound(number_)) run_.stop(StopReason::bound);
    if (!run_.halted()) parts_.before.works(better_->take_over(parts_.kernels).status());
  } while (next_level());
}

void BeyondSearch::expand_level() {
  const Level level = level_;
  Status status = in_windows(level, [this](uint64_t n) { return expand_and_rest(n); });
  if (status.ok() && !run_.halted()) status = flush();
  if (status.ok() && !run_.halted() && must_resolve()) status = resolve();
  if (!status.ok() && status.code() != StatusCode::interrupted) run_.fail(status);
}

Status BeyondSearch::expand_and_rest(uint64_t n) {
  if (Status status = expand_window(n); !status.ok()) return status;
  if (run_.halted()) return Status(StatusCode::interrupted, "the search ends");
  pass(n);
  return rest_if_wanted();
}

// The first n states of what was to be expanded are.
void BeyondSearch::pass(uint64_t n) {
  const auto take = [&](uint64_t& from, uint64_t to) {
    const uint64_t some = std::min(n, to - from);
    from += some;
    n -= some;
  };
  take(level_.early_from, level_.early_to);
  for (uint64_t p = 0; p < plan_.partitions; ++p) take(level_.from[p], level_.to[p]);
}

// With a filter, candidates wait until they are as many as the states among which they are looked for, or nothing else
// is left to do.
bool BeyondSearch::must_resolve() const {
  return !filters_ || found_ == 0 || waiting_ > size_ - early_states_;
}

// Brings states to the device, as many as the window has room for, or the last ones.
Status BeyondSearch::in_windows(const Level& level, const TakeWindow& take) {
  uint64_t filled = 0;
  const auto add = [&](KeyLog& log, uint64_t from, uint64_t to) -> Status {
    while (from < to) {
      const uint64_t end = std::min(to, from + plan_.window - filled);
      {
        KeyReader reader(log, from, end);
        for (;;) {
          const Result<KeyReader::Span> span = reader.next();
          if (!span.ok()) return span.status();
          if (span->count == 0) break;
          if (Status status = device_.load(filled, span->keys, span->count); !status.ok()) return status;
          if (!span->stays)
            if (Status status = device_.settle(); !status.ok()) return status;
          filled += span->count;
        }
      }
      from = end;
      if (filled < plan_.window) continue;
      if (Status status = take(std::exchange(filled, 0)); !status.ok()) return status;
    }
    return {};
  };
  if (Status status = add(*early_, level.early_from, level.early_to); !status.ok()) return status;
  for (uint64_t p = 0; p < plan_.partitions; ++p)
    if (Status status = add(*visited_[p], level.from[p], level.to[p]); !status.ok()) return status;
  return filled == 0 ? Status() : take(filled);
}

// At the bound, states are only checked.
Status BeyondSearch::expand_window(uint64_t n) {
  const bool checks = run_.at_bound(number_);
  for (uint64_t at = 0; at < n && !run_.halted();) {
    const uint64_t end = std::min(at + stretch(), n), found = buffered();
    const auto begin = Clock::now();
    states_.begin_step();
    if (Status status = checks ? states_.check(at, end) : states_.expand(at, end); !status.ok())
      return status;
    if (states_.full()) {
      if (Status status = take_back(end - at, found); !status.ok()) return status;
      continue;
    }
    const double seconds = seconds_between(begin, Clock::now());
    seconds_.expand += seconds;
    if (!checks) parts_.before.note_expanded(end - at);
    expanded_ += end - at;
    note_progress();
    parts_.before.look_at_flagged(at, end, number_);
    adapt(end - at, buffered() - found, seconds);
    at = end;
    if (buffered() > plan_.candidates / 2)
      if (Status status = flush(); !status.ok()) return status;
  }
  return {};
}

// A stretch led to more candidates than there was room for: it is repeated, with an empty buffer or in smaller ones.
Status BeyondSearch::take_back(uint64_t expanded, uint64_t found) {
  const bool is_full = states_.lacks_nodes() || (expanded == 1 && found == 0);
  const Status full = is_full ? parts_.before.full() : Status();
  if (Status status = states_.undo(); !status.ok()) return status;
  if (!full.ok()) return full;
  if (Status status = device_.forget_recent(); !status.ok()) return status;
  if (found > 0) return flush();
  stretch_ = std::max<uint64_t>(expanded / 2, 1);
  return {};
}

uint64_t BeyondSearch::stretch() const {
  uint64_t most = std::min(stretch_, states_.most_together());
  const uint64_t room = plan_.candidates - buffered();
  if (rate_ > 0) most = std::min(most, static_cast<uint64_t>(static_cast<double>(room) / rate_));
  return std::max<uint64_t>(most, 1);
}

void BeyondSearch::adapt(uint64_t expanded, uint64_t found, double seconds) {
  rate_ = std::max(rate_, static_cast<double>(found) / static_cast<double>(expanded));
  if (seconds < kShortSeconds && expanded == stretch_) stretch_ *= 4;
  if (seconds > kLongSeconds) stretch_ = std::max<uint64_t>(stretch_ / 4, 1);
}

void BeyondSearch::note_progress() {
  ProgressBoard& board = run_.context.progress;
  const NumberList& sizes = parts_.before.level_sizes();
  const uint64_t level = sizes[sizes.size() - 1];
  board.states.store(size_, std::memory_order_relaxed);
  board.queue.store(level - std::min(level, expanded_) + found_, std::memory_order_relaxed);
  board.transitions.store(states_.all_fired(), std::memory_order_relaxed);
}

// ---- candidates

// Keys in the fuller one of the device's buffers.
uint64_t BeyondSearch::buffered() const { return std::max(states_.candidates(), states_.fresh()); }

// Brings candidates and new states to the logs of their partitions.
Status BeyondSearch::flush() {
  const uint64_t n = states_.candidates(), fresh = states_.fresh();
  const auto begin = Clock::now();
  if (fresh > 0) {
    if (Status status = append_parted(device_.part_fresh(fresh), visited_); !status.ok()) return status;
    found_ += fresh;
    size_ += fresh;
  }
  if (n > 0) {
    if (Status status = append_parted(device_.part_candidates(n), candidates_); !status.ok()) return status;
    if (waiting_ == 0) excess_.begin_waiting(number_);
    waiting_ += n;
    candidates_seen_ += n;
  }
  if (n + fresh > 0)
    if (Status status = states_.forget_found(); !status.ok()) return status;
  seconds_.copy += seconds_between(begin, Clock::now());
  return waiting_ > most_waiting_ ? resolve() : Status();
}

// Decides which candidates are new. Partitions that are small share a room.
Status BeyondSearch::resolve() {
  if (waiting_ == 0) return {};
  const auto begin = Clock::now();
  for (uint64_t p = 0; p < plan_.partitions && !run_.halted();) {
    if (keys_of(p) == 0) {
      ++p;
      continue;
    }
    Together together{p, p, 0};
    for (; together.to < plan_.partitions; ++together.to) {
      const uint64_t keys = keys_of(together.to);
      if (together.keys > 0 && together.keys + keys > plan_.room) break;
      together.keys += keys;
    }
    if (Status status = join(together); !status.ok()) return status;
    // Then the candidates may not be decided.
    if (run_.halted()) break;
    for (; p < together.to; ++p) {
      waiting_ -= candidates_[p]->size();
      candidates_[p]->clear();
    }
    note_progress();
  }
  seconds_.join += seconds_between(begin, Clock::now());
  // The orbits of new states were added.
  return states_.read_counts();
}

// How many keys a partition brings to its room.
uint64_t BeyondSearch::keys_of(uint64_t partition) const {
  const uint64_t candidates = candidates_[partition]->size();
  return candidates == 0 ? 0 : visited_[partition]->size() + candidates;
}

// In one pass, if the room has space for all keys. Otherwise there is one partition, and each of several passes takes a
// part of its keys. A pass in which the room is full is repeated as two.
Status BeyondSearch::join(const Together& together) {
  constexpr uint64_t kMostPasses = uint64_t{1} << 31;
  const bool one = together.to - together.from == 1;
  const uint64_t partitions = one ? plan_.partitions : 1, first = one ? together.from : 0;
  uint64_t passes = (together.keys + plan_.room - 1) / plan_.room;
  for (uint64_t pass = 0; pass < passes && !run_.halted();) {
    if (passes * partitions > kMostPasses) return parts_.before.full();
    const Result<bool> done = join_pass(together, partitions * passes, first * passes + pass);
    if (!done.ok()) return done.status();
    if (*done) {
      ++pass;
    } else {
      passes *= 2;
      pass *= 2;
    }
  }
  return {};
}

// False: the room was full, and nothing was appended.
Result<bool> BeyondSearch::join_pass(const Together& together, uint64_t parts, uint64_t part) {
  ++passes_;
  if (Status status = device_.open_room(parts, part); !status.ok()) return status;
  for (uint64_t p = together.from; p < together.to; ++p)
    if (keys_of(p) > 0)
      if (Status status = send(*visited_[p], &BeyondDevice::take_visited); !status.ok()) return status;
  const Result<BeyondDevice::Room> before = device_.read_room();
  if (!before.ok()) return before.status();
  if (before->full) return false;
  for (uint64_t p = together.from; p < together.to; ++p)
    if (Status status = send(*candidates_[p], &BeyondDevice::join); !status.ok()) return status;
  const Result<BeyondDevice::Room> after = device_.read_room();
  if (!after.ok()) return after.status();
  if (after->full) return false;
  if (Status status = take_new(before->keys, after->keys); !status.ok()) return status;
  return true;
}

// Appends new states, by their places in the room, to the logs of their partitions.
Status BeyondSearch::take_new(uint64_t from, uint64_t to) {
  if (states_.shape().reduces && from < to)
    if (Status status = device_.weigh(from, to - from); !status.ok()) return status;
  for (uint64_t at = from; at < to; at += device_.most_parted()) {
    const uint64_t n = std::min(device_.most_parted(), to - at);
    if (Status status = append_parted(device_.part_room(at, n), visited_); !status.ok()) return status;
  }
  found_ += to - from;
  size_ += to - from;
  if (filters_ && from < to) {
    late_ += to - from;
    excess_.note_late(number_ + 1);
  }
  return {};
}

// Appends keys that the device has grouped by partition, if it has.
Status BeyondSearch::append_parted(const Result<std::vector<uint64_t>>& sizes, Logs& logs) {
  if (!sizes.ok()) return sizes.status();
  uint64_t at = 0;
  for (uint64_t p = 0; p < plan_.partitions; ++p) {
    const auto copy = [&](uint8_t* to, uint64_t first, uint64_t count) {
      return device_.copy_parted(to, at + first, count);
    };
    if (Status status = logs[p]->append((*sizes)[p], copy); !status.ok()) return status;
    at += (*sizes)[p];
  }
  return device_.settle();
}

Status BeyondSearch::send(KeyLog& log, Status (BeyondDevice::*take)(const uint8_t*, uint64_t)) {
  KeyReader reader(log, 0, log.size());
  joined_ += log.size();
  for (;;) {
    const Result<KeyReader::Span> span = reader.next();
    if (!span.ok()) return span.status();
    if (span->count == 0) return {};
    if (Status status = (device_.*take)(span->keys, span->count); !status.ok()) return status;
    if (!span->stays)
      if (Status status = device_.settle(); !status.ok()) return status;
  }
}

// ---- the end

Result<SearchResult> BeyondSearch::finish() {
  if (found_ > 0) parts_.before.level_sizes().push_back(found_);
  parts_.before.count();
  BeyondHistory history(*this, parts_.device.info().lanes);
  Result<SearchResult> result =
      run_.finish({size_, parts_.before.level_sizes(), {}}, is_whole_ ? &history : nullptr);
  if (!result.ok()) return result;
  if (space_->disk() != nullptr) note_disk(*result, *space_->disk());
  result->seconds.io += space_->waited();
  if (filters_) say_how_late(*result);
  add_details(*result);
  return result;
}

void BeyondSearch::say_how_late(SearchResult& result) const {
  if (!result.counterexamples.empty()) {
    const uint64_t shown = result.counterexamples.front().steps.size();
    result.longer_by_at_most = excess_.longer_by(shown == 0 ? 0 : shown - 1, number_, waiting_ > 0);
  }
  result.levels_exact = excess_.none() && result.longer_by_at_most == 0;
}

void BeyondSearch::describe(DeviceReport& report) const {
  std::erase_if(report.plan, [](const auto& share) { return share.first == "list"; });
  report.plan.insert(report.plan.end(), plan_.shares.shares().begin(), plan_.shares.shares().end());
  report.states_beyond = size_ - early_states_;
  report.bytes_beyond = states_.key_bytes();
  report.host_bytes = space_->memory();
  report.disk_bytes = space_->disk_chunks() * space_->chunk_bytes();
}

void BeyondSearch::add_details(SearchResult& result) const {
  const std::vector<std::pair<std::string, SearchResult::Detail>> details = {
      {"beyond_at_states", began_at_},
      {"beyond_at_level", began_level_},
      {"early_states", early_states_},
      {"partitions", plan_.partitions},
      {"candidates", candidates_seen_},
      {"keys_joined", joined_},
      {"passes", passes_},
      {"late_states", late_},
      {"key_bytes", states_.key_bytes()},
      {"host_bytes", space_->memory()},
      {"disk_bytes", space_->disk_chunks() * space_->chunk_bytes()},
      {"expand_seconds", seconds_.expand},
      {"copy_seconds", seconds_.copy},
      {"join_seconds", seconds_.join}};
  result.details.insert(result.details.end(), details.begin(), details.end());
}

}  // namespace strata
