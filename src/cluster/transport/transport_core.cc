// What callers' threads do. cluster/transport/transport_thread.cc is the transport's own.
#include "cluster/transport/transport_core.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace strata::cluster {
namespace {

constexpr std::chrono::milliseconds kShortWait{1};
// After a failure, for the others to say that they are done: one may still be compiling the model. When a
// rank is lost, less.
constexpr std::chrono::seconds kLongFarewell{10}, kFarewell{2};
constexpr std::chrono::seconds kLeavePatience{4};  // for the wire to close

std::string own_host() {
  char name[256] = {};
  if (::gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

}  // namespace

Transport::Core::Core(std::unique_ptr<Wire> wire, const TransportOptions& options)
    : wire_(std::move(wire)), options_(options) {}

Transport::Core::~Core() {
  if (!thread_.joinable()) return;
  fail(Status::system("ended before the others"));
  {
    const Lock lock(mutex_);
    queue_failure(MessageType::bye);
    if (phase_ == Phase::running) phase_ = Phase::leaving;
  }
  wake();
  thread_.join();
}

Status Transport::Core::open() {
  hosts_ = {own_host()};
  if (!wire_) return {};
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    return Status::system("starting a thread for messages: " + error.code().message());
  }
  {
    Lock lock(mutex_);
    changed_.wait(lock, [&] { return phase_ != Phase::opening; });
    if (!opened_.ok()) return opened_;
  }
  const std::string name = own_host() + "\n" + process_address();
  const Result<std::string> names = collect(Operation::collect_all, list_part(rank_, name));
  if (!names.ok()) return names.status();
  const std::vector<std::string> list = part_list(*names, ranks_);
  const Lock lock(mutex_);
  for (int other = 0; other < ranks_; ++other) {
    const std::string& text = list[static_cast<size_t>(other)];
    const size_t end = text.find('\n');
    hosts_[static_cast<size_t>(other)] = text.substr(0, end);
    if (options_.watch_processes && other != rank_ && end != std::string::npos)
      processes_.watch(other, text.substr(end + 1));
  }
  return {};
}

std::string Transport::Core::rank_text(int rank) const {
  return fmt::format("rank {} (host {})", rank, hosts_[static_cast<size_t>(rank)]);
}

std::string Transport::Core::own_text(const Status& reason) const {
  return ranks_ == 1 ? reason.message() : fmt::format("{}: {}", rank_text(rank_), reason.message());
}

template <class Done>
bool Transport::Core::wait_until(Lock& lock, Done done, std::optional<Clock::duration> time) {
  const auto ready = [&] { return failed() || done(); };
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

void Transport::Core::wake() {
  if (wire_) wire_->wake();
}

void Transport::Core::notify() {
  if (waiters_ > 0) changed_.notify_all();
}

// Batches.

void Transport::Core::open_batches(const BatchShape& shape) {
  const Lock lock(mutex_);
  shape_ = shape;
  window_ = Window(ranks_, shape.window);
  pool_.keep(shape.bytes + sizeof(Head), 2 * static_cast<uint64_t>(ranks_ - 1) * shape.window);
}

bool Transport::Core::try_send(int to, uint8_t kind, std::span<const uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > shape_.bytes || to == rank_) {
    fail(Status::internal("a batch of the wrong size, or to the rank itself"));
    return false;
  }
  {
    const Lock lock(mutex_);
    if (failed() || !window_.can_send(to)) return false;
    window_.sent(to);
    count_.sent(to);
    traffic_.batches_sent += 1;
    traffic_.bytes_sent += bytes.size() + sizeof(Head);
  }
  // The credit is ours: the copy needs no lock. The round stays what it is, because this rank has not ended its sends.
  Buffer message = pool_.take(sizeof(Head) + bytes.size());
  std::copy(bytes.begin(), bytes.end(), message.begin() + sizeof(Head));
  {
    const Lock lock(mutex_);
    if (failed()) return false;
    write_head(message, {.type = MessageType::batch, .kind = kind, .round = count_.round()});
    queue(to, std::move(message));
  }
  wake();
  return true;
}

std::optional<Transport::Core::Arrived> Transport::Core::try_receive() {
  const Lock lock(mutex_);
  if (failed() || inbox_.empty()) return {};
  Arrived arrived = std::move(inbox_.front());
  inbox_.pop_front();
  return arrived;
}

void Transport::Core::let_go(int from, Buffer buffer) {
  pool_.give(std::move(buffer));
  const Lock lock(mutex_);
  if (failed()) return;
  count_.received();
  if (window_.let_go(from)) {
    due_.push_back(from);
    wake();
  }
  update_round();
}

void Transport::Core::wait(std::optional<int> to) {
  Lock lock(mutex_);
  const auto something = [&] { return round_over() || !inbox_.empty() || (to && window_.can_send(*to)); };
  wait_until(lock, something, kShortWait);
}

// Rounds.

void Transport::Core::end_sends() {
  {
    const Lock lock(mutex_);
    if (failed()) return;
    const Key key{true, count_.round()};
    Collective& counts = collective(key);
    counts.add_own(Operation::sum, numbers_part(count_.end_sends()));
    advance(key, counts);
  }
  wake();
}

void Transport::Core::expect(const std::string& counts) {
  const std::vector<uint64_t> numbers = part_numbers(counts);
  count_.expect(numbers[static_cast<size_t>(rank_)]);
  update_round();
}

void Transport::Core::update_round() {
  if (count_.wrong()) give_up(Status::internal("more batches arrived than were sent"));
  if (!count_.over()) return;
  over_.store(true, std::memory_order_release);
  notify();
}

Status Transport::Core::next_round() {
  const Lock lock(mutex_);
  if (failed()) return status_;
  if (!count_.over()) return Status::internal("the next round was begun before this one was over");
  count_.next();
  over_.store(false, std::memory_order_release);
  inbox_ = std::move(ahead_);
  ahead_.clear();
  notify();
  return {};
}

// Collectives.

Collective& Transport::Core::collective(const Key& key) {
  return collectives_.try_emplace(key, rank_, ranks_).first->second;
}

void Transport::Core::advance(const Key& key, Collective& collective) {
  if (collective.out_of_step())
    return give_up(Status::internal("the ranks do not take the same steps in the same order"));
  Head head{.kind = static_cast<uint8_t>(collective.operation()), .number = key.number};
  if (const std::optional<std::string> branch = collective.take_branch(); branch && rank_ != 0) {
    head.type = key.counts ? MessageType::counts_up : MessageType::up;
    queue(parent_of(rank_), make_message(head, *branch));
  }
  const std::optional<std::string> down = collective.take_downward();
  if (!down) return;
  head.type = key.counts ? MessageType::counts_down : MessageType::down;
  for (const int child : collective.children()) queue(child, make_message(head, *down));
  if (key.counts) {
    expect(*collective.result());
    collectives_.erase(key);
  }
  notify();
}

Result<std::string> Transport::Core::collect(Operation operation, std::string part) {
  Lock lock(mutex_);
  if (failed()) return status_;
  const Key key{false, next_collective_++};
  Collective& own = collective(key);
  own.add_own(operation, std::move(part));
  advance(key, own);
  if (!wait_until(lock, [&] { return own.result().has_value(); })) return status_;
  std::string result = *own.result();
  collectives_.erase(key);
  return result;
}

// Notices.

void Transport::Core::queue_to_all(const Head& head, const std::string& content) {
  for (int other = 0; other < ranks_; ++other)
    if (other != rank_) queue(other, make_message(head, content));
}

void Transport::Core::set_stop(int rank, Status reason) {
  if (stop_asked()) return;
  stop_reason_ = std::move(reason);
  stop_rank_.store(rank, std::memory_order_release);
  notify();
}

void Transport::Core::stop(const Status& reason) {
  {
    const Lock lock(mutex_);
    if (stop_asked()) return;
    set_stop(rank_, Status(reason.code(), own_text(reason)));
    queue_to_all({.type = MessageType::stop, .kind = static_cast<uint8_t>(reason.code())},
                 stop_reason_.message());
  }
  wake();
}

Status Transport::Core::stop_reason() const {
  const Lock lock(mutex_);
  return stop_reason_;
}

void Transport::Core::set_failed(Status status) {
  if (failed()) return;
  status_ = std::move(status);
  failed_.store(true, std::memory_order_release);
  outgoing_.clear();
  due_.clear();
  inbox_.clear();
  ahead_.clear();
  changed_.notify_all();
}

void Transport::Core::give_up(const Status& reason) {
  if (failed()) return;
  set_failed(Status(reason.code(), own_text(reason)));
  queue_failure(MessageType::fail);
}

void Transport::Core::queue_failure(MessageType type) {
  const auto lost = std::find(lost_.begin(), lost_.end(), true);
  const uint64_t number = lost == lost_.end() ? 0 : 1 + static_cast<uint64_t>(lost - lost_.begin());
  queue_to_all({.type = type, .kind = static_cast<uint8_t>(status_.code()), .number = number},
               status_.message());
}

void Transport::Core::fail(const Status& reason) {
  {
    const Lock lock(mutex_);
    give_up(reason);
  }
  wake();
}

void Transport::Core::lose(int rank, const std::string& how) {
  if (lost_[static_cast<size_t>(rank)] || bye_[static_cast<size_t>(rank)]) return;
  lost_[static_cast<size_t>(rank)] = true;
  if (failed()) return;
  set_failed(Status::system(fmt::format("{} {}", rank_text(rank), how)));
  queue_failure(MessageType::fail);
}

Status Transport::Core::status() const {
  const Lock lock(mutex_);
  return status_;
}

void Transport::Core::begin_inquest(std::chrono::milliseconds time) {
  answered_.assign(lost_.size(), false);
  answered_[static_cast<size_t>(rank_)] = true;
  queue_to_all({.type = MessageType::ping, .number = ++inquest_});
  inquest_end_ = Clock::now() + time;
}

void Transport::Core::look_at_inquest(Clock::time_point now) {
  if (!inquest_end_) return;
  if (!all_answered() && now < *inquest_end_) return;
  inquest_end_.reset();
  for (int other = 0; other < ranks_; ++other)
    if (!answered_[static_cast<size_t>(other)]) lose(other, "does not answer: it died, or cannot be reached");
  changed_.notify_all();
}

Status Transport::Core::inquest(std::chrono::milliseconds time) {
  Lock lock(mutex_);
  if (failed() || ranks_ == 1) return status_;
  begin_inquest(time);
  wait_until(lock, [&] { return !inquest_end_; });
  return status_;
}

int Transport::Core::speaker() const {
  const Lock lock(mutex_);
  const auto living = std::find(lost_.begin(), lost_.end(), false);
  return living == lost_.end() ? rank_ : static_cast<int>(living - lost_.begin());
}

void Transport::Core::post(std::span<const uint64_t> numbers) {
  const Lock lock(mutex_);
  post_.assign(numbers.begin(), numbers.end());
  posted_[static_cast<size_t>(rank_)] = post_;
}

std::vector<uint64_t> Transport::Core::posted(int rank) const {
  const Lock lock(mutex_);
  return posted_[static_cast<size_t>(rank)];
}

Traffic Transport::Core::traffic() const {
  const Lock lock(mutex_);
  Traffic traffic = traffic_;
  traffic.waiting = std::chrono::duration<double>(waiting_).count();
  return traffic;
}

// The end.

bool Transport::Core::all_said_bye() const {
  for (size_t other = 0; other < bye_.size(); ++other)
    if (!bye_[other] && !lost_[other]) return false;
  return true;
}

Status Transport::Core::finish() {
  if (!wire_ || !thread_.joinable()) return status();
  (void)collect(Operation::nothing, {});
  Lock lock(mutex_);
  const bool failure = failed();
  if (failure) {
    bye_[static_cast<size_t>(rank_)] = true;
    queue_failure(MessageType::bye);
    wake();
    changed_.wait_for(lock, kLongFarewell, [&] { return all_said_bye() || any_lost(); });
    changed_.wait_for(lock, kFarewell, [&] { return all_said_bye() || !any_lost(); });
  }
  phase_ = failure && (any_lost() || !all_said_bye()) ? Phase::leaving : Phase::leaving_in_order;
  wake();
  stuck_ = !changed_.wait_for(lock, kLeavePatience, [&] { return phase_ == Phase::closed; });
  lock.unlock();
  if (stuck_)
    thread_.detach();
  else
    thread_.join();
  return status();
}

}  // namespace strata::cluster
