// A fixpoint over a graph that does not fit into RAM, in any order: the engine of `owcty` and `map`.
//
// Each state has a record: the state and a payload. States are divided into partitions (engine/disk/partition_set.h),
// of which one is in RAM (store/set/record_table.h). A pending state is expanded and sends a message to each successor;
// a message changes the successor's payload, and may make it pending. Messages to other partitions wait in their queues
// on disk. The partition with the most messages is loaded next, worked on until no state is pending, and written back.
//
//   phase:   each partition, when it is loaded first: rules.begin for each record; records that do not stay are dropped
//            while a queue is not empty or a partition has not begun:
//              load the partition with the longest queue;  apply its messages
//              while a state of it is pending:  expand it, apply its messages within the partition, queue the others
//              write it back
//
// The Rules (fixpoint_rules.h) say what is computed.
//
// Checkpoints. When one is due the threads stop taking work, and the partition in RAM is written back with its pending
// states: then everything is in the files.
//
// RAM. All of it is divided at the start: the table of one partition with its list of work (record + 9.6 bytes each), a
// cache of messages for each thread, blocks of the queues and files. A partition that becomes too large is split in
// four.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/disk/disk_run.h"
#include "engine/disk/partition_set.h"
#include "liveness/fixpoint/fixpoint_plan.h"
#include "liveness/fixpoint/fixpoint_rules.h"
#include "liveness/fixpoint/message_cache.h"
#include "liveness/fixpoint/work_ring.h"
#include "store/set/record_table.h"

namespace strata {

template <FixpointRules Rules>
class PartitionFixpoint {
 public:
  using Payload = typename Rules::Payload;
  using Message = typename Rules::Message;
  using Counts = typename Rules::Counts;

  PartitionFixpoint(const SearchContext& context, Rules& rules, PartitionChoice choice)
      : run_(context), rules_(rules), partitions_(run_, choice, {sizeof(Payload), sizeof(Message)}) {}

  Status prepare();
  // Sends a message to each initial state.
  void start(const Message& message);
  // All partitions begin another phase, with what the rules say now.
  void begin_phase(const std::string& name);
  // Works on partitions until no message waits. False: the search is to end.
  bool run_phase();
  // For a checkpoint. After a restore run_phase() continues where it was.
  void serialize(Image& image);

  uint64_t states() const;
  Counts counts() const;
  DiskRun& run() { return run_; }
  Result<SearchResult> finish();

 private:
  // Pending states; fewer are not worth waking the other threads.
  static constexpr uint64_t kEnoughForAll = 48;

  struct alignas(128) Worker {
    // Records that are worked on, and what they send.
    UntouchedVector<uint32_t> places;
    UntouchedVector<uint8_t> states, ordered, accepting;
    UntouchedVector<uint64_t> hashes;
    std::vector<Step> steps;
    std::vector<Message> messages, ordered_messages;
    // Successors.
    UntouchedVector<uint64_t> successor_hashes;
    UntouchedVector<uint32_t> mine, refused, woken;
    UntouchedVector<uint8_t> beginning;  // records
    // Messages on their way to queues.
    UntouchedVector<uint8_t> leaving;
    uint64_t leaving_count = 0;
    std::unique_ptr<MessageCache<Rules>> cache;
    Counts counts;
    uint64_t fresh = 0;
  };

  uint64_t state_bytes() const { return run_.state_bytes(); }
  uint64_t message_bytes() const { return state_bytes() + sizeof(Message); }
  Status make_workers(const FixpointPlan& plan);
  std::optional<uint32_t> next_partition();
  void activate(uint32_t leaf);
  void load();
  uint64_t begin_records(Worker& own, const uint8_t* records, uint64_t n);
  Status append(Worker& own, const uint8_t* records, uint64_t n);
  void begin_loaded();
  void write_back();
  void make_checkpoint();
  void drain();
  void propagate();
  void work(unsigned i, bool alone);
  void work_on(unsigned i, uint64_t n);
  uint64_t prepare_messages(unsigned i, uint64_t n, uint64_t& first);
  void expand(unsigned i, const uint8_t* states, const Message* messages, uint64_t n, bool first);
  void deliver(unsigned i, const uint8_t* parents, const Message* messages);
  template <class MessageOf>
  void apply(unsigned i, const uint8_t* states, uint64_t stride, const uint64_t* hashes,
             const uint32_t* which, uint64_t n, const MessageOf& message_of);
  void leave(unsigned i, const uint8_t* record);
  void send_leaving(unsigned i);
  void make_room();
  void split();
  bool ended() { return run_.halted() || failed_.load(std::memory_order_relaxed) || rules_.done(); }
  void check(const Status& status) {
    if (!status.ok()) run_.fail(status);
  }

  DiskRun run_;
  Rules& rules_;
  PartitionSet partitions_;
  std::unique_ptr<RecordTable> table_;
  std::unique_ptr<WorkRing> ring_;
  std::unique_ptr<StateLog> overflow_;  // messages to states of the active partition that found no room
  std::vector<std::unique_ptr<Worker>> workers_;
  std::atomic<bool> full_{false}, failed_{false};
  uint64_t batch_ = 0, chunk_ = 0;
  uint32_t active_ = 0;
  bool loaded_ = false;
  uint64_t phase_ = 0;
  std::vector<uint64_t> begun_;  // the phase that each partition has begun
  // How many records of each partition on disk survive the phase; a partition without any need not be loaded in the
  // next one.
  std::vector<uint64_t> survivors_;
  // About how many records of each partition on disk are pending: a partition may be split with work to do.
  std::vector<uint64_t> pending_;
  std::string phase_name_;
  uint64_t loads_ = 0, splits_ = 0;
  std::atomic<uint64_t> messages_{0};  // that went to queues
};

template <FixpointRules Rules>
Status PartitionFixpoint<Rules>::prepare() {
  const auto plan = run_.plan(
      [](const PlanInput& input) { return plan_fixpoint(input, sizeof(Payload), sizeof(Message)); });
  if (!plan.ok()) return plan.status();
  if (Status status = run_.start_on_disk(plan->disk); !status.ok()) return status;
  if (Status status = partitions_.prepare(plan->queues); !status.ok()) return status;
  overflow_ = run_.make_log("overflow", message_bytes());
  begun_.assign(partitions_.count(), 0);
  survivors_.assign(partitions_.count(), 0);
  pending_.assign(partitions_.count(), 0);
  if (Status status = make_workers(*plan); !status.ok()) return status;
  auto table = RecordTable::create(state_bytes(), sizeof(Payload), run_.threads(), plan->table, run_.budget);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  ring_ = std::make_unique<WorkRing>(table_->list(), table_->most());
  return {};
}

template <FixpointRules Rules>
Status PartitionFixpoint<Rules>::make_workers(const FixpointPlan& plan) {
  batch_ = plan.disk.batch;
  chunk_ = plan.chunk;
  for (unsigned i = 0; i < run_.threads(); ++i) {
    SearchWorker& worker = run_.worker(i);
    worker.out.check_properties = false;
    worker.out.deadlock = DeadlockMode::off;
    worker.out.emit_self_loops = true;
    auto own = std::make_unique<Worker>();
    own->cache = std::make_unique<MessageCache<Rules>>(state_bytes(), plan.cache, run_.budget);
    if (!own->cache->ok() || !run_.budget.reserve(plan.worker_bytes) || !run_.charge(worker, plan.successors))
      return Status::limit("--memory is too small; raise it");
    own->leaving.resize(batch_ * message_bytes());
    own->places.resize(chunk_);
    workers_.push_back(std::move(own));
  }
  return {};
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::begin_phase(const std::string& name) {
  ++phase_;
  phase_name_ = name;
  for (const auto& own : workers_) own->cache->clear();
  for (uint32_t i = 0; i < partitions_.count(); ++i) {
    if ((loaded_ && i == active_) || survivors_[i] > 0 || partitions_[i].queue->size() > 0) continue;
    check(partitions_[i].visited->clear());
    begun_[i] = phase_;
  }
}

template <FixpointRules Rules>
bool PartitionFixpoint<Rules>::run_phase() {
  while (!ended()) {
    const std::optional<uint32_t> next = next_partition();
    if (!next) return true;
    activate(*next);
    run_.end_level();
  }
  return false;
}

template <FixpointRules Rules>
std::optional<uint32_t> PartitionFixpoint<Rules>::next_partition() {
  if (loaded_ && begun_[active_] < phase_) return active_;
  std::optional<uint32_t> next;
  uint64_t most = 0;
  for (uint32_t i = 0; i < partitions_.count(); ++i) {
    const uint64_t work = partitions_[i].queue->size() + pending_[i];
    if (work <= most && (next || begun_[i] == phase_)) continue;
    next = i;
    most = work;
  }
  return next;
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::activate(uint32_t leaf) {
  run_.phase(fmt::format("{}, partition {} of {}", phase_name_, leaf + 1, partitions_.count()));
  if (!loaded_ || leaf != active_) {
    if (loaded_) write_back();
    active_ = leaf;
    load();
  } else if (begun_[active_] < phase_) {
    begin_loaded();
  }
  do {
    drain();
    if (full_) make_room();
    propagate();
    if (full_) make_room();
    if (run_.saving().pause_wanted() && !ended()) make_checkpoint();
  } while (!ended() && (partitions_[active_].queue->size() > 0 || ring_->size() > 0));
}

// Records of a partition that has not begun this phase begin it when they are read.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::load() {
  while (partitions_[active_].visited->size() > table_->most() && !run_.halted()) {
    split();
  }
  ++loads_;
  StateLog& visited = *partitions_[active_].visited;
  const bool begins = begun_[active_] < phase_;
  const uint64_t bytes = table_->record_bytes();
  table_->clear();
  ring_->clear();
  table_->grow(visited.size() + visited.size() / 8);
  run_.read({{&visited, 0, visited.size()}}, [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    const auto begin = Clock::now();
    Worker& own = *workers_[worker.base.number];
    Status status;
    for (uint64_t done = 0; done < span.count && status.ok(); done += batch_) {
      const uint8_t* records = span.records + done * bytes;
      uint64_t n = std::min(batch_, span.count - done);
      if (begins) {
        n = begin_records(own, records, n);
        records = own.beginning.data();
      }
      status = append(own, records, n);
    }
    worker.base.seconds.detect += seconds_between(begin, Clock::now());
    return status;
  });
  begun_[active_] = phase_;
  pending_[active_] = 0;
  loaded_ = true;
}

// Copies the records that stay to own.beginning; returns how many.
template <FixpointRules Rules>
uint64_t PartitionFixpoint<Rules>::begin_records(Worker& own, const uint8_t* records, uint64_t n) {
  const uint64_t bytes = table_->record_bytes();
  own.beginning.resize(n * bytes);
  uint64_t kept = 0;
  for (uint64_t i = 0; i < n; ++i) {
    Payload payload;
    std::memcpy(&payload, records + i * bytes + state_bytes(), sizeof payload);
    if (!rules_.begin(payload, own.counts)) continue;
    uint8_t* const to = own.beginning.data() + kept++ * bytes;
    copy_bytes(to, records + i * bytes, state_bytes());
    std::memcpy(to + state_bytes(), &payload, sizeof payload);
  }
  return kept;
}

// Puts records of the active partition into the table.
template <FixpointRules Rules>
Status PartitionFixpoint<Rules>::append(Worker& own, const uint8_t* records, uint64_t n) {
  const uint64_t place = table_->append(records, n);
  if (place == RecordTable::kNoRoom)
    return Status::internal("a partition does not fit; please report this as a bug of strata");
  own.woken.resize(n);
  uint64_t woken = 0;
  for (uint64_t i = 0; i < n; ++i) {
    Payload payload;
    std::memcpy(&payload, table_->payload(place + i), sizeof payload);
    own.woken[woken] = static_cast<uint32_t>(place + i);
    woken += payload.pending;
  }
  ring_->add(own.woken.data(), woken);
  return {};
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::begin_loaded() {
  Worker& own = *workers_[0];
  table_->filter([&](uint8_t* place) {
    Payload payload;
    std::memcpy(&payload, place, sizeof payload);
    const bool stays = rules_.begin(payload, own.counts);
    std::memcpy(place, &payload, sizeof payload);
    return stays;
  });
  ring_->clear();
  for (uint64_t i = 0; i < table_->size(); ++i) {
    Payload payload;
    std::memcpy(&payload, table_->payload(i), sizeof payload);
    const uint32_t place = static_cast<uint32_t>(i);
    if (payload.pending) ring_->add(&place, 1);
  }
  begun_[active_] = phase_;
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::write_back() {
  StateLog& visited = *partitions_[active_].visited;
  check(visited.clear());
  const uint64_t bytes = table_->record_bytes(), size = table_->size();
  const uint64_t piece = std::clamp<uint64_t>(size / 16, 64, 8192);
  std::atomic<uint64_t> next{0}, survivors{0}, pending{0};
  run_.pool().run([&](unsigned i) {
    const auto start = Clock::now();
    for (uint64_t begin = next.fetch_add(piece); begin < size; begin = next.fetch_add(piece)) {
      const uint64_t end = std::min(begin + piece, size);
      uint64_t count = 0, surviving = 0, waiting = 0;
      for (uint64_t place = begin; place < end; ++place) {
        Payload payload;
        std::memcpy(&payload, table_->payload(place), sizeof payload);
        surviving += rules_.survives(payload);
        waiting += payload.pending;
        if (!rules_.stays(payload)) continue;
        // The table is not needed any more: records that stay move together in its place.
        if (begin + count != place) copy_bytes(table_->record(begin + count), table_->record(place), bytes);
        ++count;
      }
      check(visited.append(table_->record(begin), count));
      survivors += surviving;
      pending += waiting;
    }
    run_.worker(i).seconds.detect += seconds_between(start, Clock::now());
  });
  check(visited.rest());
  survivors_[active_] = survivors;
  pending_[active_] = pending;
  loaded_ = false;
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::make_checkpoint() {
  write_back();
  run_.saving().checkpoint();
  if (!ended()) load();
}

// The counts of all threads become the first one's when they are restored.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::serialize(Image& image) {
  Counts sum = counts();
  uint64_t fresh = states();
  partitions_.serialize(image);
  overflow_->serialize(image);
  rules_.serialize(image);
  image.value("phase", phase_);
  image.list("phase_name", phase_name_);
  image.value("active", active_);
  image.list("begun", begun_);
  image.list("survivors", survivors_);
  image.list("pending", pending_);
  image.value("counts", sum);
  image.value("fresh", fresh);
  image.value("loads", loads_);
  image.value("splits", splits_);
  image.value("messages", messages_);
  if (!image.restores() || !image.ok()) return;
  workers_.front()->counts = sum;
  workers_.front()->fresh = fresh;
}

// The table is full: it grows, or the active partition is split. Messages that found no room wait in the queues.
template <FixpointRules Rules>
void PartitionFixpoint<Rules>::make_room() {
  full_ = false;
  if (run_.halted()) return;
  if (!table_->grow()) {
    write_back();
    split();
    load();
  }
  partitions_.distribute(*overflow_, DiskRun::Records::states, &Partition::queue);
  check(overflow_->clear());
}

template <FixpointRules Rules>
void PartitionFixpoint<Rules>::split() {
  ++splits_;
  partitions_.split(active_);
  begun_.resize(partitions_.count(), begun_[active_]);
  survivors_.resize(partitions_.count(), survivors_[active_]);
  pending_[active_] = (pending_[active_] + 3) / 4;
  pending_.resize(partitions_.count(), pending_[active_]);
}

template <FixpointRules Rules>
uint64_t PartitionFixpoint<Rules>::states() const {
  uint64_t sum = 0;
  for (const auto& own : workers_) sum += own->fresh;
  return sum;
}

template <FixpointRules Rules>
typename Rules::Counts PartitionFixpoint<Rules>::counts() const {
  Counts sum;
  for (const auto& own : workers_) sum += own->counts;
  return sum;
}

template <FixpointRules Rules>
Result<SearchResult> PartitionFixpoint<Rules>::finish() {
  run_.end_level();
  // The caller looks for paths: it knows what they have to show.
  Result<SearchResult> result = run_.finish({states(), {}, {}}, nullptr);
  if (!result.ok()) return result;
  result->details = {{"partitions", uint64_t{partitions_.count()}},
                     {"loads", loads_},
                     {"splits", splits_},
                     {"messages", messages_.load()}};
  return result;
}

}  // namespace strata
