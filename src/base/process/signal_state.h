// What a signal handler must reach. A handler finds nothing but static data, and may neither allocate nor take a lock:
// so the state that handlers read or write is gathered here. One process has one of each, in the command and in the
// library.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>

namespace strata {

struct SignalState {
  // The process groups of programs that run (run_program.h); 0: a free place.
  struct Programs {
    std::atomic<bool> stopped{false};
    std::array<std::atomic<pid_t>, 64> groups{};
  } programs;

  // The files and folders to remove (leftovers.h).
  struct Leftover {
    enum State { free, filling, ready };
    std::atomic<State> state{free};
    char path[PATH_MAX]{};
  };
  std::array<Leftover, 64> leftovers;

  // What the user has asked for by signals (tool/system/signals.h).
  struct Requests {
    std::atomic<bool> stop{false};
    std::atomic<int64_t (*)()> clock{nullptr};  // gives milliseconds; set before the handlers
    std::atomic<int64_t> stopped_at{0};         // milliseconds of the clock
    std::atomic<bool> disk{false}, progress{false};
    // Set by SIGUSR2; null: the run has no checkpoints, or none yet.
    std::atomic<std::atomic<bool>*> checkpoint{nullptr};
    // Whether the run may have checkpoints later, and whether one was asked for before.
    std::atomic<bool> checkpoints_expected{true}, checkpoint_early{false};
  } requests;

  // The file that tells why the process ended at once (tool/system/last_words.h).
  struct LastWords {
    std::atomic<bool> ready{false};
    char path[PATH_MAX]{};
    char beside[PATH_MAX]{};
    char text[4 * PATH_MAX]{};
  } last_words;

  // The run of `strata suite` under way, and the signal that ended the suite (tool/suite/child.h); 0: none.
  struct Child {
    std::atomic<pid_t> process{0};
    std::atomic<int> stopped_by{0};
  } child;
};

static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int64_t>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::atomic<bool>*>::is_always_lock_free &&
              std::atomic<int64_t (*)()>::is_always_lock_free &&
              std::atomic<SignalState::Leftover::State>::is_always_lock_free);

inline constinit SignalState signal_state;

}  // namespace strata
