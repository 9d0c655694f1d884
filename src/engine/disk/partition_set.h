// The partitions of `part` and of the searches for cycles that work on one partition at a time: which partition a state
// belongs to, the files of each, and splitting a partition that has become too large.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/disk/disk_run.h"
#include "store/key/bit_statistics.h"
#include "store/key/partition_tree.h"

namespace strata {

struct Partition {
  std::unique_ptr<StateLog> visited;  // D: keys
  std::unique_ptr<StateLog> queue;    // Q: states
  uint64_t number = 0;                // of its files
};

// Bytes of data that a search keeps with each key, and with each waiting state. Keys are states then.
struct PartitionExtras {
  uint64_t visited = 0, queue = 0;
};

// How states are divided.
struct PartitionChoice {
  uint32_t partitions = 1;  // at the beginning
  bool by_hash = false;     // split by bits of the hash alone
};

// As --set partitions and partition ask for.
PartitionChoice partition_choice(const SearchOptions& options);

class PartitionSet {
 public:
  PartitionSet(DiskRun& run, const PartitionChoice& choice, PartitionExtras extras = {});

  // Saves or restores the tree and all files.
  void serialize(Image& image);
  // Draws the blocks of the queues from the memory.
  Status prepare(const QueueBlocks& blocks);

  const PartitionTree& tree() const { return tree_; }
  uint32_t count() const { return tree_.leaves(); }
  Partition& operator[](uint32_t i) { return partitions_[i]; }
  std::optional<uint32_t> longest_queue() const;

  // Appends records to the files of their partitions, one partition after the other.
  Status append(DiskWorker& worker, const uint32_t* leaves, const uint8_t* records, uint64_t n,
                uint64_t bytes, std::unique_ptr<StateLog> Partition::*to);

  // Appends the records of a log to the files of their partitions.
  void distribute(StateLog& old, DiskRun::Records records, std::unique_ptr<StateLog> Partition::*to);

  // Samples some transitions of each batch, to learn how often each bit changes.
  void sample(const DiskWorker& worker, const Batch& batch);
  // Divides a partition into four, one of which is the old one. With four instead of two, a state is moved half as
  // often before its partition is small enough.
  void split(uint32_t leaf);

 private:
  struct alignas(128) Worker {
    explicit Worker(uint64_t state_bytes) : statistics(state_bytes) {}
    BitStatistics statistics;
    uint64_t samples = 0;
  };

  static constexpr unsigned kSamplers = 16;  // threads that take samples: more would only need more memory

  Partition make() { return make(names_++); }
  Partition make(uint64_t number);
  std::vector<uint8_t> sample_states(uint32_t leaf);
  uint32_t split_leaf(uint32_t leaf, const std::vector<uint8_t>& sample);

  DiskRun& run_;
  const bool by_hash_;
  const PartitionExtras extras_;
  PartitionTree tree_;
  BlockPool* queue_blocks_ = nullptr;
  std::vector<Partition> partitions_;
  BitStatistics statistics_;
  std::vector<std::unique_ptr<Worker>> workers_;
  uint64_t names_ = 0;
};

}  // namespace strata
