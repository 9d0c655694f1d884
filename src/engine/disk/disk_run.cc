#include "engine/disk/disk_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/run_info.h"
#include "store/sorted/distinct.h"

namespace strata {

Status DiskRun::start_on_disk(const DiskSizes& sizes) {
  if (Status status = start(sizes.batch, Beyond::avoided); !status.ok()) return status;
  if (Status status = open_disk(sizes); !status.ok()) return status;
  return make_workers(sizes);
}

Status DiskRun::open_space() {
  if (disk_) return {};
  DiskSpace::Options where = options.disk;
  if (context.checkpoints != nullptr) where.checkpoints = &context.checkpoints->folder();
  Result<std::unique_ptr<DiskSpace>> disk = DiskSpace::create(where);
  if (!disk.ok()) return disk.status();
  disk_ = std::move(*disk);
  if (context.checkpoints != nullptr) context.checkpoints->use(disk_->checkpoints(), &disk_->budget());
  return {};
}

Status DiskRun::open_disk(const DiskSizes& sizes) {
  if (Status status = open_space(); !status.ok()) return status;
  shape.block = sizes.block;
  const auto pool = make_pool(sizes.block, sizes.blocks());
  if (!pool.ok()) return pool.status();
  all_ = *pool;
  // A temporary folder needs no manifest, and syncing one takes longer than many a search.
  return options.disk.keep_folder.empty() ? Status() : write_manifest({});
}

Status DiskRun::make_workers(const DiskSizes& sizes) {
  piece_ = sizes.piece;
  const uint64_t bytes = sizes.reader_blocks() * sizes.block + sizes.batch_bytes(plan_input());
  for (unsigned i = 0; i < threads(); ++i) {
    if (!budget.reserve(bytes)) {
      return Status::limit(
          fmt::format("--memory {} is too small for {} threads; raise it, or lower --threads",
                      options.given_memory(), threads()),
          Reason::memory_to_begin);
    }
    disk_workers_.push_back(std::make_unique<DiskWorker>(worker(i), mode(), state_bytes(), sizes));
  }
  return {};
}

// Writes what the run is, and which logs are complete (doc/formats.md).
Status DiskRun::write_manifest(const std::vector<StateLog*>& logs) {
  std::string text =
      fmt::format("format: 1\nmodel: {}\nstore: {}\nstate_bytes: {}\nkey_bytes: {}\nfolders: {}\n", info.path,
                  store_name(mode()), state_bytes(), key_bytes(), disk_->folder()->folders().size());
  for (const StateLog* log : logs)
    text += fmt::format("log: {} {} {} {}\n", log->name(), log->pool().block_bytes(), log->record_bytes(),
                        log->size());
  return disk_->folder()->write_manifest(text);
}

// For a folder that is kept: keeps the logs that have records, and lists them in the manifest.
Status DiskRun::keep_files() {
  Status first;
  std::vector<StateLog*> complete;
  for (const auto& pool : pools_) {
    for (StateLog* log : pool->logs()) {
      if (log->size() == 0) continue;
      const Status status = log->keep();
      if (status.ok()) complete.push_back(log);
      if (first.ok()) first = status;
    }
  }
  const Status written = write_manifest(complete);
  return first.ok() ? written : first;
}

Result<BlockPool*> DiskRun::make_pool(uint64_t block_bytes, uint64_t count) {
  auto pool = std::make_unique<BlockPool>(budget, block_bytes, count);
  if (Status status = pool->open(); !status.ok()) return status;
  return pools_.emplace_back(std::move(pool)).get();
}

void DiskRun::drop_pool(const BlockPool& pool) {
  std::erase_if(pools_, [&](const auto& own) { return own.get() == &pool; });
}

Status DiskRun::make_table(TableKind kind, uint64_t bytes, std::unique_ptr<CandidateSet>& table) {
  auto made = make_candidate_set(kind, key_bytes(), threads(), bytes, budget);
  if (made.ok()) table = std::move(*made);
  return made.status();
}

Status DiskRun::make_cache(uint64_t bytes, std::unique_ptr<LossyCache>& cache) {
  auto made = LossyCache::create(key_bytes(), bytes, budget);
  if (made.ok()) cache = std::move(*made);
  return made.status();
}

DiskRun::~DiskRun() {
  if (disk_ && context.checkpoints != nullptr) context.checkpoints->use(nullptr, nullptr);
}

void DiskRun::serialize(Image& image, const std::string& name, std::vector<LogRange>& ranges) {
  uint64_t count = ranges.size();
  image.value(name, count);
  if (image.restores()) ranges.assign(image.ok() ? count : 0, {});
  for (LogRange& range : ranges) {
    std::string log = image.restores() ? std::string() : range.log->name();
    image.list("log", log);
    image.value("begin", range.begin);
    image.value("end", range.end);
    image.value("label", range.label);
    if (!image.restores() || !image.ok()) continue;
    for (const auto& pool : pools_)
      for (StateLog* own : pool->logs())
        if (own->name() == log) range.log = own;
    if (range.log == nullptr || range.end > range.log->size() || range.begin > range.end)
      image.fail(Status::system(fmt::format("a range of '{}' is not there", log)));
  }
}

std::unique_ptr<StateLog> DiskRun::make_log(const std::string& name, uint64_t record_bytes, BlockPool* pool) {
  return std::make_unique<StateLog>(disk_->storage(), pool != nullptr ? *pool : *all_, name, record_bytes);
}

std::unique_ptr<VisitedLog> DiskRun::make_visited(const std::string& name) {
  return std::make_unique<VisitedLog>(*disk_, *all_, name, mode(), state_bytes());
}

// Reads one thread's part of a scan.
void DiskRun::read_scan(DiskWorker& own, StateScan& scan, const Visit& visit) {
  own.reader.open(scan);
  while (!halted()) {
    const Result<StateScan::Span> span = own.reader.next();
    if (span.ok() && span->count == 0) break;
    const Status status = span.ok() ? visit(own, *span) : span.status();
    if (status.ok()) continue;
    fail(status);
    break;
  }
  own.reader.close();
}

void DiskRun::read(std::vector<LogRange> ranges, const Visit& visit, Sharing sharing) {
  if (sharing == Sharing::ranges && ranges.size() >= 4 * threads()) {
    std::atomic<uint64_t> next{0};
    return pool().run([&](unsigned i) {
      for (uint64_t r = next++; r < ranges.size() && !halted(); r = next++) {
        StateScan scan({ranges[r]});
        read_scan(disk_worker(i), scan, visit);
      }
    });
  }
  StateScan scan(std::move(ranges));
  if (scan.records() == 0) return;
  const auto work = [&](unsigned i) { read_scan(disk_worker(i), scan, visit); };
  if (scan.records() < kWorthSharing) {
    work(0);
  } else {
    pool().run(work);
  }
}

void DiskRun::read_keys(std::vector<LogRange> ranges, Records records, double TimeShares::*share,
                        const VisitKeys& visit, Sharing sharing) {
  const auto visit_span = [&](DiskWorker& own, const StateScan::Span& span) {
    return visit_keys(own, span, records, share, visit);
  };
  read(std::move(ranges), visit_span, sharing);
}

Status DiskRun::visit_keys(DiskWorker& own, const StateScan::Span& span, Records records,
                           double TimeShares::*share, const VisitKeys& visit) {
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
}

void DiskRun::sort_by_partition(DiskWorker& own, const uint32_t* partitions, const uint8_t* records,
                                uint64_t n, uint64_t record_bytes, uint64_t count) {
  own.sort.begin(count);
  for (uint64_t i = 0; i < n; ++i)
    if (partitions[i] != kNoPartition) own.sort.count(partitions[i]);
  own.sort.sum();
  own.states.resize(own.sort.total() * record_bytes);
  for (uint64_t i = 0; i < n; ++i) {
    if (partitions[i] == kNoPartition) continue;
    const uint64_t place = own.sort.place(partitions[i]);
    copy_bytes(own.states.data() + place * record_bytes, records + i * record_bytes, record_bytes);
  }
}

uint64_t DiskRun::count_states(const std::vector<LogRange>& keys, uint64_t estimate, uint64_t memory) {
  const StopReason stop = stopped();
  if (stop == StopReason::disk || stop == StopReason::time || stop == StopReason::interrupted)
    return estimate;
  phase("counting states");
  const auto begin = Clock::now();
  const Result<uint64_t> count = count_distinct(*disk_, keys, memory / 10 * 9, budget);
  // One thread counts, but the shares are averages over all threads.
  worker(0).seconds.detect += seconds_between(begin, Clock::now());
  if (count.ok()) return *count;
  fail(count.status());
  return estimate;
}

Result<SearchResult> DiskRun::finish(const SearchRun::Numbers& numbers, History* history) {
  for (const auto& own : disk_workers_)
    own->base.seconds.io += own->reader.waited() + (own->level_reader ? own->level_reader->waited() : 0);
  for (const auto& pool : pools_) worker(0).seconds.io += pool->waited();
  if (!options.disk.keep_folder.empty()) {
    if (Status status = keep_files(); !status.ok()) fail(status);
  }
  Result<SearchResult> result = SearchRun::finish(numbers, history);
  if (!result.ok()) return result;
  note_disk(*result, *disk_);
  return result;
}

Status LogHistory::visit(uint64_t epoch, const Visit& visit) {
  Result<std::vector<LogRange>> ranges = ranges_(epoch);
  if (!ranges.ok()) return ranges.status();
  StateScan scan(std::move(*ranges));
  std::vector<Status> statuses(run_.threads());
  const auto work = [&](unsigned i) {
    ScanReader& reader = run_.disk_worker(i).reader;
    reader.open(scan);
    while (true) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok()) statuses[i] = span.status();
      if (!span.ok() || span->count == 0) break;
      visit(i, span->records, span->count);
    }
    reader.close();
  };
  if (scan.records() < kWorthSharing) {
    work(0);
  } else {
    run_.pool().run(work);
  }
  for (const Status& status : statuses)
    if (!status.ok()) return status;
  return {};
}

}  // namespace strata
