#include "store/record_table.h"

#include <bit>
#include <cstring>

namespace strata {

Result<std::unique_ptr<RecordTable>> RecordTable::create(uint64_t state_bytes, uint64_t payload_bytes,
                                                         unsigned threads, uint64_t bytes,
                                                         MemoryBudget& budget) {
  const uint64_t record = state_bytes + payload_bytes;
  // Both parts take whole pages, and short copies may touch some bytes behind a record.
  const uint64_t usable = bytes - std::min(bytes, 2 * kPageBytes + 64);
  const uint64_t most = std::min<uint64_t>(usable * 5 / (5 * record + 7 * sizeof(uint32_t)), 1u << 28);
  if (most < 2)
    return Status::limit("the memory budget has no room for the table of a partition; raise --memory");
  Result<TableMemory> records = TableMemory::create(most * record + 8, budget);
  if (!records.ok()) return records.status();
  Result<TableMemory> slots = TableMemory::create(slots_for(most) * sizeof(uint32_t), budget);
  if (!slots.ok()) return slots.status();
  return std::unique_ptr<RecordTable>(
      new RecordTable(state_bytes, payload_bytes, threads, most, std::move(*records), std::move(*slots)));
}

RecordTable::RecordTable(uint64_t state_bytes, uint64_t payload_bytes, unsigned threads, uint64_t most,
                         TableMemory records, TableMemory slots)
    : state_bytes_(state_bytes),
      record_bytes_(state_bytes + payload_bytes),
      most_(most),
      concurrent_(threads > 1),
      records_(std::move(records)),
      slots_(std::move(slots)),
      shards_(std::make_unique<Shard[]>(uint64_t{1} << 8)) {
  plan(std::min(kLeast, most_));
}

// Shards of a thousand records and more fill evenly enough; more of them than some dozens for each thread gain nothing.
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

void RecordTable::enter(uint64_t hash, uint64_t place) {
  const uint64_t mixed = mix(hash);
  uint32_t* const own = slots(shard_of(mixed));
  uint64_t at = home(mixed);
  while (load(own + at) != 0) at = at + 1 == shard_slots_ ? 0 : at + 1;
  __atomic_store_n(own + at, tag(hash) | static_cast<uint32_t>(place + 1), __ATOMIC_RELAXED);
}

void RecordTable::fill_slots() {
  std::memset(slots_.data(), 0, (shard_slots_ << shard_bits_) * sizeof(uint32_t));
  uint64_t hashes[kBlock];
  const uint64_t count = size();
  for (uint64_t begin = 0; begin < count; begin += kBlock) {
    const uint64_t end = std::min(begin + kBlock, count);
    for (uint64_t i = begin; i < end; ++i) {
      hashes[i - begin] = hash_bytes(record(i), state_bytes_);
      const uint64_t mixed = mix(hashes[i - begin]);
      __builtin_prefetch(slots(shard_of(mixed)) + home(mixed), 1);
    }
    for (uint64_t i = begin; i < end; ++i) enter(hashes[i - begin], i);
  }
}

}  // namespace strata
