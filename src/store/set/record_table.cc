#include "store/set/record_table.h"

#include <bit>
#include <cstring>

namespace strata {

namespace {

// Short copies may touch some bytes behind the last record.
constexpr uint64_t kBehind = 128;
constexpr uint64_t kLeastRecords = 2;

// Of five records, with seven slots and five numbers of the list.
uint64_t bytes_of_five(uint64_t record_bytes) { return 5 * record_bytes + 12 * sizeof(uint32_t); }

}  // namespace

uint64_t RecordTable::least_bytes(uint64_t state_bytes, uint64_t payload_bytes) {
  return round_up(kBehind + (kLeastRecords * bytes_of_five(state_bytes + payload_bytes) + 4) / 5, kPageBytes);
}

Result<std::unique_ptr<RecordTable>> RecordTable::create(uint64_t state_bytes, uint64_t payload_bytes,
                                                         unsigned threads, uint64_t bytes,
                                                         MemoryBudget& budget) {
  const uint64_t usable = round_down(bytes, kPageBytes);
  const uint64_t most = std::min<uint64_t>(
      (usable - std::min(usable, kBehind)) * 5 / bytes_of_five(state_bytes + payload_bytes), 1u << 28);
  if (most < kLeastRecords)
    return Status::limit("the memory budget has no room for the table of a partition; raise --memory");
  Result<TableMemory> memory = TableMemory::create(usable, budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<RecordTable>(
      new RecordTable(state_bytes, payload_bytes, threads, most, std::move(*memory)));
}

RecordTable::RecordTable(uint64_t state_bytes, uint64_t payload_bytes, unsigned threads, uint64_t most,
                         TableMemory memory)
    : state_bytes_(state_bytes),
      record_bytes_(state_bytes + payload_bytes),
      most_(most),
      concurrent_(threads > 1),
      memory_(std::move(memory)),
      slots_(reinterpret_cast<uint32_t*>(memory_.data() + round_up(most * record_bytes_ + 8, 4))),
      list_(slots_ + slots_for(most)),
      shards_(std::make_unique<Shard[]>(uint64_t{1} << 8)) {
  plan(std::min(kLeast, most_));
}

// Shards of a thousand records and more fill evenly enough; more than some dozens of shards for each thread gain
// nothing.
void RecordTable::plan(uint64_t capacity) {
  capacity_ = capacity;
  const uint64_t shards = std::clamp<uint64_t>(std::bit_floor(capacity / 1024 + 1), 1, 256);
  shard_bits_ = static_cast<unsigned>(std::countr_zero(shards));
  shard_slots_ = slots_for(capacity) / shards;
  place_bits_ = static_cast<unsigned>(std::bit_width(capacity));
  fill_slots();
}

void RecordTable::clear() {
  next_ = 0;
  fill_slots();
}

bool RecordTable::grow(uint64_t records) {
  const uint64_t capacity = std::min(records, most_);
  if (capacity <= capacity_) return false;
  next_ = size();
  plan(capacity);
  return true;
}

uint64_t RecordTable::append(const uint8_t* records, uint64_t n) {
  const uint64_t first = next_.fetch_add(n, std::memory_order_relaxed);
  if (first + n > capacity_) return kNoRoom;
  std::memcpy(record(first), records, n * record_bytes_);
  enter_all(first, first + n);
  return first;
}

// Other threads may enter other records.
void RecordTable::enter(uint64_t hash, uint64_t place) {
  const uint64_t mixed = mix(hash);
  uint32_t* const own = slots(shard_of(mixed));
  const uint32_t wanted = tag(hash) | static_cast<uint32_t>(place + 1);
  uint64_t at = home(mixed);
  while (true) {
    uint32_t empty = 0;
    if (load(own + at) == 0 &&
        __atomic_compare_exchange_n(own + at, &empty, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    at = at + 1 == shard_slots_ ? 0 : at + 1;
  }
}

void RecordTable::enter_all(uint64_t first, uint64_t last) {
  uint64_t hashes[kBlock];
  for (uint64_t begin = first; begin < last; begin += kBlock) {
    const uint64_t end = std::min(begin + kBlock, last);
    for (uint64_t i = begin; i < end; ++i) {
      hashes[i - begin] = hash_bytes(record(i), state_bytes_);
      const uint64_t mixed = mix(hashes[i - begin]);
      __builtin_prefetch(slots(shard_of(mixed)) + home(mixed), 1);
    }
    for (uint64_t i = begin; i < end; ++i) enter(hashes[i - begin], i);
  }
}

void RecordTable::fill_slots() {
  std::memset(slots_, 0, (shard_slots_ << shard_bits_) * sizeof(uint32_t));
  enter_all(0, size());
}

std::string RecordTable::check_invariants() const {
  InvariantCheck check("RecordTable");
  uint64_t used = 0;
  for (uint64_t i = 0; i < shard_slots_ << shard_bits_; ++i) used += slots_[i] != 0;
  check.holds(1, used == size(), "there are as many slots in use as records");
  const uint32_t place_mask = (1u << place_bits_) - 1;
  for (uint64_t place = 0; place < size() && check.ok(); ++place) {
    const uint64_t hash = hash_bytes(record(place), state_bytes_), mixed = mix(hash);
    const uint32_t* const own = slots(shard_of(mixed));
    const uint32_t wanted = tag(hash) | static_cast<uint32_t>(place + 1);
    uint64_t at = home(mixed), probes = 0;
    for (; own[at] != wanted && own[at] != 0 && probes < shard_slots_; ++probes) {
      const uint64_t other = (own[at] & place_mask) - 1;
      check.holds(1, other < size(), "a slot names a record", place);
      if (!check.ok()) return check.broken();
      check.holds(2, !equal_bytes(record(other), record(place), state_bytes_), "all states differ", place);
      at = at + 1 == shard_slots_ ? 0 : at + 1;
    }
    check.holds(1, own[at] == wanted, "a search finds a record before an empty slot", place);
  }
  return check.broken();
}

}  // namespace strata
