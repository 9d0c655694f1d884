// What callers' threads do. The transport's own thread is in transport_thread.cc, the end in transport_end.cc.
#include "cluster/transport/transport_core.h"

#include <fmt/format.h>
#include <unistd.h>

#include <system_error>

namespace strata::cluster {
namespace {

constexpr std::chrono::milliseconds kShortWait{1};

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
    const MutexLock lock(mutex_);
    queue_failure(MessageType::left);
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
    MutexLock lock(mutex_);
    while (phase_ == Phase::opening) changed_.wait(lock);
    if (!opened_.ok()) return opened_;
  }
  const std::string name = own_host() + "\n" + process_address();
  const Result<std::string> names = collect(Operation::collect_all, list_part(rank_, name));
  if (!names.ok()) return names.status();
  const std::vector<std::string> list = part_list(*names, ranks_);
  const MutexLock lock(mutex_);
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

void Transport::Core::wake() {
  if (wire_) wire_->wake();
}

void Transport::Core::notify() {
  if (waiters_ > 0) changed_.notify_all();
}

// Batches.

void Transport::Core::open_batches(const BatchShape& shape) {
  const MutexLock lock(mutex_);
  shape_ = shape;
  flow_.open(shape.window);
  pool_.keep(shape.bytes + sizeof(Head), 2 * static_cast<uint64_t>(ranks_ - 1) * shape.window);
}

bool Transport::Core::try_send(int to, uint8_t kind, std::span<const uint8_t> bytes) {
  if (bytes.empty() || bytes.size() > shape_.bytes || to == rank_) {
    fail(Status::internal("a batch of the wrong size, or to the rank itself"));
    return false;
  }
  {
    const MutexLock lock(mutex_);
    if (failed() || !flow_.can_send(to)) return false;
    flow_.note_sent(to);
    traffic_.batches_sent += 1;
    traffic_.bytes_sent += bytes.size() + sizeof(Head);
  }
  // The copy needs no lock, because the credit is taken. The round stays the same, because this rank has not ended its
  // sends.
  Buffer message = pool_.take(sizeof(Head) + bytes.size());
  std::copy(bytes.begin(), bytes.end(), message.begin() + sizeof(Head));
  {
    const MutexLock lock(mutex_);
    if (failed()) return false;
    write_head(message, {.type = MessageType::batch, .kind = kind, .round = flow_.round()});
    queue(to, std::move(message));
  }
  wake();
  return true;
}

std::optional<BatchFlow::Arrived> Transport::Core::try_receive() {
  const MutexLock lock(mutex_);
  return failed() ? std::nullopt : flow_.take();
}

void Transport::Core::let_go(int from, Buffer buffer) {
  pool_.give(std::move(buffer));
  const MutexLock lock(mutex_);
  if (failed()) return;
  if (flow_.let_go(from)) wake();
  update_round();
}

void Transport::Core::wait(std::optional<int> to) {
  MutexLock lock(mutex_);
  const auto something = [&]() REQUIRES(mutex_) {
    return round_over() || flow_.has_arrived() || (to && flow_.can_send(*to));
  };
  wait_until(lock, something, kShortWait);
}

// Rounds.

void Transport::Core::end_sends() {
  {
    const MutexLock lock(mutex_);
    if (failed()) return;
    const Key key{true, flow_.round()};
    Collective& counts = collective(key);
    counts.add_own(Operation::sum, numbers_part(flow_.end_sends()));
    advance(key, counts);
  }
  wake();
}

void Transport::Core::expect(const std::string& counts) {
  const std::vector<uint64_t> numbers = part_numbers(counts);
  flow_.expect(numbers[static_cast<size_t>(rank_)]);
  update_round();
}

void Transport::Core::update_round() {
  if (flow_.has_too_many()) give_up(Status::internal("more batches arrived than were sent"));
  if (!flow_.is_over()) return;
  over_.store(true, std::memory_order_release);
  notify();
}

Status Transport::Core::next_round() {
  const MutexLock lock(mutex_);
  if (failed()) return status_;
  if (!flow_.is_over()) return Status::internal("the next round was begun before this one was over");
  flow_.next_round();
  over_.store(false, std::memory_order_release);
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
  MutexLock lock(mutex_);
  if (failed()) return status_;
  const Key key{false, next_collective_++};
  Collective& own = collective(key);
  own.add_own(operation, std::move(part));
  advance(key, own);
  if (!wait_until(lock, [&]() REQUIRES(mutex_) { return own.result().has_value(); })) return status_;
  std::string result = *own.result();
  collectives_.erase(key);
  return result;
}

// Notices.

void Transport::Core::queue_to_all(const Head& head, const std::string& content) {
  for (int other = 0; other < ranks_; ++other)
    if (other != rank_) queue(other, make_message(head, content));
}

void Transport::Core::post(std::span<const uint64_t> numbers) {
  const MutexLock lock(mutex_);
  posted_[static_cast<size_t>(rank_)].assign(numbers.begin(), numbers.end());
}

std::vector<uint64_t> Transport::Core::posted(int rank) const {
  const MutexLock lock(mutex_);
  return posted_[static_cast<size_t>(rank)];
}

Traffic Transport::Core::traffic() const {
  const MutexLock lock(mutex_);
  Traffic traffic = traffic_;
  traffic.waiting = std::chrono::duration<double>(waiting_).count();
  return traffic;
}

}  // namespace strata::cluster
