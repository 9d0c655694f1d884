// How a run of several ranks ends: a stop that all agree to, a failure, a rank that is lost, and the way out.
#include <fmt/format.h>

#include "cluster/transport/transport_core.h"

namespace strata::cluster {
namespace {

// After a failure the ranks wait for each other to say that they are done: one may still be compiling the model. They
// wait less when a rank is lost.
constexpr std::chrono::seconds kLongFarewell{10}, kFarewell{2};
constexpr std::chrono::seconds kLeavePatience{4};  // for the wire to close

}  // namespace

std::string Transport::Core::own_text(const Status& reason) const {
  return ranks_ == 1 ? reason.message() : fmt::format("{}: {}", rank_text(rank_), reason.message());
}

void Transport::Core::set_stop(int rank, Status reason) {
  if (stop_asked()) return;
  stop_reason_ = std::move(reason);
  stop_rank_.store(rank, std::memory_order_release);
  notify();
}

// Stops this rank, and asks the others to.
void Transport::Core::begin_stop(const Status& reason) {
  if (stop_asked()) return;
  set_stop(rank_, Status(reason.code(), own_text(reason)));
  queue_to_all({.type = MessageType::stop, .kind = static_cast<uint8_t>(reason.code())},
               stop_reason_.message());
}

void Transport::Core::stop(const Status& reason) {
  {
    const MutexLock lock(mutex_);
    begin_stop(reason);
  }
  wake();
}

Status Transport::Core::stop_reason() const {
  const MutexLock lock(mutex_);
  return stop_reason_;
}

void Transport::Core::set_failed(Status status) {
  if (failed()) return;
  status_ = std::move(status);
  failed_.store(true, std::memory_order_release);
  outgoing_.clear();
  flow_.clear();
  changed_.notify_all();
}

void Transport::Core::give_up(const Status& reason) {
  if (failed()) return;
  set_failed(Status(reason.code(), own_text(reason)));
  queue_failure(MessageType::fail);
}

void Transport::Core::queue_failure(MessageType type) {
  const uint64_t number = static_cast<uint64_t>(1 + peers_.first_lost().value_or(-1));
  queue_to_all({.type = type, .kind = static_cast<uint8_t>(status_.code()), .number = number},
               status_.message());
}

void Transport::Core::fail(const Status& reason) {
  {
    const MutexLock lock(mutex_);
    give_up(reason);
  }
  wake();
}

void Transport::Core::lose(int rank, const std::string& how) {
  if (!peers_.lose(rank) || failed()) return;
  set_failed(Status::system(fmt::format("{} {}", rank_text(rank), how)));
  queue_failure(MessageType::fail);
}

Status Transport::Core::status() const {
  const MutexLock lock(mutex_);
  return status_;
}

// ---- probes

void Transport::Core::begin_probe(std::chrono::milliseconds time) {
  queue_to_all({.type = MessageType::ping, .number = peers_.begin_probe(Clock::now() + time)});
}

void Transport::Core::look_at_probe(Clock::time_point now) {
  const std::optional<std::vector<int>> silent = peers_.end_probe(now);
  if (!silent) return;
  for (const int other : *silent) lose(other, "does not answer: it died, or cannot be reached");
  changed_.notify_all();
}

Status Transport::Core::probe(std::chrono::milliseconds time) {
  MutexLock lock(mutex_);
  if (failed() || ranks_ == 1) return status_;
  begin_probe(time);
  wait_until(lock, [&]() REQUIRES(mutex_) { return !peers_.probing(); });
  return status_;
}

int Transport::Core::reporting_rank() const {
  const MutexLock lock(mutex_);
  return peers_.first_living().value_or(rank_);
}

// ---- the way out

Status Transport::Core::finish() {
  if (!wire_ || !thread_.joinable()) return status();
  static_cast<void>(collect(Operation::nothing, {}));
  {
    MutexLock lock(mutex_);
    const bool failure = failed();
    if (failure) {
      peers_.leave(rank_);
      queue_failure(MessageType::left);
      wake();
      changed_.wait_for(lock, kLongFarewell,
                        [&]() REQUIRES(mutex_) { return peers_.all_left_or_lost() || peers_.any_lost(); });
      changed_.wait_for(lock, kFarewell,
                        [&]() REQUIRES(mutex_) { return peers_.all_left_or_lost() || !peers_.any_lost(); });
    }
    const bool at_once = failure && (peers_.any_lost() || !peers_.all_left_or_lost());
    phase_ = at_once ? Phase::leaving : Phase::leaving_in_order;
    wake();
    stuck_ =
        !changed_.wait_for(lock, kLeavePatience, [&]() REQUIRES(mutex_) { return phase_ == Phase::closed; });
  }
  if (stuck_)
    thread_.detach();
  else
    thread_.join();
  return status();
}

}  // namespace strata::cluster
