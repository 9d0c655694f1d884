#include "engine/redistribute/redistribution.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata {

namespace {

// States are made whole in portions of at most this many states and bytes.
constexpr uint64_t kStatesAtATime = 4096, kBytesAtATime = 256 << 10;
constexpr uint64_t kSlack = 16;  // behind states: models may read whole words

// The parts behind the levels, as in StateSink.
enum Part : uint64_t { kInHand, kDone, kOpen, kNext, kWaiting };

}  // namespace

Redistribution::Redistribution(DiskRun& run, uint64_t block_bytes)
    : run_(run),
      block_bytes_(block_bytes),
      passes_(run.context.old_ranks->passes()),
      readers_(run),
      counted_(0, run.info, 1, run.options.max_errors) {}

Redistribution::~Redistribution() {
  readers_.close();
  passes_.clear();
  for (std::unique_ptr<StateLog>* log : {&done_, &open_, &next_, &waiting_}) log->reset();
  if (pool_ != nullptr) run_.drop_pool(*pool_);
}

Status Redistribution::open() {
  if (Status status = run_.open_space(); !status.ok()) return status;
  const Result<BlockPool*> pool = run_.make_pool(block_bytes_, blocks());
  if (!pool.ok()) return pool.status();
  pool_ = *pool;
  if (Status status = readers_.open(block_bytes_); !status.ok()) return status;
  const auto make = [&](const std::string& name) {
    return run_.make_log("regrouped." + name, run_.state_bytes(), pool_);
  };
  for (uint64_t i = 0; i < passes_.size(); ++i) passes_[i].visited = make(fmt::format("visited.{}", i));
  done_ = make("done");
  open_ = make("open");
  next_ = make("next");
  waiting_ = make("waiting");
  return {};
}

// ---- gathering

Status Redistribution::gather() {
  run_.phase("reading the checkpoints of other ranks");
  Status status = open();
  for (uint64_t i = 0; i < passes_.size() && status.ok() && !over_; ++i) status = read_pass(i);
  if (!status.ok()) {
    // Otherwise the other ranks would wait for this one.
    run_.ranks().fail(status);
    return status;
  }
  if (over_) return {};
  run_.take_over(counted_, seconds_);
  ProgressBoard& board = run_.context.progress;
  board.states = states();
  board.queue = queue();
  board.restore_levels(level_sizes());
  return {};
}

// A rank without a checkpoint to read takes part as well, because others send it states.
Status Redistribution::read_pass(uint64_t number) {
  OldRanks& old_ranks = *run_.context.old_ranks;
  pass_ = number;
  part_ = 0;
  source_ = nullptr;
  if (!old_ranks.has(number)) {
    begin_pass(nullptr, 0);
  } else if (Status status = old_ranks.read(number, *this); !status.ok()) {
    return status;
  }
  // Reading ends early if the run has to end.
  while (!over_ && part_ < levels_ + kParts) {
    if (source_ != nullptr && !run_.halted())
      return Status::internal("a checkpoint was not read to its end; please report this as a bug of strata");
    end_part();
  }
  return {};
}

void Redistribution::begin_pass(const Model* source, uint64_t levels) {
  source_ = source;
  uint64_t most = levels;
  run_.ranks().largest({&most, 1});
  levels_ = std::max(levels_, most);
  if (source != nullptr && levels != levels_)
    run_.fail(Status::system(fmt::format(
        "the checkpoint of a rank has {} levels, and that of another {}: they are not of the same time",
        levels, levels_)));
}

void Redistribution::take(const uint8_t* states, uint64_t n) {
  const uint64_t bytes = source_->info().state_bytes, whole = whole_model(*source_).info().state_bytes;
  const uint64_t most = std::clamp<uint64_t>(kBytesAtATime / whole, 1, kStatesAtATime);
  whole_.resize(most * whole + kSlack);
  for (uint64_t done = 0; done < n && !over_ && !run_.halted(); done += most) {
    const uint64_t some = std::min(n - done, most);
    make_whole(*source_, states + done * bytes, some, whole_.data());
    run_.rounds().hand_out(whole_.data(), some, [&](SearchWorker& worker) { return store(worker); });
  }
}

bool Redistribution::store(SearchWorker& worker) {
  if (Status status = append(worker.out.states.data(), worker.out.count); !status.ok()) run_.fail(status);
  worker.unstored = false;
  return !run_.halted();
}

// Thread-safe.
Status Redistribution::append(const uint8_t* states, uint64_t n) {
  if (part_ < levels_) return passes_[pass_].visited->append(states, n);
  switch (part_ - levels_) {
    case kInHand: return append_in_hand(states, n);
    case kDone: return append_done(states, n);
    case kOpen: return open_->append(states, n);
    case kNext: return next_->append(states, n);
    default: return waiting_->append(states, n);
  }
}

Status Redistribution::append_in_hand(const uint8_t* states, uint64_t n) {
  const uint64_t bytes = run_.state_bytes();
  const MutexLock lock(mutex_);
  for (uint64_t i = 0; i < n; ++i) in_hand_.emplace(reinterpret_cast<const char*>(states + i * bytes), bytes);
  return {};
}

// States that threads had in hand are not expanded yet.
Status Redistribution::append_done(const uint8_t* states, uint64_t n) {
  if (in_hand_.empty()) return done_->append(states, n);
  const uint64_t bytes = run_.state_bytes();
  for (uint64_t i = 0; i < n; ++i) {
    const uint8_t* const state = states + i * bytes;
    const std::string text(reinterpret_cast<const char*>(state), bytes);
    if (Status status = (in_hand_.contains(text) ? open_ : done_)->append(state, 1); !status.ok())
      return status;
  }
  return {};
}

void Redistribution::end_part() {
  if (over_) return;
  run_.rounds().drain([&](SearchWorker& worker) { return store(worker); });
  static_cast<void>(run_.rounds().end_round(false));
  over_ = run_.stopped() != StopReason::none;
  Pass& pass = passes_[pass_];
  if (part_ < levels_) pass.sizes.push_back(pass.visited->size() - pass.sizes.sum());
  ++part_;
}

void Redistribution::take_counts(const SearchWorker& counts, double seconds) {
  counted_.add_counts(counts);
  seconds_ = std::max(seconds_, seconds);
  std::vector<uint8_t> whole(whole_model(*source_).info().state_bytes);
  for (const Finding& finding : counts.findings.all()) {
    // With several old ranks, states of failures are whole already.
    const bool makes = !from_ranks() && !finding.state.empty();
    if (makes) make_whole(*source_, finding.state.data(), 1, whole.data());
    const std::vector<uint8_t>& state = makes ? whole : finding.state;
    counted_.findings.add(finding.level, finding.failure, state.empty() ? nullptr : state.data(),
                          state.size());
  }
}

// ---- reading it back

uint64_t Redistribution::states() const {
  uint64_t sum = done_->size() + open_->size() + next_->size();
  for (const Pass& pass : passes_) sum += pass.visited->size();
  return sum;
}

NumberList Redistribution::level_sizes() const {
  NumberList sizes;
  for (uint64_t level = 0; level < levels_; ++level) {
    uint64_t size = 0;
    for (const Pass& pass : passes_) size += pass.sizes[level];
    sizes.push_back(size);
  }
  sizes.push_back(done_->size() + open_->size());
  return sizes;
}

void Redistribution::visit_levels(const History::Visit& visit, const std::function<void()>& done) {
  std::vector<uint64_t> begins(passes_.size(), 0);
  for (uint64_t level = 0; level < levels_ && !run_.halted(); ++level) {
    for (uint64_t i = 0; i < passes_.size(); ++i) {
      const uint64_t end = begins[i] + passes_[i].sizes[level];
      readers_.read(*passes_[i].visited, begins[i], end, visit);
      begins[i] = end;
    }
    done();
  }
}

}  // namespace strata
