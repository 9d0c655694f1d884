#include "store/compact/compact_table.h"

#include <utility>

#include "base/checks.h"
#include "store/compact/short_key.h"
#include "store/table/batch_inserter.h"

namespace strata {

// How a BatchInserter comes to the keys of a CompactTable.
template <unsigned kBytes>
class CompactAccess {
 public:
  using Table = CompactTable;
  using Bytes = StateBytes<kBytes>;
  static constexpr uint64_t kBlock = CompactShard::kBlock;
  using Found = CompactShard::Places;

  explicit CompactAccess(CompactTable& table) : table_(table) {}

  MemoryBudget& budget() const { return table_.budget_; }
  uint64_t item(const uint8_t* state) const { return load_key(state, kBytes); }
  uint64_t hash(uint64_t key) const { return table_.plan_.hash(key); }
  uint64_t shard_of(uint64_t key, uint64_t hash) const { return table_.plan_.shard_of(key, hash); }
  CompactShard& shard(uint64_t number) const { return table_.shards_[number]; }

  // The layout may be changing while the lock is not held.
  void fetch(uint64_t, const uint64_t*, uint64_t) const {}
  void find(const ShardGroup& some, Found& found) const {
    shard(some.shard).find(some.items, some.count, found);
  }
  template <class F>
  void insert(const ShardGroup& some, const Found& found, const F& outcome) const {
    shard(some.shard).insert(some.items, some.count, found, outcome);
  }

 private:
  CompactTable& table_;
};

namespace {

template <unsigned kBytes>
std::unique_ptr<Inserter> make_inserter(CompactTable& table) {
  return std::make_unique<BatchInserter<CompactAccess<kBytes>>>(table);
}

}  // namespace

TableSizes CompactTable::sizes_for(uint64_t key_bytes, unsigned threads, uint64_t memory) {
  TableSizes sizes = TableSizes::of(key_bytes, threads, memory);
  sizes.shard_head = sizeof(CompactShard);
  return sizes;
}

Result<std::unique_ptr<CompactTable>> CompactTable::create(const TableSizes& sizes, MemoryBudget& budget) {
  Result<MemoryMap> memory = sizes.reserve(budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<CompactTable>(new CompactTable(sizes, std::move(*memory), budget));
}

CompactTable::CompactTable(const TableSizes& sizes, MemoryMap memory, MemoryBudget& budget)
    : sizes_(sizes),
      plan_{sizes.shards},
      budget_(budget),
      arena_(std::move(memory), sizes.small_bytes(), budget) {
  shards_ = std::make_unique<CompactShard[]>(plan_.shards.shards());
  for (uint64_t i = 0; i < plan_.shards.shards(); ++i) shards_[i].attach(i, plan_, arena_);
}

CompactTable::~CompactTable() { budget_.release(sizes_.head_bytes()); }

uint64_t CompactTable::size() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < shard_count(); ++i) sum += shards_[i].count();
  return sum;
}

std::string CompactTable::check_invariants() const {
  InvariantCheck check("CompactTable");
  check.part(arena_.check_invariants());
  for (uint64_t i = 0; i < shard_count() && check.ok(); ++i) check.part(shards_[i].check_invariants());
  return check.broken();
}

void CompactTable::begin_level(uint64_t level, const std::vector<uint64_t>& done) {
  plan_.level = level;
  for (uint64_t i = 0; i < shard_count(); ++i) shards_[i].drop_before(done[i]);
}

std::unique_ptr<Inserter> CompactTable::inserter() {
  if (!budget_.reserve(sizes_.inserter_bytes())) return nullptr;
  using Factory = std::unique_ptr<Inserter> (*)(CompactTable&);
  static constexpr Factory kFactories[] = {make_inserter<1>, make_inserter<2>, make_inserter<3>,
                                           make_inserter<4>, make_inserter<5>, make_inserter<6>,
                                           make_inserter<7>, make_inserter<8>};
  return kFactories[state_bytes() - 1](*this);
}

}  // namespace strata
