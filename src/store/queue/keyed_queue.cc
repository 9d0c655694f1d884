#include "store/queue/keyed_queue.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/checks.h"

namespace strata {

KeyedQueue::KeyedQueue(Storage& storage, std::string name, uint64_t record_bytes, uint64_t memory,
                       MemoryBudget& budget)
    : storage_(storage),
      name_(std::move(name)),
      bytes_(record_bytes + kKeyBytes),
      memory_(memory),
      budget_(budget),
      charged_(budget.reserve(memory)) {
  capacity_ = std::max<uint64_t>(memory / (bytes_ + sizeof(uint32_t)), 1);
  if (charged_) records_.resize(capacity_ * bytes_);
}

KeyedQueue::~KeyedQueue() {
  clear();
  if (charged_) budget_.release(memory_);
}

Status KeyedQueue::open() const {
  return charged_ ? Status() : Status::limit("the memory budget has no room for a queue; raise --memory");
}

Status KeyedQueue::add(uint32_t key, const uint8_t* record) {
  if (count_ == capacity_) {
    if (Status status = spill(); !status.ok()) return status;
  }
  uint8_t* place = records_.data() + count_++ * bytes_;
  for (unsigned i = 0; i < kKeyBytes; ++i) place[i] = static_cast<uint8_t>(key >> (8 * (3 - i)));
  std::memcpy(place + kKeyBytes, record, bytes_ - kKeyBytes);
  return {};
}

uint64_t KeyedQueue::sort_bytes(uint64_t record_bytes, uint64_t memory) {
  constexpr uint64_t kLeastBlocks = 20;  // for a record that nearly fills a block, too
  return std::max(memory, kLeastBlocks * RecordFile::least_block_bytes(record_bytes + kKeyBytes));
}

Status KeyedQueue::spill() {
  if (!sorter_) {
    const uint64_t block = RecordFile::least_block_bytes(bytes_);
    sorter_ = std::make_unique<Sorter>(storage_, name_, bytes_, block, budget_, sort_bytes());
    if (Status status = sorter_->open(); !status.ok()) return status;
  }
  const Status status = sorter_->add(records_.data(), count_);
  count_ = 0;
  return status;
}

Status KeyedQueue::sort() {
  next_ = 0;
  if (!sorter_) {
    order_.resize(count_);
    for (uint32_t i = 0; i < count_; ++i) order_[i] = i;
    std::sort(order_.begin(), order_.end(),
              [&](uint32_t a, uint32_t b) { return std::memcmp(at(a), at(b), bytes_) < 0; });
    return {};
  }
  if (Status status = spill(); !status.ok()) return status;
  Result<std::unique_ptr<File>> file =
      storage_.create(name_ + ".sorted", RecordFile::least_block_bytes(bytes_));
  if (!file.ok()) return file.status();
  sorted_ = std::make_unique<RecordFile>(std::move(*file), bytes_, 1);
  if (Status status = sorter_->finish(*sorted_); !status.ok()) return status;
  sorter_.reset();
  reader_ = std::make_unique<RecordReader>(*sorted_, 0, sorted_->size(), budget_);
  if (Status status = reader_->open(); !status.ok()) return status;
  return read_on();
}

Status KeyedQueue::read_on() {
  Result<RecordReader::Span> span = reader_->next();
  if (!span.ok()) return span.status();
  span_ = *span;
  return {};
}

const uint8_t* KeyedQueue::peek(uint32_t& key) const {
  const uint8_t* record = nullptr;
  if (reader_) {
    if (span_.count > 0) record = span_.records;
  } else if (next_ < count_) {
    record = at(order_[next_]);
  }
  if (record == nullptr) return nullptr;
  key = static_cast<uint32_t>(record[0] << 24 | record[1] << 16 | record[2] << 8 | record[3]);
  return record + kKeyBytes;
}

Status KeyedQueue::pop() {
  if (!reader_) {
    ++next_;
    return {};
  }
  span_.records += bytes_;
  --span_.count;
  return span_.count > 0 ? Status() : read_on();
}

void KeyedQueue::clear() {
  count_ = next_ = 0;
  sorter_.reset();
  reader_.reset();
  if (!sorted_) return;
  sorted_.reset();
  static_cast<void>(storage_.remove(name_ + ".sorted"));
}

std::string KeyedQueue::check_invariants() const {
  InvariantCheck check("KeyedQueue");
  check.holds(1, count_ <= capacity_, "there is room for the records");
  if (reader_ || sorter_ || order_.size() != count_) return check.broken();
  check.holds(1, next_ <= count_, "no more records were taken than there are");
  for (uint64_t i = 1; i < count_ && check.ok(); ++i)
    check.holds(2, std::memcmp(at(order_[i - 1]), at(order_[i]), bytes_) <= 0, "sorted records rise", i);
  return check.broken();
}

}  // namespace strata
