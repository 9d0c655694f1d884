// When a search has to end, and why it did.
//
// Some causes end a search wherever it is: trouble of a thread, a full table, a rank that is lost. Others are requests:
// a signal, the time limit, a disk that is nearly full. A search that can be saved answers a request by resting first
// (engine/run/saving.h), so callers say how requests are to be answered.
//
// Thread safety: everything may be called by any thread, apart from continue_after() and adopt(), which need all
// threads of the search to be idle.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/locks/mutex.h"
#include "base/status.h"
#include "engine/ranks/search_ranks.h"
#include "model/capabilities.h"
#include "report/result.h"

namespace strata {

using Clock = std::chrono::steady_clock;

inline double seconds_between(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// How a search answers a request to end.
enum class Requests {
  end_at_once,      // it ends where it is, also when another rank calls
  end_own_at_once,  // the same for requests to this rank; a call of another rank waits for a rest
  wait_for_rest     // it rests, is saved, and ends then
};

class RunLimits {
 public:
  using Now = Clock::time_point (*)();

  // `signal` becomes true when the user wants the search to end. `memory`: of the model; null: it has none of its own.
  RunLimits(const std::atomic<bool>& signal, std::optional<double> time_limit, const SearchRanks& ranks,
            const OwnMemory* memory = nullptr, Now now = Clock::now)
      : signal_(signal),
        time_limit_(time_limit),
        ranks_(ranks),
        memory_(memory),
        now_(now),
        began_(now()),
        limit_begins_(began_) {}

  // ---- the clock

  // Seconds of the search, with those of the runs that it continues.
  double elapsed() const { return before_ + seconds_between(began_, now_()); }
  double before() const { return before_; }
  void continue_after(double seconds) { before_ = seconds; }
  // The time limit does not count while a search reads back what was saved: from hold_time_limit() until
  // start_time_limit().
  void hold_time_limit() { limit_begins_.store(kHeld, std::memory_order_relaxed); }
  void start_time_limit() { limit_begins_.store(now_(), std::memory_order_relaxed); }

  // ---- requests

  // Why the search should end, if there is a request.
  StopReason requested() const;
  // So little space is left on disk that the search should end while it can be saved.
  void note_shortage(const Status& shortage);

  // ---- the end

  // Whether the search has to end at once. A request that is answered at once becomes the stop reason. The depth bound
  // does not end a search here, but when its level is done.
  bool halted(Requests requests);
  // Stops the search if the model has dropped successors because its memory is full. Whether it has.
  bool note_full_model();
  // The first reason counts. Other ranks are called, but for the bound, which is the same for all.
  void stop(StopReason reason);
  StopReason stopped() const { return stop_.load(std::memory_order_relaxed); }
  bool ended() const { return stopped() != StopReason::none && stopped() != StopReason::bound; }
  // What a thread could not do. The first one counts; the search ends.
  void fail(const Status& status);
  Status trouble() const;
  // What all ranks agreed on.
  void adopt(StopReason reason, const Status& trouble);

 private:
  static constexpr Clock::time_point kHeld = Clock::time_point::max();

  const std::atomic<bool>& signal_;
  const std::optional<double> time_limit_;
  const SearchRanks& ranks_;
  const OwnMemory* const memory_;
  const Now now_;
  const Clock::time_point began_;
  double before_ = 0;  // seconds
  std::atomic<Clock::time_point> limit_begins_;
  std::atomic<bool> short_of_space_{false};
  std::atomic<StopReason> stop_{StopReason::none};
  mutable Mutex mutex_;
  Status trouble_ GUARDED_BY(mutex_);
};

}  // namespace strata
