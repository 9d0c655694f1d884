#include "cluster/testing/in_process.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <latch>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/locks/mutex.h"
#include "base/random.h"

namespace strata::cluster {

struct InProcessNetwork::State {
  using Clock = std::chrono::steady_clock;
  // The messages on their way to a rank, by the time of their arrival.
  struct Mailbox {
    Mutex mutex;
    ConditionVariable changed;
    std::multimap<Clock::time_point, Incoming> messages GUARDED_BY(mutex);
    bool woken GUARDED_BY(mutex) = false;
  };

  State(int count, const InProcessOptions& wanted)
      : ranks(count),
        options(wanted),
        boxes(static_cast<size_t>(count)),
        dead(static_cast<size_t>(count)),
        cuts(static_cast<size_t>(count) * static_cast<size_t>(count)) {}

  std::atomic<bool>& cut(int from, int to) { return cuts[static_cast<size_t>(from * ranks + to)]; }
  Mailbox& box(int rank) { return boxes[static_cast<size_t>(rank)]; }
  bool is_dead(int rank) const { return dead[static_cast<size_t>(rank)]; }

  const int ranks;
  const InProcessOptions options;
  std::vector<Mailbox> boxes;
  std::vector<std::atomic<bool>> dead, cuts;
};

class InProcessWire final : public Wire {
  using Mailbox = InProcessNetwork::State::Mailbox;
  using Clock = InProcessNetwork::State::Clock;

 public:
  InProcessWire(InProcessNetwork::State& network, int rank)
      : network_(network), rank_(rank), random_(network.options.seed * 1000 + static_cast<uint64_t>(rank)) {}

  Status open(BufferPool&) override { return {}; }
  int rank() const override { return rank_; }
  int ranks() const override { return network_.ranks; }
  const char* name() const override { return "in-process"; }

  void send(int to, Buffer bytes) override {
    if (network_.is_dead(rank_) || network_.is_dead(to) || network_.cut(rank_, to)) return;
    const Clock::time_point due = sent_at(bytes.size()) + delay();
    Mailbox& box = network_.box(to);
    const MutexLock lock(box.mutex);
    box.messages.emplace(due, Incoming{rank_, std::move(bytes)});
    box.changed.notify_one();
  }

  std::optional<Incoming> receive() override {
    Mailbox& box = network_.box(rank_);
    const MutexLock lock(box.mutex);
    if (network_.is_dead(rank_) || box.messages.empty() || box.messages.begin()->first > Clock::now())
      return {};
    Incoming incoming = std::move(box.messages.begin()->second);
    box.messages.erase(box.messages.begin());
    return incoming;
  }

  bool all_sent() override { return true; }
  Status status() const override { return {}; }

  void wait(std::chrono::microseconds time) override {
    Mailbox& box = network_.box(rank_);
    MutexLock lock(box.mutex);
    Clock::time_point end = Clock::now() + time;
    const auto first_due = [&]() REQUIRES(box.mutex) {
      return box.messages.empty() ? end : box.messages.begin()->first;
    };
    while (!box.woken && Clock::now() < std::min(end, first_due()))
      box.changed.wait_until(lock, std::min(end, first_due()));
    box.woken = false;
  }

  void wake() override {
    Mailbox& box = network_.box(rank_);
    const MutexLock lock(box.mutex);
    box.woken = true;
    box.changed.notify_one();
  }

  void close(bool) override {}

 private:
  // When the last byte has left, at the rank's bandwidth.
  Clock::time_point sent_at(uint64_t bytes) {
    const Clock::time_point now = Clock::now();
    if (network_.options.bandwidth == 0) return now;
    free_at_ = std::max(free_at_, now) + std::chrono::nanoseconds(bytes * 1000 / network_.options.bandwidth);
    return free_at_;
  }
  std::chrono::microseconds delay() {
    return std::chrono::microseconds(
        random_.below(static_cast<uint64_t>(network_.options.delay.count()) + 1));
  }

  InProcessNetwork::State& network_;
  const int rank_;
  Random random_;
  Clock::time_point free_at_{};
};

InProcessNetwork::InProcessNetwork(int ranks, const InProcessOptions& options)
    : state_(std::make_unique<State>(ranks, options)) {}
InProcessNetwork::~InProcessNetwork() = default;

int InProcessNetwork::ranks() const { return state_->ranks; }
std::unique_ptr<Wire> InProcessNetwork::wire(int rank) {
  return std::make_unique<InProcessWire>(*state_, rank);
}
void InProcessNetwork::kill(int rank) { state_->dead[static_cast<size_t>(rank)] = true; }

void InProcessNetwork::cut(int one, int other) {
  state_->cut(one, other) = true;
  state_->cut(other, one) = true;
}

void run_ranks(InProcessNetwork& network, const std::function<void(Transport&)>& work,
               const TransportOptions& options) {
  Mutex mutex;
  std::exception_ptr thrown;
  std::latch opened(network.ranks());
  const auto run = [&](int rank) {
    try {
      Result<std::unique_ptr<Transport>> transport = Transport::open(network.wire(rank), options);
      opened.arrive_and_wait();
      if (!transport.ok()) throw std::runtime_error(transport.status().message());
      work(**transport);
    } catch (...) {
      const MutexLock lock(mutex);
      if (!thrown) thrown = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  for (int rank = 0; rank < network.ranks(); ++rank) threads.emplace_back(run, rank);
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace strata::cluster
