#include "engine/run/run_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "base/memory_budget.h"
#include "base/system/process_memory.h"
#include "engine/ranks/byte_text.h"
#include "engine/trace/replay.h"

namespace strata {

namespace {

// The path of an error may take this much beyond what the search has left.
constexpr uint64_t kPathBytes = 3 << 20;

constexpr double TimeShares::*kThreadShares[] = {
    &TimeShares::canonicalise, &TimeShares::generate, &TimeShares::insert,   &TimeShares::detect,
    &TimeShares::io,           &TimeShares::queue,    &TimeShares::partition};

const uint8_t* bytes_of(const Finding& finding) {
  return finding.state.empty() ? nullptr : finding.state.data();
}

}  // namespace

RunResult::RunResult(const SearchContext& context, const SearchRanks& ranks, RunLimits& limits,
                     const RunMemory& memory, const MemoryBudget& budget, SearchThreads& threads)
    : context_(context),
      info_(context.model.info()),
      ranks_(ranks),
      limits_(limits),
      memory_(memory),
      budget_(budget),
      threads_(threads),
      kept_errors_(ranks.least(memory.kept_errors())),
      findings_(kept_errors_) {}

// ---- failures

void RunResult::gather() {
  for (const auto& worker : threads_.workers) findings_.take(worker->findings);
  if (complete() && kept_errors_ < context_.options.max_errors && limits_.stopped() == StopReason::none)
    limits_.fail(memory_.no_room_for_errors());
}

void RunResult::gather_ranks() {
  std::string own;
  for (const Finding& finding : findings_.all()) {
    const uint64_t size = finding.state.size();
    append_value(own, finding.level);
    append_value(own, finding.failure);
    append_value(own, size);
    append_bytes(own, finding.state.data(), size);
  }
  for (const std::string& text : ranks_.all(own)) {
    for (ByteText reader(text); !reader.at_end();) {
      const auto level = reader.value<uint64_t>();
      const auto failure = reader.value<Failure>();
      std::vector<uint8_t> state(reader.count());
      reader.read(state.data(), state.size());
      findings_.add(level, failure, state.empty() ? nullptr : state.data(), state.size());
    }
  }
}

void RunResult::serialize_findings(Image& image) {
  std::vector<const Finding*> found;
  for (const Finding& finding : findings_.all()) found.push_back(&finding);
  for (const auto& worker : threads_.workers)
    for (const Finding& finding : worker->findings.all()) found.push_back(&finding);
  uint64_t count = found.size();
  image.value("findings", count);
  for (uint64_t i = 0; i < count && image.ok(); ++i) {
    Finding finding;
    if (!image.restores()) finding = *found[i];
    image.value("level", finding.level);
    image.value("failure", finding.failure);
    image.list("state", finding.state);
    if (image.restores() && image.ok())
      threads_.workers.front()->findings.add(finding.level, finding.failure, bytes_of(finding),
                                             finding.state.size());
  }
}

// ---- the result

Result<SearchResult> RunResult::finish(const Numbers& numbers, History* history) {
  // A search that resumes when nothing is left to expand has its restored findings in the first thread.
  gather();
  const Status trouble = limits_.trouble();
  if (trouble.code() == StatusCode::system || trouble.code() == StatusCode::internal) return trouble;
  SearchResult result;
  result.states = result.own_states = numbers.states;
  result.levels = numbers.levels;
  sum_threads(result);
  if (ranks_.count() > 1) sum_ranks(result);
  result.depth = numbers.depth.value_or(result.levels.empty() ? 0 : result.levels.size() - 1);
  if (Status status = trace(result, history); !status.ok()) return status;
  if (limits_.stopped() == StopReason::none && context_.stop.load(std::memory_order_relaxed))
    limits_.stop(StopReason::interrupted);
  if (limits_.stopped() == StopReason::none) limits_.note_full_model();
  set_exactness(numbers, result);
  set_verdict(result);
  result.coverage = coverage();
  sum_ranks(result.coverage);
  result.memory_budget = context_.options.memory;
  result.memory_plan = plan_;
  result.peak_rss = peak_resident_bytes();
  result.seconds.search = limits_.elapsed();
  return result;
}

void RunResult::sum_threads(SearchResult& result) const {
  const double threads = static_cast<double>(threads_.workers.size());
  for (const auto& worker : threads_.workers) {
    result.transitions += worker->transitions;
    result.expansions += worker->expansions;
    result.orbit_states += worker->orbit_states;
    for (double TimeShares::*share : kThreadShares) result.seconds.*share += worker->seconds.*share / threads;
  }
}

void RunResult::sum_ranks(SearchResult& result) {
  // The last level may exist in some ranks only.
  uint64_t levels = result.levels.size();
  ranks_.largest({&levels, 1});
  std::vector<uint64_t> counts(levels, 0);
  uint64_t i = 0;
  for (const uint64_t size : result.levels) counts[i++] = size;
  const uint64_t first = counts.size();
  counts.insert(counts.end(), {result.states, result.transitions, result.expansions});
  const uint64_t covers = counts.size();
  Expansion& out = threads_.workers.front()->out;
  for (const auto& worker : threads_.workers)
    for (uint64_t k = 0; k < out.covered.size(); ++k) out.covered[k] |= worker->out.covered[k];
  counts.insert(counts.end(), out.covered.begin(), out.covered.end());
  ranks_.sum(counts);
  result.levels = NumberList();
  for (uint64_t k = 0; k < levels; ++k) result.levels.push_back(counts[k]);
  result.states = counts[first];
  result.transitions = counts[first + 1];
  result.expansions = counts[first + 2];
  for (uint64_t k = 0; k < out.covered.size(); ++k) out.covered[k] = counts[covers + k] != 0 ? 1 : 0;
  share_seconds(result);
}

// Orbits are summed up; of seconds, the ranks have the mean.
void RunResult::share_seconds(SearchResult& result) const {
  std::string own;
  append_value(own, result.orbit_states);
  append_value(own, result.seconds);
  result.orbit_states = 0;
  TimeShares sum;
  for (const std::string& text : ranks_.all(own)) {
    ByteText reader(text);
    result.orbit_states += reader.value<double>();
    sum.add(reader.value<TimeShares>());
  }
  for (double TimeShares::*share : kThreadShares)
    result.seconds.*share = sum.*share / static_cast<double>(ranks_.count());
}

Status RunResult::trace(SearchResult& result, History* history) {
  const uint64_t left = budget_.limit() - std::min(budget_.limit(), budget_.used());
  const uint64_t room = ranks_.least(left + kPathBytes);
  Result<Traced> traced = trace_back(context_, history, *threads_.pool, findings_, room);
  if (!traced.ok()) return traced.status();
  const bool on_disk = context_.progress.disk_used.load(std::memory_order_relaxed) > 0;
  if (traced->too_long > 0)
    limits_.fail(memory_.no_room_for_paths(*traced, on_disk ? context_.progress.states.load() : 0));
  result.counterexamples = std::move(traced->counterexamples);
  return {};
}

void RunResult::set_exactness(const Numbers& numbers, SearchResult& result) const {
  const StoreMode& store = context_.options.store;
  // An algorithm that forgets states may count one of them again, in a later level.
  result.levels_exact =
      std::accumulate(result.levels.begin(), result.levels.end(), uint64_t{0}) <= result.states;
  result.exact = store.exact();
  result.omission_probability = store.omission_probability(result.states);
  // A search that knows no levels knows no depth: then any omission may hide an error.
  const bool known_depth = numbers.depth.has_value() || !numbers.levels.empty();
  result.missed_error_probability =
      known_depth ? store.missed_error_probability(result.states, result.depth) : result.omission_probability;
}

// A search for cycles checks no properties.
bool RunResult::checked_properties() const {
  return !threads_.workers.empty() && threads_.workers.front()->out.check_properties;
}

void RunResult::set_verdict(SearchResult& result) const {
  // Nothing was searched behind a state with an error, so a cover may hold there.
  if (checked_properties() && limits_.stopped() == StopReason::none && findings_.all().empty())
    find_missed_covers(result);
  result.stop = limits_.stopped();
  if (result.stop != StopReason::none)
    end_early(reason_of(result.stop, limits_.trouble()), stop_message(result), result);
  if (!result.counterexamples.empty()) {
    result.verdict = verdict_of(result.counterexamples.front().text);
  } else {
    result.verdict = result.stop == StopReason::none ? Verdict::holds : Verdict::incomplete;
  }
}

Coverage RunResult::coverage() const {
  RuleCounts sum(info_);
  Coverage result;
  if (checked_properties()) result.premises.assign(info_.premises.size(), 0);
  for (const auto& worker : threads_.workers) {
    sum.add(worker->counts);
    for (uint64_t i = 0; i < result.premises.size(); ++i) result.premises[i] |= worker->out.premises[i];
  }
  result.count(sum);
  return result;
}

void RunResult::sum_ranks(Coverage& coverage) const {
  std::vector<uint64_t> counts = {coverage.stuttered};
  for (const Coverage::Rule& rule : coverage.rules) counts.insert(counts.end(), {rule.fired, rule.states});
  counts.insert(counts.end(), coverage.premises.begin(), coverage.premises.end());
  ranks_.sum(counts);
  auto next = counts.begin();
  coverage.stuttered = *next++;
  for (Coverage::Rule& rule : coverage.rules) {
    rule.fired = *next++;
    rule.states = *next++;
  }
  for (uint8_t& premise : coverage.premises) premise = *next++ != 0 ? 1 : 0;
}

void RunResult::find_missed_covers(SearchResult& result) const {
  const auto covered = [&](uint32_t property) {
    return std::any_of(threads_.workers.begin(), threads_.workers.end(),
                       [&](const auto& worker) { return worker->out.covered[property] != 0; });
  };
  for (uint32_t i = 0; i < info_.properties.size(); ++i) {
    if (info_.properties[i].kind != PropertyKind::cover || covered(i)) continue;
    result.missed_covers.push_back(i);
    if (result.counterexamples.size() >= context_.options.max_errors) continue;
    Counterexample missed;
    missed.failure.detail = i;
    missed.text = context_.model.describe_failure(missed.failure);
    missed.text.verdict = FailureText::Verdict::invariant;
    result.counterexamples.push_back(std::move(missed));
  }
}

std::string RunResult::stop_message(const SearchResult& result) const {
  const Status trouble = limits_.trouble();
  std::string explored =
      result.states == 1 ? "1 state was found" : fmt::format("{} states were found", result.states);
  if (!result.levels.empty()) explored += fmt::format(", down to level {}", result.depth);
  switch (result.stop) {
    case StopReason::memory:
      if (!trouble.ok()) return fmt::format("{}: {}", trouble.message(), explored);
      return fmt::format("the memory of {} is full: {}; give more with --memory, or make the model smaller",
                         context_.options.given_memory(), explored);
    case StopReason::disk:
      return fmt::format("{}: {}; free some space, or name other folders with --disk", trouble.message(),
                         explored);
    case StopReason::time: return fmt::format("the time limit was reached: {}; raise --time-limit", explored);
    case StopReason::bound:
      return fmt::format("the depth bound {} was reached: {}; deeper states were not searched, raise --bound",
                         *context_.options.bound, explored);
    case StopReason::interrupted: return fmt::format("interrupted: {}", explored);
    default: return "";
  }
}

}  // namespace strata
