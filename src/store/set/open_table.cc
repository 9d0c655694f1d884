#include "store/set/open_table.h"

#include <algorithm>
#include <cstring>

#include "base/checks.h"

namespace strata {

namespace {

bool is_prime(uint64_t n) {
  if (n < 4) return n >= 2;
  if (n % 2 == 0) return false;
  for (uint64_t divisor = 3; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0) return false;
  return true;
}

uint64_t prime_below(uint64_t n) {
  while (n > 2 && !is_prime(n)) --n;
  return n;
}

uint64_t prime_from(uint64_t n) {
  while (!is_prime(n)) ++n;
  return n;
}

constexpr uint64_t kFirstSlots = 1 << 14;
constexpr uint64_t kSlotsEach = 8;  // for a thread, at least

uint64_t bytes_of(uint64_t slots, uint64_t key_bytes) { return slots * (key_bytes + 1) + 8; }

}  // namespace

uint64_t OpenTable::least_bytes(uint64_t key_bytes, unsigned threads) {
  return kSlack + prime_from(kSlotsEach * threads) * (key_bytes + 1);
}

Result<std::unique_ptr<CandidateSet>> OpenTable::create(uint64_t key_bytes, unsigned threads, uint64_t bytes,
                                                        MemoryBudget& budget) {
  const uint64_t most = std::min<uint64_t>(UINT32_MAX, (bytes - std::min(bytes, kSlack)) / (key_bytes + 1));
  // A table that begins small needs room for the one before beside it at the end.
  const bool grows = most > 8 * kFirstSlots;
  const uint64_t full = prime_below(grows ? most - most / 5 : most);
  const uint64_t slots = grows ? prime_below(kFirstSlots) : full;
  if (slots < kSlotsEach * threads)
    return Status::limit("--memory is too small for a table of candidates; raise it");
  Result<TableMemory> memory = TableMemory::create(bytes_of(slots, key_bytes), budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<CandidateSet>(
      new OpenTable(key_bytes, threads, slots, full, std::move(*memory), budget));
}

OpenTable::OpenTable(uint64_t key_bytes, unsigned threads, uint64_t slots, uint64_t full_slots,
                     TableMemory memory, MemoryBudget& budget)
    : key_bytes_(key_bytes),
      full_slots_(full_slots),
      slots_(slots),
      chunk_(std::clamp<uint64_t>(slots / threads / 64, 1, 256)),
      budget_(budget),
      counts_(threads) {
  use(std::move(memory), slots);
}

void OpenTable::use(TableMemory memory, uint64_t slots) {
  memory_.emplace(std::move(memory));
  slots_ = slots;
  marks_ = memory_->data();
  keys_ = marks_ + slots;
}

bool OpenTable::reserve(uint64_t keys) {
  if (keys > capacity()) return false;
  const auto fits = [&](uint64_t slots) { return keys + counts_.size() * chunk_ <= usable(slots); };
  if (fits(slots_) || slots_ == full_slots_) return true;
  uint64_t slots = slots_;
  while (!fits(slots) && slots < full_slots_) slots = std::min(4 * slots, full_slots_);
  // A table that is not of the full size is a quarter of that at most, so there is room for both.
  if (slots * 4 > full_slots_) slots = full_slots_;
  slots = slots == full_slots_ ? slots : prime_below(slots);
  Result<TableMemory> memory = TableMemory::create(bytes_of(slots, key_bytes_), budget_);
  if (!memory.ok()) return false;
  const std::optional<TableMemory> old = std::move(memory_);
  const uint8_t* old_marks = marks_;
  const uint8_t* old_keys = keys_;
  const uint64_t old_slots = slots_;
  use(std::move(*memory), slots);
  uint64_t used = 0;
  for (uint64_t i = 0; i < old_slots; ++i) {
    if (old_marks[i] == kEmpty) continue;
    const uint8_t* moved = old_keys + i * key_bytes_;
    const uint64_t hash = hash_bytes(moved, key_bytes_), stride = step(hash);
    uint64_t slot = first_slot(hash);
    while (marks_[slot] != kEmpty) slot = slot + stride >= slots_ ? slot + stride - slots_ : slot + stride;
    marks_[slot] = old_marks[i];
    copy_bytes(key(slot), moved, key_bytes_);
    ++used;
  }
  for (Count& count : counts_) count.reserved = 0;
  reserved_ = used;
  return true;
}

uint64_t OpenTable::size() const {
  uint64_t sum = 0;
  for (const Count& count : counts_) sum += count.added;
  return sum;
}

void OpenTable::clear() {
  std::memset(marks_, kEmpty, slots_);
  for (Count& count : counts_) count = {};
  reserved_ = 0;
}

// Fetches the first slots of some keys.
void OpenTable::fetch(const Keys& keys, uint64_t begin, uint64_t end) const {
  for (uint64_t i = begin; i < end; ++i) {
    const uint64_t slot = first_slot(keys.hashes[i]);
    __builtin_prefetch(&marks_[slot], 1);
    __builtin_prefetch(key(slot));
  }
}

// The mark of a slot whose key is written.
uint8_t OpenTable::settled_mark(uint64_t slot) const {
  uint8_t found = mark(slot).load(std::memory_order_acquire);
  while (found == kBeingWritten) found = mark(slot).load(std::memory_order_acquire);
  return found;
}

// Whether the thread may fill one more slot.
bool OpenTable::make_room(Count& count) {
  if (count.reserved > 0) return true;
  const uint64_t before = reserved_.fetch_add(chunk_, std::memory_order_relaxed);
  if (before >= most_used()) return false;
  count.reserved = std::min(chunk_, most_used() - before);
  return true;
}

Outcome OpenTable::add_one(Count& count, const uint8_t* wanted, uint64_t hash, uint8_t label) {
  uint64_t slot = first_slot(hash);
  const uint64_t stride = step(hash);
  while (true) {
    uint8_t found = settled_mark(slot);
    if (found == kEmpty) {
      if (!make_room(count)) return Outcome::full;
      if (mark(slot).compare_exchange_strong(found, kBeingWritten, std::memory_order_acquire)) {
        copy_bytes(key(slot), wanted, key_bytes_);
        mark(slot).store(static_cast<uint8_t>(kCandidate + label), std::memory_order_release);
        --count.reserved;
        ++count.added;
        return Outcome::fresh;
      }
      continue;  // another thread was faster; perhaps with this very key
    }
    if (equal_bytes(key(slot), wanted, key_bytes_)) return Outcome::seen;
    slot += stride;
    if (slot >= slots_) slot -= slots_;
  }
}

InsertCounts OpenTable::add(unsigned thread, const Keys& keys, uint8_t label, Outcome* outcomes) {
  InsertCounts counts;
  Count& count = counts_[thread];
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    fetch(keys, begin, end);
    for (uint64_t i = begin; i < end; ++i) {
      const Outcome outcome = add_one(count, keys.key(i), keys.hashes[i], label);
      counts.count(outcome);
      if (outcomes != nullptr) outcomes[i] = outcome;
    }
  }
  return counts;
}

uint64_t OpenTable::find(const uint8_t* wanted, uint64_t hash) const {
  const uint64_t stride = step(hash);
  for (uint64_t slot = first_slot(hash);;) {
    if (mark(slot).load(std::memory_order_relaxed) == kEmpty) return kNone;
    if (equal_bytes(key(slot), wanted, key_bytes_)) return slot;
    slot += stride;
    if (slot >= slots_) slot -= slots_;
  }
}

void OpenTable::erase(const Keys& keys, uint64_t* by_label) {
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    fetch(keys, begin, end);
    for (uint64_t i = begin; i < end; ++i) {
      const uint64_t slot = find(keys.key(i), keys.hashes[i]);
      if (slot == kNone) continue;
      const uint8_t before = mark(slot).exchange(kErased, std::memory_order_relaxed);
      if (before >= kCandidate && by_label != nullptr) ++by_label[before - kCandidate];
    }
  }
}

uint64_t OpenTable::take(const Keys& keys, uint8_t* taken) {
  uint64_t count = 0;
  for (uint64_t i = 0; i < keys.count; ++i) {
    const uint64_t slot = find(keys.key(i), keys.hashes[i]);
    taken[i] = 0;
    if (slot == kNone) continue;
    uint8_t found = mark(slot).load(std::memory_order_relaxed);
    taken[i] =
        found >= kCandidate && mark(slot).compare_exchange_strong(found, kTaken, std::memory_order_relaxed);
    count += taken[i];
  }
  return count;
}

std::string OpenTable::check_invariants() const {
  InvariantCheck check("OpenTable");
  uint64_t used = 0;
  for (uint64_t slot = 0; slot < slots_; ++slot) used += marks_[slot] != kEmpty;
  check.holds(3, used == size(), "the threads have added the keys in slots");
  check.holds(3, used <= most_used(), "an eighth of the slots is empty");
  for (uint64_t slot = 0; slot < slots_ && check.ok(); ++slot) {
    if (marks_[slot] == kEmpty) continue;
    check.holds(1, marks_[slot] >= kErased, "no slot is being written", slot);
    check.holds(2, find(key(slot), hash_bytes(key(slot), key_bytes_)) == slot,
                "a search finds a key in its slot", slot);
  }
  return check.broken();
}

}  // namespace strata
