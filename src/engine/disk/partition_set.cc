#include "engine/disk/partition_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/contract/parameters.h"

namespace strata {

PartitionChoice partition_choice(const SearchOptions& options) {
  const auto partitions = parameter<uint64_t>(options, "partitions");
  const bool by_hash = parameter<std::string>(options, "partition") == "hash";
  return {static_cast<uint32_t>(std::max<uint64_t>(partitions, 1)), by_hash};
}

PartitionSet::PartitionSet(DiskRun& run, const PartitionChoice& choice, PartitionExtras extras)
    : run_(run),
      by_hash_(choice.by_hash),
      extras_(extras),
      tree_(choice.partitions),
      statistics_(run.state_bytes()) {}

Status PartitionSet::prepare(const QueueBlocks& blocks) {
  const Result<BlockPool*> pool = run_.make_pool(blocks.bytes, blocks.count);
  if (!pool.ok()) return pool.status();
  queue_blocks_ = *pool;
  run_.shape.queue_block = blocks.bytes;
  for (uint32_t i = 0; i < count(); ++i) partitions_.push_back(make());
  for (unsigned i = 0; i < std::min(run_.threads(), kSamplers); ++i)
    workers_.push_back(std::make_unique<Worker>(run_.state_bytes()));
  return {};
}

void PartitionSet::serialize(Image& image) {
  std::vector<PartitionTree::Split> splits = tree_.splits();
  std::vector<uint64_t> numbers;
  for (const Partition& partition : partitions_) numbers.push_back(partition.number);
  image.list("splits", splits);
  image.list("numbers", numbers);
  image.value("names", names_);
  if (!image.ok()) return;
  if (image.restores()) {
    for (const PartitionTree::Split& split : splits) tree_.split(split.leaf, {split.on_hash != 0, split.bit});
    partitions_.clear();
    for (const uint64_t number : numbers) partitions_.push_back(make(number));
  }
  for (const Partition& partition : partitions_) {
    partition.visited->serialize(image);
    partition.queue->serialize(image);
  }
}

Partition PartitionSet::make(uint64_t number) {
  return {run_.make_log(fmt::format("visited.{}", number), run_.key_bytes() + extras_.visited),
          run_.make_log(fmt::format("queue.{}", number), run_.state_bytes() + extras_.queue, queue_blocks_),
          number};
}

std::optional<uint32_t> PartitionSet::longest_queue() const {
  std::optional<uint32_t> longest;
  for (uint32_t i = 0; i < partitions_.size(); ++i) {
    const uint64_t size = partitions_[i].queue->size();
    if (size > 0 && (!longest || size > partitions_[*longest].queue->size())) longest = i;
  }
  return longest;
}

void PartitionSet::sample(const DiskWorker& worker, const Batch& batch) {
  constexpr uint64_t kEach = 64, kEnough = 1 << 16;
  if (by_hash_ || batch.parents == nullptr || worker.base.number >= workers_.size()) return;
  Worker& own = *workers_[worker.base.number];
  if (own.samples >= kEnough) return;
  const uint64_t bytes = run_.state_bytes();
  for (uint64_t i = own.samples % kEach; i < batch.keys.count; i += kEach) {
    const uint8_t* parent = batch.parents + worker.base.out.parents[i] * bytes;
    own.statistics.note_transition(parent, batch.states + i * bytes);
    ++own.samples;
  }
}

// A sample of states from all over a partition.
std::vector<uint8_t> PartitionSet::sample_states(uint32_t leaf) {
  std::vector<uint8_t> sample;
  if (by_hash_) return sample;
  for (const auto& own : workers_) statistics_.merge(own->statistics);
  constexpr uint64_t kRanges = 16, kMost = 128, kMostBytes = 1 << 20;
  const uint64_t each = std::clamp<uint64_t>(kMostBytes / kRanges / run_.state_bytes(), 1, kMost);
  StateLog& visited = *partitions_[leaf].visited;
  std::vector<LogRange> ranges;
  for (uint64_t i = 0; i < kRanges; ++i) {
    const uint64_t begin = visited.size() * i / kRanges;
    ranges.push_back({&visited, begin, std::min(begin + each, visited.size() * (i + 1) / kRanges)});
  }
  StateScan scan(std::move(ranges));
  ScanReader& reader = run_.disk_worker(0).reader;
  reader.open(scan);
  while (true) {
    const Result<StateScan::Span> span = reader.next();
    if (!span.ok()) run_.fail(span.status());
    if (!span.ok() || span->count == 0) break;
    for (uint64_t i = 0; i < span->count; ++i) {
      const uint8_t* state = span->records + i * visited.record_bytes();
      sample.insert(sample.end(), state, state + run_.state_bytes());
    }
  }
  reader.close();
  return sample;
}

// Splits a leaf of the tree by what the sample shows of it. The new leaf has empty files.
uint32_t PartitionSet::split_leaf(uint32_t leaf, const std::vector<uint8_t>& sample) {
  const uint64_t bytes = run_.state_bytes();
  BitCounts ones(bytes);
  for (uint64_t i = 0; i < sample.size(); i += bytes) {
    const uint8_t* state = sample.data() + i;
    if (tree_.find(state, hash_bytes(state, bytes)) == leaf) ones.add(state);
  }
  const auto best = statistics_.choose(ones);
  partitions_.push_back(make());
  return tree_.split(leaf, best.value_or(tree_.hash_test(leaf)));
}

void PartitionSet::split(uint32_t leaf) {
  const std::vector<uint8_t> sample = sample_states(leaf);
  const uint32_t half = split_leaf(leaf, sample);
  split_leaf(leaf, sample);
  split_leaf(half, sample);
  const Partition old = std::move(partitions_[leaf]);
  partitions_[leaf] = make();
  distribute(*old.visited, DiskRun::Records::keys, &Partition::visited);
  distribute(*old.queue, DiskRun::Records::states, &Partition::queue);
  for (uint32_t i = 0; i < count(); ++i) {
    if (i == leaf) continue;
    if (Status status = partitions_[i].visited->rest(); !status.ok()) run_.fail(status);
  }
}

void PartitionSet::distribute(StateLog& old, DiskRun::Records records,
                              std::unique_ptr<StateLog> Partition::*to) {
  const uint64_t bytes = old.record_bytes();
  if (extras_.visited + extras_.queue > 0) {
    return run_.read({{&old, 0, old.size()}}, [&](DiskWorker& worker, const StateScan::Span& span) {
      const auto begin = Clock::now();
      worker.partitions.resize(span.count);
      for (uint64_t i = 0; i < span.count; ++i) {
        const uint8_t* state = span.records + i * bytes;
        worker.partitions[i] = tree_.find(state, hash_bytes(state, run_.state_bytes()));
      }
      const Status status = append(worker, worker.partitions.data(), span.records, span.count, bytes, to);
      worker.base.seconds.partition += seconds_between(begin, Clock::now());
      return status;
    });
  }
  run_.read_keys({{&old, 0, old.size()}}, records, &TimeShares::partition,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   worker.partitions.resize(piece.keys.count);
                   for (uint64_t i = 0; i < piece.keys.count; ++i)
                     worker.partitions[i] = tree_.find(piece.records + i * bytes, piece.keys.hashes[i]);
                   return append(worker, worker.partitions.data(), piece.records, piece.keys.count, bytes,
                                 to);
                 });
}

Status PartitionSet::append(DiskWorker& worker, const uint32_t* leaves, const uint8_t* records, uint64_t n,
                            uint64_t bytes, std::unique_ptr<StateLog> Partition::*to) {
  DiskRun::sort_by_partition(worker, leaves, records, n, bytes, count());
  return run_.append_sorted(worker, [&](uint32_t leaf) -> StateLog& { return *(partitions_[leaf].*to); })
      .status();
}

}  // namespace strata
