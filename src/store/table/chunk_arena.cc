#include "store/table/chunk_arena.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <set>
#include <utility>

#include "base/checks.h"

namespace strata {

ChunkArena::ChunkArena(MemoryMap memory, uint64_t small_bytes, MemoryBudget& budget)
    : memory_(std::move(memory)), small_bytes_(round_up(small_bytes, kHugePageBytes)), budget_(budget) {}

ChunkArena::~ChunkArena() { budget_.release(committed_); }

uint8_t* ChunkArena::allocate(uint64_t bytes) {
  bytes = round_up(bytes, 64);
  MutexLock lock(mutex_);
  if (uint8_t* piece = take_free(bytes)) {
    lock.unlock();
    std::memset(piece, 0, bytes);
    return piece;
  }
  if (used_ + bytes + kReadAhead > committed_ && !extend(used_ + bytes + kReadAhead)) return nullptr;
  uint8_t* piece = memory_.data() + used_;
  used_ += bytes;
  return piece;
}

void ChunkArena::give_back(uint8_t* piece, uint64_t bytes) {
  bytes = round_up(bytes, 64);
  const MutexLock lock(mutex_);
  STRATA_CHECK(piece >= memory_.data() && piece + bytes <= memory_.data() + committed_);
  auto list = std::find_if(free_.begin(), free_.end(), [&](const Free& some) { return some.bytes == bytes; });
  if (list == free_.end()) list = free_.insert(free_.end(), {bytes, nullptr});
  std::memcpy(piece, &list->first, sizeof list->first);
  list->first = piece;
}

uint8_t* ChunkArena::take_free(uint64_t bytes) {
  for (Free& list : free_) {
    if (list.bytes != bytes || list.first == nullptr) continue;
    uint8_t* piece = list.first;
    std::memcpy(&list.first, piece, sizeof list.first);
    return piece;
  }
  return nullptr;
}

std::string ChunkArena::check_invariants() const {
  InvariantCheck check("ChunkArena");
  const MutexLock lock(mutex_);
  check.holds(1, used_ == 0 || used_ + kReadAhead <= committed_, "used memory is committed");
  check.holds(2, committed_ <= budget_.used(), "committed memory was drawn from the budget");
  std::set<const uint8_t*> free;
  for (const Free& list : free_) {
    const uint8_t* next = nullptr;
    for (const uint8_t* piece = list.first; piece != nullptr && check.ok(); piece = next) {
      const auto at = static_cast<uint64_t>(piece - memory_.data());
      check.holds(1, at % 64 == 0 && at < used_ && list.bytes <= used_ - at, "a free piece is used memory",
                  at);
      check.holds(3, free.insert(piece).second, "a free piece is in one list, once", at);
      if (check.ok()) std::memcpy(&next, piece, sizeof next);
    }
  }
  return check.broken();
}

bool ChunkArena::extend(uint64_t needed_end) {
  const uint64_t needed = round_up(needed_end, kPageBytes);
  if (needed <= small_bytes_) return commit_until(needed, MemoryMap::Pages::small);
  if (!collapsed_ && commit_until(std::max(committed_, small_bytes_), MemoryMap::Pages::small)) {
    memory_.collapse(0, round_down(committed_, kHugePageBytes));
    collapsed_ = true;
  }
  if (needed <= committed_) return true;
  // A huge page can only be had where none of its small ones are in use.
  const bool aligned = committed_ % kHugePageBytes == 0;
  const uint64_t end = round_up(needed, kHugePageBytes);
  return commit_until(end, aligned ? MemoryMap::Pages::huge : MemoryMap::Pages::small) ||
         commit_until(needed, MemoryMap::Pages::small);
}

bool ChunkArena::commit_until(uint64_t end, MemoryMap::Pages pages) {
  const uint64_t bytes = end - committed_;
  if (bytes == 0) return true;
  if (!budget_.reserve(bytes)) return false;
  if (!memory_.commit(committed_, bytes, pages)) {
    budget_.release(bytes);
    return false;
  }
  committed_ = end;
  return true;
}

bool PieceList::add(ChunkArena& arena, uint64_t bytes) {
  if (size_ == capacity_ && !enlarge(arena)) return false;
  uint8_t* piece = arena.allocate(bytes);
  if (piece == nullptr) return false;
  slots_.load(std::memory_order_relaxed)[size_++].store(piece, std::memory_order_release);
  return true;
}

void PieceList::drop(ChunkArena& arena, uint64_t i, uint64_t bytes) {
  Slot& slot = slots_.load(std::memory_order_relaxed)[i];
  if (uint8_t* piece = slot.exchange(nullptr, std::memory_order_relaxed)) arena.give_back(piece, bytes);
}

void PieceList::clear(ChunkArena& arena, uint64_t bytes) {
  for (uint64_t i = 0; i < size_; ++i) drop(arena, i, bytes);
  if (Slot* slots = slots_.exchange(nullptr, std::memory_order_relaxed))
    arena.give_back(reinterpret_cast<uint8_t*>(slots), capacity_ * sizeof(Slot));
  size_ = capacity_ = 0;
}

void PieceList::swap(PieceList& other) {
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  slots_.store(other.slots_.exchange(slots_.load(std::memory_order_relaxed), std::memory_order_relaxed),
               std::memory_order_relaxed);
}

bool PieceList::enlarge(ChunkArena& arena) {
  const uint64_t larger = std::max<uint64_t>(4, 2 * capacity_);
  uint8_t* memory = arena.allocate(larger * sizeof(Slot));
  if (memory == nullptr) return false;
  Slot* slots = new (memory) Slot[larger];
  for (uint64_t i = 0; i < size_; ++i) slots[i].store((*this)[i], std::memory_order_relaxed);
  slots_.store(slots, std::memory_order_release);
  capacity_ = larger;
  return true;
}

}  // namespace strata
