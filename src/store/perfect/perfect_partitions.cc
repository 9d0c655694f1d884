#include "store/perfect/perfect_partitions.h"

#include <fmt/format.h>

#include <cstring>
#include <string>

#include "base/locks/mutex.h"
#include "store/key/counting_sort.h"

namespace strata {

// Records are gathered by log in small batches, so that a log's lock is taken once for several.
struct PerfectPartitions::Gather {
  static constexpr uint64_t kMost = 256;
  PerfectRecord records[kMost], sorted[kMost];
  uint32_t logs[kMost];
  CountingSort<uint32_t> sort;
};

// Where records go: partitions from `first` on, or groups of this many of them.
struct PerfectPartitions::Target {
  uint64_t first = 0, group = 1;
  std::vector<StateLog*> logs;
};

PerfectPartitions::PerfectPartitions(StateSource& source, const PerfectHashOptions& options, Storage& storage,
                                     MemoryBudget& budget, const Locator& locator)
    : source_(source), options_(options), storage_(storage), budget_(budget), locator_(locator) {}

PerfectPartitions::~PerfectPartitions() = default;

Status PerfectPartitions::fill(uint64_t partitions) {
  if (Status status = choose_bounds(partitions); !status.ok()) return status;
  if (Status status = make_logs(); !status.ok()) return status;
  for (unsigned i = 0; i < options_.threads; ++i) gathers_.push_back(std::make_unique<Gather>());
  const Status status = distribute([&](const Visit& visit) { return from_source(visit); }, 0, count());
  gathers_.clear();
  return status;
}

Status PerfectPartitions::choose_bounds(uint64_t partitions) {
  if (partitions <= 1) return {};
  Mutex mutex;
  std::vector<uint64_t> sample;
  const uint64_t wanted =
      std::min({options_.states, 256 * partitions, std::max<uint64_t>(options_.memory / 32, 256)});
  const uint64_t most = 2 * wanted;
  const Status status =
      source_.some(wanted, [&](unsigned, const uint8_t* states, uint64_t n, uint32_t) -> Status {
        const MutexLock lock(mutex);
        for (uint64_t i = 0; i < n && sample.size() < most; ++i)
          sample.push_back(locator_.locate(states + i * options_.state_bytes).place);
        return {};
      });
  if (!status.ok()) return status;
  std::sort(sample.begin(), sample.end());
  for (uint64_t p = 1; p < partitions && !sample.empty(); ++p) {
    const uint64_t bound = sample[sample.size() * p / partitions];
    if (bound > (bounds_.empty() ? 0 : bounds_.back())) bounds_.push_back(bound);
  }
  return {};
}

std::unique_ptr<StateLog> PerfectPartitions::make_log(const std::string& name) {
  return std::make_unique<StateLog>(storage_, *pool_, name, sizeof(PerfectRecord));
}

Status PerfectPartitions::make_logs() {
  pool_ = options_.pool;
  const uint64_t blocks = std::min(count() + 2, options_.memory / 3 / pool_->block_bytes());
  if (count() > 2 && blocks > 2) {
    own_pool_ = std::make_unique<BlockPool>(budget_, pool_->block_bytes(), blocks);
    if (Status status = own_pool_->open(); !status.ok()) return status;
    pool_ = own_pool_.get();
  }
  for (uint64_t p = 0; p < count(); ++p) logs_.push_back(make_log(fmt::format("places.{}", p)));
  return {};
}

Status PerfectPartitions::from_source(const Visit& visit) {
  return source_.all([&](unsigned thread, const uint8_t* states, uint64_t n, uint32_t value) -> Status {
    Gather& own = *gathers_[thread];
    for (uint64_t done = 0; done < n; done += Gather::kMost) {
      const uint64_t part = std::min(Gather::kMost, n - done);
      for (uint64_t i = 0; i < part; ++i) {
        const Located at = locator_.locate(states + (done + i) * options_.state_bytes);
        own.records[i] = {at.place, at.hash << 40 | value};
      }
      if (Status status = visit(thread, own.records, part); !status.ok()) return status;
    }
    return {};
  });
}

Status PerfectPartitions::from_log(StateLog& log, const Visit& visit) {
  Mutex mutex;
  Status trouble;
  StateScan scan({{&log, 0, log.size()}});
  options_.on_all_threads([&](unsigned thread) {
    ScanReader& reader = options_.reader(thread);
    reader.open(scan);
    Gather& own = *gathers_[thread];
    Status status;
    while (status.ok()) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok()) status = log.explain(span.status());
      if (!span.ok() || span->count == 0) break;
      if (options_.stopped()) status = Status::limit("the search was stopped");
      for (uint64_t done = 0; done < span->count && status.ok(); done += Gather::kMost) {
        const uint64_t part = std::min(Gather::kMost, span->count - done);
        std::memcpy(static_cast<void*>(own.records), span->records + done * sizeof(PerfectRecord),
                    part * sizeof(PerfectRecord));
        status = visit(thread, own.records, part);
      }
    }
    reader.close();
    if (status.ok()) return;
    const MutexLock lock(mutex);
    if (trouble.ok()) trouble = status;
  });
  return trouble;
}

Status PerfectPartitions::distribute(const Records& records, uint64_t first, uint64_t count) {
  // Logs that each keep a block, while some blocks are on their way to the disk.
  const uint64_t blocks = pool_->blocks();
  const uint64_t fan = blocks >= count + 2 ? count : std::max<uint64_t>(blocks - blocks / 4, 2);
  Target target;
  target.first = first;
  target.group = (count + fan - 1) / fan;
  std::vector<std::unique_ptr<StateLog>> groups;
  for (uint64_t p = first; p < first + count; p += target.group) {
    if (target.group > 1) groups.push_back(make_log(fmt::format("places.{}.{}", p, target.group)));
    target.logs.push_back(target.group > 1 ? groups.back().get() : logs_[p].get());
  }
  const Status status = records([&](unsigned thread, const PerfectRecord* some, uint64_t n) {
    return append(*gathers_[thread], some, n, target);
  });
  if (!status.ok()) return status;
  for (uint64_t g = 0; g < groups.size(); ++g) {
    const uint64_t begin = g * target.group, end = std::min(begin + target.group, count);
    const Status next = distribute([&](const Visit& visit) { return from_log(*groups[g], visit); },
                                   first + begin, end - begin);
    if (!next.ok()) return next;
    if (Status cleared = groups[g]->clear(); !cleared.ok()) return cleared;
    groups[g].reset();  // with its space on disk
  }
  return {};
}

Status PerfectPartitions::append(Gather& own, const PerfectRecord* records, uint64_t n,
                                 const Target& target) const {
  const uint64_t logs = target.logs.size();
  own.sort.begin(logs);
  for (uint64_t i = 0; i < n; ++i) {
    own.logs[i] = static_cast<uint32_t>((partition_of(records[i].place) - target.first) / target.group);
    own.sort.count(own.logs[i]);
  }
  own.sort.place_all(
      n, [&](uint64_t i) { return own.logs[i]; },
      [&](uint64_t i, uint32_t place) { own.sorted[place] = records[i]; });
  for (uint64_t l = 0; l < logs; ++l) {
    const uint64_t begin = own.sort.start(l), end = own.sort.end(l);
    if (end == begin) continue;
    const Status status =
        target.logs[l]->append(reinterpret_cast<const uint8_t*>(own.sorted + begin), end - begin);
    if (!status.ok()) return status;
  }
  return {};
}

Status PerfectPartitions::take(unsigned thread, uint64_t partition, PerfectRecord* records) {
  StateLog& log = *logs_[partition];
  if (log.size() == 0) return {};
  {
    StateScan scan({{&log, 0, log.size()}});
    ScanReader& reader = options_.reader(thread);
    reader.open(scan);
    Status status;
    for (uint64_t done = 0; status.ok();) {
      const Result<StateScan::Span> span = reader.next();
      if (!span.ok()) status = log.explain(span.status());
      if (!span.ok() || span->count == 0) break;
      std::memcpy(static_cast<void*>(records + done), span->records, span->count * sizeof(PerfectRecord));
      done += span->count;
    }
    reader.close();
    if (!status.ok()) return status;
  }
  if (Status status = log.clear(); !status.ok()) return status;
  logs_[partition].reset();
  return {};
}

}  // namespace strata
