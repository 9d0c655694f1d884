#include "store/perfect/perfect_hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/checks.h"

namespace strata {

Locator::Locator(uint64_t state_bytes, std::vector<uint32_t> bits, uint64_t seed, unsigned hash_bits)
    : state_bytes_(state_bytes), seed_(seed), mask_(UINT64_MAX << (64 - hash_bits)) {
  for (const uint32_t bit : bits)
    if (bits_.size() < kMostBits) bits_.push_back({bit / 8, bit % 8});
}

std::vector<uint32_t> Locator::bits() const {
  std::vector<uint32_t> all;
  for (const Bit& bit : bits_) all.push_back(8 * bit.byte + bit.shift);
  return all;
}

PerfectHash::~PerfectHash() {
  budget_.release(memory_);
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(kFile));
}

double PerfectHash::bits_a_key() const {
  const uint64_t bytes = cells_ * (8 + (on_disk() ? kBlockBytes : shape_.bytes()));
  return size_ == 0 ? 0 : 8 * static_cast<double>(bytes) / static_cast<double>(size_);
}

Status PerfectHash::allocate(uint64_t size, uint64_t cells, bool in_ram) {
  size_ = size;
  cells_ = cells;
  const uint64_t bytes = cells * 8 + (in_ram ? cells * shape_.bytes() + size * value_bytes_ : 0);
  if (!budget_.reserve(bytes)) {
    return Status::limit(
        fmt::format("--memory is too small: the perfect hash function of {} states needs {} KiB; raise it{}",
                    size, (bytes >> 10) + 1, in_ram ? ", or take --set hash=disk" : ""));
  }
  memory_ = bytes;
  begins_ = std::make_unique<uint64_t[]>(cells + 1);
  if (!in_ram) return {};
  ram_ = std::make_unique<uint8_t[]>(cells * shape_.bytes());
  values_ = std::make_unique<uint8_t[]>(size * value_bytes_ + 1);
  return {};
}

Status PerfectHash::make_file() {
  Result<std::unique_ptr<File>> made = storage_.create(kFile, kBlockBytes);
  if (made.ok()) file_ = std::move(*made);
  return made.status();
}

// ---- checkpoints

struct PerfectHash::ImageHead {
  uint64_t state_bytes = 0, seed = 0, size = 0, cells = 0;
  CellShape shape;
  uint32_t hash_bits = 0, value_bytes = 0, on_disk = 0;
};

void PerfectHash::save(Image& image) {
  ImageHead head{locator_.state_bytes(), locator_.seed(), size_,    cells_, shape_,
                 locator_.hash_bits(),   value_bytes_,    on_disk()};
  std::vector<uint32_t> bits = locator_.bits();
  image.value("function", head);
  image.list("bits", bits);
  exchange_content(image);
  if (on_disk()) storage_.save(kFile, image);
}

Result<std::unique_ptr<PerfectHash>> PerfectHash::restore(Image& image, Storage& storage,
                                                          MemoryBudget& budget) {
  ImageHead head;
  std::vector<uint32_t> bits;
  image.value("function", head);
  image.list("bits", bits);
  if (!image.ok()) return image.status();
  std::unique_ptr<PerfectHash> hash(new PerfectHash(
      budget, storage, head.shape, Locator(head.state_bytes, std::move(bits), head.seed, head.hash_bits),
      head.value_bytes));
  if (Status status = hash->allocate(head.size, head.cells, head.on_disk == 0); !status.ok()) return status;
  hash->exchange_content(image);
  if (!image.ok()) return image.status();
  if (head.on_disk == 0) return hash;
  Result<std::unique_ptr<File>> file =
      storage.restore(kFile, kBlockBytes, head.cells * hash->blocks_a_cell(), 0, image);
  if (!file.ok()) return file.status();
  hash->file_ = std::move(*file);
  return hash;
}

void PerfectHash::exchange_content(Image& image) {
  image.bytes(begins_.get(), cells_ * 8);
  if (ram_ == nullptr) return;
  image.bytes(ram_.get(), cells_ * shape_.bytes());
  image.bytes(values_.get(), size_ * value_bytes_);
}

std::string PerfectHash::check_invariants() const {
  InvariantCheck check("PerfectHash");
  for (uint64_t i = 1; i < cells_ && check.ok(); ++i)
    check.holds(1, begins_[i - 1] <= begins_[i], "the places where cells begin rise", i);
  uint64_t next = 0;
  for (uint64_t i = 0; i < cells_ && ram_ != nullptr && check.ok(); ++i) {
    const uint8_t* cell = ram_.get() + i * shape_.bytes();
    CellHead head;
    std::memcpy(&head, cell, sizeof head);
    check.holds(2, head.first == next, "a cell begins where the one before it ends", i);
    next += head.count;
    for (uint64_t k = 0; k < shape_.spare; ++k) {
      uint16_t place;
      std::memcpy(&place, cell + CellShape::kHeadBytes + shape_.pilots + 2 * k, sizeof place);
      check.holds(3, place < std::max<uint64_t>(head.count, 1), "a slot past the end leads into the cell", i);
    }
  }
  check.holds(2, ram_ == nullptr || next == size_, "the cells have all indices");
  return check.broken();
}

// The last cell that begins at the place or before it.
uint64_t PerfectHash::cell_of(uint64_t place) const {
  const uint64_t* base = begins_.get();
  uint64_t n = cells_;
  while (n > 1) {
    const uint64_t half = n / 2;
    base = base[half] <= place ? base + half : base;
    n -= half;
  }
  return static_cast<uint64_t>(base - begins_.get());
}

PerfectHashReader::PerfectHashReader(const PerfectHash& hash, uint64_t blocks, MemoryBudget& budget)
    : hash_(hash) {
  if (!hash.on_disk()) return;
  cache_ =
      std::make_unique<BlockCache>(*hash.file_, PerfectHash::kStamp, std::max<uint64_t>(blocks, 1), budget);
  batch_ = std::clamp<uint64_t>(cache_->blocks(), 1, kBatch);
}

Status PerfectHashReader::open() const { return cache_ ? cache_->open() : Status(); }

Status PerfectHashReader::find(const uint8_t* states, uint64_t n, uint64_t* indices, uint32_t* values) {
  for (uint64_t done = 0; done < n; done += batch_) {
    const uint64_t part = std::min(batch_, n - done);
    const uint8_t* first = states + done * hash_.locator_.state_bytes();
    uint32_t* wanted = values == nullptr ? nullptr : values + done;
    if (!cache_) {
      find_in_ram(first, part, indices + done, wanted);
    } else if (Status status = find_on_disk(first, part, indices + done, wanted); !status.ok()) {
      return status;
    }
  }
  return {};
}

uint32_t PerfectHashReader::value_at(const uint8_t* values, uint64_t place) const {
  uint32_t value = 0;
  std::memcpy(&value, values + place * hash_.value_bytes_, hash_.value_bytes_);
  return value;
}

void PerfectHashReader::find_in_ram(const uint8_t* states, uint64_t n, uint64_t* indices,
                                    uint32_t* values) const {
  const uint64_t stride = hash_.shape_.bytes(), bytes = hash_.locator_.state_bytes();
  Located located[kBatch];
  const uint8_t* cells[kBatch];
  for (uint64_t i = 0; i < n; ++i) {
    located[i] = hash_.locator_.locate(states + i * bytes);
    cells[i] = hash_.ram_.get() + hash_.cell_of(located[i].place) * stride;
    __builtin_prefetch(cells[i]);
  }
  for (uint64_t i = 0; i < n; ++i) {
    CellHead head;
    std::memcpy(&head, cells[i], sizeof(head));
    const uint64_t mixed = perfect::mix(located[i].hash, head.seed);
    __builtin_prefetch(cells[i] + CellShape::kHeadBytes + perfect::bucket(mixed, hash_.shape_.pilots));
  }
  for (uint64_t i = 0; i < n; ++i) {
    indices[i] = first_of_cell(cells[i]) + slot_in_cell(cells[i], hash_.shape_, located[i].hash);
    if (values != nullptr) __builtin_prefetch(hash_.values_.get() + indices[i] * hash_.value_bytes_);
  }
  for (uint64_t i = 0; values != nullptr && i < n; ++i) values[i] = value_at(hash_.values_.get(), indices[i]);
}

Status PerfectHashReader::find_on_disk(const uint8_t* states, uint64_t n, uint64_t* indices,
                                       uint32_t* values) {
  const uint64_t step = hash_.blocks_a_cell();
  uint64_t hashes[kBatch], blocks[kBatch], slots[kBatch];
  const uint8_t* payloads[kBatch];
  for (uint64_t i = 0; i < n; ++i) {
    const Located located = hash_.locator_.locate(states + i * hash_.locator_.state_bytes());
    hashes[i] = located.hash;
    blocks[i] = hash_.cell_of(located.place) * step;
  }
  if (Status status = cache_->fetch(blocks, n, payloads); !status.ok()) return status;
  for (uint64_t i = 0; i < n; ++i) {
    slots[i] = slot_in_cell(payloads[i], hash_.shape_, hashes[i]);
    indices[i] = first_of_cell(payloads[i]) + slots[i];
  }
  if (values == nullptr) return {};
  const uint64_t per_block = hash_.values_a_block();
  for (uint64_t i = 0; i < n; ++i) blocks[i] += 1 + slots[i] / per_block;
  if (Status status = cache_->fetch(blocks, n, payloads); !status.ok()) return status;
  for (uint64_t i = 0; i < n; ++i) values[i] = value_at(payloads[i], slots[i] % per_block);
  return {};
}

Status check_perfect_hash(const PerfectHash& hash, StateSource& source, unsigned threads, uint64_t blocks,
                          MemoryBudget& budget) {
  const uint64_t words = hash.size() / 64 + 1;
  const BudgetedBytes memory(budget, words * 8);
  if (memory.data() == nullptr)
    return Status::limit("--memory is too small to check the perfect hash function");
  uint64_t* bits = reinterpret_cast<uint64_t*>(memory.data());
  std::vector<std::unique_ptr<PerfectHashReader>> readers;
  for (unsigned i = 0; i < threads; ++i) {
    readers.push_back(std::make_unique<PerfectHashReader>(hash, blocks, budget));
    if (Status status = readers.back()->open(); !status.ok()) return status;
  }
  std::atomic<uint64_t> seen{0}, wrong{0};
  const Status status =
      source.all([&](unsigned thread, const uint8_t* states, uint64_t n, uint32_t) -> Status {
        std::vector<uint64_t> indices(n);
        if (Status found = readers[thread]->find(states, n, indices.data(), nullptr); !found.ok())
          return found;
        seen += n;
        for (const uint64_t index : indices) {
          if (index >= hash.size()) {
            ++wrong;
            continue;
          }
          const uint64_t bit = uint64_t{1} << index % 64;
          wrong += (std::atomic_ref<uint64_t>(bits[index / 64]).fetch_or(bit, std::memory_order_relaxed) &
                    bit) != 0;
        }
        return {};
      });
  if (!status.ok()) return status;
  if (wrong == 0 && seen == hash.size()) return {};
  return Status::internal(
      fmt::format("the perfect hash function is wrong for {} of {} states; please report this as a bug "
                  "of strata",
                  wrong.load(), seen.load()));
}

}  // namespace strata
