#include "store/tiered/key_space.h"

#include <algorithm>
#include <utility>

#include "block/record/block_format.h"
#include "block/record/record_file.h"

namespace strata {

namespace {

constexpr const char* kFile = "beyond.keys";

}  // namespace

KeySpace::KeySpace(MemoryBudget& budget, uint64_t memory, uint64_t chunk_bytes, DiskSpace::Options where,
                   MemoryUser* user)
    : chunk_bytes_(chunk_bytes),
      where_(std::move(where)),
      user_(user),
      memory_(budget, memory, chunk_bytes, user) {}

// REQUIRES: all logs are gone.
KeySpace::~KeySpace() {
  if (file_) disk_->storage().retire(std::move(file_), kFile);
}

uint64_t KeySpace::least_chunk(uint64_t key_bytes) { return RecordFile::least_block_bytes(key_bytes); }

Status KeySpace::open(uint64_t readers) {
  slots_ = std::vector<Slot>(readers);
  for (Slot& slot : slots_) {
    const Result<uint8_t*> buffer = take();
    if (!buffer.ok()) return buffer.status();
    slot.buffer = *buffer;
  }
  return {};
}

Result<uint8_t*> KeySpace::take() {
  if (!free_.empty()) {
    uint8_t* const memory = free_.back();
    free_.pop_back();
    return memory;
  }
  const Result<uint8_t*> more = memory_.take();
  if (!more.ok() || *more != nullptr) return more;
  if (Status status = write_some(); !status.ok()) return status;
  if (writing_.empty())
    return Status::limit("--memory is too small for a search beyond the memory of the device; raise it");
  KeyChunk& chunk = *writing_.front();
  if (Status status = chunk.written.wait(waited_); !status.ok()) return status;
  writing_.pop_front();
  return std::exchange(chunk.data, nullptr);
}

// Full chunks are on their way to the disk before their memory is needed.
Status KeySpace::write_some() {
  if (user_ != nullptr)
    if (Status status = user_->settle(); !status.ok()) return status;
  for (std::set<KeyChunk*>& full : full_) {
    while (writing_.size() < kWritesAtOnce && !full.empty()) {
      if (Status status = open_file(); !status.ok()) return status;
      KeyChunk& chunk = **full.begin();
      full.erase(full.begin());
      if (free_blocks_.empty()) free_blocks_.push_back(blocks_++);
      chunk.block = free_blocks_.back();
      free_blocks_.pop_back();
      seal_block(chunk.data, payload_bytes(chunk_bytes_), *file_, chunk.block, stamp_);
      file_->write(chunk.block, chunk.data, chunk.written);
      writing_.push_back(&chunk);
    }
  }
  return {};
}

Status KeySpace::open_file() {
  if (file_) return {};
  if (!disk_) {
    Result<std::unique_ptr<DiskSpace>> disk = DiskSpace::create(where_);
    if (!disk.ok()) return disk.status();
    disk_ = std::move(*disk);
  }
  Result<std::unique_ptr<File>> file = disk_->storage().create(kFile, chunk_bytes_);
  if (!file.ok()) return file.status();
  file_ = std::move(*file);
  stamp_ = disk_->storage().stamps().next();
  return {};
}

void KeySpace::drop(KeyChunk& chunk) {
  full_[chunk.order].erase(&chunk);
  if (const auto place = std::find(writing_.begin(), writing_.end(), &chunk); place != writing_.end()) {
    chunk.written.wait();
    writing_.erase(place);
  }
  if (chunk.block != UINT64_MAX) free_blocks_.push_back(chunk.block);
  if (chunk.resident()) free_.push_back(chunk.data);
}

void KeySpace::read(const KeyChunk& chunk, Slot& slot) {
  file_->read(chunk.block, slot.buffer, slot.transfer);
}

Result<const uint8_t*> KeySpace::wait(const KeyChunk& chunk, Slot& slot) {
  if (Status status = slot.transfer.wait(waited_); !status.ok()) return status;
  const Result<uint64_t> used = verify_block(slot.buffer, *file_, chunk.block, stamp_);
  if (!used.ok()) return used.status();
  return static_cast<const uint8_t*>(slot.buffer);
}

}  // namespace strata
