// The construction of a PerfectHash; perfect_hash.h explains it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/locks/mutex.h"
#include "store/perfect/perfect_hash.h"
#include "store/perfect/perfect_partitions.h"

namespace strata {

namespace {

constexpr unsigned kAttempts = 8;

Status no_room(const PerfectHashOptions& options) {
  return Status::limit(
      fmt::format("--memory is too small to build the perfect hash function of {} states; raise it{}",
                  options.states, options.on_disk ? "" : ", or take --set hash=disk"));
}

}  // namespace

class PerfectHashBuilder {
 public:
  PerfectHashBuilder(StateSource& source, const PerfectHashOptions& options, Storage& storage,
                     MemoryBudget& budget, const Locator& locator)
      : options_(options),
        storage_(storage),
        budget_(budget),
        locator_(locator),
        partitions_(source, options, storage, budget, locator) {}

  // Null: two hashes are equal, or a partition was too large; another seed may do.
  Result<std::unique_ptr<PerfectHash>> build(unsigned attempt);

 private:
  // What a thread owns while it builds: the records of a partition, the hashes and the image of a cell.
  struct Worker {
    Worker(const CellShape& shape, uint64_t capacity) : builder(shape), block(BlockBuffer(kBlock)) {
      records.resize(capacity);
      hashes.resize(shape.most());
    }
    UntouchedVector<PerfectRecord> records;
    std::vector<uint64_t> hashes;
    CellBuilder builder;
    BlockBuffer block;
  };
  static constexpr uint64_t kBlock = PerfectHash::kBlockBytes;

  // The number of partitions to make.
  uint64_t choose_sizes(unsigned attempt);
  Status build_cells();
  Status build_partition(Worker& worker, unsigned thread, uint64_t partition);
  Status split(Worker& worker, PerfectRecord* begin, PerfectRecord* end, uint64_t first_cell, uint64_t cells,
               uint64_t place);
  Status build_cell(Worker& worker, const PerfectRecord* begin, const PerfectRecord* end, uint64_t cell,
                    uint64_t place);
  Status write_values(Worker& worker, const PerfectRecord* begin, uint64_t n, const uint8_t* image,
                      uint64_t first, uint64_t cell);
  Status write_block(uint8_t* block, uint64_t used, uint64_t number);
  // Cells of a partition are filled evenly, up to a twentieth more than planned before there is one more cell.
  uint64_t cells_of(uint64_t records) const {
    const uint64_t most = shape_.keys + shape_.keys / 20;
    return (records + most - 1) / most;
  }

  const PerfectHashOptions& options_;
  Storage& storage_;
  MemoryBudget& budget_;
  const Locator& locator_;
  PerfectPartitions partitions_;
  CellShape shape_;
  unsigned builders_ = 1;                           // threads that build cells
  uint64_t capacity_ = 0;                           // records of a partition that a thread has room for
  std::vector<uint64_t> first_index_, first_cell_;  // of the partitions
  std::unique_ptr<PerfectHash> hash_;
  std::atomic<bool> again_{false};
  Mutex mutex_;
  Status trouble_ GUARDED_BY(mutex_);
};

// Half of the memory is for the threads' partitions, a third for the blocks of the partitions' logs.
uint64_t PerfectHashBuilder::choose_sizes(unsigned attempt) {
  // A small memory is not divided.
  builders_ = options_.memory < (1 << 20) ? 1 : options_.threads;
  const uint64_t thread_bytes = options_.memory / 2 / builders_;
  const uint64_t by_memory = thread_bytes / 2 / (sizeof(PerfectRecord) + 8 + 16);
  shape_ = CellShape::of_keys(static_cast<uint32_t>(
      std::clamp<uint64_t>(std::min(by_memory, options_.states), 64, CellShape::kMostKeys)));
  const uint64_t fixed = CellBuilder::memory(shape_) + shape_.most() * 8 + kBlock;
  capacity_ = (thread_bytes - std::min(thread_bytes, fixed)) / sizeof(PerfectRecord);
  capacity_ = std::max<uint64_t>(std::min(capacity_, options_.states), 64);
  // Some more than needed: a sample is not exact, and all threads shall have work.
  uint64_t partitions =
      options_.states <= capacity_ ? 1 : options_.states * (5 + 4 * attempt) / 4 / capacity_ + 1;
  if (options_.threads > 1)
    partitions = std::max(partitions, std::min<uint64_t>(4 * options_.threads, options_.states / 400'000));
  return partitions;
}

Result<std::unique_ptr<PerfectHash>> PerfectHashBuilder::build(unsigned attempt) {
  if (Status status = partitions_.fill(choose_sizes(attempt)); !status.ok()) return status;
  uint64_t states = 0, cells = 0, largest = 0;
  for (uint64_t p = 0; p < partitions_.count(); ++p) {
    const uint64_t size = partitions_.size(p);
    first_index_.push_back(states);
    first_cell_.push_back(cells);
    states += size;
    cells += cells_of(size);
    largest = std::max(largest, size);
  }
  if (largest > capacity_) {
    if (options_.states / partitions_.count() > capacity_ || attempt + 1 == kAttempts)
      return no_room(options_);
    return std::unique_ptr<PerfectHash>();
  }
  hash_.reset(new PerfectHash(budget_, storage_, shape_, locator_, options_.value_bytes));
  if (Status status = hash_->allocate(states, cells, !options_.on_disk); !status.ok()) return status;
  if (options_.on_disk) {
    if (Status status = hash_->make_file(); !status.ok()) return status;
  }
  if (Status status = build_cells(); !status.ok()) return status;
  if (again_) hash_.reset();
  return std::move(hash_);
}

Status PerfectHashBuilder::build_cells() {
  const uint64_t bytes = builders_ * (capacity_ * sizeof(PerfectRecord) + CellBuilder::memory(shape_) +
                                      shape_.most() * 8 + kBlock);
  if (!budget_.reserve(bytes)) return no_room(options_);
  std::atomic<uint64_t> next{0};
  options_.on_all_threads([&](unsigned thread) {
    if (thread >= builders_) return;
    Worker worker(shape_, capacity_);
    for (uint64_t p = next++; p < partitions_.count() && !again_; p = next++) {
      const Status status = build_partition(worker, thread, p);
      if (status.ok()) continue;
      const MutexLock lock(mutex_);
      if (trouble_.ok()) trouble_ = status;
      next = partitions_.count();
    }
  });
  budget_.release(bytes);
  const MutexLock lock(mutex_);
  return trouble_;
}

Status PerfectHashBuilder::build_partition(Worker& worker, unsigned thread, uint64_t partition) {
  const uint64_t size = partitions_.size(partition);
  if (size == 0) return {};
  PerfectRecord* records = worker.records.data();
  if (Status status = partitions_.take(thread, partition, records); !status.ok()) return status;
  return split(worker, records, records + size, first_cell_[partition], cells_of(size),
               partitions_.begin(partition));
}

// Records into this many cells of similar size; the first of them begins at `place`. Equal places stay together.
Status PerfectHashBuilder::split(Worker& worker, PerfectRecord* begin, PerfectRecord* end,
                                 uint64_t first_cell, uint64_t cells, uint64_t place) {
  if (cells == 1) return build_cell(worker, begin, end, first_cell, place);
  const uint64_t left = cells / 2;
  if (begin == end) {  // its neighbour has all equal places
    const Status status = split(worker, begin, end, first_cell, left, place);
    return status.ok() ? split(worker, begin, end, first_cell + left, cells - left, place) : status;
  }
  PerfectRecord* middle = begin + static_cast<uint64_t>(end - begin) * left / cells;
  std::nth_element(begin, middle, end);
  const uint64_t bound = middle->place;
  middle = std::partition(begin, middle, [&](const PerfectRecord& record) { return record.place < bound; });
  const Status status = split(worker, begin, middle, first_cell, left, place);
  return status.ok() ? split(worker, middle, end, first_cell + left, cells - left, bound) : status;
}

Status PerfectHashBuilder::build_cell(Worker& worker, const PerfectRecord* begin, const PerfectRecord* end,
                                      uint64_t cell, uint64_t place) {
  const uint64_t n = static_cast<uint64_t>(end - begin);
  if (n > shape_.most()) again_ = true;
  if (again_) return {};
  if (options_.stopped()) return Status::limit("the search was stopped");
  for (uint64_t i = 0; i < n; ++i) worker.hashes[i] = begin[i].hash();
  // The partition's records are in the order of its cells.
  const uint64_t partition =
      static_cast<uint64_t>(std::upper_bound(first_cell_.begin(), first_cell_.end(), cell) -
                            first_cell_.begin()) -
      1;
  const uint64_t first = first_index_[partition] + static_cast<uint64_t>(begin - worker.records.data());
  uint8_t* image = worker.block.data() + kBlockHeaderBytes;
  switch (worker.builder.build(worker.hashes.data(), n, first, image)) {
    case CellBuilder::Outcome::built: break;
    case CellBuilder::Outcome::duplicate:
    case CellBuilder::Outcome::failed: again_ = true; return {};
  }
  hash_->begins_[cell] = place;
  if (!options_.on_disk) {
    std::memcpy(hash_->ram_.get() + cell * shape_.bytes(), image, shape_.bytes());
  } else if (Status status = write_block(worker.block.data(), shape_.bytes(), cell * hash_->blocks_a_cell());
             !status.ok()) {
    return status;
  }
  return options_.value_bytes == 0 ? Status() : write_values(worker, begin, n, image, first, cell);
}

// In RAM by index; on disk in the blocks behind the cell's.
Status PerfectHashBuilder::write_values(Worker& worker, const PerfectRecord* begin, uint64_t n,
                                        const uint8_t* image, uint64_t first, uint64_t cell) {
  const unsigned bytes = options_.value_bytes;
  if (!options_.on_disk) {
    for (uint64_t i = 0; i < n; ++i) {
      const uint32_t value = begin[i].value();
      const uint64_t index = first + slot_in_cell(image, shape_, worker.hashes[i]);
      std::memcpy(hash_->values_.get() + index * bytes, &value, bytes);
    }
    return {};
  }
  // The image makes way for the values, so the slots come first, in place of the hashes.
  for (uint64_t i = 0; i < n; ++i) worker.hashes[i] = slot_in_cell(image, shape_, worker.hashes[i]);
  const uint64_t per_block = hash_->values_a_block();
  for (uint64_t part = 0; part * per_block < n; ++part) {
    const uint64_t from = part * per_block;
    for (uint64_t i = 0; i < n; ++i) {
      if (worker.hashes[i] - from >= per_block) continue;
      const uint32_t value = begin[i].value();
      std::memcpy(worker.block.data() + kBlockHeaderBytes + (worker.hashes[i] - from) * bytes, &value, bytes);
    }
    const uint64_t number = cell * hash_->blocks_a_cell() + 1 + part;
    if (Status status = write_block(worker.block.data(), std::min(per_block, n - from) * bytes, number);
        !status.ok())
      return status;
  }
  return {};
}

Status PerfectHashBuilder::write_block(uint8_t* block, uint64_t used, uint64_t number) {
  seal_block(block, used, *hash_->file_, number, PerfectHash::kStamp);
  Transfer transfer;
  hash_->file_->write(number, block, transfer);
  return transfer.wait();
}

Result<std::unique_ptr<PerfectHash>> build_perfect_hash(StateSource& source,
                                                        const PerfectHashOptions& options, Storage& storage,
                                                        MemoryBudget& budget) {
  for (unsigned attempt = 0; attempt < kAttempts; ++attempt) {
    const Locator locator(options.state_bytes, options.bits, attempt,
                          attempt == 0 ? options.first_hash_bits : options.hash_bits);
    PerfectHashBuilder builder(source, options, storage, budget, locator);
    Result<std::unique_ptr<PerfectHash>> hash = builder.build(attempt);
    if (!hash.ok() || *hash) return hash;
  }
  return Status::internal(
      fmt::format("no perfect hash function was found in {} attempts: are states given twice? please report "
                  "this as a bug of strata",
                  kAttempts));
}

}  // namespace strata
