#include "block/record/sorter.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "block/record/merge.h"

namespace strata {

namespace {

// A run of fewer records is not worth its blocks.
constexpr uint64_t kLeastRecords = 16;

uint64_t prefix_of(const uint8_t* record, uint64_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, record, std::min<uint64_t>(bytes, 8));
  return __builtin_bswap64(value);
}

}  // namespace

Sorter::Sorter(Storage& storage, std::string name, uint64_t record_bytes, uint64_t block_bytes,
               MemoryBudget& budget, uint64_t memory)
    : storage_(storage),
      name_(std::move(name)),
      record_bytes_(record_bytes),
      block_bytes_(block_bytes),
      budget_(budget),
      memory_(memory) {}

Sorter::~Sorter() {
  static_cast<void>(drop_runs(runs_.size()));
  if (charged_) budget_.release(memory_);
}

Status Sorter::open() {
  // The buffers of a run are needed while records are in memory; while runs are merged, no records are.
  const uint64_t buffers = 2 * block_bytes_;
  capacity_ = memory_ < 6 * block_bytes_ ? 0 : (memory_ - buffers) / (record_bytes_ + sizeof(Key));
  if (capacity_ < kLeastRecords || !budget_.reserve(memory_))
    return Status::limit("the memory budget has no room to sort; raise --memory", Reason::memory_for_sorting);
  charged_ = true;
  capacity_ = std::min<uint64_t>(capacity_, UINT32_MAX);
  records_.resize(capacity_ * record_bytes_);
  keys_.resize(capacity_);
  return {};
}

Status Sorter::add(const uint8_t* records, uint64_t n) {
  while (n > 0) {
    const uint64_t part = std::min(n, capacity_ - count_);
    std::memcpy(records_.data() + count_ * record_bytes_, records, part * record_bytes_);
    count_ += part;
    records += part * record_bytes_;
    n -= part;
    if (count_ < capacity_) break;
    if (Status status = write_run(); !status.ok()) return status;
  }
  return {};
}

// Orders the keys of the records in memory, and drops those of duplicates.
void Sorter::sort_memory() {
  const auto record = [&](const Key& key) { return records_.data() + key.place * record_bytes_; };
  for (uint64_t i = 0; i < count_; ++i)
    keys_[i] = {prefix_of(records_.data() + i * record_bytes_, record_bytes_), static_cast<uint32_t>(i)};
  const auto end = keys_.begin() + static_cast<int64_t>(count_);
  std::sort(keys_.begin(), end, [&](const Key& a, const Key& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return std::memcmp(record(a), record(b), record_bytes_) < 0;
  });
  const auto last = std::unique(keys_.begin(), end, [&](const Key& a, const Key& b) {
    return a.prefix == b.prefix && std::memcmp(record(a), record(b), record_bytes_) == 0;
  });
  count_ = static_cast<uint64_t>(last - keys_.begin());
}

Status Sorter::write_sorted(RecordFile& out) {
  MemoryBudget buffers(2 * block_bytes_);
  RecordWriter writer(out, buffers);
  if (Status status = writer.open(); !status.ok()) return status;
  for (uint64_t i = 0; i < count_; ++i) {
    const Status status = writer.append(records_.data() + keys_[i].place * record_bytes_, 1);
    if (!status.ok()) return status;
  }
  count_ = 0;
  return writer.close();
}

// Adds an empty run.
Status Sorter::create_run() {
  std::string name = fmt::format("{}.{}", name_, next_run_);
  auto file = storage_.create(name, block_bytes_);
  if (!file.ok()) return file.status();
  runs_.push_back(
      {std::move(name), std::make_unique<RecordFile>(std::move(*file), record_bytes_, next_run_)});
  ++next_run_;
  return {};
}

Status Sorter::write_run() {
  sort_memory();
  if (Status status = create_run(); !status.ok()) return status;
  return write_sorted(*runs_.back().file);
}

// Merges the first `count` runs into a file and removes them.
Status Sorter::merge_runs(uint64_t count, RecordFile& out) {
  // Two blocks are for the output, the rest of the memory is for the sources.
  MemoryBudget buffers(memory_);
  std::vector<const RecordFile*> sources;
  for (uint64_t i = 0; i < count; ++i) sources.push_back(runs_[i].file.get());
  {
    RecordWriter writer(out, buffers);
    Merger merger(sources, buffers, buffers_a_source(count));
    if (Status status = writer.open(); !status.ok()) return status;
    if (Status status = merger.open(); !status.ok()) return status;
    const uint64_t batch = std::max<uint64_t>(1, payload_bytes(block_bytes_) / record_bytes_);
    UntouchedVector<uint8_t> records(batch * record_bytes_);
    while (true) {
      const Result<uint64_t> n = merger.next(records.data(), batch);
      if (!n.ok()) return n.status();
      if (*n == 0) break;
      if (Status status = writer.append(records.data(), *n); !status.ok()) return status;
    }
    if (Status status = writer.close(); !status.ok()) return status;
  }
  return drop_runs(count);
}

uint64_t Sorter::buffers_a_source(uint64_t sources) const {
  // Three blocks are for the output and the batch.
  const uint64_t blocks = memory_ / block_bytes_;
  return blocks > 3 + 2 * sources ? 2 : 1;
}

uint64_t Sorter::fan_in() const { return std::max<uint64_t>(2, memory_ / block_bytes_ - 3); }

Status Sorter::finish(RecordFile& out) {
  if (runs_.empty()) {
    sort_memory();
    return write_sorted(out);
  }
  if (count_ > 0) {
    if (Status status = write_run(); !status.ok()) return status;
  }
  // The merges use the memory now.
  UntouchedVector<uint8_t>().swap(records_);
  UntouchedVector<Key>().swap(keys_);
  while (runs_.size() > fan_in()) {
    const uint64_t merged = fan_in();
    if (Status status = create_run(); !status.ok()) return status;
    if (Status status = merge_runs(merged, *runs_.back().file); !status.ok()) return status;
  }
  return merge_runs(runs_.size(), out);
}

Status Sorter::drop_runs(uint64_t count) {
  for (uint64_t i = 0; i < count; ++i) {
    runs_[i].file.reset();
    if (Status status = storage_.remove(runs_[i].name); !status.ok()) return status;
  }
  runs_.erase(runs_.begin(), runs_.begin() + static_cast<int64_t>(count));
  return {};
}

}  // namespace strata
