#include "engine/ram/ram_image.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace strata {

namespace {

constexpr uint64_t kLogs = 4, kMostBlock = 64 << 10;
constexpr uint64_t kShare = 512;  // a block is this fraction of the memory

uint64_t block_count(unsigned threads) { return kLogs + 2 * uint64_t{threads}; }

}  // namespace

uint64_t RamImage::block_bytes(const PlanInput& input) {
  if (input.shape.queue_block > 0) return input.shape.queue_block;
  const uint64_t least = least_block_bytes(input.state_bytes);
  return std::clamp(std::bit_floor(input.memory / kShare + 1), least, std::max(least, kMostBlock));
}

uint64_t RamImage::bytes(const PlanInput& input) {
  const uint64_t blocks = block_count(input.threads) + LogReaders::blocks(input.threads);
  return blocks * block_bytes(input);
}

RamImage::~RamImage() { close(); }

void RamImage::close() {
  readers_.close();
  visited_.reset();
  done_.reset();
  open_.reset();
  next_.reset();
  if (pool_ != nullptr) run_.drop_pool(*std::exchange(pool_, nullptr));
  written_ = 0;
}

Status RamImage::open() {
  if (Status status = run_.open_space(); !status.ok()) return status;
  const uint64_t block = block_bytes(run_.plan_input());
  run_.shape.queue_block = block;
  const Result<BlockPool*> pool = run_.make_pool(block, block_count(run_.threads()));
  if (!pool.ok()) return pool.status();
  pool_ = *pool;
  if (Status status = readers_.open(block); !status.ok()) return status;
  const auto make = [&](const char* name) { return run_.make_log(name, run_.state_bytes(), pool_); };
  visited_ = make("ram.visited");
  done_ = make("ram.done");
  open_ = make("ram.open");
  next_ = make("ram.next");
  return {};
}

// ---- saving

namespace {

class RestingRamSearch final : public RestingSearch {
 public:
  explicit RestingRamSearch(RamSearch& search) : search_(search), parts_(search.level_parts()) {}

  const NumberList& level_sizes() const override { return search_.level_sizes(); }
  void visit_levels(uint64_t first, const History::Visit& visit) override {
    search_.visit_levels(
        visit, [] {}, first);
  }
  void visit_expanded(const History::Visit& visit) override {
    search_.visit_stretches(parts_.expanded, visit);
  }
  void visit_open(const History::Visit& visit) override { search_.visit_stretches(parts_.open, visit); }
  void visit_next(const History::Visit& visit) override { search_.visit_stretches(parts_.next, visit); }
  Rest copy_rest() const override { return search_.copy_rest(); }

 private:
  RamSearch& search_;
  const RamSearch::LevelParts parts_;
};

}  // namespace

void RamImage::serialize(RamSearch& search, Image& image) {
  if (image.restores()) return restore(image);
  RestingRamSearch resting(search);
  serialize(resting, image);
}

void RamImage::serialize(RestingSearch& search, Image& image) {
  if (!image.restores()) write(search, image);
  restore(image);
}

void RamImage::restore(Image& image) {
  image.list("levels", sizes_);
  image.value("written", written_);
  image.list("in_hand", rest_.unexpanded);
  image.list("refused", rest_.refused);
  if (!image.ok()) return;
  for (StateLog* log : {visited_.get(), done_.get(), open_.get(), next_.get()}) log->serialize(image);
}

// A full or failing disk does not end the search: the next checkpoint begins with new files.
void RamImage::write(RestingSearch& search, Image& image) {
  if (!trouble_.ok()) {
    close();
    trouble_ = open();
  }
  if (!trouble_.ok()) return image.fail(trouble_);
  sizes_ = search.level_sizes();
  search.visit_levels(written_,
                      [&](unsigned, const uint8_t* states, uint64_t n) { append(*visited_, states, n); });
  written_ = sizes_.size() - 1;
  write_anew(*done_, search, &RestingSearch::visit_expanded);
  write_anew(*open_, search, &RestingSearch::visit_open);
  write_anew(*next_, search, &RestingSearch::visit_next);
  rest_ = search.copy_rest();
  for (StateLog* log : {visited_.get(), done_.get(), open_.get(), next_.get()}) note(pool_->settle(*log));
  image.fail(trouble_);
  if (run_.stopped() != StopReason::none && run_.stopped() != StopReason::bound)
    image.fail(Status::limit("the search ended before its states were written"));
}

void RamImage::write_anew(StateLog& log, RestingSearch& search, VisitPart part) {
  note(log.clear());
  (search.*part)([&](unsigned, const uint8_t* states, uint64_t n) { append(log, states, n); });
}

void RamImage::append(StateLog& log, const uint8_t* states, uint64_t n) { note(log.append(states, n)); }

// Records the first error.
void RamImage::note(const Status& status) {
  if (status.ok()) return;
  const MutexLock lock(mutex_);
  if (trouble_.ok()) trouble_ = status;
}

// ---- restoring

void RamImage::visit_levels(const History::Visit& visit, const std::function<void()>& done) {
  uint64_t begin = 0;
  for (uint64_t level = 0; level + 1 < sizes_.size() && !run_.halted(); ++level) {
    const uint64_t end = begin + sizes_[level];
    readers_.read(*visited_, begin, end, visit);
    begin = end;
    done();
  }
}

namespace {

// Inserts all states that are known to be new.
void insert_all(SavedStates& states, RamSearch& search, DiskRun& run) {
  run.phase("reading the checkpoint");
  const auto insert = [&](unsigned thread, const uint8_t* some, uint64_t n) {
    search.insert_restored(thread, some, n);
  };
  states.visit_levels(insert, [&] { search.end_restored_level(); });
  states.visit_done(insert);
  search.begin_open();
  states.visit_open(insert);
  search.end_restored_level();
  states.visit_next(insert);
}

}  // namespace

bool RamImage::load(RamSearch& search) {
  insert_all(*this, search, run_);
  return search.end_restoring(rest_) && !run_.halted();
}

bool load_regrouped(Redistribution& states, RamSearch& search, DiskRun& run) {
  insert_all(states, search, run);
  states.visit_waiting(
      [&](unsigned thread, const uint8_t* some, uint64_t n) { search.insert_restored(thread, some, n); });
  const bool fits = search.end_restoring({}) && !run.halted();
  run.context.progress.states = search.table().size();
  return fits;
}

void RamImage::give(StateSink& to) {
  const auto take = [&](unsigned, const uint8_t* states, uint64_t n) { to.take(states, n); };
  const auto take_list = [&](const std::vector<uint8_t>& states) {
    to.take(states.data(), states.size() / run_.state_bytes());
    to.end_part();
  };
  to.begin(run_.model, levels_done());
  visit_levels(take, [&] { to.end_part(); });
  take_list(rest_.unexpanded);
  visit_done(take);
  to.end_part();
  visit_open(take);
  to.end_part();
  visit_next(take);
  to.end_part();
  take_list(rest_.refused);
  run_.give_counts(to);
}

}  // namespace strata
