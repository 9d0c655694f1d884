// `part`: Bao and Jones, "Time-efficient model checking with magnetic disk" (TACAS 2005), section 2. The
// table of visited states is divided into partitions, of which one is in RAM. A state of another partition
// waits in that partition's queue; the partition with the longest queue is loaded next.
//
//   M      table of the partition in RAM                D[i]   file of the visited states of partition i
//   Q[i]   states that wait for partition i             log    states found, in the order of expansion
//
//   while some queue is not empty:
//     i := the partition with the longest queue;  load D[i] into M
//     states of Q[i] that are not in M: into M, D[i] and the log
//     expand what is new in the log; for each successor s:
//       Partition(s) = i:  if s is not in M: into M, D[i] and the log
//       otherwise:         into Q[Partition(s)]
//
// Slips of figure 2: line 12, the load, is within the loop over the queue, but is needed only once before it; line 23
// puts a state of the active partition that is in M into its queue again.
//
// What the paper leaves open. The number of partitions need not be guessed: the search begins with one, and a partition
// that no longer fits into M is split in four. The paper hopes for a partition function that keeps states and
// successors together; here partitions are split by bits of the state that divide the states and that few transitions
// change (BitStatistics), unless partition=hash is set, or only signatures are known. A cache of states that were
// recently put into a queue drops most duplicates before they wait: a state that is in a queue need not be put there
// again.
//
// The log has the states in epochs (log_expander.h), and each state's parent is in an earlier epoch, so paths are found
// as in breadth-first search, but are not the shortest.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "engine/disk/log_expander.h"
#include "engine/disk/partition_set.h"
#include "search/part_plan.h"

namespace strata {

namespace {

class PartSearch {
 public:
  PartSearch(const SearchContext& context, const PartitionChoice& choice)
      : run_(context), partitions_(run_, choice) {}

  Result<SearchResult> run();

 private:
  // What a thread gathers of a batch: first the states of the active partition, then the others.
  struct alignas(128) Gathered {
    UntouchedVector<uint32_t> mine, others;  // their places
    UntouchedVector<uint8_t> states, keys;
    UntouchedVector<uint64_t> hashes;
  };

  Status prepare();
  void begin();
  void serialize(Image& image);
  void activate(uint32_t leaf);
  void work_on_active();
  void load();
  void drain_queue();
  void expand_new();
  bool store(DiskWorker& worker, Batch& batch, LogExpander& expander);
  Keys gather(Gathered& own, const Batch& batch, const uint32_t* places, uint64_t n) const;
  bool insert(DiskWorker& worker, const Keys& keys, const uint8_t* states);
  void enqueue(DiskWorker& worker, Gathered& own, const Batch& batch, uint64_t others);
  void make_room();
  void split();
  void check(const Status& status) {
    if (!status.ok()) run_.fail(status);
  }

  DiskRun run_;
  PartitionSet partitions_;
  uint32_t active_ = 0;
  std::unique_ptr<CandidateSet> table_;  // M
  std::unique_ptr<LossyCache> cache_;    // of what was put into queues
  std::atomic<bool> cache_grows_{false};
  std::unique_ptr<StateLog> log_;
  std::unique_ptr<StateLog> overflow_;  // states of the active partition that found no room in M
  std::vector<uint64_t> epoch_ends_;    // in the log
  uint64_t expanded_ = 0;               // states of the log
  std::vector<std::unique_ptr<Gathered>> gathered_;
  std::atomic<uint64_t> found_{0};  // states
  uint64_t loads_ = 0, splits_ = 0, epochs_ = 0;
};

Result<SearchResult> PartSearch::run() {
  if (Status status = prepare(); !status.ok()) return status;
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { serialize(image); }); !status.ok()) return status;
  if (resumes) {
    load();
    if (overflow_->size() > 0) make_room();
    work_on_active();
  } else {
    begin();
  }
  while (run_.goes_on()) {
    const std::optional<uint32_t> next = partitions_.longest_queue();
    if (!next) break;
    activate(*next);
  }
  LogHistory history(run_, [&](uint64_t epoch) -> Result<std::vector<LogRange>> {
    return std::vector<LogRange>{{log_.get(), epoch == 0 ? 0 : epoch_ends_[epoch - 1], epoch_ends_[epoch]}};
  });
  // Their memory is for the paths.
  table_.reset();
  cache_.reset();
  // The depth of the search is not known.
  Result<SearchResult> result = run_.finish({found_, {}, {}}, run_.options.trace ? &history : nullptr);
  if (!result.ok()) return result;
  result->details = {{"partitions", uint64_t{partitions_.count()}},
                     {"loads", loads_},
                     {"splits", splits_},
                     {"epochs", epochs_},
                     {"tree_depth", uint64_t{partitions_.tree().depth()}}};
  return result;
}

Status PartSearch::prepare() {
  if (run_.options.bound) {
    return Status::usage(
        "--bound: part does not search level by level; choose another algorithm, for example hddd");
  }
  const auto plan = run_.plan(plan_part);
  if (!plan.ok()) return plan.status();
  if (Status status = run_.start_on_disk(plan->disk); !status.ok()) return status;
  if (Status status = partitions_.prepare(plan->queues); !status.ok()) return status;
  log_ = run_.make_log("log", run_.state_bytes());
  overflow_ = run_.make_log("overflow", run_.state_bytes());
  for (unsigned i = 0; i < run_.threads(); ++i) {
    gathered_.push_back(std::make_unique<Gathered>());
  }
  if (Status status = run_.make_cache(plan->cache, cache_); !status.ok()) return status;
  return run_.make_table(TableKind::chained, plan->table, table_);
}

// The content of the cache is not saved: it only keeps duplicates away from the queues.
void PartSearch::serialize(Image& image) {
  partitions_.serialize(image);
  log_->serialize(image);
  overflow_->serialize(image);
  image.value("active", active_);
  image.list("epoch_ends", epoch_ends_);
  image.value("expanded", expanded_);
  image.value("found", found_);
  image.value("loads", loads_);
  image.value("splits", splits_);
  image.value("epochs", epochs_);
}

void PartSearch::begin() {
  KeyMaker maker(run_.mode(), run_.state_bytes());
  run_.initial([&](const Expansion& some) {
    const Keys keys = maker.of_states(some.states.data(), some.count);
    for (uint64_t i = 0; i < some.count; ++i) {
      check(partitions_[partitions_.tree().find(some.successor(i), keys.hashes[i])].queue->append(
          some.successor(i), 1));
    }
  });
}

// Works on one partition until nothing waits for it.
void PartSearch::activate(uint32_t leaf) {
  // The partition that was worked on last is still in M.
  if (leaf != active_ || loads_ == 0) {
    check(partitions_[active_].visited->rest());
    active_ = leaf;
    load();
  }
  work_on_active();
}

void PartSearch::work_on_active() {
  while (run_.goes_on() && (partitions_[active_].queue->size() > 0 || expanded_ < log_->size())) {
    drain_queue();
    expand_new();
  }
}

// Splits a partition that became too large while each thread had room for a few more states.
void PartSearch::load() {
  while (partitions_[active_].visited->size() > table_->capacity() && !run_.halted()) split();
  ++loads_;
  run_.phase(fmt::format("loading partition {} of {}", active_ + 1, partitions_.count()));
  table_->clear();
  StateLog& visited = *partitions_[active_].visited;
  table_->reserve(std::min(visited.size() + visited.size() / 8, table_->capacity()));
  run_.read_keys({{&visited, 0, visited.size()}}, DiskRun::Records::keys, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   if (table_->load(worker.base.number, piece.keys)) return {};
                   return Status::internal("a partition does not fit; please report this as a bug of strata");
                 });
}

// Takes the states that wait for the active partition into M and the log.
void PartSearch::drain_queue() {
  StateLog& queue = *partitions_[active_].queue;
  if (queue.size() == 0) return;
  run_.phase(fmt::format("partition {} of {}, its queue of {} states", active_ + 1, partitions_.count(),
                         queue.size()));
  std::atomic<bool> full{false};
  run_.read_keys({{&queue, 0, queue.size()}}, DiskRun::Records::states, &TimeShares::insert,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   if (full.load(std::memory_order_relaxed))
                     return overflow_->append(piece.records, piece.keys.count);
                   if (!insert(worker, piece.keys, piece.records))
                     full.store(true, std::memory_order_relaxed);
                   return {};
                 });
  check(queue.clear());
  if (!full || run_.halted()) return;
  make_room();
}

// Expands the unexpanded states of the log, and all their descendants within the partition.
void PartSearch::expand_new() {
  if (expanded_ == log_->size()) return;
  run_.phase(fmt::format("partition {} of {}, expanding", active_ + 1, partitions_.count()));
  const bool traced = run_.options.trace;
  LogExpander expander(run_, *log_, expanded_, !traced, [&](uint64_t end) {
    if (traced) epoch_ends_.push_back(end);
    return epochs_++;
  });
  while (!expander.run([&](DiskWorker& worker, Batch& batch) { return store(worker, batch, expander); })) {
    // A rest may come at the same moment as a full table: what is in the overflow must not be forgotten then.
    if (expander.rests()) {
      expanded_ = expander.expanded();
      run_.saving().checkpoint();
    } else {
      run_.end_level();
    }
    if (!run_.goes_on()) return;
    if (overflow_->size() > 0) make_room();
    if (cache_grows_.exchange(false)) cache_->grow();
  }
  run_.end_level();
  if (run_.halted()) return;
  expanded_ = log_->size();
  // Expanded states may be removed if no path is wanted.
  if (!traced) check(log_->discard_before(expanded_));
}

// Copies some states of a batch to own.states, with their keys.
Keys PartSearch::gather(Gathered& own, const Batch& batch, const uint32_t* places, uint64_t n) const {
  const uint64_t bytes = run_.state_bytes(), key_bytes = batch.keys.key_bytes;
  const bool exact = run_.mode().exact();
  own.states.resize(n * bytes);
  own.hashes.resize(n);
  if (!exact) own.keys.resize(n * key_bytes);
  for (uint64_t i = 0; i < n; ++i) {
    copy_bytes(own.states.data() + i * bytes, batch.states + places[i] * bytes, bytes);
    own.hashes[i] = batch.keys.hashes[places[i]];
    if (!exact) copy_bytes(own.keys.data() + i * key_bytes, batch.keys.key(places[i]), key_bytes);
  }
  return {exact ? own.states.data() : own.keys.data(), own.hashes.data(), n, key_bytes};
}

// Puts states of the active partition into M, and the new ones into D and the log. False: M is full; states that found
// no room are in the overflow.
bool PartSearch::insert(DiskWorker& worker, const Keys& keys, const uint8_t* states) {
  const uint64_t bytes = run_.state_bytes();
  worker.outcomes.resize(keys.count);
  const InsertCounts counts = table_->add(worker.base.number, keys, 0, worker.outcomes.data());
  if (counts.fresh + counts.full == 0) return true;
  worker.states.resize(keys.count * bytes);
  if (!run_.mode().exact()) worker.signatures.resize(keys.count * keys.key_bytes);
  uint64_t fresh = 0, full = 0;
  for (uint64_t i = 0; i < keys.count; ++i) {
    if (worker.outcomes[i] == Outcome::seen) continue;
    // New states from the front, those without room from the back.
    const uint64_t place = worker.outcomes[i] == Outcome::fresh ? fresh++ : keys.count - ++full;
    copy_bytes(worker.states.data() + place * bytes, states + i * bytes, bytes);
    if (!run_.mode().exact() && worker.outcomes[i] == Outcome::fresh) {
      copy_bytes(worker.signatures.data() + place * keys.key_bytes, keys.key(i), keys.key_bytes);
    }
  }
  run_.note_found(fresh);
  found_.fetch_add(fresh, std::memory_order_relaxed);
  check(log_->append(worker.states.data(), fresh));
  check(partitions_[active_].visited->append(
      run_.mode().exact() ? worker.states.data() : worker.signatures.data(), fresh));
  if (full > 0) check(overflow_->append(worker.states.data() + (keys.count - full) * bytes, full));
  return full == 0;
}

bool PartSearch::store(DiskWorker& worker, Batch& batch, LogExpander& expander) {
  const Keys keys = batch.keys.from(batch.done);
  if (keys.count == 0) return true;
  TimeShares& seconds = worker.base.seconds;
  Gathered& own = *gathered_[worker.base.number];
  const uint64_t bytes = run_.state_bytes();
  batch.done = keys.count;
  partitions_.sample(worker, batch);
  if (partitions_.count() == 1) {
    const auto begin = Clock::now();
    const bool room = insert(worker, keys, batch.states);
    expander.appended();
    seconds.insert += seconds_between(begin, Clock::now());
    return room;
  }
  const auto begin = Clock::now();
  own.mine.resize(keys.count);
  own.others.resize(keys.count);
  uint64_t mine = 0, others = 0;
  const PartitionTree& tree = partitions_.tree();
  const LeafTest& test = tree.test(active_);
  const bool one_root = tree.one_root();
  // Both lists are written and one of them grows, so no branch has to be guessed.
  for (uint64_t i = 0; i < keys.count; ++i) {
    const uint8_t* state = batch.states + i * bytes;
    const bool active =
        one_root ? test.passes(state, keys.hashes[i]) : tree.find(state, keys.hashes[i]) == active_;
    own.mine[mine] = own.others[others] = static_cast<uint32_t>(i);
    mine += active;
    others += !active;
  }
  const auto found = Clock::now();
  seconds.partition += seconds_between(begin, found);
  const Keys active_keys = gather(own, batch, own.mine.data(), mine);
  const bool room = insert(worker, active_keys, own.states.data());
  expander.appended();
  const auto inserted = Clock::now();
  seconds.insert += seconds_between(found, inserted);
  enqueue(worker, own, batch, others);
  if (cache_grows_.load(std::memory_order_relaxed)) expander.pause();
  seconds.queue += seconds_between(inserted, Clock::now());
  return room;
}

// Puts the states of other partitions, whose places are the first of own.others, into their queues.
void PartSearch::enqueue(DiskWorker& worker, Gathered& own, const Batch& batch, uint64_t others) {
  if (others == 0) return;
  const uint64_t bytes = run_.state_bytes();
  const Keys keys = gather(own, batch, own.others.data(), others);
  worker.outcomes.resize(others);
  const uint64_t known = cache_->add(keys, worker.outcomes.data()).done;
  if (known < others) {
    // The cache is to grow; until then the other states pass it by.
    std::fill(worker.outcomes.begin() + static_cast<int64_t>(known), worker.outcomes.end(), Outcome::fresh);
    cache_grows_.store(true, std::memory_order_relaxed);
  }
  worker.partitions.resize(others);
  for (uint64_t i = 0; i < others; ++i) {
    worker.partitions[i] = worker.outcomes[i] == Outcome::fresh
                               ? partitions_.tree().find(own.states.data() + i * bytes, keys.hashes[i])
                               : DiskRun::kNoPartition;
  }
  check(partitions_.append(worker, worker.partitions.data(), own.states.data(), others, bytes,
                           &Partition::queue));
}

// M is full: it grows, or the active partition is split until it has room. States that found no room wait in the
// queues.
void PartSearch::make_room() {
  bool room = table_->grow();
  while (!room && !run_.halted()) {
    split();
    load();
    room = partitions_[active_].visited->size() < table_->capacity();
  }
  partitions_.distribute(*overflow_, DiskRun::Records::states, &Partition::queue);
  check(overflow_->clear());
}

void PartSearch::split() {
  ++splits_;
  run_.phase(fmt::format("splitting partition {} of {}", active_ + 1, partitions_.count()));
  partitions_.split(active_);
}

}  // namespace

PartPlan plan_part(const PlanInput& input) {
  constexpr uint64_t kLogs = 6;
  PartPlan plan;
  plan.shares = MemoryPlan(input.memory);
  plan.disk = disk_sizes(input, kLogs);
  give_disk(plan.shares, input, plan.disk);
  plan.queues = give_queues(plan.shares, input, plan.disk);
  plan.cache = std::max(plan.shares.left() / 5, LossyCache::least_bytes(input.key_bytes));
  plan.shares.give("cache", LossyCache::drawn_bytes(input.key_bytes, plan.cache));
  plan.table = plan.shares.give_rest(
      "table", least_candidate_set_bytes(TableKind::chained, input.key_bytes, input.threads));
  return plan;
}

Result<SearchResult> search_part(const SearchContext& context) {
  PartitionChoice choice = partition_choice(context.options);
  // Where the keys are not the states, only their bits are known.
  if (!context.options.store.exact()) choice.by_hash = true;
  return PartSearch(context, choice).run();
}

}  // namespace strata
