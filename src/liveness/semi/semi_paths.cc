// Paths for the semi-external searches: shortest ones, found by breadth-first search with the bits and traced back by
// expanding the levels once more, from the last to the first.
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "liveness/lasso/path_search.h"
#include "liveness/semi/semi_external.h"

namespace strata {

namespace {

Status no_parent() {
  return Status::internal("a state without a parent; please report this as a bug of strata");
}
Status was_stopped() { return Status::limit("the search was stopped"); }

}  // namespace

// The states of a path that ends with `last`, a successor of a state of the epoch before; without `last`
// itself. Of several parents the one with the smallest bytes is taken.
Result<std::vector<PackedState>> SemiExternal::path_back(const Ranges& ranges, uint64_t epoch,
                                                         const PackedState& last) {
  std::vector<PackedState> path;
  PackedState wanted = last;
  const uint64_t bytes = state_bytes();
  while (epoch-- > 0) {
    Result<std::vector<LogRange>> level = ranges(epoch);
    if (!level.ok()) return level.status();
    PackedState best;
    std::mutex mutex;
    run_.read(std::move(*level), [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
      Expansion& expansion = worker.base.out;
      for (uint64_t done = 0; done < span.count; done += expansion.consumed) {
        const uint8_t* states = span.records + done * bytes;
        expansion.reset();
        run().model.expand(states, span.count - done, expansion);
        for (uint64_t i = 0; i < expansion.count; ++i) {
          if (!equal_bytes(expansion.successor(i), wanted.data(), bytes)) continue;
          const uint8_t* parent = states + expansion.parents[i] * bytes;
          const PackedState found(parent, parent + bytes);
          const std::lock_guard<std::mutex> lock(mutex);
          if (best.empty() || found < best) best = found;
        }
      }
      return {};
    });
    if (run().halted()) return was_stopped();
    if (best.empty()) return no_parent();
    path.push_back(best);
    wanted = best;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Result<std::vector<PackedState>> SemiExternal::path_between(const PackedState& from, const PackedState& to) {
  if (!clear_bits()) return was_stopped();
  const std::unique_ptr<StateLog> log = run_.make_log("path", state_bytes());
  if (Status status = log->append(from.data(), 1); !status.ok()) return status;
  std::vector<uint64_t> ends = {1};
  std::atomic<bool> found{false};
  while (!found) {
    const uint64_t begin = ends.size() < 2 ? 0 : ends[ends.size() - 2];
    if (begin == ends.back()) return no_parent();
    run_.read({{log.get(), begin, ends.back(), 0}},
              [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
                const unsigned thread = worker.base.number;
                const Successors& next = successors(thread);
                for (uint64_t done = 0; done < span.count && !found; done += out(thread).consumed) {
                  if (!expand(thread, span.records + done * state_bytes(), span.count - done))
                    return was_stopped();
                  uint64_t fresh = 0;
                  worker.states.resize(out(thread).count * state_bytes());
                  for (uint64_t i = 0; i < out(thread).count; ++i) {
                    const uint8_t* state = out(thread).successor(i);
                    if (equal_bytes(state, to.data(), state_bytes())) found = true;
                    if (bits_->test_and_set(next.numbers[i])) continue;
                    copy_bytes(worker.states.data() + fresh++ * state_bytes(), state, state_bytes());
                  }
                  if (Status status = log->append(worker.states.data(), fresh); !status.ok()) return status;
                }
                return {};
              });
    if (run().halted()) return was_stopped();
    ends.push_back(log->size());
  }
  // What was appended after the level that led here is no part of the path.
  return path_back(
      [&](uint64_t epoch) -> Result<std::vector<LogRange>> {
        return std::vector<LogRange>{{log.get(), epoch == 0 ? 0 : ends[epoch - 1], ends[epoch], 0}};
      },
      ends.size() - 1, to);
}

Result<uint64_t> SemiExternal::level_of(const PackedState& state) {
  for (uint64_t level = 0; level < search_.level_sizes().size(); ++level) {
    Result<std::vector<LogRange>> ranges = search_.level_ranges(level);
    if (!ranges.ok()) return ranges.status();
    std::atomic<bool> found{false};
    run_.read(std::move(*ranges), [&](DiskWorker&, const StateScan::Span& span) -> Status {
      for (uint64_t i = 0; i < span.count; ++i)
        if (equal_bytes(span.records + i * state_bytes(), state.data(), state_bytes())) found = true;
      return {};
    });
    if (found) return level;
    if (run().halted()) return was_stopped();
  }
  return no_parent();
}

Result<std::vector<PackedState>> SemiExternal::path_to(const PackedState& state) {
  const Result<uint64_t> level = level_of(state);
  if (!level.ok()) return level.status();
  Result<std::vector<PackedState>> path =
      path_back([&](uint64_t epoch) { return search_.level_ranges(epoch); }, *level, state);
  if (path.ok()) path->push_back(state);
  return path;
}

Result<SearchResult> run_semi_external(const SearchContext& context, const SemiOptions& options,
                                       const SemiSearch& search) {
  SemiFindings found;
  Result<SearchResult> result = [&]() -> Result<SearchResult> {
    SemiExternal semi(context, options);
    if (Status status = semi.prepare(); !status.ok()) return status;
    return search(semi, found);
  }();
  if (!result.ok() || !found.on_cycle) return result;
  const Reason reason = result->reason;
  const std::string why = result->stop_message;
  end_early(Reason::none, {}, *result);
  if (result->counterexamples.empty()) {
    if (Status status = add_lasso(context, *found.on_cycle, *result); !status.ok()) return status;
  }
  if (!found.missing.empty() && result->stop == StopReason::none)
    end_early(reason, found.missing + ": " + why, *result);
  return result;
}

}  // namespace strata
