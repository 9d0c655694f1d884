// The inside of a transport. Callers' threads and the transport's own thread meet in one state behind one mutex. They
// hold it only for moments, because whole batches pass through it. Only the own thread touches the wire.
//
//   callers: try_send -> outgoing_ ----> own thread ----> wire -> ... -> own thread -> flow_ -> callers: try_receive
//            collectives -> Collective -> outgoing_                      own thread -> Collective -> outgoing_, result
//
// The thread that has the last part of a collective joins the parts and queues what follows, so a step of the tree
// needs no change of thread.
//
// What is counted is in classes of their own, without locks: batches, rounds and windows (batch_flow.h), the other
// ranks (peers.h), collectives (collective.h). What only the own thread uses is in OwnThread.
#pragma once

#include <atomic>
#include <map>
#include <thread>

#include "base/locks/mutex.h"
#include "cluster/transport/batch_flow.h"
#include "cluster/transport/collective.h"
#include "cluster/transport/life_signs.h"
#include "cluster/transport/message.h"
#include "cluster/transport/peers.h"
#include "cluster/transport/process_watch.h"
#include "cluster/transport/transport.h"
#include "cluster/transport/wire.h"

namespace strata::cluster {

class Transport::Core {
 public:
  Core(std::unique_ptr<Wire> wire, const TransportOptions& options);
  ~Core();

  // Joins the others and exchanges names. Does nothing without a wire.
  Status open() EXCLUDES(mutex_);

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  const std::string& host(int rank) const { return hosts_[static_cast<size_t>(rank)]; }
  std::string rank_text(int rank) const;
  const char* name() const { return wire_ ? wire_->name() : "alone"; }

  void open_batches(const BatchShape& shape) EXCLUDES(mutex_);
  bool try_send(int to, uint8_t kind, std::span<const uint8_t> bytes) EXCLUDES(mutex_);
  std::optional<BatchFlow::Arrived> try_receive() EXCLUDES(mutex_);
  void let_go(int from, Buffer buffer) EXCLUDES(mutex_);
  void wait(std::optional<int> to) EXCLUDES(mutex_);

  void end_sends() EXCLUDES(mutex_);
  bool round_over() const { return over_.load(std::memory_order_acquire); }
  Status next_round() EXCLUDES(mutex_);

  // The result of a collective.
  Result<std::string> collect(Operation operation, std::string part) EXCLUDES(mutex_);

  void stop(const Status& reason) EXCLUDES(mutex_);
  bool stop_asked() const { return stop_rank_.load(std::memory_order_acquire) >= 0; }
  Status stop_reason() const EXCLUDES(mutex_);
  int stop_rank() const { return stop_rank_.load(std::memory_order_acquire); }
  void fail(const Status& reason) EXCLUDES(mutex_);
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  Status status() const EXCLUDES(mutex_);
  Status probe(std::chrono::milliseconds time) EXCLUDES(mutex_);
  int reporting_rank() const EXCLUDES(mutex_);
  void post(std::span<const uint64_t> numbers) EXCLUDES(mutex_);
  std::vector<uint64_t> posted(int rank) const EXCLUDES(mutex_);
  Traffic traffic() const EXCLUDES(mutex_);
  Status finish() EXCLUDES(mutex_);
  // The wire did not close in time: its thread cannot be waited for.
  bool stuck() const { return stuck_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Outgoing {
    int to = 0;
    Buffer message;
  };
  struct Key {  // of a collective: the counts of a round are one of their own
    bool counts = false;
    uint64_t number = 0;
    auto operator<=>(const Key&) const = default;
  };
  enum class Phase { opening, running, leaving_in_order, leaving, closed };
  // What only the own thread uses.
  struct OwnThread {
    std::optional<LifeSigns> life;
    Clock::time_point next_look{}, next_sign{};
    std::optional<int> suspect;  // whose process had ended at the last look
    bool signal_seen = false;
    unsigned idle = 0;  // times in a row that there was nothing to do
  };

  // ---- the own thread (transport_thread.cc)
  void run() EXCLUDES(mutex_);
  void serve() EXCLUDES(mutex_);
  void leave(Phase phase) EXCLUDES(mutex_);
  bool take_in() EXCLUDES(mutex_);
  void handle(Incoming incoming) EXCLUDES(mutex_);
  void handle_batch(int from, const Head& head, Buffer message) REQUIRES(mutex_);
  void handle_part(int from, const Head& head, std::string part) REQUIRES(mutex_);
  void handle_notice(int from, const Head& head, const std::string& content) REQUIRES(mutex_);
  bool send_out() EXCLUDES(mutex_);
  void settle_credits(std::vector<Outgoing>& messages) REQUIRES(mutex_);
  void look_around() EXCLUDES(mutex_);
  void look_at_signal() REQUIRES(mutex_);
  void give_signs() REQUIRES(mutex_);
  void rest(bool busy) EXCLUDES(mutex_);

  // ---- messages (transport_core.cc)
  void queue(int to, Buffer message) REQUIRES(mutex_) { outgoing_.push_back({to, std::move(message)}); }
  void queue_to_all(const Head& head, const std::string& content = {}) REQUIRES(mutex_);
  void advance(const Key& key, Collective& collective) REQUIRES(mutex_);
  Collective& collective(const Key& key) REQUIRES(mutex_);
  void expect(const std::string& counts) REQUIRES(mutex_);
  void update_round() REQUIRES(mutex_);

  // ---- the end (transport_end.cc)
  void begin_stop(const Status& reason) REQUIRES(mutex_);
  void set_stop(int rank, Status reason) REQUIRES(mutex_);
  void set_failed(Status status) REQUIRES(mutex_);
  void give_up(const Status& reason) REQUIRES(mutex_);  // and tells the others
  void queue_failure(MessageType type) REQUIRES(mutex_);
  void lose(int rank, const std::string& how) REQUIRES(mutex_);
  void begin_probe(std::chrono::milliseconds time) REQUIRES(mutex_);
  void look_at_probe(Clock::time_point now) REQUIRES(mutex_);
  std::string own_text(const Status& reason) const;

  // ---- waiting
  void notify() REQUIRES(mutex_);
  void wake();
  // Waits until done() or a failure or the time is over, and counts the time. False: done() does not hold. The analysis
  // cannot see that done() is called with the lock held.
  template <class Done>
  bool wait_until(MutexLock& lock, Done done, std::optional<Clock::duration> time = {}) UNCHECKED_LOCKS {
    const auto ready = [&]() UNCHECKED_LOCKS { return failed() || done(); };
    if (ready()) return done();
    const Clock::time_point start = Clock::now();
    ++waiters_;
    wake();
    if (time)
      changed_.wait_for(lock, *time, ready);
    else
      changed_.wait(lock, ready);
    --waiters_;
    waiting_ += Clock::now() - start;
    return done();
  }

  const std::unique_ptr<Wire> wire_;
  const TransportOptions options_;
  BufferPool pool_;
  // Set by the own thread while open() waits, and not changed later.
  int rank_ = 0, ranks_ = 1;
  std::vector<std::string> hosts_{std::string()};
  BatchShape shape_;  // set by open_batches(), before any batch

  mutable Mutex mutex_;
  ConditionVariable changed_;
  Phase phase_ GUARDED_BY(mutex_) = Phase::opening;
  Status opened_ GUARDED_BY(mutex_);
  std::vector<Outgoing> outgoing_ GUARDED_BY(mutex_);
  BatchFlow flow_ GUARDED_BY(mutex_){1};
  Peers peers_ GUARDED_BY(mutex_){0, 1};
  ProcessWatch processes_ GUARDED_BY(mutex_);
  std::map<Key, Collective> collectives_ GUARDED_BY(mutex_);
  uint64_t next_collective_ GUARDED_BY(mutex_) = 0;
  Status status_ GUARDED_BY(mutex_), stop_reason_ GUARDED_BY(mutex_);
  std::vector<std::vector<uint64_t>> posted_ GUARDED_BY(mutex_){1};  // by rank
  Traffic traffic_ GUARDED_BY(mutex_);
  Clock::duration waiting_ GUARDED_BY(mutex_){};

  // Changed with the lock held, read without it.
  std::atomic<bool> over_{false}, failed_{false};
  std::atomic<int> stop_rank_{-1};
  std::atomic<int> waiters_{0};

  OwnThread own_;
  std::thread thread_;
  bool stuck_ = false;
};

}  // namespace strata::cluster
