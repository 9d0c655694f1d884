// The inside of a transport. Callers' threads and the transport's own thread meet in one state behind one
// mutex: they hold it for moments, because what passes through it are whole batches. Only the own thread
// touches the wire.
//
//   callers: try_send -> outgoing_ ----> own thread ----> wire -> ... -> own thread -> inbox_ -> callers: try_receive
//            collectives -> Collective -> outgoing_                      own thread -> Collective -> outgoing_, result
//
// Whoever has the last part of a collective joins it and queues what follows; so a step of the tree costs no
// change of thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "cluster/transport/collective.h"
#include "cluster/transport/life_signs.h"
#include "cluster/transport/message.h"
#include "cluster/transport/process_watch.h"
#include "cluster/transport/round_count.h"
#include "cluster/transport/transport.h"
#include "cluster/transport/window.h"
#include "cluster/transport/wire.h"

namespace strata::cluster {

class Transport::Core {
 public:
  Core(std::unique_ptr<Wire> wire, const TransportOptions& options);
  ~Core();

  // Joins the others and exchanges names. Nothing to do without a wire.
  Status open();

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  const std::string& host(int rank) const { return hosts_[static_cast<size_t>(rank)]; }
  std::string rank_text(int rank) const;
  const char* name() const { return wire_ ? wire_->name() : "alone"; }

  void open_batches(const BatchShape& shape);
  bool try_send(int to, uint8_t kind, std::span<const uint8_t> bytes);
  struct Arrived {
    int from = 0;
    uint8_t kind = 0;
    Buffer message;
  };
  std::optional<Arrived> try_receive();
  void let_go(int from, Buffer buffer);
  void wait(std::optional<int> to);

  void end_sends();
  bool round_over() const { return over_.load(std::memory_order_acquire); }
  Status next_round();

  // The result of a collective.
  Result<std::string> collect(Operation operation, std::string part);

  void stop(const Status& reason);
  bool stop_asked() const { return stop_rank_.load(std::memory_order_acquire) >= 0; }
  Status stop_reason() const;
  int stop_rank() const { return stop_rank_.load(std::memory_order_acquire); }
  void fail(const Status& reason);
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  Status status() const;
  Status inquest(std::chrono::milliseconds time);
  int speaker() const;
  void post(std::span<const uint64_t> numbers);
  std::vector<uint64_t> posted(int rank) const;
  Traffic traffic() const;
  Status finish();
  // The wire did not let go in time: its thread cannot be waited for.
  bool stuck() const { return stuck_; }

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;
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

  // The own thread.
  void run();
  void serve();
  void leave(Phase phase);
  bool take_in();
  void handle(Incoming incoming);
  void handle_batch(int from, const Head& head, Buffer message);
  void handle_part(int from, const Head& head, std::string part);
  void handle_notice(int from, const Head& head, const std::string& content);
  bool send_out();
  void look_around();
  void look_at_signal();
  void give_signs();
  void rest(bool busy);

  // With the lock held.
  void queue(int to, Buffer message) { outgoing_.push_back({to, std::move(message)}); }
  void queue_to_all(const Head& head, const std::string& content = {});
  void begin_inquest(std::chrono::milliseconds time);
  void look_at_inquest(Clock::time_point now);
  void set_stop(int rank, Status reason);
  void advance(const Key& key, Collective& collective);
  Collective& collective(const Key& key);
  void expect(const std::string& counts);
  void update_round();
  void set_failed(Status status);
  void give_up(const Status& reason);  // and tells the others
  void queue_failure(MessageType type);
  void lose(int rank, const std::string& how);
  void settle_credits(std::vector<Outgoing>& messages);
  bool all_answered() const {
    return std::find(answered_.begin(), answered_.end(), false) == answered_.end();
  }
  bool all_said_bye() const;
  std::string own_text(const Status& reason) const;
  bool any_lost() const { return std::find(lost_.begin(), lost_.end(), true) != lost_.end(); }
  void notify();

  // Waits until done() or a failure or the time is over, and counts the time. False: not done.
  template <class Done>
  bool wait_until(Lock& lock, Done done, std::optional<Clock::duration> time = {});
  void wake();

  const std::unique_ptr<Wire> wire_;
  const TransportOptions options_;
  BufferPool pool_;
  int rank_ = 0, ranks_ = 1;
  std::vector<std::string> hosts_{std::string()};
  BatchShape shape_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  Phase phase_ = Phase::opening;
  Status opened_;
  std::vector<Outgoing> outgoing_;
  std::vector<int> due_;               // ranks that are to get their credits
  std::deque<Arrived> inbox_, ahead_;  // of this round, of the next
  RoundCount count_{1};
  Window window_{1, 0};
  std::map<Key, Collective> collectives_;
  uint64_t next_collective_ = 0;
  Status status_, stop_reason_;
  std::vector<bool> lost_{false}, bye_{false}, answered_;  // by rank
  uint64_t inquest_ = 0;                                   // how many there were
  std::optional<Clock::time_point> inquest_end_;           // while there is one
  std::vector<uint64_t> post_;
  std::vector<std::vector<uint64_t>> posted_{1};  // by rank
  Traffic traffic_;
  Clock::duration waiting_{};

  std::atomic<bool> over_{false}, failed_{false};
  std::atomic<int> stop_rank_{-1};
  std::atomic<int> waiters_{0};

  // Of the own thread.
  std::optional<LifeSigns> life_;
  ProcessWatch processes_;
  Clock::time_point next_look_{}, next_sign_{};
  std::optional<int> suspect_;  // whose process had ended at the last look
  bool signal_seen_ = false;
  unsigned idle_ = 0;  // times in a row that there was nothing to do
  std::thread thread_;
  bool stuck_ = false;
};

}  // namespace strata::cluster
