// A minimal perfect hash function over more states than RAM holds: each of n states gets a number of its own
// below n. For any other bytes the number means nothing.
//
// Source. Botelho & Ziviani, "External perfect hashing for very large key sets" (CIKM 2007), as Edelkamp and
// Sulewski use it (2008): states are divided into groups small enough to be hashed in RAM. Here a group is a
// cell of up to 13,800 states (perfect_cell.h), which fits into a block of 4 KiB.
//
//   place(s)  = bits of s that few transitions change, then bits of its hash         which cell: cells are
//   ranges of places
//   hash(s)   = XXH3 of s                                                            where in it
//
// Cells are ranges of places instead of ranges of hashes because a state and its successors then mostly share
// a cell: on disk a block that was read serves many look-ups, in RAM a few cells stay in the processor's
// cache. What it costs is a list of the places where cells begin, 8 bytes a cell.
//
// Construction. One pass reads the states and writes 16 bytes for each (place, the rest of the hash, the
// value) to partitions by place (perfect_partitions.h); then each thread takes partitions, divides each into
// cells and builds them. Two states of one cell with equal hashes cannot be told apart: then all is done
// again with another seed. Every cell is checked to be bijective when it is built; check() does it for the
// whole.
//
// A value may go with each state (`minimal`: its depth), in the order of the indices.
//
// RAM. In RAM 2.36 bits a state and the values; on disk 0.005 bits (where cells begin) and, for each reader,
// a fixed number of blocks. On disk 2.38 bits and whole blocks of values.
//
// Invariants
//  1. The places where cells begin rise.
//  2. Cells have consecutive indices, from 0 to size() - 1: each begins where the cell before it ends.
//  3. The slots past the end of a cell lead to slots within it.
//
// Thread safety: a function is not changed once it is built; each thread has its own reader.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/image/image.h"
#include "base/memory_budget.h"
#include "block/storage/file.h"
#include "store/log/state_scan.h"
#include "store/perfect/block_cache.h"
#include "store/perfect/perfect_cell.h"

namespace strata {

// Where a state belongs: a place, and the rest of its hash.
struct Located {
  uint64_t place = 0, hash = 0;
};

class Locator {
 public:
  static constexpr uint64_t kMostBits = 24;  // the upper part of a place; 40 bits of the hash follow

  // `bits` of the state, the first one counts most. `hash_bits` is for tests of equal hashes.
  Locator(uint64_t state_bytes, std::vector<uint32_t> bits, uint64_t seed, unsigned hash_bits = 64);

  uint64_t state_bytes() const { return state_bytes_; }
  // What it was made of.
  std::vector<uint32_t> bits() const;
  uint64_t seed() const { return seed_; }
  unsigned hash_bits() const { return static_cast<unsigned>(std::popcount(mask_)); }
  Located locate(const uint8_t* state) const {
    uint64_t part = 0;
    for (const Bit& bit : bits_) part = part << 1 | (state[bit.byte] >> bit.shift & 1);
    const uint64_t hash = XXH3_64bits_withSeed(state, state_bytes_, seed_) & mask_;
    return {part << shift_ | hash >> (64 - shift_), hash};
  }
  // The hash of a state from its place and the bits that the place has not.
  static constexpr unsigned kLowBits = 64 - 40;

 private:
  struct Bit {
    uint32_t byte, shift;
  };
  const uint64_t state_bytes_;
  std::vector<Bit> bits_;
  const uint64_t seed_, mask_;
  static constexpr unsigned shift_ = 40;
};

class PerfectHash {
 public:
  ~PerfectHash();
  PerfectHash(const PerfectHash&) = delete;
  PerfectHash& operator=(const PerfectHash&) = delete;

  uint64_t size() const { return size_; }
  uint64_t cells() const { return cells_; }
  bool on_disk() const { return file_ != nullptr; }
  // What it takes in RAM, without readers, and on disk, values included.
  uint64_t memory() const { return memory_; }
  uint64_t disk() const { return on_disk() ? cells_ * blocks_a_cell() * kBlockBytes : 0; }
  // Of the function alone.
  double bits_a_key() const;

  // See base/checks.h. Invariants 2 and 3 are checked for a function in RAM; check_perfect_hash() checks any function,
  // by its states.
  std::string check_invariants() const;

  // For a checkpoint. A function on disk stays in its file. If the budget refuses the memory, the rest of the image is
  // not read.
  void save(Image& image);
  static Result<std::unique_ptr<PerfectHash>> restore(Image& image, Storage& storage, MemoryBudget& budget);

 private:
  template <class>
  friend struct InvariantPeer;
  friend class PerfectHashReader;
  friend class PerfectHashBuilder;
  static constexpr uint64_t kBlockBytes = 4096, kStamp = 0x70686173;
  static constexpr const char* kFile = "perfect_hash";

  PerfectHash(MemoryBudget& budget, Storage& storage, const CellShape& shape, const Locator& locator,
              unsigned value_bytes)
      : budget_(budget), storage_(storage), shape_(shape), locator_(locator), value_bytes_(value_bytes) {}
  struct ImageHead;
  Status allocate(uint64_t size, uint64_t cells, bool in_ram);
  Status make_file();
  void exchange_content(Image& image);
  uint64_t blocks_a_cell() const {
    return 1 + (value_bytes_ == 0 ? 0 : (shape_.most() - 1) / values_a_block() + 1);
  }
  uint64_t values_a_block() const { return payload_bytes(kBlockBytes) / value_bytes_; }
  uint64_t cell_of(uint64_t place) const;

  MemoryBudget& budget_;
  Storage& storage_;
  const CellShape shape_;
  const Locator locator_;
  const unsigned value_bytes_;
  uint64_t size_ = 0, cells_ = 0, memory_ = 0;
  std::unique_ptr<uint64_t[]> begins_;  // the first place of each cell
  std::unique_ptr<uint8_t[]> ram_;      // cells, or null
  std::unique_ptr<uint8_t[]> values_;   // by index, when the cells are in RAM
  std::unique_ptr<File> file_;          // null: in RAM
};

// Looks states up; one for each thread.
class PerfectHashReader {
 public:
  // `blocks` are cached when the function is on disk.
  PerfectHashReader(const PerfectHash& hash, uint64_t blocks, MemoryBudget& budget);

  Status open() const;
  // The indices of n states, and their values unless `values` is null.
  Status find(const uint8_t* states, uint64_t n, uint64_t* indices, uint32_t* values);

  uint64_t blocks_read() const { return cache_ ? cache_->missed() : 0; }
  uint64_t blocks_asked() const { return cache_ ? cache_->fetched() : 0; }
  double waited() const { return cache_ ? cache_->waited() : 0; }

 private:
  static constexpr uint64_t kBatch = 64;
  void find_in_ram(const uint8_t* states, uint64_t n, uint64_t* indices, uint32_t* values) const;
  Status find_on_disk(const uint8_t* states, uint64_t n, uint64_t* indices, uint32_t* values);
  uint32_t value_at(const uint8_t* values, uint64_t place) const;

  const PerfectHash& hash_;
  uint64_t batch_ = kBatch;
  std::unique_ptr<BlockCache> cache_;
};

// The states, as often as they are asked for.
class StateSource {
 public:
  virtual ~StateSource() = default;
  using Visit = std::function<Status(unsigned thread, const uint8_t* states, uint64_t n, uint32_t value)>;
  // Calls visit for all states, on all threads; or for some of them from all over, about this many.
  virtual Status all(const Visit& visit) = 0;
  virtual Status some(uint64_t about, const Visit& visit) = 0;
};

struct PerfectHashOptions {
  uint64_t states = 0;
  uint64_t state_bytes = 0;
  std::vector<uint32_t> bits;  // of the state, for places
  bool on_disk = false;
  unsigned value_bytes = 0;  // 0 (none), 1, 2 or 4
  uint64_t memory = 0;       // for the construction, beside the function
  unsigned threads = 1;
  std::function<void(const std::function<void(unsigned)>&)> on_all_threads;
  std::function<bool()> stopped = [] { return false; };  // asked now and then, on any thread
  // Its blocks hold the partitions, if these are few; a reader of its block size for each thread.
  BlockPool* pool = nullptr;
  std::function<ScanReader&(unsigned)> reader;
  unsigned hash_bits = 64, first_hash_bits = 64;  // for tests: fewer at the first attempt
};

Result<std::unique_ptr<PerfectHash>> build_perfect_hash(StateSource& source,
                                                        const PerfectHashOptions& options, Storage& storage,
                                                        MemoryBudget& budget);

// Whether the states of a source have each an index of their own, below their number. Takes a bit a state.
Status check_perfect_hash(const PerfectHash& hash, StateSource& source, unsigned threads, uint64_t blocks,
                          MemoryBudget& budget);

}  // namespace strata
