#include "store/sorted/sorted_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/checks.h"

namespace strata {

SortedTable::SortedTable(Storage& storage, std::string name, uint64_t state_bytes, uint64_t index_bytes,
                         HashFilter filter, BufferRing& shelf)
    : storage_(storage),
      name_(std::move(name)),
      state_bytes_(state_bytes),
      per_block_(shelf.per_block(state_bytes)),
      shelf_(shelf),
      filter_(filter),
      stamp_(hash_bytes(name_.data(), name_.size())),
      index_(std::max<uint64_t>(index_bytes / sizeof(uint32_t), 2)) {}

SortedTable::~SortedTable() {
  static_cast<void>(shelf_.drain());
  if (!file_) return;
  file_.reset();
  static_cast<void>(storage_.remove(name_));
}

Status SortedTable::clear() {
  const uint64_t old = blocks();
  size_ = 0;
  shift_ = 0;
  ++stamp_;
  filter_.clear();
  return old == 0 ? Status() : file_->discard(0, old);
}

// ---- Reading from the end

// Blocks are read ahead into some buffers of the shelf, which are this cursor's.
class SortedTable::Cursor final : public FallingStates {
 public:
  Cursor(SortedTable& table, uint64_t first_buffer, uint64_t buffers)
      : table_(table), first_buffer_(first_buffer), buffers_(buffers), started_(table.blocks()) {
    left_ = table.size_;
  }

  Result<HashedState> next() override {
    if (left_ == 0) return HashedState{};
    if (in_block_ == 0) {
      if (Status status = enter_block(); !status.ok()) return status;
    }
    --left_;
    const uint8_t* state = block_ + --in_block_ * table_.state_bytes_;
    return HashedState{state, table_.hash_of(state)};
  }

 private:
  Status enter_block() {
    BufferRing& shelf = table_.shelf_;
    const uint64_t block = (left_ - 1) / table_.per_block_;
    {
      // All buffers but the one of the block that the caller may still read; at first, all.
      const SubmitBatch held(table_.file_->carrier());
      while (started_ > 0 && started_ + buffers_ > block + 1) {
        --started_;
        if (Status status = shelf.read(buffer(started_), *table_.file_, started_); !status.ok())
          return status;
      }
    }
    const Result<uint64_t> used = shelf.arrived(buffer(block), *table_.file_, block, table_.stamp_);
    if (!used.ok()) return used.status();
    in_block_ = left_ - block * table_.per_block_;
    if (*used != in_block_ * table_.state_bytes_) {
      return Status::system(fmt::format(
          "{}: the block at offset {} has another length than it should; the disk or another program "
          "changed it",
          table_.file_->name(), table_.file_->offset(block)));
    }
    block_ = shelf.payload(buffer(block));
    return {};
  }
  uint64_t buffer(uint64_t block) const { return first_buffer_ + block % buffers_; }

  SortedTable& table_;
  const uint64_t first_buffer_, buffers_;
  uint64_t started_;  // blocks from here on are read, or being read
  uint64_t left_ = 0, in_block_ = 0;
  const uint8_t* block_ = nullptr;
};

// ---- Merging

Status SortedTable::merge(FallingStates& states, uint64_t count) {
  if (count == 0) return {};
  if (!file_) {
    Result<std::unique_ptr<File>> file = storage_.create(name_, shelf_.block_bytes());
    if (!file.ok()) return file.status();
    file_ = std::move(*file);
  }
  // The first third of the shelf is for the states that come, if they come from disk.
  const uint64_t third = shelf_.count() / 3;
  Cursor old(*this, third, third);
  const uint64_t first_written = 2 * third, written = shelf_.count() - first_written;
  const uint64_t end = size_ + count;
  extend_index((end + per_block_ - 1) / per_block_);
  Result<HashedState> coming = states.next(), here = old.next();
  uint64_t buffer = 0;
  for (uint64_t place = end; coming.ok() && here.ok() && (coming->bytes || place % per_block_ > 0);) {
    if (place == end || place % per_block_ == 0) {
      buffer = (buffer + 1) % written;
      if (Status status = shelf_.settle(first_written + buffer); !status.ok()) return status;
    }
    --place;
    const bool is_new = coming->bytes && (!here->bytes || here->less(*coming, state_bytes_));
    const HashedState& larger = is_new ? *coming : *here;
    copy_bytes(shelf_.payload(first_written + buffer) + place % per_block_ * state_bytes_, larger.bytes,
               state_bytes_);
    if (is_new) filter_.add(larger.hash);
    if (place % per_block_ == 0) {
      const uint64_t block = place / per_block_, states_in = std::min(per_block_, end - place);
      note_first(block, larger.hash);
      shelf_.write(first_written + buffer, *file_, block, states_in * state_bytes_, stamp_);
    }
    if (is_new) {
      coming = states.next();
    } else {
      here = old.next();
    }
  }
  if (!coming.ok()) return coming.status();
  if (!here.ok()) return here.status();
  size_ = end;
  return shelf_.drain();
}

Status SortedTable::merge(SortedTable& other) {
  Cursor states(other, 0, shelf_.count() / 3);
  if (Status status = merge(states, other.size_); !status.ok()) return status;
  return other.clear();
}

// ---- Checkpoints

namespace {

// The states of an image.
class FallingImage final : public FallingStates {
 public:
  FallingImage(Image& image, uint64_t state_bytes, uint64_t count)
      : image_(image), state_(state_bytes), left_(count) {}
  Result<HashedState> next() override {
    if (left_ == 0) return HashedState{};
    --left_;
    image_.bytes(state_.data(), state_.size());
    if (!image_.ok()) return image_.status();
    return HashedState{state_.data(), hash_bytes(state_.data(), state_.size())};
  }

 private:
  Image& image_;
  std::vector<uint8_t> state_;
  uint64_t left_;
};

}  // namespace

void SortedTable::serialize(Image& image) {
  uint64_t count = size_;
  image.value("sorted", count);
  if (!image.ok()) return;
  if (image.restores()) {
    FallingImage states(image, state_bytes_, count);
    return image.fail(merge(states, count));
  }
  std::vector<uint8_t> state(state_bytes_);
  Cursor states(*this, 0, shelf_.count());
  for (Result<HashedState> next = states.next(); image.ok(); next = states.next()) {
    if (!next.ok()) return image.fail(next.status());
    if (next->bytes == nullptr) return;
    copy_bytes(state.data(), next->bytes, state_bytes_);
    image.bytes(state.data(), state_bytes_);
  }
}

// ---- Looking up

// Makes room in the index for the blocks that the table will have.
void SortedTable::extend_index(uint64_t blocks) {
  while ((blocks + (uint64_t{1} << shift_) - 1) >> shift_ > index_.size()) {
    for (uint64_t i = 0; 2 * i < index_.size(); ++i) index_[i] = index_[2 * i];
    ++shift_;
  }
}

void SortedTable::note_first(uint64_t block, uint64_t hash) {
  if (block % (uint64_t{1} << shift_) == 0) index_[block >> shift_] = static_cast<uint32_t>(hash >> 32);
}

SortedTable::Probe SortedTable::probe(uint64_t hash) const {
  if (!may_have(hash)) return {};
  const auto wanted = static_cast<uint32_t>(hash >> 32);
  const auto begin = index_.begin(), end = begin + static_cast<int64_t>(indexed());
  // A block that begins with the same half may have it, and the one before the first of these too.
  const auto high = std::upper_bound(begin, end, wanted);
  if (high == begin) return {};
  auto low = high - 1;
  while (low != begin && *low == wanted) --low;
  const auto block = [&](auto entry) { return static_cast<uint64_t>(entry - begin) << shift_; };
  return {block(low), std::min(block(high), blocks())};
}

Status SortedTable::fetch(const Probe& probe, uint64_t buffer) {
  return shelf_.read(buffer, *file_, probe.middle());
}

Result<bool> SortedTable::judge(Probe& probe, uint64_t buffer, const HashedState& wanted) {
  const uint64_t block = probe.middle();
  const Result<uint64_t> used = shelf_.arrived(buffer, *file_, block, stamp_);
  if (!used.ok()) return used.status();
  const uint8_t* states = shelf_.payload(buffer);
  uint64_t low = 0, high = *used / state_bytes_;  // the first one that is not smaller stands within
  const uint64_t count = high;
  while (low < high) {
    const uint64_t middle = (low + high) / 2;
    const uint8_t* state = states + middle * state_bytes_;
    if (HashedState{state, hash_of(state)}.less(wanted, state_bytes_)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == count) {
    probe.low = block + 1;
  } else if (equal_bytes(states + low * state_bytes_, wanted.bytes, state_bytes_)) {
    return true;
  } else if (low == 0) {
    probe.high = block;
  } else {
    probe.low = probe.high;
  }
  return false;
}

std::string SortedTable::check_invariants() {
  InvariantCheck check("SortedTable");
  if (size_ == 0 || !shelf_.drain().ok()) return {};
  Cursor states(*this, 0, shelf_.count());
  std::vector<uint8_t> above;
  for (uint64_t i = size_; i-- > 0 && check.ok();) {
    const Result<HashedState> next = states.next();
    if (!next.ok()) return {};
    if (!above.empty()) {
      const HashedState larger{above.data(), hash_of(above.data())};
      check.holds(1, next->less(larger, state_bytes_), "the states rise", i);
    }
    const uint64_t block = i / per_block_;
    if (i % per_block_ == 0 && block % (uint64_t{1} << shift_) == 0)
      check.holds(2, index_[block >> shift_] == next->hash >> 32, "the index has a block's first hash",
                  block);
    check.holds(3, filter_.perhaps(next->hash), "the filter has a state", i);
    above.assign(next->bytes, next->bytes + state_bytes_);
  }
  return check.broken();
}

}  // namespace strata
