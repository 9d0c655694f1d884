#include "engine/ram/compact_levels.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

constexpr uint64_t kPiece = 1024;  // states visited together
constexpr uint64_t kMostRoom = 64 << 20;
constexpr uint64_t kLeastRoom = 16 << 10;
constexpr uint64_t kShareOfRoom = 64;   // the room is this fraction of the memory
constexpr uint64_t kMostLevels = 4096;  // gathered together

}  // namespace

CompactLevels::CompactLevels(const CompactTable& table, const NumberList& sizes, Order order,
                             WorkerPool& pool, MemoryBudget& budget)
    : table_(table), sizes_(sizes), order_(order), pool_(pool), budget_(budget) {}

Status CompactLevels::visit(uint64_t level, const Visit& visit) {
  if (!room_) take_room();
  const bool fits = room_->data() != nullptr && sizes_[level] <= capacity_;
  if (!fits) {
    scan(level, visit);
    return {};
  }
  if (level < first_ || level > last_) {
    choose(level);
    gather();
  }
  visit_gathered(level, visit);
  return {};
}

// Takes as much of the wanted room as there is: a full memory has little left.
void CompactLevels::take_room() {
  uint64_t bytes = std::max(std::min(budget_.limit() / kShareOfRoom, kMostRoom), kLeastRoom);
  do {
    room_ = std::make_unique<BudgetedBytes>(budget_, bytes);
    capacity_ = (bytes - ChunkArena::kReadAhead) / table_.state_bytes();
    bytes /= 2;
  } while (room_->data() == nullptr && bytes >= kLeastRoom);
}

// Chooses as many levels from `level` on as there is room for.
void CompactLevels::choose(uint64_t level) {
  first_ = last_ = level;
  uint64_t sum = sizes_[level];
  const auto fits = [&](uint64_t next) {
    sum += sizes_[next];
    return sum <= capacity_ && last_ - first_ + 1 < kMostLevels;
  };
  if (order_ == Order::ascending) {
    while (last_ + 1 < sizes_.size() && fits(last_ + 1)) ++last_;
  } else {
    while (first_ > 0 && fits(first_ - 1)) --first_;
  }
  begins_.assign(1, 0);
  for (uint64_t at = first_; at <= last_; ++at) begins_.push_back(begins_.back() + sizes_[at]);
}

template <class Work>
void CompactLevels::each_shard(const Work& work) {
  std::atomic<uint64_t> next{0};
  pool_.run([&](unsigned thread) {
    for (uint64_t shard = next++; shard < table_.shard_count(); shard = next++) work(thread, shard);
  });
}

void CompactLevels::gather() {
  const uint64_t bytes = table_.state_bytes();
  std::vector<std::atomic<uint64_t>> ends(last_ - first_ + 1);
  for (uint64_t i = 0; i < ends.size(); ++i) ends[i] = begins_[i];
  each_shard([&](unsigned, uint64_t shard) {
    table_.for_each(shard, first_, last_, [&](uint64_t key, uint64_t level) {
      const uint64_t place = ends[level - first_].fetch_add(1, std::memory_order_relaxed);
      std::memcpy(room_->data() + place * bytes, &key, bytes);
    });
  });
}

void CompactLevels::visit_gathered(uint64_t level, const Visit& visit) {
  const uint64_t begin = begins_[level - first_], end = begins_[level - first_ + 1];
  std::atomic<uint64_t> next{begin};
  const auto work = [&](unsigned thread) {
    for (uint64_t at = next.fetch_add(kPiece); at < end; at = next.fetch_add(kPiece))
      visit(thread, room_->data() + at * table_.state_bytes(), std::min(kPiece, end - at));
  };
  if (end - begin <= kPiece) return work(0);
  pool_.run(work);
}

void CompactLevels::scan(uint64_t level, const Visit& visit) {
  const uint64_t bytes = table_.state_bytes();
  std::vector<std::vector<uint8_t>> buffers(pool_.threads());
  each_shard([&](unsigned thread, uint64_t shard) {
    std::vector<uint8_t>& buffer = buffers[thread];
    buffer.resize(kPiece * bytes + ChunkArena::kReadAhead);
    uint64_t count = 0;
    const auto flush = [&] {
      if (count > 0) visit(thread, buffer.data(), count);
      count = 0;
    };
    table_.for_each(shard, level, level, [&](uint64_t key, uint64_t) {
      std::memcpy(buffer.data() + count * bytes, &key, bytes);
      if (++count == kPiece) flush();
    });
    flush();
  });
}

}  // namespace strata
