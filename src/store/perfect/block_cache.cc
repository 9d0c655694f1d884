#include "store/perfect/block_cache.h"

namespace strata {

BlockCache::BlockCache(File& file, uint64_t stamp, uint64_t blocks, MemoryBudget& budget)
    : file_(file), stamp_(stamp), buffers_(budget, file.block_bytes(), blocks) {
  for (uint64_t i = 0; i < buffers_.count(); ++i) slots_.push_back(std::make_unique<Slot>());
}

Status BlockCache::open() const {
  if (buffers_.count() > 0) return {};
  return Status::limit("the memory budget has no room for a cache of blocks; raise --memory");
}

uint64_t BlockCache::free_slot() {
  while (true) {
    hand_ = (hand_ + 1) % slots_.size();
    Slot& slot = *slots_[hand_];
    if (slot.call == call_) continue;
    if (slot.number != kNone && slot.recent) {
      slot.recent = false;
      continue;
    }
    return hand_;
  }
}

Status BlockCache::fetch(const uint64_t* numbers, uint64_t n, const uint8_t** payloads) {
  ++call_;
  fetched_ += n;
  asked_.resize(n);
  {
    const SubmitBatch together(file_.carrier());
    for (uint64_t i = 0; i < n; ++i) {
      const auto found = places_.find(numbers[i]);
      if (found != places_.end()) {
        asked_[i] = found->second;
        slots_[asked_[i]]->recent = true;
        slots_[asked_[i]]->call = call_;
        continue;
      }
      ++missed_;
      asked_[i] = static_cast<uint32_t>(free_slot());
      Slot& slot = *slots_[asked_[i]];
      if (slot.number != kNone) places_.erase(slot.number);
      slot.number = numbers[i];
      slot.call = call_;
      slot.recent = slot.good = false;
      places_.emplace(numbers[i], asked_[i]);
      file_.read(numbers[i], buffers_[asked_[i]], slot.transfer);
    }
  }
  Status first;
  for (uint64_t i = 0; i < n; ++i) {
    Slot& slot = *slots_[asked_[i]];
    payloads[i] = buffers_[asked_[i]] + kBlockHeaderBytes;
    if (slot.good) continue;
    Status status = slot.transfer.wait(waited_);
    if (status.ok()) status = verify_block(buffers_[asked_[i]], file_, slot.number, stamp_).status();
    slot.good = status.ok();
    if (!status.ok() && first.ok()) first = status;
  }
  return first;
}

}  // namespace strata
