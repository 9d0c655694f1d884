// Numbers for the states that a semi-external search has generated, and bits for each number: a minimal perfect hash
// function over the states (store/perfect/perfect_hash.h), in RAM or on disk, which each thread reads with a reader of
// its own, and an array of bits in RAM. Where depths are wanted the function gives them too.
//
// Invariants, from build() to drop()
//  1. The function is one to one from the states of all levels that there were at build() to the numbers below their
//     count. Of other states it says nothing: any number may come.
//  2. bits() has the bits that were chosen for each number, all 0 at first.
// At other times there is no function, no reader and no bit, but for a function that was restored and waits
// for build().
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "liveness/semi/bit_array.h"
#include "liveness/semi/semi_options.h"
#include "liveness/semi/semi_plan.h"
#include "search/partitioned/partitioned_search.h"
#include "store/perfect/perfect_hash.h"

namespace strata {

class StateIndex {
 public:
  StateIndex(DiskRun& run, PartitionedSearch& search, const SemiOptions& options)
      : run_(run), search_(search), options_(options) {}

  // What build() is to make: the function in RAM or on disk, and this many bits for each state. Whether that leaves
  // `rest` bytes of memory.
  bool choose(bool on_disk, uint64_t bits, uint64_t rest);
  // On failure the search is stopped, and false is returned.
  bool build();
  // The memory of what build() has made.
  const IndexPlan& plan() const { return plan_; }
  void drop();

  bool with_depths() const { return options_.with_depths; }
  BitArray& bits() { return *bits_; }
  // Sets the bits of the states of the last level. False: the search is to end.
  bool mark_frontier();
  // The numbers, and the depths where they are wanted, of some states. Each thread with its own number.
  bool find(unsigned thread, const uint8_t* states, uint64_t n, uint64_t* numbers, uint32_t* depths);

  // For a checkpoint. Nothing may come after it in the image: a function that finds no room any more is left unread,
  // and built again.
  void serialize(Image& image);
  void add_details(SearchResult& result) const;

 private:
  class KnownStates;

  std::vector<uint32_t> stable_bits(StateSource& source);
  uint64_t states() const;
  IndexInput index_input() const;
  IndexPlan plan_for(const IndexInput& index) const;
  Status no_room(const IndexPlan& plan) const;
  bool build_function(IndexInput& planned, KnownStates& source);
  bool fail(const Status& status) {
    run_.fail(status);
    return false;
  }

  DiskRun& run_;
  PartitionedSearch& search_;
  SemiOptions options_;
  IndexPlan plan_;
  std::unique_ptr<PerfectHash> hash_;
  std::unique_ptr<BitArray> bits_;
  std::vector<std::unique_ptr<PerfectHashReader>> readers_;
  uint64_t hash_memory_ = 0, hash_disk_ = 0, blocks_read_ = 0, blocks_asked_ = 0;
  double hash_bits_ = 0, hash_seconds_ = 0;
};

}  // namespace strata
