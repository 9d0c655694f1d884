// What the searches on disk share beyond SearchRun: the disk, the blocks of memory between it and the search, tables,
// and reading states back on all threads. level_expander.h expands states that are read from disk.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/checks.h"
#include "engine/disk/disk_plan.h"
#include "engine/run/search_run.h"
#include "store/cache/lossy_cache.h"
#include "store/key/counting_sort.h"
#include "store/log/disk_space.h"
#include "store/log/state_scan.h"
#include "store/log/visited_log.h"
#include "store/set/candidate_set.h"

namespace strata {

// What one thread owns beyond its SearchWorker.
struct alignas(128) DiskWorker {
  DiskWorker(SearchWorker& worker, StoreMode mode, uint64_t state_bytes, const DiskSizes& sizes)
      : base(worker),
        keys(mode, state_bytes),
        successor_keys(mode, state_bytes),
        reader(sizes.block, sizes.ahead),
        level_reader(sizes.level_readers ? std::make_unique<ScanReader>(sizes.block, sizes.ahead) : nullptr) {
  }

  SearchWorker& base;
  // A level may pause in the middle while other files are read, so it has a reader and keys of its own. A search that
  // reads its levels in another way has no such reader.
  KeyMaker keys, successor_keys;
  ScanReader reader;
  std::unique_ptr<ScanReader> level_reader;
  UntouchedVector<Outcome> outcomes;
  UntouchedVector<uint8_t> taken;
  UntouchedVector<uint32_t> partitions;
  CountingSort<uint32_t> sort;  // of a batch, by partition
  // Records gathered to be appended together.
  UntouchedVector<uint8_t> states, signatures;
};

// The successors of some states, on their way into the search's stores.
struct Batch {
  const uint8_t* parents = nullptr;  // the states that were expanded; worker.out.parents counts from here
  const uint8_t* states = nullptr;
  Keys keys;
  uint64_t done = 0;  // the successors before this one are stored
};

// For fewer records than this, waking the other threads costs more than it saves.
inline constexpr uint64_t kWorthSharing = 256;

class DiskRun : public SearchRun {
 public:
  using SearchRun::SearchRun;
  ~DiskRun();

  // Creates the run folder, if it does not exist yet.
  Status open_space();
  // Creates the run folder and starts the threads.
  Status start_on_disk(const DiskSizes& sizes);
  // The same in steps, for a search that moves to disk later: the folder with the blocks of all logs, and what each
  // thread needs to read and write.
  Status open_disk(const DiskSizes& sizes);
  Status make_workers(const DiskSizes& sizes);

  DiskSpace& disk() { return *disk_; }
  // Writes a small text file into the run folder.
  Status write_file(const std::string& name, const std::string& text) {
    return disk_->folder() == nullptr ? Status() : disk_->folder()->write_file(name, text);
  }
  uint64_t block_bytes() const { return all_->block_bytes(); }
  StoreMode mode() const { return options.store; }
  // Whether states stay on disk for paths: if they are the keys, or if the user wants paths.
  bool keeps_states() const { return mode().exact() || options.trace; }
  uint64_t state_bytes() const { return info.state_bytes; }
  uint64_t key_bytes() const { return KeyMaker(mode(), state_bytes()).key_bytes(); }
  DiskWorker& disk_worker(unsigned i) { return *disk_workers_[i]; }
  // A table and a cache of this many bytes, which they draw from the memory.
  Status make_table(TableKind kind, uint64_t bytes, std::unique_ptr<CandidateSet>& table);
  Status make_cache(uint64_t bytes, std::unique_ptr<LossyCache>& cache);
  // A pool of blocks of another size than those of all logs.
  Result<BlockPool*> make_pool(uint64_t block_bytes, uint64_t count);
  // REQUIRES: the pool has no logs any more.
  void drop_pool(const BlockPool& pool);
  // A log whose blocks come from `pool`; null: from the pool of all logs.
  std::unique_ptr<StateLog> make_log(const std::string& name, uint64_t record_bytes,
                                     BlockPool* pool = nullptr);
  std::unique_ptr<VisitedLog> make_visited(const std::string& name);

  // Saves or restores ranges of logs. REQUIRES: the logs themselves are restored already.
  void serialize(Image& image, const std::string& name, std::vector<LogRange>& ranges);

  // Reads ranges on all threads and calls visit(worker, span). Stops at the first error, which is recorded.
  using Visit = std::function<Status(DiskWorker&, const StateScan::Span&)>;
  // blocks: threads share the blocks of each range. ranges: each range belongs to one thread, if there are enough
  // ranges.
  enum class Sharing { blocks, ranges };
  void read(std::vector<LogRange> ranges, const Visit& visit, Sharing sharing = Sharing::blocks);
  // The records of one piece with their keys. `first` is the number of the first record in its log.
  struct Piece {
    const LogRange& range;
    Keys keys;
    const uint8_t* records;
    uint64_t first;
  };
  using VisitKeys = std::function<Status(DiskWorker&, const Piece&)>;
  enum class Records { keys, states };
  // The same for ranges of visited keys, or of states whose keys are wanted, in small pieces. The time counts as
  // `share`.
  void read_keys(std::vector<LogRange> ranges, Records records, double TimeShares::*share,
                 const VisitKeys& visit, Sharing sharing = Sharing::blocks);
  // The same for records that a thread has read already.
  Status visit_keys(DiskWorker& own, const StateScan::Span& span, Records records, double TimeShares::*share,
                    const VisitKeys& visit);

  // Copies the states i < n with chosen(i) to own.states and, with signatures, their keys to own.signatures. Returns
  // how many.
  template <class Chosen>
  uint64_t gather(DiskWorker& own, const Keys& keys, const uint8_t* states, uint64_t n,
                  const Chosen& chosen) {
    const uint64_t bytes = state_bytes();
    own.states.resize(n * bytes);
    if (!mode().exact()) own.signatures.resize(n * keys.key_bytes);
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; ++i) {
      if (!chosen(i)) continue;
      copy_bytes(own.states.data() + count * bytes, states + i * bytes, bytes);
      if (!mode().exact())
        copy_bytes(own.signatures.data() + count * keys.key_bytes, keys.key(i), keys.key_bytes);
      ++count;
    }
    return count;
  }
  // Copies records to own.states, grouped by partition, in the order of own.sort. Record i belongs to partitions[i];
  // records of kNoPartition are left out.
  static constexpr uint32_t kNoPartition = UINT32_MAX;
  static void sort_by_partition(DiskWorker& own, const uint32_t* partitions, const uint8_t* records,
                                uint64_t n, uint64_t record_bytes, uint64_t count);
  // Appends the sorted records to the logs of their partitions. Returns how many.
  template <class LogOf>
  Result<uint64_t> append_sorted(DiskWorker& own, const LogOf& log_of) {
    for (uint32_t p = 0; p < own.sort.parts(); ++p) {
      const uint64_t first = own.sort.start(p), end = own.sort.end(p);
      if (end == first) continue;
      StateLog& log = log_of(p);
      const uint8_t* records = own.states.data() + first * log.record_bytes();
      if (Status status = log.append(records, end - first); !status.ok()) return status;
    }
    return own.sort.total();
  }
  // Appends to `visited` those states that a set of candidates still has. Returns how many.
  template <class Candidates>
  Result<uint64_t> append_new(Candidates& candidates, VisitedLog& visited, DiskWorker& own, const Keys& keys,
                              const uint8_t* states) {
    own.taken.resize(keys.count);
    const uint64_t fresh = candidates.take(keys, own.taken.data());
    if (fresh == 0) return fresh;
    gather(own, keys, states, keys.count, [&](uint64_t i) { return own.taken[i] != 0; });
    note_found(fresh);
    if (Status status = visited.append(own.states.data(), own.signatures.data(), fresh); !status.ok())
      return status;
    return fresh;
  }

  // Counts the different states in some ranges of keys, by sorting them in nine tenths of `memory`. A search that was
  // cut short gets `estimate`, because its user waits; so does a search that cannot count, which is recorded as
  // trouble.
  uint64_t count_states(const std::vector<LogRange>& keys, uint64_t estimate, uint64_t memory);

  // The end of a search; see SearchRun::finish.
  Result<SearchResult> finish(const SearchRun::Numbers& numbers, History* history);

  void note_found(uint64_t states) {
    context.progress.states.fetch_add(states, std::memory_order_relaxed);
    context.progress.queue.fetch_add(states, std::memory_order_relaxed);
  }
  void end_level() {
    SearchRun::end_level();
    context.progress.disk_used.store(disk_->used(), std::memory_order_relaxed);
    for (const auto& pool : pools_)
      if (Status status = pool->status(); !status.ok()) fail(status);
    for (const auto& pool : pools_) require_invariants(*pool);
  }

 private:
  void read_scan(DiskWorker& own, StateScan& scan, const Visit& visit);
  Status write_manifest(const std::vector<StateLog*>& logs);
  Status keep_files();

  std::unique_ptr<DiskSpace> disk_;
  std::vector<std::unique_ptr<BlockPool>> pools_;
  BlockPool* all_ = nullptr;  // the one for all logs
  std::vector<std::unique_ptr<DiskWorker>> disk_workers_;
  uint64_t piece_ = 0;  // records
};

// Records what a search did with its disk.
inline void note_disk(SearchResult& result, const DiskSpace& disk) {
  result.disk_peak = disk.peak();
  result.disk_read = disk.bytes_read();
  result.disk_written = disk.bytes_written();
  result.disk_access = disk.description();
}

// Levels whose states are in ranges of logs.
class LogHistory final : public History {
 public:
  using Ranges = std::function<Result<std::vector<LogRange>>(uint64_t epoch)>;
  LogHistory(DiskRun& run, Ranges ranges) : run_(run), ranges_(std::move(ranges)) {}
  Status visit(uint64_t epoch, const Visit& visit) override;

 private:
  DiskRun& run_;
  const Ranges ranges_;
};

}  // namespace strata
