#include "store/tiered/key_log.h"

#include <algorithm>
#include <utility>

#include "block/record/block_format.h"

namespace strata {

KeyLog::KeyLog(KeySpace& space, uint64_t key_bytes, unsigned order)
    : space_(space),
      key_bytes_(key_bytes),
      per_chunk_(payload_bytes(space.chunk_bytes()) / key_bytes),
      order_(order) {}

Status KeyLog::append(uint64_t n, const Copy& copy) {
  for (uint64_t done = 0; done < n;) {
    const uint64_t place = size_ % per_chunk_;
    if (place == 0) {
      const Result<uint8_t*> memory = space_.take();
      if (!memory.ok()) return memory.status();
      chunks_.push_back(std::make_unique<KeyChunk>());
      chunks_.back()->data = *memory;
      chunks_.back()->order = order_;
    }
    KeyChunk& chunk = *chunks_.back();
    const uint64_t part = std::min(n - done, per_chunk_ - place);
    uint8_t* const to = chunk.data + kBlockHeaderBytes + place * key_bytes_;
    if (Status status = copy(to, done, part); !status.ok()) {
      if (place == 0) {
        space_.drop(chunk);
        chunks_.pop_back();
      }
      return status;
    }
    done += part;
    size_ += part;
    if (size_ % per_chunk_ == 0) space_.may_write(chunk);
  }
  return {};
}

void KeyLog::clear() {
  for (const auto& chunk : chunks_) space_.drop(*chunk);
  chunks_.clear();
  size_ = 0;
}

KeyReader::~KeyReader() {
  for (KeySpace::Slot& slot : log_.space_.slots()) {
    slot.transfer.wait();
    slot.number = 0;
  }
}

// The slot of a chunk had an earlier one, which is read already.
void KeyReader::read_ahead(uint64_t number) {
  std::vector<KeySpace::Slot>& slots = log_.space_.slots();
  const uint64_t end = std::min(number + slots.size(), (end_ - 1) / log_.per_chunk_ + 1);
  for (asked_ = std::max(asked_, number); asked_ < end; ++asked_) {
    if (log_.chunks_[asked_]->resident()) continue;
    KeySpace::Slot& slot = slots[asked_ % slots.size()];
    slot.number = asked_ + 1;
    log_.space_.read(*log_.chunks_[asked_], slot);
  }
}

Result<KeyReader::Span> KeyReader::next() {
  if (next_ >= end_) return Span{};
  const uint64_t number = next_ / log_.per_chunk_, place = next_ % log_.per_chunk_;
  read_ahead(number);
  const KeyChunk& chunk = *log_.chunks_[number];
  const uint8_t* data = chunk.data;
  const bool stays = chunk.resident();
  if (!chunk.resident()) {
    KeySpace::Slot& slot = log_.space_.slots()[number % log_.space_.slots().size()];
    // It was in memory when the reader looked ahead.
    if (slot.number != number + 1) {
      slot.number = number + 1;
      log_.space_.read(chunk, slot);
    }
    const Result<const uint8_t*> read = log_.space_.wait(chunk, slot);
    if (!read.ok()) return read.status();
    data = *read;
  }
  const uint64_t n = std::min(end_ - next_, log_.per_chunk_ - place);
  next_ += n;
  return Span{data + kBlockHeaderBytes + place * log_.key_bytes_, n, stays};
}

}  // namespace strata
