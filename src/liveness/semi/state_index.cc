#include "liveness/semi/state_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/locks/mutex.h"
#include "store/key/bit_statistics.h"

namespace strata {

// All known states as a source for the construction, with their levels if these are wanted.
class StateIndex::KnownStates final : public StateSource {
 public:
  KnownStates(DiskRun& run, PartitionedSearch& search, bool with_levels)
      : run_(run), search_(search), with_levels_(with_levels) {}

  Status all(const Visit& visit) override {
    if (!with_levels_) return read(search_.visited_ranges(), visit, 0);
    for (uint64_t level = 0; level < search_.level_sizes().size(); ++level) {
      Result<std::vector<LogRange>> ranges = search_.level_ranges(level);
      if (!ranges.ok()) return ranges.status();
      if (Status status = read(std::move(*ranges), visit, static_cast<uint32_t>(level)); !status.ok())
        return status;
    }
    return {};
  }
  Status some(uint64_t about, const Visit& visit) override {
    constexpr uint64_t kTogether = 8;
    std::vector<LogRange> chosen;
    uint64_t states = 0;
    for (const LogRange& range : search_.visited_ranges()) states += range.end;
    const uint64_t step = std::max(states / std::max<uint64_t>(about / kTogether, 1), kTogether);
    for (const LogRange& range : search_.visited_ranges()) {
      for (uint64_t first = 0; first < range.end; first += step)
        chosen.push_back({range.log, first, std::min(first + kTogether, range.end), 0});
    }
    return read(std::move(chosen), visit, 0);
  }

 private:
  Status read(std::vector<LogRange> ranges, const Visit& visit, uint32_t value) {
    run_.read(std::move(ranges), [&](DiskWorker& worker, const StateScan::Span& span) {
      return visit(worker.base.number, span.records, span.count, value);
    });
    if (!run_.halted()) return {};
    return Status::limit("the search was stopped");
  }

  DiskRun& run_;
  PartitionedSearch& search_;
  const bool with_levels_;
};

// The function comes last in the image: if it finds no room any more, it is left unread, and built again.
void StateIndex::serialize(Image& image) {
  image.value("hash_memory", hash_memory_);
  image.value("hash_disk", hash_disk_);
  image.value("hash_bits", hash_bits_);
  image.value("hash_seconds", hash_seconds_);
  bool indexed = hash_ != nullptr;
  image.value("indexed", indexed);
  if (!indexed || !image.ok()) return;
  if (!image.restores()) return hash_->save(image);
  search_.release_tables();
  Result<std::unique_ptr<PerfectHash>> hash = PerfectHash::restore(image, run_.disk().storage(), run_.budget);
  if (hash.ok()) hash_ = std::move(*hash);
  if (!hash.ok() && hash.status().code() != StatusCode::limit) image.fail(hash.status());
}

// Bits that divide the states and that few transitions change.
std::vector<uint32_t> StateIndex::stable_bits(StateSource& source) {
  constexpr uint64_t kSample = 4096;
  const uint64_t bytes = run_.state_bytes();
  BitCounts ones(bytes);
  BitStatistics statistics(bytes);
  Mutex mutex;
  const Status status =
      source.some(kSample, [&](unsigned thread, const uint8_t* first, uint64_t n, uint32_t) -> Status {
        const MutexLock lock(mutex);
        for (uint64_t i = 0; i < n; ++i) {
          const uint8_t* state = first + i * bytes;
          ones.add(state);
          Expansion& expansion = run_.worker(thread).out;
          expansion.reset();
          run_.model.expand(state, 1, expansion);
          for (uint64_t s = 0; s < expansion.count; ++s)
            statistics.note_transition(state, expansion.successor(s));
        }
        return {};
      });
  if (!status.ok()) return {};
  std::vector<uint32_t> bits = statistics.stable_bits(ones);
  bits.resize(std::min<uint64_t>(bits.size(), Locator::kMostBits));
  return bits;
}

uint64_t StateIndex::states() const {
  uint64_t states = 0;
  for (const uint64_t size : search_.level_sizes()) states += size;
  return states;
}

// The function and the bits do not fit. This is known before everything is read for them.
Status StateIndex::no_room(const IndexPlan& plan) const {
  if (plan.function + plan.bits <= plan.room)
    return Status::limit("the memory budget has no room for a cache of blocks; raise --memory");
  return Status::limit(
      fmt::format(
          "--memory is too small: {} states take {} KiB for their bits{}, and {} KiB are left; raise it{}",
          states(), plan.bits >> 10,
          plan.function == 0 ? ""
                             : fmt::format(" and {} KiB for the perfect hash function", plan.function >> 10),
          plan.room >> 10, plan.function == 0 ? "" : ", or take --set hash=disk"),
      Reason::memory_for_bits);
}

IndexInput StateIndex::index_input() const {
  IndexInput input;
  input.states = states();
  const uint64_t depth = search_.level_sizes().size();
  if (options_.with_depths) input.value_bytes = depth <= 256 ? 1 : depth <= 65536 ? 2 : 4;
  input.on_disk = options_.on_disk;
  input.buffer = options_.buffer;
  input.bits = options_.bits;
  return input;
}

IndexPlan StateIndex::plan_for(const IndexInput& index) const {
  const PlanInput input = run_.plan_input();
  return plan_index(input, search_.plan_memory(input).disk, index);
}

bool StateIndex::choose(bool on_disk, uint64_t bits, uint64_t rest) {
  options_.on_disk = on_disk;
  options_.bits = bits;
  const IndexPlan plan = plan_for(index_input());
  return plan.shares.fits() && plan.search >= rest;
}

bool StateIndex::build() {
  IndexInput planned = index_input();
  KnownStates source(run_, search_, options_.with_depths);
  // A function that was restored is there already.
  const bool builds = hash_ == nullptr;
  if (builds && !build_function(planned, source)) return false;
  planned.function = hash_->memory();
  plan_ = plan_for(planned);
  if (!builds && !plan_.shares.fits()) return fail(no_room(plan_));
  run_.adopt(plan_.shares);
  if (options_.check) {
    const Status status =
        check_perfect_hash(*hash_, source, run_.threads(), plan_.reader_blocks, run_.budget);
    if (run_.halted()) return false;
    if (!status.ok()) return fail(status);
  }
  if (builds) run_.saving().checkpoint_phase();
  bits_ = std::make_unique<BitArray>(run_.budget, planned.states * planned.bits);
  if (!bits_->open()) {
    bits_.reset();
    return fail(
        Status::limit(fmt::format("--memory is too small: the bits of {} states take {} KiB; raise it",
                                  planned.states, plan_.bits >> 10),
                      Reason::memory_for_bits));
  }
  for (unsigned i = 0; i < run_.threads(); ++i) {
    readers_.push_back(std::make_unique<PerfectHashReader>(*hash_, plan_.reader_blocks, run_.budget));
    if (Status status = readers_.back()->open(); !status.ok()) return fail(status);
  }
  return true;
}

bool StateIndex::build_function(IndexInput& planned, KnownStates& source) {
  run_.phase("building the perfect hash function");
  const auto begin = Clock::now();
  PerfectHashOptions options;
  options.states = planned.states;
  options.state_bytes = run_.state_bytes();
  options.bits = stable_bits(source);
  options.on_disk = options_.on_disk;
  options.value_bytes = static_cast<unsigned>(planned.value_bytes);
  options.threads = run_.threads();
  options.on_all_threads = [&](const std::function<void(unsigned)>& work) { run_.pool().run(work); };
  options.pool = &search_.visited_ranges().front().log->pool();
  options.stopped = [&] { return run_.halted(); };
  options.reader = [&](unsigned thread) -> ScanReader& { return *run_.disk_worker(thread).level_reader; };
  plan_ = plan_for(planned);
  if (!plan_.shares.fits()) return fail(no_room(plan_));
  options.memory = plan_.construction;
  Result<std::unique_ptr<PerfectHash>> hash =
      build_perfect_hash(source, options, run_.disk().storage(), run_.budget);
  hash_seconds_ += seconds_between(begin, Clock::now());
  if (run_.halted()) return false;
  if (!hash.ok()) return fail(hash.status());
  hash_ = std::move(*hash);
  hash_memory_ = std::max(hash_memory_, hash_->memory());
  hash_disk_ = std::max(hash_disk_, hash_->disk());
  hash_bits_ = hash_->bits_a_key();
  return true;
}

void StateIndex::drop() {
  for (const auto& reader : readers_) {
    blocks_read_ += reader->blocks_read();
    blocks_asked_ += reader->blocks_asked();
    run_.worker(0).seconds.io += reader->waited();
  }
  readers_.clear();
  bits_.reset();
  hash_.reset();
}

bool StateIndex::mark_frontier() {
  Result<std::vector<LogRange>> ranges = search_.level_ranges(search_.level_sizes().size() - 1);
  if (!ranges.ok()) return fail(ranges.status());
  run_.read(std::move(*ranges), [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    constexpr uint64_t kAtOnce = 64;
    uint64_t numbers[kAtOnce];
    for (uint64_t done = 0; done < span.count; done += kAtOnce) {
      const uint64_t n = std::min(kAtOnce, span.count - done);
      const Status status =
          readers_[worker.base.number]->find(span.records + done * run_.state_bytes(), n, numbers, nullptr);
      if (!status.ok()) return status;
      for (uint64_t i = 0; i < n; ++i) bits_->test_and_set(numbers[i]);
    }
    return {};
  });
  return !run_.halted() && !run_.complete();
}

bool StateIndex::find(unsigned thread, const uint8_t* states, uint64_t n, uint64_t* numbers,
                      uint32_t* depths) {
  const Status status = readers_[thread]->find(states, n, numbers, depths);
  return status.ok() || fail(status);
}

void StateIndex::add_details(SearchResult& result) const {
  result.details.emplace_back("hash_bits_a_state", hash_bits_);
  result.details.emplace_back("hash_memory", hash_memory_);
  result.details.emplace_back("hash_disk", hash_disk_);
  result.details.emplace_back("hash_blocks_asked", blocks_asked_);
  result.details.emplace_back("hash_blocks_read", blocks_read_);
  result.details.emplace_back("hash_seconds", hash_seconds_);
}

}  // namespace strata
