// The states of a perfect hash function under construction (perfect_hash.h), as 16 bytes each in partitions on disk. A
// partition is a range of places; a sample of the places chooses the bounds so that all partitions are of similar size.
//
// Each partition fills a block of memory at a time. If there are more partitions than blocks they would take each
// other's blocks away, and a block would be written for every few records. So neighbours form groups: the records go to
// groups first, and then from each group to its partitions; with very little memory in more than two steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "store/perfect/perfect_hash.h"

namespace strata {

// The record of a state in a partition.
struct PerfectRecord {
  uint64_t place;
  uint64_t rest;  // the bits of the hash that are not in the place, then the value

  uint64_t hash() const { return place << Locator::kLowBits | rest >> 40; }
  uint32_t value() const { return static_cast<uint32_t>(rest); }
  bool operator<(const PerfectRecord& other) const { return place < other.place; }
};

class PerfectPartitions {
 public:
  PerfectPartitions(StateSource& source, const PerfectHashOptions& options, Storage& storage,
                    MemoryBudget& budget, const Locator& locator);
  ~PerfectPartitions();

  // Reads all states into this many partitions, or fewer where many places are equal.
  Status fill(uint64_t partitions);

  uint64_t count() const { return bounds_.size() + 1; }
  uint64_t size(uint64_t partition) const { return logs_[partition]->size(); }
  // The first place that belongs to it.
  uint64_t begin(uint64_t partition) const { return partition == 0 ? 0 : bounds_[partition - 1]; }
  // Reads the records of a partition, and removes it. REQUIRES: `records` has room for size() of them.
  Status take(unsigned thread, uint64_t partition, PerfectRecord* records);

 private:
  using Visit = std::function<Status(unsigned thread, PerfectRecord* records, uint64_t n)>;
  using Records = std::function<Status(const Visit& visit)>;  // calls visit for all of them, on all threads
  struct Gather;
  struct Target;

  Status choose_bounds(uint64_t partitions);
  Status make_logs();
  std::unique_ptr<StateLog> make_log(const std::string& name);
  Status from_source(const Visit& visit);
  Status from_log(StateLog& log, const Visit& visit);
  Status distribute(const Records& records, uint64_t first, uint64_t count);
  Status append(Gather& own, const PerfectRecord* records, uint64_t n, const Target& target) const;
  uint64_t partition_of(uint64_t place) const {
    return static_cast<uint64_t>(std::upper_bound(bounds_.begin(), bounds_.end(), place) - bounds_.begin());
  }

  StateSource& source_;
  const PerfectHashOptions& options_;
  Storage& storage_;
  MemoryBudget& budget_;
  const Locator& locator_;
  std::vector<uint64_t> bounds_;  // the first places of the partitions but the first
  std::unique_ptr<BlockPool> own_pool_;
  BlockPool* pool_ = nullptr;
  std::vector<std::unique_ptr<StateLog>> logs_;
  std::vector<std::unique_ptr<Gather>> gathers_;
};

}  // namespace strata
