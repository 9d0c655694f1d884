#include "cluster/transport/transport.h"

#include <utility>

#include "cluster/transport/transport_core.h"

namespace strata::cluster {

Batch& Batch::operator=(Batch&& other) noexcept {
  if (this == &other) return *this;
  release();
  owner_ = std::exchange(other.owner_, nullptr);
  buffer_ = std::move(other.buffer_);
  bytes_ = std::exchange(other.bytes_, {});
  from_ = other.from_;
  kind_ = other.kind_;
  return *this;
}

void Batch::release() {
  if (owner_ == nullptr) return;
  bytes_ = {};
  std::exchange(owner_, nullptr)->core_->let_go(from_, std::move(buffer_));
}

Transport::Transport(std::unique_ptr<Core> core) : core_(std::move(core)) {}

Transport::~Transport() {
  // A thread that is stuck in the wire still uses the core, and the process is about to end.
  if (core_->stuck()) (void)core_.release();
}

std::unique_ptr<Transport> Transport::alone() {
  std::unique_ptr<Transport> transport(new Transport(std::make_unique<Core>(nullptr, TransportOptions())));
  (void)transport->core_->open();
  return transport;
}

Result<std::unique_ptr<Transport>> Transport::open(std::unique_ptr<Wire> wire,
                                                   const TransportOptions& options) {
  std::unique_ptr<Transport> transport(new Transport(std::make_unique<Core>(std::move(wire), options)));
  if (Status status = transport->core_->open(); !status.ok()) return status;
  return transport;
}

int Transport::rank() const { return core_->rank(); }
int Transport::ranks() const { return core_->ranks(); }
const std::string& Transport::host(int rank) const { return core_->host(rank); }
std::string Transport::rank_text(int rank) const { return core_->rank_text(rank); }
const char* Transport::name() const { return core_->name(); }

uint64_t Transport::bytes_needed(int ranks, const BatchShape& shape) {
  // Batches on their way to each other rank, and batches from it; each is a vector with a head of its own.
  constexpr uint64_t kHead = sizeof(Head) + 64;
  return 2 * static_cast<uint64_t>(ranks - 1) * shape.window * (shape.bytes + kHead);
}

Status Transport::open_batches(const BatchShape& shape) {
  std::vector<uint64_t> largest{shape.bytes, shape.window}, least = largest;
  if (Status status = all_reduce(largest, Reduce::largest); !status.ok()) return status;
  if (Status status = all_reduce(least, Reduce::least); !status.ok()) return status;
  if (least != largest) return Status::internal("the ranks have batches of different sizes");
  if (shape.bytes == 0 || shape.window == 0 || shape.window > UINT16_MAX)
    return Status::internal("batches without bytes or without a window");
  core_->open_batches(shape);
  return {};
}

bool Transport::try_send(int to, uint8_t kind, std::span<const uint8_t> bytes) {
  return core_->try_send(to, kind, bytes);
}

bool Transport::try_receive(Batch& batch) {
  batch.release();
  std::optional<BatchFlow::Arrived> arrived = core_->try_receive();
  if (!arrived) return false;
  batch.owner_ = this;
  batch.buffer_ = std::move(arrived->message);
  batch.bytes_ = content_of(batch.buffer_);
  batch.from_ = arrived->from;
  batch.kind_ = arrived->kind;
  return true;
}

void Transport::wait(std::optional<int> to) { core_->wait(to); }
void Transport::end_sends() { core_->end_sends(); }
bool Transport::round_over() const { return core_->round_over(); }
Status Transport::next_round() { return core_->next_round(); }

Status Transport::barrier() { return core_->collect(Operation::nothing, {}).status(); }

Status Transport::all_reduce(std::span<uint64_t> values, Reduce reduce) {
  const Operation operation = reduce == Reduce::sum     ? Operation::sum
                              : reduce == Reduce::least ? Operation::least
                                                        : Operation::largest;
  const Result<std::string> result = core_->collect(operation, numbers_part(values));
  if (!result.ok()) return result.status();
  const std::vector<uint64_t> numbers = part_numbers(*result);
  if (numbers.size() != values.size())
    return Status::internal("the ranks add up different numbers of values");
  std::copy(numbers.begin(), numbers.end(), values.begin());
  return {};
}

Status Transport::broadcast(int from, std::string& bytes) {
  // A part is never empty, even if the bytes are.
  const std::string part = rank() == from ? ranked_part(from, bytes) : std::string();
  const Result<std::string> result = core_->collect(Operation::first, part);
  if (!result.ok()) return result.status();
  bytes = part_ranked(*result).second;
  return {};
}

Result<std::vector<std::string>> Transport::gather(std::string bytes) {
  const Result<std::string> result = core_->collect(Operation::collect, list_part(rank(), bytes));
  if (!result.ok()) return result.status();
  return rank() == 0 ? part_list(*result, ranks()) : std::vector<std::string>();
}

Result<std::vector<std::string>> Transport::all_gather(std::string bytes) {
  const Result<std::string> result = core_->collect(Operation::collect_all, list_part(rank(), bytes));
  if (!result.ok()) return result.status();
  return part_list(*result, ranks());
}

Result<std::optional<Transport::Least>> Transport::least(const std::optional<std::string>& bytes) {
  const std::string part = bytes ? ranked_part(rank(), *bytes) : std::string();
  const Result<std::string> result = core_->collect(Operation::least_bytes, part);
  if (!result.ok()) return result.status();
  if (result->empty()) return std::optional<Least>();
  auto [owner, least] = part_ranked(*result);
  return std::optional<Least>({std::move(least), owner});
}

void Transport::stop(const Status& reason) { core_->stop(reason); }
bool Transport::stop_asked() const { return core_->stop_asked(); }
Status Transport::stop_reason() const { return core_->stop_reason(); }
int Transport::stop_rank() const { return core_->stop_rank(); }
void Transport::fail(const Status& reason) { core_->fail(reason); }
bool Transport::failed() const { return core_->failed(); }
Status Transport::status() const { return core_->status(); }
Status Transport::probe(std::chrono::milliseconds time) { return core_->probe(time); }
int Transport::reporting_rank() const { return core_->reporting_rank(); }
void Transport::post(std::span<const uint64_t> numbers) { core_->post(numbers); }
std::vector<uint64_t> Transport::posted(int rank) const { return core_->posted(rank); }
Traffic Transport::traffic() const { return core_->traffic(); }
Status Transport::finish() { return core_->finish(); }

}  // namespace strata::cluster
