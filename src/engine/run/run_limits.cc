#include "engine/run/run_limits.h"

namespace strata {

StopReason RunLimits::requested() const {
  if (signal_.load(std::memory_order_relaxed)) return StopReason::interrupted;
  if (time_limit_) {
    const Clock::time_point begins = limit_begins_.load(std::memory_order_relaxed);
    if (begins != kHeld && seconds_between(begins, now_()) > *time_limit_) return StopReason::time;
  }
  if (short_of_space_.load(std::memory_order_relaxed)) return StopReason::disk;
  return StopReason::none;
}

void RunLimits::note_shortage(const Status& shortage) {
  const MutexLock lock(mutex_);
  if (trouble_.ok()) trouble_ = shortage;
  short_of_space_ = true;
}

bool RunLimits::note_full_model() {
  if (memory_ == nullptr || !memory_->out_of_room()) return false;
  stop(StopReason::memory);
  return true;
}

bool RunLimits::halted(Requests requests) {
  if (ended() || note_full_model()) return true;
  const SearchRanks::Heard heard = ranks_.heard();
  if (heard == SearchRanks::Heard::lost) {
    fail(ranks_.status());
    return true;
  }
  if (requests == Requests::wait_for_rest) return false;
  if (requests == Requests::end_at_once && heard == SearchRanks::Heard::end_called) return true;
  if (const StopReason reason = requested(); reason != StopReason::none) stop(reason);
  return ended();
}

void RunLimits::stop(StopReason reason) {
  StopReason none = StopReason::none;
  stop_.compare_exchange_strong(none, reason, std::memory_order_relaxed);
  if (reason != StopReason::bound) ranks_.call_end();
}

void RunLimits::fail(const Status& status) {
  const MutexLock lock(mutex_);
  if (trouble_.ok()) trouble_ = status;
  stop(status.code() == StatusCode::limit ? StopReason::memory : StopReason::disk);
}

Status RunLimits::trouble() const {
  const MutexLock lock(mutex_);
  return trouble_;
}

void RunLimits::adopt(StopReason reason, const Status& trouble) {
  const MutexLock lock(mutex_);
  stop_ = reason;
  if (!trouble.ok()) trouble_ = trouble;
}

}  // namespace strata
