#include "search/disk_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "report/run_info.h"
#include "store/distinct.h"

namespace strata {

namespace {

// Fewer records than this are not worth waking the other threads.
constexpr uint64_t kShared = 256;

constexpr uint64_t kLargestBlock = 256 << 10;
constexpr uint64_t kLargestBatch = 8192;

}  // namespace

Status DiskRun::start(uint64_t logs) {
  const uint64_t memory = run.budget.limit();
  const unsigned threads = std::max(run.options.threads, 1u);
  // Blocks take about a quarter of the memory: one for each log, some on their way to the disk, some read ahead.
  const bool small = memory < (1 << 20);
  const uint64_t ahead = small ? 1 : 3, behind = small ? 2 : 2 * uint64_t{threads} + 4;
  const uint64_t count = logs + behind + 2 * ScanReader::blocks_of(ahead) * threads;
  const uint64_t least = round_up(state_bytes() + 64, kPageBytes);
  const uint64_t block = std::clamp(std::bit_floor(std::max<uint64_t>(memory / (4 * count), 1)), least,
                                    std::max(kLargestBlock, least));
  const uint64_t batch =
      std::clamp<uint64_t>(memory / 32 / threads / (state_bytes() + 32), 16, kLargestBatch);
  piece_ = std::min<uint64_t>(batch, 1024);
  if (Status status = run.start(batch); !status.ok()) return status;
  Result<std::unique_ptr<DiskSpace>> disk = DiskSpace::create(run.options.disk);
  if (!disk.ok()) return disk.status();
  disk_ = std::move(*disk);
  blocks_ = std::make_unique<BlockPool>(run.budget, block, logs + behind);
  if (Status status = blocks_->open(); !status.ok()) return status;
  const uint64_t record = state_bytes() + 16 + (mode().exact() ? 0 : 2 * key_bytes());
  for (unsigned i = 0; i < threads; ++i) {
    const uint64_t bytes = 2 * ScanReader::blocks_of(ahead) * block + (batch + piece_) * record;
    if (!run.budget.reserve(bytes)) {
      return Status::limit(
          fmt::format("--memory {} MiB is too small for {} threads; raise it, or lower --threads",
                      run.options.memory >> 20, threads));
    }
    workers_.push_back(std::make_unique<DiskWorker>(run.worker(i), mode(), state_bytes(), block, ahead));
  }
  // A folder that goes away needs no manifest, and syncing one takes longer than many a search.
  return run.options.disk.keep_folder.empty() ? Status() : write_manifest({});
}

// What the run is, and the logs that are complete (doc/formats.md).
Status DiskRun::write_manifest(const std::vector<StateLog*>& logs) {
  std::string text = fmt::format(
      "format: 1\nmodel: {}\nstore: {}\nstate_bytes: {}\nkey_bytes: {}\nblock_bytes: {}\nfolders: {}\n",
      run.info.path, store_name(mode()), state_bytes(), key_bytes(), blocks_->block_bytes(),
      disk_->folder().folders().size());
  for (const StateLog* log : logs)
    text += fmt::format("log: {} {} {}\n", log->name(), log->record_bytes(), log->size());
  return disk_->folder().write_manifest(text);
}

// For a folder that is kept: the logs that have records stay, and the manifest lists them.
Status DiskRun::keep_files() {
  Status first;
  std::vector<StateLog*> complete;
  for (StateLog* log : blocks_->logs()) {
    if (log->size() == 0) continue;
    const Status status = log->keep();
    if (status.ok()) complete.push_back(log);
    if (first.ok()) first = status;
  }
  const Status written = write_manifest(complete);
  return first.ok() ? written : first;
}

std::unique_ptr<StateLog> DiskRun::make_log(const std::string& name, uint64_t record_bytes, BlockPool* pool) {
  return std::make_unique<StateLog>(disk_->storage(), pool != nullptr ? *pool : *blocks_, name, record_bytes);
}

std::unique_ptr<VisitedLog> DiskRun::make_visited(const std::string& name) {
  return std::make_unique<VisitedLog>(*disk_, *blocks_, name, mode(), state_bytes());
}

void DiskRun::read(std::vector<LogRange> ranges, const Visit& visit) {
  StateScan scan(std::move(ranges));
  if (scan.records() == 0) return;
  const auto work = [&](unsigned i) {
    DiskWorker& own = worker(i);
    own.reader.open(scan);
    while (!run.halted()) {
      const Result<StateScan::Span> span = own.reader.next();
      if (span.ok() && span->count == 0) break;
      const Status status = span.ok() ? visit(own, *span) : span.status();
      if (status.ok()) continue;
      run.fail(status);
      break;
    }
    own.reader.close();
  };
  if (scan.records() < kShared) {
    work(0);
  } else {
    run.pool().run(work);
  }
}

void DiskRun::read_keys(std::vector<LogRange> ranges, Records records, double TimeShares::*share,
                        const VisitKeys& visit) {
  read(std::move(ranges), [&](DiskWorker& own, const StateScan::Span& span) -> Status {
    const auto begin = Clock::now();
    const uint64_t bytes = span.range->log->record_bytes();
    for (uint64_t done = 0; done < span.count; done += piece_) {
      const uint8_t* first = span.records + done * bytes;
      const uint64_t n = std::min(piece_, span.count - done);
      const Keys keys = records == Records::keys ? own.keys.of_keys(first, n) : own.keys.of_states(first, n);
      if (Status status = visit(own, {*span.range, keys, first, span.first + done}); !status.ok())
        return status;
    }
    own.base.seconds.*share += seconds_between(begin, Clock::now());
    return {};
  });
}

Status DiskRun::append_new(CandidateSet& candidates, VisitedLog& visited, DiskWorker& own, const Keys& keys,
                           const uint8_t* states) {
  own.taken.resize(keys.count);
  const uint64_t fresh = candidates.take(keys, own.taken.data());
  if (fresh == 0) return {};
  gather(own, keys, states, keys.count, [&](uint64_t i) { return own.taken[i] != 0; });
  note_found(fresh);
  return visited.append(own.states.data(), own.signatures.data(), fresh);
}

uint64_t DiskRun::count_states(const std::vector<LogRange>& keys, uint64_t estimate) {
  const StopReason stop = run.stopped();
  if (stop == StopReason::disk || stop == StopReason::time || stop == StopReason::interrupted)
    return estimate;
  run.context.progress.phase("counting states");
  const auto begin = Clock::now();
  const Result<uint64_t> count = count_distinct(*disk_, keys, memory_left() / 10 * 9, run.budget);
  // One thread counts; the shares are of all.
  run.worker(0).seconds.detect += seconds_between(begin, Clock::now());
  if (count.ok()) return *count;
  run.fail(count.status());
  return estimate;
}

Result<SearchResult> DiskRun::finish(const SearchRun::Numbers& numbers, History* history) {
  for (const auto& own : workers_) own->base.seconds.io += own->reader.waited() + own->level_reader.waited();
  run.worker(0).seconds.io += blocks_->waited();
  if (!run.options.disk.keep_folder.empty()) {
    if (Status status = keep_files(); !status.ok()) run.fail(status);
  }
  Result<SearchResult> result = run.finish(numbers, history);
  if (!result.ok()) return result;
  result->disk_peak = disk_->peak();
  result->disk_read = disk_->bytes_read();
  result->disk_written = disk_->bytes_written();
  result->disk_access = disk_->description();
  return result;
}

LevelExpander::LevelExpander(DiskRun& run, std::vector<LogRange> ranges, uint64_t level)
    : run_(run), scan_(std::move(ranges)), level_(level), places_(run.run.threads()) {
  for (unsigned i = 0; i < run.run.threads(); ++i) run.worker(i).level_reader.open(scan_);
}

LevelExpander::~LevelExpander() {
  for (unsigned i = 0; i < run_.run.threads(); ++i) run_.worker(i).level_reader.close();
}

bool LevelExpander::run(const Sink& sink) {
  paused_ = false;
  if (scan_.records() < kShared) {
    work(0, sink);
    return !paused_;
  }
  run_.run.pool().run([&](unsigned i) { work(i, sink); });
  return !paused_;
}

void LevelExpander::work(unsigned i, const Sink& sink) {
  Place& place = places_[i];
  DiskWorker& worker = run_.worker(i);
  while (!run_.run.halted()) {
    if (!place.waiting && !expand_next(worker, place)) return;
    place.waiting = !sink(worker, place.batch);
    if (place.waiting) paused_.store(true, std::memory_order_relaxed);
    // One thread without room means room for none; the others stop where they stand.
    if (paused_.load(std::memory_order_relaxed)) return;
  }
}

// False: there is nothing left.
bool LevelExpander::expand_next(DiskWorker& worker, Place& place) {
  SearchRun& run = run_.run;
  if (place.count == 0) {
    if (place.ended) return false;
    const Result<StateScan::Span> span = worker.level_reader.next();
    if (!span.ok()) {
      run.fail(span.status());
      return false;
    }
    place.states = span->records;
    place.count = span->count;
    place.ended = span->count == 0;
    if (place.ended) return false;
  }
  Expansion& out = worker.base.out;
  run.expand(worker.base, place.states, place.count, level_);
  const uint8_t* parents = place.states;
  place.states += out.consumed * run_.state_bytes();
  place.count -= out.consumed;
  if (!run.charge(worker.base, out.count)) {
    run.fail(Status::limit("--memory is too small for the successors of this model; raise it"));
    return false;
  }
  const auto begin = Clock::now();
  place.batch = {parents, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count),
                 0};
  worker.base.seconds.insert += seconds_between(begin, Clock::now());
  return true;
}

Status LogHistory::visit(uint64_t epoch, const Visit& visit) {
  Result<std::vector<LogRange>> ranges = ranges_(epoch);
  if (!ranges.ok()) return ranges.status();
  StateScan scan(std::move(*ranges));
  std::vector<Status> statuses(run_.run.threads());
  run_.run.pool().run([&](unsigned i) {
    ScanReader& reader = run_.worker(i).reader;
    reader.open(scan);
    while (true) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok()) statuses[i] = span.status();
      if (!span.ok() || span->count == 0) break;
      visit(i, span->records, span->count);
    }
    reader.close();
  });
  for (const Status& status : statuses)
    if (!status.ok()) return status;
  return {};
}

}  // namespace strata
