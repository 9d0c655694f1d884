// The transport's own thread, the only one that touches the wire.
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include "cluster/transport/transport_core.h"

namespace strata::cluster {
namespace {

// How often other ranks are looked after: their processes, and their signs of life.
constexpr std::chrono::milliseconds kLook{20};
// With nothing to do, the thread first lets others run, then sleeps, longer and longer. Where somebody waits
// it sleeps less.
constexpr unsigned kYields = 4;
constexpr std::chrono::microseconds kFirstNap{20}, kLongNap{1000}, kLongNapWaiting{40};
// For what is still to be sent when a rank leaves after a failure.
constexpr std::chrono::milliseconds kFlush{300};

}  // namespace

void Transport::Core::run() {
  // The kernel adds 50 microseconds to each sleep otherwise.
  ::prctl(PR_SET_TIMERSLACK, 1000);
  Status opened = wire_->open(pool_);
  {
    const Lock lock(mutex_);
    opened_ = opened;
    rank_ = wire_->rank();
    ranks_ = wire_->ranks();
    const size_t ranks = static_cast<size_t>(ranks_);
    hosts_.assign(ranks, "unknown");
    lost_.assign(ranks, false);
    bye_.assign(ranks, false);
    posted_.assign(ranks, {});
    count_ = RoundCount(ranks_);
    window_ = Window(ranks_, 0);
    life_.emplace(rank_, ranks_, options_.patience);
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
    const Lock lock(mutex_);
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
  const Lock lock(mutex_);
  phase_ = Phase::closed;
  changed_.notify_all();
}

void Transport::Core::rest(bool busy) {
  if (busy) {
    idle_ = 0;
    return;
  }
  if (idle_++ < kYields) {
    ::sched_yield();
    return;
  }
  const unsigned doubled = std::min(idle_ - kYields - 1, 16u);
  wire_->wait(std::min(kFirstNap * (1u << doubled), waiters_ > 0 ? kLongNapWaiting : kLongNap));
}

// Sending.

void Transport::Core::settle_credits(std::vector<Outgoing>& messages) {
  for (Outgoing& outgoing : messages) {
    Head head = read_head(outgoing.message);
    if (head.type != MessageType::batch) continue;
    head.credits = static_cast<uint16_t>(window_.settle(outgoing.to));
    write_head(outgoing.message, head);
  }
  for (const int rank : due_)
    if (const unsigned credits = window_.settle(rank); credits > 0)
      messages.push_back(
          {rank, make_message({.type = MessageType::credit, .credits = static_cast<uint16_t>(credits)})});
  due_.clear();
}

bool Transport::Core::send_out() {
  std::vector<Outgoing> messages;
  {
    const Lock lock(mutex_);
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
  life_->heard(from);
  const Lock lock(mutex_);
  if (head.credits > 0) {
    window_.credited(from, head.credits);
    if (window_.wrong(from)) give_up(Status::internal("a rank gave back more buffers than it had"));
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
  const uint32_t ahead = head.round - count_.round();
  if (ahead > 1) return give_up(Status::internal("a batch came in the wrong round"));
  (ahead == 0 ? inbox_ : ahead_).push_back({from, head.kind, std::move(message)});
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
      if (head.number == inquest_) answered_[static_cast<size_t>(from)] = true;
      look_at_inquest(Clock::now());
      break;
    case MessageType::posted: posted_[static_cast<size_t>(from)] = part_numbers(content); return;
    case MessageType::stop: return set_stop(from, Status(static_cast<StatusCode>(head.kind), content));
    case MessageType::bye: bye_[static_cast<size_t>(from)] = true; [[fallthrough]];
    case MessageType::fail:
      // It may be this rank, which the others have given up.
      if (head.number > 0 && head.number <= lost_.size()) lost_[head.number - 1] = true;
      set_failed(Status(static_cast<StatusCode>(head.kind), content));
      break;
    default: return;
  }
  changed_.notify_all();
}

// Looking after the others.

void Transport::Core::look_around() {
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return;
  next_look_ = now + std::min(kLook, options_.patience / 8);
  const std::optional<int> silent = life_->look(now);
  const Lock lock(mutex_);
  if (phase_ != Phase::running) return;
  // What it said before is heard first.
  const std::optional<int> ended = processes_.ended();
  if (ended && ended == suspect_) lose(*ended, "died: its process has ended");
  suspect_ = ended;
  if (silent)
    lose(*silent,
         fmt::format("was not heard of for {:.0f} seconds: it hangs, or its machine or the network is down",
                     std::chrono::duration<double>(options_.patience).count()));
  if (const Status wire = wire_->status(); !wire.ok() && !failed()) give_up(wire);
  look_at_signal();
  look_at_inquest(now);
  if (now < next_sign_) return;
  next_sign_ = now + std::min(options_.signs, options_.patience / 8);
  give_signs();
}

void Transport::Core::look_at_signal() {
  if (options_.asked_to_end == nullptr || failed() || stop_asked()) return;
  if (!signal_seen_ && options_.asked_to_end->load()) {
    signal_seen_ = true;
    begin_inquest(kInquest);
  } else if (signal_seen_ && !inquest_end_) {
    const Status reason(StatusCode::interrupted, "asked to end by a signal");
    set_stop(rank_, Status(reason.code(), own_text(reason)));
    queue_to_all({.type = MessageType::stop, .kind = static_cast<uint8_t>(reason.code())},
                 stop_reason_.message());
  }
}

void Transport::Core::give_signs() {
  for (const int watcher : life_->watchers()) queue(watcher, make_message({.type = MessageType::beat}));
  if (rank_ != 0 && !post_.empty())
    queue(0, make_message({.type = MessageType::posted}, numbers_part(post_)));
}

}  // namespace strata::cluster
