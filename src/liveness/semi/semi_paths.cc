#include "liveness/semi/semi_paths.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "base/locks/mutex.h"

namespace strata {

namespace {

Status no_parent() {
  return Status::internal("a state without a parent; please report this as a bug of strata");
}
Status was_stopped() { return Status::limit("the search was stopped"); }

}  // namespace

// The states of a path that ends with `last`, a successor of a state of the epoch before; without `last`
// itself. Of several parents the one with the smallest bytes is taken.
Result<std::vector<PackedState>> SemiPaths::back(const Ranges& ranges, uint64_t epoch,
                                                 const PackedState& last) {
  std::vector<PackedState> path;
  PackedState wanted = last;
  const uint64_t bytes = semi_.state_bytes();
  while (epoch-- > 0) {
    Result<std::vector<LogRange>> level = ranges(epoch);
    if (!level.ok()) return level.status();
    PackedState best;
    Mutex mutex;
    semi_.run().read(std::move(*level), [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
      Expansion& expansion = worker.base.out;
      for (uint64_t done = 0; done < span.count; done += expansion.consumed) {
        const uint8_t* states = span.records + done * bytes;
        expansion.reset();
        semi_.run().model.expand(states, span.count - done, expansion);
        for (uint64_t i = 0; i < expansion.count; ++i) {
          if (!equal_bytes(expansion.successor(i), wanted.data(), bytes)) continue;
          const uint8_t* parent = states + expansion.parents[i] * bytes;
          const PackedState found(parent, parent + bytes);
          const MutexLock lock(mutex);
          if (best.empty() || found < best) best = found;
        }
      }
      return {};
    });
    if (semi_.run().halted()) return was_stopped();
    if (best.empty()) return no_parent();
    path.push_back(best);
    wanted = best;
  }
  std::reverse(path.begin(), path.end());
  return path;
}

Result<std::vector<PackedState>> SemiPaths::between(const PackedState& from, const PackedState& to) {
  if (!semi_.clear_bits()) return was_stopped();
  const std::unique_ptr<StateLog> log = semi_.run().make_log("path", semi_.state_bytes());
  if (Status status = log->append(from.data(), 1); !status.ok()) return status;
  std::vector<uint64_t> ends = {1};
  std::atomic<bool> found{false};
  while (!found) {
    const uint64_t begin = ends.size() < 2 ? 0 : ends[ends.size() - 2];
    if (begin == ends.back()) return no_parent();
    semi_.run().read(
        {{log.get(), begin, ends.back(), 0}}, [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
          const unsigned thread = worker.base.number;
          const SemiExternal::Successors& next = semi_.successors(thread);
          for (uint64_t done = 0; done < span.count && !found; done += semi_.out(thread).consumed) {
            if (!semi_.expand(thread, span.records + done * semi_.state_bytes(), span.count - done))
              return was_stopped();
            uint64_t fresh = 0;
            worker.states.resize(semi_.out(thread).count * semi_.state_bytes());
            for (uint64_t i = 0; i < semi_.out(thread).count; ++i) {
              const uint8_t* state = semi_.out(thread).successor(i);
              if (equal_bytes(state, to.data(), semi_.state_bytes())) found = true;
              if (semi_.numbers().bits().test_and_set(next.numbers[i])) continue;
              copy_bytes(worker.states.data() + fresh++ * semi_.state_bytes(), state, semi_.state_bytes());
            }
            if (Status status = log->append(worker.states.data(), fresh); !status.ok()) return status;
          }
          return {};
        });
    if (semi_.run().halted()) return was_stopped();
    ends.push_back(log->size());
  }
  // States appended behind the level that led here are not on the path.
  return back(
      [&](uint64_t epoch) -> Result<std::vector<LogRange>> {
        return std::vector<LogRange>{{log.get(), epoch == 0 ? 0 : ends[epoch - 1], ends[epoch], 0}};
      },
      ends.size() - 1, to);
}

Result<uint64_t> SemiPaths::level_of(const PackedState& state) {
  for (uint64_t level = 0; level < semi_.levels().level_sizes().size(); ++level) {
    Result<std::vector<LogRange>> ranges = semi_.levels().level_ranges(level);
    if (!ranges.ok()) return ranges.status();
    std::atomic<bool> found{false};
    semi_.run().read(std::move(*ranges), [&](DiskWorker&, const StateScan::Span& span) -> Status {
      for (uint64_t i = 0; i < span.count; ++i)
        if (equal_bytes(span.records + i * semi_.state_bytes(), state.data(), semi_.state_bytes()))
          found = true;
      return {};
    });
    if (found) return level;
    if (semi_.run().halted()) return was_stopped();
  }
  return no_parent();
}

Result<std::vector<PackedState>> SemiPaths::to(const PackedState& state) {
  const Result<uint64_t> level = level_of(state);
  if (!level.ok()) return level.status();
  Result<std::vector<PackedState>> path =
      back([&](uint64_t epoch) { return semi_.levels().level_ranges(epoch); }, *level, state);
  if (path.ok()) path->push_back(state);
  return path;
}

}  // namespace strata
