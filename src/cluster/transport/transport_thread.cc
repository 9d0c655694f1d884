// The transport's own thread, the only one that touches the wire.
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include "cluster/transport/transport_core.h"

namespace strata::cluster {
namespace {

// How often the processes and the signs of life of other ranks are checked.
constexpr std::chrono::milliseconds kLook{20};
// With nothing to do, the thread first yields, then sleeps, longer and longer; less long while another thread waits.
constexpr unsigned kYields = 4;
constexpr std::chrono::microseconds kFirstNap{20}, kLongNap{1000}, kLongNapWaiting{40};
// How long a rank that leaves after a failure sends what is still to be sent.
constexpr std::chrono::milliseconds kFlush{300};

}  // namespace

void Transport::Core::run() {
  // Otherwise the kernel adds 50 microseconds to each sleep.
  ::prctl(PR_SET_TIMERSLACK, 1000);
  Status opened = wire_->open(pool_);
  {
    const MutexLock lock(mutex_);
    opened_ = opened;
    rank_ = wire_->rank();
    ranks_ = wire_->ranks();
    const size_t ranks = static_cast<size_t>(ranks_);
    hosts_.assign(ranks, "unknown");
    peers_ = Peers(rank_, ranks_);
    posted_.assign(ranks, {});
    flow_ = BatchFlow(ranks_);
    own_.life.emplace(rank_, ranks_, options_.patience);
    phase_ = opened.ok() ? Phase::running : Phase::closed;
    changed_.notify_all();
  }
  if (opened.ok()) serve();
}

void Transport::Core::serve() {
  Phase phase = Phase::running;
  while (phase == Phase::running) {
    const bool received = take_in();
    const bool sent = send_out();
    look_around();
    rest(received || sent);
    const MutexLock lock(mutex_);
    phase = phase_;
  }
  leave(phase);
}

void Transport::Core::leave(Phase phase) {
  const Clock::time_point end = Clock::now() + kFlush;
  do {
    take_in();
    send_out();
  } while (!wire_->all_sent() && (phase == Phase::leaving_in_order || Clock::now() < end));
  wire_->close(phase == Phase::leaving_in_order);
  const MutexLock lock(mutex_);
  phase_ = Phase::closed;
  changed_.notify_all();
}

void Transport::Core::rest(bool busy) {
  if (busy) {
    own_.idle = 0;
    return;
  }
  if (own_.idle++ < kYields) {
    ::sched_yield();
    return;
  }
  const unsigned doubled = std::min(own_.idle - kYields - 1, 16u);
  wire_->wait(std::min(kFirstNap * (1u << doubled), waiters_ > 0 ? kLongNapWaiting : kLongNap));
}

// Sending.

void Transport::Core::settle_credits(std::vector<Outgoing>& messages) {
  for (Outgoing& outgoing : messages) {
    Head head = read_head(outgoing.message);
    if (head.type != MessageType::batch) continue;
    head.credits = static_cast<uint16_t>(flow_.settle(outgoing.to));
    write_head(outgoing.message, head);
  }
  for (const int rank : flow_.take_due())
    if (const unsigned credits = flow_.settle(rank); credits > 0)
      messages.push_back(
          {rank, make_message({.type = MessageType::credit, .credits = static_cast<uint16_t>(credits)})});
}

bool Transport::Core::send_out() {
  std::vector<Outgoing> messages;
  {
    const MutexLock lock(mutex_);
    messages.swap(outgoing_);
    settle_credits(messages);
  }
  for (Outgoing& outgoing : messages) wire_->send(outgoing.to, std::move(outgoing.message));
  return !messages.empty();
}

// Receiving.

bool Transport::Core::take_in() {
  bool any = false;
  while (std::optional<Incoming> incoming = wire_->receive()) {
    any = true;
    handle(std::move(*incoming));
  }
  return any;
}

void Transport::Core::handle(Incoming incoming) {
  if (incoming.bytes.size() < sizeof(Head)) return;
  const Head head = read_head(incoming.bytes);
  const int from = incoming.from;
  own_.life->heard(from);
  const MutexLock lock(mutex_);
  if (head.credits > 0) {
    if (!flow_.credit(from, head.credits))
      give_up(Status::internal("a rank gave back more buffers than it had"));
    notify();
  }
  switch (head.type) {
    case MessageType::batch: return handle_batch(from, head, std::move(incoming.bytes));
    case MessageType::up:
    case MessageType::down:
    case MessageType::counts_up:
    case MessageType::counts_down: return handle_part(from, head, content_text(incoming.bytes));
    default: return handle_notice(from, head, content_text(incoming.bytes));
  }
}

void Transport::Core::handle_batch(int from, const Head& head, Buffer message) {
  if (failed()) return;
  traffic_.batches_received += 1;
  traffic_.bytes_received += message.size();
  if (!flow_.add(from, head, std::move(message)))
    return give_up(Status::internal("a batch came in the wrong round"));
  notify();
}

void Transport::Core::handle_part(int from, const Head& head, std::string part) {
  if (failed()) return;
  const bool counts = head.type == MessageType::counts_up || head.type == MessageType::counts_down;
  const bool down = head.type == MessageType::down || head.type == MessageType::counts_down;
  const Key key{counts, head.number};
  Collective& run = collective(key);
  if (down)
    run.add_result(std::move(part));
  else if (!run.add_child(from, static_cast<Operation>(head.kind), std::move(part)))
    return give_up(Status::internal("a rank took part twice in the same step"));
  advance(key, run);
}

void Transport::Core::handle_notice(int from, const Head& head, const std::string& content) {
  switch (head.type) {
    case MessageType::ping:
      return queue(from, make_message({.type = MessageType::pong, .number = head.number}));
    case MessageType::pong:
      peers_.note_answer(from, head.number);
      look_at_probe(Clock::now());
      break;
    case MessageType::posted: posted_[static_cast<size_t>(from)] = part_numbers(content); return;
    case MessageType::stop: return set_stop(from, Status(static_cast<StatusCode>(head.kind), content));
    case MessageType::left: peers_.leave(from); [[fallthrough]];
    case MessageType::fail:
      // The others may have given up this rank.
      if (head.number > 0 && head.number <= static_cast<uint64_t>(ranks_))
        peers_.note_lost(static_cast<int>(head.number) - 1);
      set_failed(Status(static_cast<StatusCode>(head.kind), content));
      break;
    default: return;
  }
  changed_.notify_all();
}

// Checking the others.

void Transport::Core::look_around() {
  const Clock::time_point now = Clock::now();
  if (now < own_.next_look) return;
  own_.next_look = now + std::min(kLook, options_.patience / 8);
  const std::optional<int> silent = own_.life->look(now);
  const MutexLock lock(mutex_);
  if (phase_ != Phase::running) return;
  // A rank is lost at the second look after its process ended: what it sent before is handled first.
  const std::optional<int> ended = processes_.ended();
  if (ended && ended == own_.suspect) lose(*ended, "died: its process has ended");
  own_.suspect = ended;
  if (silent)
    lose(*silent,
         fmt::format("was not heard of for {:.0f} seconds: it hangs, or its machine or the network is down",
                     std::chrono::duration<double>(options_.patience).count()));
  if (const Status wire = wire_->status(); !wire.ok() && !failed()) give_up(wire);
  look_at_signal();
  look_at_probe(now);
  if (now < own_.next_sign) return;
  own_.next_sign = now + std::min(options_.signs, options_.patience / 8);
  give_signs();
}

void Transport::Core::look_at_signal() {
  if (options_.asked_to_end == nullptr || failed() || stop_asked()) return;
  if (!own_.signal_seen && options_.asked_to_end->load()) {
    own_.signal_seen = true;
    begin_probe(kProbeTime);
  } else if (own_.signal_seen && !peers_.probing()) {
    begin_stop(Status(StatusCode::interrupted, "asked to end by a signal"));
  }
}

void Transport::Core::give_signs() {
  for (const int watcher : own_.life->watchers()) queue(watcher, make_message({.type = MessageType::beat}));
  const std::vector<uint64_t>& numbers = posted_[static_cast<size_t>(rank_)];
  if (rank_ != 0 && !numbers.empty())
    queue(0, make_message({.type = MessageType::posted}, numbers_part(numbers)));
}

}  // namespace strata::cluster
