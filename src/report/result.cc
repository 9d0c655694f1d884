#include "report/result.h"

#include <algorithm>
#include <utility>

namespace strata {
namespace {

// TLC's codes where it has one (doc/manual.md, "Exit codes").
constexpr int kHolds = 0;
constexpr int kDeadlock = 11;
constexpr int kInvariant = 12;
constexpr int kLiveness = 13;
constexpr int kAssertion = 14;
constexpr int kRuntimeError = 75;
constexpr int kInterrupted = 130;
constexpr int kIncomplete = 152;

bool is_lasso(const SearchResult& result) {
  return !result.counterexamples.empty() && result.counterexamples.front().loop.has_value();
}

}  // namespace

uint64_t Counterexample::length() const {
  if (steps.empty()) return 0;
  return steps.size() - 1 + (failure.rule != kNoRule ? 1 : 0);
}

RankTotals total_of(const std::vector<RankReport>& ranks) {
  RankTotals totals;
  uint64_t most = 0;
  for (const RankReport& rank : ranks) {
    totals.sum.add(rank);
    most = std::max(most, rank.states);
  }
  const auto share = [](uint64_t part, uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
  };
  totals.balance = share(most, totals.sum.states) * static_cast<double>(ranks.size());
  totals.travelled = share(totals.sum.sent, totals.sum.successors);
  totals.bytes_per_state = share(totals.sum.bytes_sent, totals.sum.states);
  return totals;
}

std::optional<uint64_t> orbit_states(const Symmetry* symmetry, const SearchResult& result) {
  constexpr double kExactly = 0x1p53;  // beyond this the sum is rounded
  const bool each_once = result.stop == StopReason::none && result.counterexamples.empty() && result.exact &&
                         result.expansions == result.states;
  if (symmetry == nullptr || !symmetry->proved() || !each_once) return std::nullopt;
  if (result.orbit_states < 1 || result.orbit_states >= kExactly) return std::nullopt;
  return static_cast<uint64_t>(result.orbit_states);
}

std::string KnownDepth::text() const {
  if (kind == Kind::unknown) return "not known";
  return (kind == Kind::at_most ? "at most " : "") + std::to_string(steps);
}

KnownDepth known_depth(const SearchResult& result) {
  if (result.levels.empty() && result.states > 0) return {};
  return {result.levels_exact ? KnownDepth::Kind::exact : KnownDepth::Kind::at_most, result.depth};
}

void end_early(Reason reason, std::string message, SearchResult& result) {
  result.reason = reason;
  result.stop = stop_of(reason);
  result.stop_message = std::move(message);
}

StopReason stop_of(Reason reason) {
  switch (reason) {
    case Reason::none: return StopReason::none;
#define REASON(name, stop, meaning) \
  case Reason::name:                \
    return StopReason::stop;
#include "base/reasons.def"
#undef REASON
  }
  return StopReason::none;
}

Reason reason_of(StopReason stop, const Status& trouble) {
  if (stop != StopReason::none && stop_of(trouble.reason()) == stop) return trouble.reason();
  switch (stop) {
    case StopReason::none: return Reason::none;
    case StopReason::memory: return Reason::memory_for_states;
    case StopReason::disk: return Reason::disk_full;
    case StopReason::time: return Reason::time;
    case StopReason::bound: return Reason::bound;
    case StopReason::interrupted: return Reason::interrupted;
  }
  return Reason::none;
}

const char* reason_name(Reason reason) {
  switch (reason) {
    case Reason::none: return nullptr;
#define REASON(name, stop, meaning) \
  case Reason::name:                \
    return #name;
#include "base/reasons.def"
#undef REASON
  }
  return nullptr;
}

const char* verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds: return "holds";
    case Verdict::violated: return "violated";
    case Verdict::deadlock: return "deadlock";
    case Verdict::assertion: return "assertion";
    case Verdict::error: return "error";
    case Verdict::incomplete: return "incomplete";
  }
  return "incomplete";
}

int exit_code(const SearchResult& result) {
  if (result.stop == StopReason::interrupted) return kInterrupted;
  switch (result.verdict) {
    case Verdict::holds: return kHolds;
    case Verdict::violated: return result.formula || is_lasso(result) ? kLiveness : kInvariant;
    case Verdict::deadlock: return kDeadlock;
    case Verdict::assertion: return kAssertion;
    case Verdict::error: return kRuntimeError;
    case Verdict::incomplete: return kIncomplete;
  }
  return kIncomplete;
}

// A rule with one instance fires at most once in a state; generated code does not count its states. The last count is
// of steps that belong to no rule.
void Coverage::count(const RuleCounts& counts) {
  rules.clear();
  for (const RuleCount& rule : counts.rules)
    rules.push_back({rule.fired, rule.states == 0 ? rule.fired : rule.states});
  stuttered = rules.back().fired;
  rules.pop_back();
}

int status_exit_code(StatusCode code) {
  switch (code) {
    case StatusCode::ok: return 0;
    case StatusCode::usage: return 151;
    case StatusCode::model: return 150;
    case StatusCode::limit: return 152;
    case StatusCode::disk_full: return 152;
    case StatusCode::interrupted: return 130;
    case StatusCode::system: return 153;
    case StatusCode::internal: return 153;
  }
  return 153;
}

}  // namespace strata
