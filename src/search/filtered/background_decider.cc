#include "search/filtered/background_decider.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace strata {

Status BackgroundDecider::begin(uint8_t* memory, uint64_t bytes) {
  auto table = WaitingSet::create(run_.key_bytes(), WaitingSet::Labels::none, run_.threads(), memory, bytes);
  if (!table.ok()) return table.status();
  const MutexLock lock(mutex_);
  table_ = std::move(*table);
  step_ = Step::add;
  partition_ = 0;
  goals_ = waiting_.ends();
  active_.store(true, std::memory_order_release);
  return {};
}

void BackgroundDecider::work(DiskWorker& worker) {
  if (active()) work(worker, false);
}

void BackgroundDecider::finish() {
  run_.pool().run([&](unsigned i) {
    while (active() && !run_.halted()) {
      work(run_.disk_worker(i), true);
      if (!threads_[i].reads) std::this_thread::yield();
    }
  });
}

void BackgroundDecider::pause() {
  const MutexLock lock(mutex_);
  for (unsigned i = 0; i < threads_.size(); ++i)
    if (std::exchange(threads_[i].reads, false)) run_.disk_worker(i).reader.close();
  readers_ = 0;
  scan_.reset();
  step_ = Step::add;
}

void BackgroundDecider::cancel() {
  pause();
  active_ = false;
  table_.reset();
}

void BackgroundDecider::work(DiskWorker& worker, bool waits) {
  if (!threads_[worker.base.number].reads && !join(worker, waits)) return;
  for (uint64_t i = 0; i < kSpans; ++i) {
    if (!waits && !worker.reader.ready()) return;
    const Result<StateScan::Span> span = worker.reader.next();
    const Status status = span.ok() && span->count > 0 ? visit(worker, *span) : span.status();
    if (!status.ok()) return run_.fail(status);
    if (span->count == 0) return leave(worker);
  }
}

bool BackgroundDecider::join(DiskWorker& worker, bool waits) {
  if (waits) {
    mutex_.lock();
  } else if (!mutex_.try_lock()) {
    return false;
  }
  const MutexLock lock(mutex_, std::adopt_lock);
  if (!active() || (!scan_ && !begin_step()) || claimed_) return false;
  worker.reader.open(*scan_);
  threads_[worker.base.number].reads = true;
  ++readers_;
  return true;
}

void BackgroundDecider::leave(DiskWorker& worker) {
  worker.reader.close();
  threads_[worker.base.number].reads = false;
  const MutexLock lock(mutex_);
  claimed_ = true;
  if (--readers_ > 0) return;
  scan_.reset();
  const auto begin = Clock::now();
  end_step(worker.base.number);
  worker.base.seconds.detect += seconds_between(begin, Clock::now());
}

// False: the round has ended, or the step has to wait.
bool BackgroundDecider::begin_step() {
  std::vector<LogRange> ranges;
  switch (step_) {
    case Step::add:
      if (!begin_add()) return false;
      ranges = some_;
      break;
    case Step::erase:
      if (!is_stored()) return false;
      for (const LogRange& range : some_) {
        StateLog& keys = visited_[range.label].keys();
        ranges.push_back({&keys, 0, keys.size(), range.label});
      }
      break;
    case Step::take: ranges = some_; break;
  }
  scan_ = std::make_unique<StateScan>(std::move(ranges));
  readers_ = 0;
  claimed_ = false;
  return true;
}

// The states of the next partitions.
bool BackgroundDecider::begin_add() {
  std::vector<LogRange> left;
  for (uint64_t p = partition_; p < waiting_.partitions(); ++p) left.push_back(waiting_.range(p));
  some_ = WaitingLogs::take_together(left, table_->capacity());
  if (some_.empty()) {
    ++rounds_;
    table_.reset();
    active_.store(false, std::memory_order_release);
    return false;
  }
  for (Thread& thread : threads_) thread.batch_at_add = thread.batch.load(std::memory_order_acquire);
  table_->clear(WaitingLogs::states_in(some_));
  return true;
}

// Whether each thread has appended what it had found when some_ was looked at.
bool BackgroundDecider::is_stored() const {
  return std::ranges::all_of(threads_, [](const Thread& thread) {
    return thread.batch_at_add % 2 == 0 ||
           thread.batch.load(std::memory_order_acquire) != thread.batch_at_add;
  });
}

void BackgroundDecider::end_step(unsigned thread) {
  if (run_.halted()) return;
  switch (step_) {
    case Step::add: step_ = Step::erase; return;
    case Step::erase:
      if (!run_.mode().exact()) {
        step_ = Step::take;
        return;
      }
      found_ += visited_.append_left(thread, *table_, 0, table_->buckets(), 1);
      return end_partitions();
    case Step::take: return end_partitions();
  }
}

void BackgroundDecider::end_partitions() {
  for (const LogRange& range : some_) {
    waiting_.drop(range);
    partition_ = range.label + (range.end >= goals_[range.label] ? 1 : 0);
  }
  step_ = Step::add;
}

Status BackgroundDecider::visit(DiskWorker& worker, const StateScan::Span& span) {
  const auto records = step_ == Step::erase ? DiskRun::Records::keys : DiskRun::Records::states;
  return run_.visit_keys(worker, span, records, &TimeShares::detect,
                         [&](DiskWorker& own, const DiskRun::Piece& piece) -> Status {
                           if (step_ == Step::add) table_->add(own.base.number, piece.keys, 1);
                           if (step_ == Step::erase) table_->erase(piece.keys);
                           if (step_ != Step::take) return {};
                           const Result<uint64_t> n = run_.append_new(*table_, visited_[piece.range.label],
                                                                      own, piece.keys, piece.records);
                           if (!n.ok()) return n.status();
                           visited_.note_appended(*n);
                           found_ += *n;
                           return {};
                         });
}

}  // namespace strata
