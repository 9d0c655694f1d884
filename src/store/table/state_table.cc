#include "store/table/state_table.h"

#include <utility>

#include "base/checks.h"
#include "store/table/batch_inserter.h"
#include "store/table/state_access.h"
#include "store/table/table_place_finder.h"

namespace strata {

namespace {

template <unsigned kBytes>
std::unique_ptr<Inserter> make_inserter(StateTable& table) {
  return std::make_unique<BatchInserter<StateAccess<kBytes>>>(table);
}

using InserterFactory = std::unique_ptr<Inserter> (*)(StateTable&);

// One factory for each size of state that is worth code of its own.
#ifndef STRATA_SPECIAL_SIZES
#define STRATA_SPECIAL_SIZES 24  // sanitizer builds set fewer, because each takes time to compile
#endif
constexpr unsigned kLargestSpecial = STRATA_SPECIAL_SIZES;

template <unsigned... kSizes>
InserterFactory factory_for(uint64_t state_bytes, std::integer_sequence<unsigned, kSizes...>) {
  static constexpr InserterFactory kFactories[] = {make_inserter<kSizes>...};
  return state_bytes <= kLargestSpecial ? kFactories[state_bytes] : kFactories[0];
}

template <unsigned kBytes>
std::unique_ptr<PlaceFinder> make_place_finder(StateTable& table) {
  return std::make_unique<TablePlaceFinder<kBytes>>(table);
}

using PlaceFinderFactory = std::unique_ptr<PlaceFinder> (*)(StateTable&);

template <unsigned... kSizes>
PlaceFinderFactory place_finder_for(uint64_t state_bytes, std::integer_sequence<unsigned, kSizes...>) {
  static constexpr PlaceFinderFactory kFactories[] = {make_place_finder<kSizes>...};
  return state_bytes <= kLargestSpecial ? kFactories[state_bytes] : kFactories[0];
}

}  // namespace

Result<std::unique_ptr<StateTable>> StateTable::create(uint64_t state_bytes, unsigned threads,
                                                       MemoryBudget& budget) {
  return create(TableSizes::of(state_bytes, threads, budget.limit()), budget);
}

Result<std::unique_ptr<StateTable>> StateTable::create(const TableSizes& sizes, MemoryBudget& budget) {
  Result<MemoryMap> memory = sizes.reserve(budget);
  if (!memory.ok()) return memory.status();
  return std::unique_ptr<StateTable>(new StateTable(sizes, std::move(*memory), budget));
}

StateTable::StateTable(const TableSizes& sizes, MemoryMap memory, MemoryBudget& budget)
    : sizes_(sizes),
      plan_(sizes.shards),
      budget_(budget),
      arena_(std::move(memory), sizes.small_bytes(), budget) {
  shards_ = std::make_unique<StateShard[]>(plan_.shards());
  for (uint64_t i = 0; i < plan_.shards(); ++i) shards_[i].attach(i, plan_, arena_);
}

StateTable::~StateTable() { budget_.release(sizes_.head_bytes()); }

uint64_t StateTable::size() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < plan_.shards(); ++i) sum += shards_[i].count();
  return sum;
}

std::string StateTable::check_invariants() const {
  InvariantCheck check("StateTable");
  check.part(arena_.check_invariants());
  for (uint64_t s = 0; s < shard_count() && check.ok(); ++s) {
    check.part(shards_[s].check_invariants());
    for (uint64_t i = 0; i < shard_size(s) && check.ok(); ++i)
      check.holds(1, plan_.shard_of(hash_bytes(state(s, i), state_bytes())) == s, "a state is in its shard",
                  i);
  }
  return check.broken();
}

std::unique_ptr<Inserter> StateTable::inserter() {
  if (!budget_.reserve(sizes_.inserter_bytes())) return nullptr;
  return factory_for(plan_.state_bytes, std::make_integer_sequence<unsigned, kLargestSpecial + 1>())(*this);
}

std::unique_ptr<PlaceFinder> StateTable::place_finder() {
  constexpr auto kSizes = std::make_integer_sequence<unsigned, kLargestSpecial + 1>();
  return place_finder_for(plan_.state_bytes, kSizes)(*this);
}

}  // namespace strata
