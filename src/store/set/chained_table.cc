#include "store/set/chained_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checks.h"

namespace strata {

namespace {

constexpr uint64_t kEntryBytes = 2 * sizeof(uint32_t) + 1;

}  // namespace

uint64_t ChainedTable::least_bytes(uint64_t key_bytes, unsigned threads) {
  return kSlack + 4 * uint64_t{threads} * (key_bytes + kEntryBytes);
}

Result<std::unique_ptr<CandidateSet>> ChainedTable::create(uint64_t key_bytes, unsigned threads,
                                                           uint64_t bytes, MemoryBudget& budget) {
  const uint64_t most = (uint64_t{1} << 31) - 2;
  if (bytes < least_bytes(key_bytes, threads))
    return Status::limit("--memory is too small for a table of candidates; raise it");
  const uint64_t capacity = std::min(most, (bytes - kSlack) / (key_bytes + kEntryBytes));
  Result<TableMemory> memory = TableMemory::create(capacity * (key_bytes + kEntryBytes) + 8, budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<CandidateSet>(new ChainedTable(key_bytes, threads, capacity, std::move(*memory)));
}

ChainedTable::ChainedTable(uint64_t key_bytes, unsigned threads, uint64_t capacity, TableMemory memory)
    : key_bytes_(key_bytes),
      entries_(capacity),
      number_mask_(static_cast<uint32_t>(std::bit_ceil(capacity + 1) - 1)),
      chunk_(std::clamp<uint64_t>(capacity / threads / 64, 1, 256)),
      memory_(std::move(memory)),
      heads_(reinterpret_cast<Link*>(memory_.data())),
      links_(heads_ + capacity),
      keys_(reinterpret_cast<uint8_t*>(links_ + capacity)),
      marks_(keys_ + capacity * key_bytes),
      cursors_(threads) {
  reserve(std::min<uint64_t>(this->capacity(), 1 << 14));
}

uint64_t ChainedTable::size() const {
  uint64_t sum = 0;
  for (const Cursor& cursor : cursors_) sum += cursor.added;
  return sum;
}

void ChainedTable::clear() {
  const uint64_t used = std::min(used_.load(), limit_);
  if (used < buckets_ / 16) {
    for (uint64_t i = 0; i < used; ++i) {
      heads_[bucket(hash_bytes(key(i), key_bytes_))].store(0, std::memory_order_relaxed);
    }
  } else {
    std::memset(static_cast<void*>(heads_), 0, buckets_ * sizeof(Link));
  }
  for (Cursor& cursor : cursors_) cursor = {};
  used_ = 0;
}

bool ChainedTable::reserve(uint64_t keys) {
  if (keys > capacity()) return false;
  const uint64_t limit = std::min(entries_, keys + cursors_.size() * chunk_);
  if (limit <= limit_) return true;
  // Threads that found no room have taken none.
  used_ = std::min(used_.load(), limit_);
  limit_ = limit;
  if (limit > buckets_) link_again();
  return true;
}

// Whether a thread has the entry, and no key in it yet.
bool ChainedTable::is_unused(uint64_t entry) const {
  return std::any_of(cursors_.begin(), cursors_.end(),
                     [&](const Cursor& cursor) { return entry >= cursor.next && entry < cursor.end; });
}

void ChainedTable::link_again() {
  buckets_ = limit_;
  std::memset(static_cast<void*>(heads_), 0, buckets_ * sizeof(Link));
  for (uint64_t i = 0; i < used_; ++i) {
    if (is_unused(i)) continue;
    const uint64_t hash = hash_bytes(key(i), key_bytes_);
    Link& head = heads_[bucket(hash)];
    links_[i].store(head.load(std::memory_order_relaxed), std::memory_order_relaxed);
    head.store(tag(hash) | static_cast<uint32_t>(i + 1), std::memory_order_relaxed);
  }
}

uint32_t ChainedTable::find(uint32_t link, uint32_t until, const uint8_t* wanted, uint64_t hash) const {
  const uint32_t wanted_tag = tag(hash);
  while (link != until) {
    const uint32_t entry = number(link);
    if ((link & ~number_mask_) == wanted_tag && equal_bytes(key(entry), wanted, key_bytes_)) return entry;
    link = links_[entry].load(std::memory_order_relaxed);
  }
  return kNone;
}

// Whether the thread has an entry at cursor.next.
bool ChainedTable::take_entry(Cursor& cursor) {
  if (cursor.next < cursor.end) return true;
  const uint64_t begin = used_.fetch_add(chunk_, std::memory_order_relaxed);
  if (begin >= limit_) return false;
  cursor.next = begin;
  cursor.end = std::min(begin + chunk_, limit_);
  return true;
}

Outcome ChainedTable::add_one(Cursor& cursor, const uint8_t* wanted, uint64_t hash, uint8_t label) {
  Link& head = heads_[bucket(hash)];
  uint32_t first = head.load(std::memory_order_acquire);
  if (find(first, 0, wanted, hash) != kNone) return Outcome::seen;
  if (!take_entry(cursor)) return Outcome::full;
  const uint64_t entry = cursor.next;
  copy_bytes(key(entry), wanted, key_bytes_);
  marks_[entry] = static_cast<uint8_t>(kCandidate + label);
  const uint32_t own = tag(hash) | static_cast<uint32_t>(entry + 1);
  while (true) {
    links_[entry].store(first, std::memory_order_relaxed);
    const uint32_t seen = first;
    if (head.compare_exchange_strong(first, own, std::memory_order_acq_rel, std::memory_order_acquire)) break;
    if (find(first, seen, wanted, hash) != kNone) return Outcome::seen;
  }
  ++cursor.next;
  ++cursor.added;
  return Outcome::fresh;
}

InsertCounts ChainedTable::add(unsigned thread, const Keys& keys, uint8_t label, Outcome* outcomes) {
  InsertCounts counts;
  Cursor& cursor = cursors_[thread];
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(&heads_[bucket(keys.hashes[i])], 1);
    for (uint64_t i = begin; i < end; ++i) {
      const uint32_t link = heads_[bucket(keys.hashes[i])].load(std::memory_order_relaxed);
      if (link == 0) continue;
      __builtin_prefetch(key(number(link)));
      __builtin_prefetch(&links_[number(link)]);
    }
    for (uint64_t i = begin; i < end; ++i) {
      const Outcome outcome = add_one(cursor, keys.key(i), keys.hashes[i], label);
      counts.count(outcome);
      if (outcomes != nullptr) outcomes[i] = outcome;
    }
  }
  return counts;
}

bool ChainedTable::load(unsigned thread, const Keys& keys) {
  Cursor& cursor = cursors_[thread];
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(&heads_[bucket(keys.hashes[i])], 1);
    for (uint64_t i = begin; i < end; ++i) {
      if (!take_entry(cursor)) return false;
      const uint64_t entry = cursor.next++;
      ++cursor.added;
      copy_bytes(key(entry), keys.key(i), key_bytes_);
      marks_[entry] = kCandidate;
      const uint32_t own = tag(keys.hashes[i]) | static_cast<uint32_t>(entry + 1);
      Link& head = heads_[bucket(keys.hashes[i])];
      links_[entry].store(head.exchange(own, std::memory_order_acq_rel), std::memory_order_relaxed);
    }
  }
  return true;
}

// Calls action(i, entry) for each key i; entry is kNone where it is not in the table.
template <class Action>
void ChainedTable::for_each_found(const Keys& keys, const Action& action) {
  for (uint64_t begin = 0; begin < keys.count; begin += kKeysAhead) {
    const uint64_t end = std::min(keys.count, begin + kKeysAhead);
    uint32_t links[kKeysAhead];
    for (uint64_t i = begin; i < end; ++i) __builtin_prefetch(&heads_[bucket(keys.hashes[i])]);
    for (uint64_t i = begin; i < end; ++i) {
      links[i - begin] = heads_[bucket(keys.hashes[i])].load(std::memory_order_relaxed);
      if (links[i - begin] != 0) __builtin_prefetch(&links_[number(links[i - begin])]);
    }
    for (uint64_t i = begin; i < end; ++i) {
      action(i, links[i - begin] == 0 ? kNone : find(links[i - begin], 0, keys.key(i), keys.hashes[i]));
    }
  }
}

void ChainedTable::erase(const Keys& keys, uint64_t* by_label) {
  for_each_found(keys, [&](uint64_t, uint32_t entry) {
    if (entry == kNone) return;
    const uint8_t mark = std::atomic_ref(marks_[entry]).exchange(kErased, std::memory_order_relaxed);
    if (mark >= kCandidate && by_label != nullptr) ++by_label[mark - kCandidate];
  });
}

uint64_t ChainedTable::take(const Keys& keys, uint8_t* taken) {
  uint64_t count = 0;
  for_each_found(keys, [&](uint64_t i, uint32_t entry) {
    taken[i] = 0;
    if (entry == kNone) return;
    const std::atomic_ref mark(marks_[entry]);
    // Only candidates change, and only once: an exchange of what is not one would lose that it was erased.
    uint8_t found = mark.load(std::memory_order_relaxed);
    taken[i] = found >= kCandidate && mark.compare_exchange_strong(found, kTaken, std::memory_order_relaxed);
    count += taken[i];
  });
  return count;
}

std::string ChainedTable::check_invariants() const {
  InvariantCheck check("ChainedTable");
  const uint64_t used = std::min(used_.load(), limit_);
  std::vector<uint8_t> linked(used);
  uint64_t count = 0;
  for (uint64_t b = 0; b < buckets_ && check.ok(); ++b) {
    for (uint32_t link = heads_[b]; link != 0 && check.ok();) {
      const uint64_t entry = number(link);
      check.holds(1, entry < used && !is_unused(entry), "a link leads to an entry that is in use", b);
      if (!check.ok()) break;
      check.holds(1, linked[entry]++ == 0, "an entry is in one chain", entry);
      const uint64_t hash = hash_bytes(key(entry), key_bytes_);
      check.holds(1, bucket(hash) == b, "an entry is in the chain of its hash", entry);
      check.holds(2, (link & ~number_mask_) == tag(hash), "a link has the tag of its entry", entry);
      check.holds(4, marks_[entry] >= kErased, "an entry is marked", entry);
      link = links_[entry];
      if (check.ok())
        check.holds(3, find(link, 0, key(entry), hash) == kNone, "no two entries have equal keys", entry);
      ++count;
    }
  }
  for (uint64_t i = 0; i < used && check.ok(); ++i)
    check.holds(1, linked[i] != 0 || is_unused(i), "an entry that is in use is in a chain", i);
  check.holds(1, count == size(), "the threads have added the entries in chains");
  return check.broken();
}

}  // namespace strata
