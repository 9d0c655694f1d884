#include "engine/run/run_memory.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

namespace {

// A thread takes this much besides its buffers: a stack, and some of the heap. The first threads are not counted: they
// are within what any run may take beyond --memory.
constexpr uint64_t kThreadBytes = 48 << 10;
constexpr unsigned kUncountedThreads = 16;
constexpr uint64_t kSmallCounts = 256 << 10;  // of rules that fired, by all threads
// A search always keeps kFewErrors; further ones may take an eighth of the memory.
constexpr uint64_t kFewErrors = 16, kErrorShare = 8;

}  // namespace

RunMemory::RunMemory(const SearchOptions& options, const ModelInfo& info, uint64_t resident)
    : options_(options), info_(info), resident_(resident) {
  const uint64_t memory = usable();
  // Each thread has the errors that it met, and the search those of all threads.
  const uint64_t each = (uint64_t{options.threads} + 1) * Findings::bytes_each(info.state_bytes);
  const uint64_t most = std::max(kFewErrors, memory / kErrorShare / each);
  kept_errors_ = std::clamp<uint64_t>(options.max_errors, 1, most);
  for_search_ = kept_errors_ <= kFewErrors ? memory : memory - kept_errors_ * each;
}

unsigned RunMemory::threads() const { return std::max(options_.threads, 1u); }

uint64_t RunMemory::thread_bytes() const {
  const uint64_t counts = threads() * RuleCounts::bytes(info_);
  return (std::max(options_.threads, kUncountedThreads) - kUncountedThreads) * kThreadBytes +
         (counts > kSmallCounts ? counts : 0);
}

// The search cannot spend what the process has already; but a very small --memory leaves it at least half.
uint64_t RunMemory::usable() const {
  const uint64_t memory = options_.memory;
  const uint64_t usable = std::max(memory - std::min(memory, resident_), memory / 2);
  return usable - std::min(usable, thread_bytes());
}

// The --memory that leaves this much usable, also in the next run, in which the process may hold a little more when its
// search begins.
uint64_t RunMemory::memory_for(uint64_t usable) const {
  constexpr uint64_t kVaries = 1 << 20;
  const uint64_t all = usable + thread_bytes();
  return std::min(all + resident_ + kVaries, 2 * all);
}

Status RunMemory::too_small(const MemoryPlan& plan, uint64_t least) const {
  const bool several = threads() > 1;
  return Status::limit(
      fmt::format("--memory {} is too small{}: it has no room for the {}; raise it to {}{}",
                  options_.given_memory(), several ? fmt::format(" for {} threads", threads()) : "",
                  plan.tight(), options_.enough_memory(memory_for(least)),
                  several ? ", or lower --threads" : ""),
      Reason::memory_to_begin);
}

Status RunMemory::too_small_for_threads() const {
  return Status::limit(fmt::format("--memory {} is too small for {} threads; raise it, or lower --threads",
                                   options_.given_memory(), threads()),
                       Reason::memory_to_begin);
}

Status RunMemory::no_room_for_successors(uint64_t successors) const {
  const bool several = threads() > 1;
  const uint64_t least = successors_memory(successors, info_.state_bytes, threads());
  const uint64_t wanted = std::max(memory_for(least), options_.memory + (1 << 20));
  return Status::limit(
      fmt::format("--memory {} MiB has no room for the successors of {}: a state has up to {}, of {} bytes "
                  "each; raise "
                  "it to {} MiB{}",
                  options_.memory >> 20,
                  several ? fmt::format("{} states, one for each thread", threads()) : "a state", successors,
                  info_.state_bytes, (wanted + (1 << 20) - 1) >> 20, several ? ", or lower --threads" : ""),
      Reason::memory_for_successors);
}

Status RunMemory::no_room_for_errors() const {
  return Status::limit(fmt::format("--memory {} has room for {} errors; raise it, or lower --max-errors",
                                   options_.given_memory(), kept_errors_),
                       Reason::memory_for_errors);
}

// In RAM, the missing bytes are enough. On disk, a search with so much more memory would keep its states in RAM beside
// the path.
Status RunMemory::no_room_for_paths(const Traced& traced, uint64_t states) const {
  constexpr uint64_t kEachState = 32;  // besides its bytes
  const uint64_t all = traced.counterexamples.size();
  const uint64_t wanted = options_.memory + traced.needed + states * (info_.state_bytes + kEachState);
  return Status::limit(
      fmt::format("--memory {} has no room for the path{}; raise it to {}", options_.given_memory(),
                  all == 1 ? " of the error" : fmt::format("s of {} of {} errors", traced.too_long, all),
                  options_.enough_memory(wanted)),
      Reason::memory_for_paths);
}

}  // namespace strata
