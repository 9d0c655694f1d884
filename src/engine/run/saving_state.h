// Where a search is with its checkpoints, as one state machine. It decides how the search answers a request to end
// (Requests) and whether its threads are to rest for a checkpoint.
//
//   direct      the threads have not asked yet whether to rest, or nothing is saved: a request ends the search at once
//   restoring   the search reads back what was saved; the time limit does not count yet
//   pausing     the threads ask again and again whether to rest: a request waits for the rest
//   barred      a phase that cannot be saved: a request ends the search at once, the last checkpoint remains valid
//   writing     a checkpoint is being written: a request must not interrupt that
//   finished    the result is being made: a request ends that at once
//
//               resume      ask       bar      allow     write     written    finish
//   direct      restoring   pausing   barred   direct    writing   -          finished
//   restoring   restoring   pausing   barred   restoring writing   -          finished
//   pausing     -           pausing   barred   pausing   writing   -          finished
//   barred      -           barred    barred   direct    writing   -          finished
//   writing     -           writing   -        -         -         (before)   finished
//   finished    -           finished  finished finished  -         -          finished
//
//   -         a mistake of the search: the transition is refused
//   (before)  the state in which writing began
//
// The level in which several ranks are together (engine/run/rounds.h) is a machine of its own: it exists without
// checkpoints, and it changes by agreements of all ranks, not by what the threads of one of them do.
#pragma once

#include <atomic>
#include <optional>

namespace strata {

enum class SavingState { direct, restoring, pausing, barred, writing, finished };

enum class SavingEvent {
  resume,   // what was saved is about to be read back
  ask,      // a thread asks whether to rest
  bar,      // a phase begins that cannot be saved
  allow,    // and ends
  write,    // a checkpoint begins
  written,  // and is complete, or was given up
  finish    // the search is over
};

// The state after an event; none: a mistake. `before`: the state in which writing began.
constexpr std::optional<SavingState> next_state(SavingState state, SavingEvent event, SavingState before) {
  using S = SavingState;
  const bool writing = state == S::writing, finished = state == S::finished;
  switch (event) {
    case SavingEvent::resume:
      return state == S::direct || state == S::restoring ? std::optional(S::restoring) : std::nullopt;
    case SavingEvent::ask: return state == S::direct || state == S::restoring ? S::pausing : state;
    case SavingEvent::bar:
      if (writing) return std::nullopt;
      return finished ? S::finished : S::barred;
    case SavingEvent::allow:
      if (writing) return std::nullopt;
      return state == S::barred ? S::direct : state;
    case SavingEvent::write: return writing || finished ? std::nullopt : std::optional(S::writing);
    case SavingEvent::written: return writing ? std::optional(before) : std::nullopt;
    case SavingEvent::finish: return S::finished;
  }
  return std::nullopt;
}

class SavingMachine {
 public:
  SavingState state() const { return state_.load(std::memory_order_relaxed); }

  // False: the event is a mistake in this state, which stays. `changed` becomes true for the one caller whose event
  // changed the state. Thread-safe for `ask`; other events need idle threads.
  [[nodiscard]] bool move(SavingEvent event, bool& changed) {
    SavingState state = this->state();
    while (true) {
      const std::optional<SavingState> next = next_state(state, event, before_);
      if (!next) return false;
      if (*next == state) return true;
      if (event == SavingEvent::write) before_ = state;
      if (state_.compare_exchange_weak(state, *next, std::memory_order_relaxed)) break;
    }
    changed = true;
    return true;
  }

 private:
  std::atomic<SavingState> state_{SavingState::direct};
  SavingState before_ = SavingState::direct;
};

}  // namespace strata
