#include "store/table/state_table.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "store/table/table_inserter.h"
#include "store/table/table_place_finder.h"

namespace strata {

namespace {

// A shard is meant for at most this many states: 26 bits of an entry number them, 6 are left for the tag.
constexpr uint64_t kShardStates = 1ull << 25;

// The size of a shard's pieces, at most.
constexpr uint64_t kPieceBytes = 16 << 10;

// How much each shard may have, on average, before memory is taken in huge pages.
constexpr uint64_t kSmallShare = 2 * kPieceBytes;

uint64_t choose_shards(uint64_t state_bytes, unsigned threads, uint64_t budget) {
  const uint64_t states = budget / (state_bytes + 4) + 1;
  const uint64_t for_size = std::bit_ceil(states / kShardStates + 1);
  const uint64_t for_threads = std::bit_ceil(uint64_t{16} * threads);
  // A shard occupies two pieces at least; a small budget is not to be spent on those.
  const uint64_t affordable = std::bit_floor(std::max<uint64_t>(budget / (128 * kPieceBytes), 1));
  return std::min({std::max({for_size, for_threads, uint64_t{32}}), affordable, uint64_t{4096}});
}

ShardPlan make_plan(uint64_t state_bytes, unsigned threads, uint64_t budget) {
  ShardPlan plan;
  plan.state_bytes = state_bytes;
  plan.shard_bits = static_cast<unsigned>(std::countr_zero(choose_shards(state_bytes, threads, budget)));
  const uint64_t piece = std::bit_floor(std::clamp<uint64_t>(budget / plan.shards() / 32, 1024, kPieceBytes));
  plan.array_bits = static_cast<unsigned>(std::bit_width(std::max<uint64_t>(piece / state_bytes, 1)) - 1);
  plan.bucket_bits = static_cast<unsigned>(std::bit_width(piece / sizeof(IndexBucket)) - 1);
  return plan;
}

template <unsigned kBytes>
std::unique_ptr<Inserter> make_inserter(StateTable& table) {
  return std::make_unique<TableInserter<kBytes>>(table);
}

using InserterFactory = std::unique_ptr<Inserter> (*)(StateTable&);

// One factory for each size of state that is worth code of its own.
#ifndef STRATA_SPECIAL_SIZES
#define STRATA_SPECIAL_SIZES 24  // the sanitizer builds make fewer, to be built sooner
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
  const ShardPlan plan = make_plan(state_bytes, threads, budget.limit());
  if (!budget.reserve(plan.shards() * sizeof(StateShard))) {
    return Status::limit("the memory budget is too small for a table of states; raise --memory");
  }
  Result<MemoryMap> memory = MemoryMap::reserve(budget.limit() + kHugePageBytes);
  if (!memory.ok()) {
    budget.release(plan.shards() * sizeof(StateShard));
    return memory.status();
  }
  return std::unique_ptr<StateTable>(new StateTable(plan, threads, std::move(*memory), budget));
}

StateTable::StateTable(const ShardPlan& plan, unsigned threads, MemoryMap memory, MemoryBudget& budget)
    : plan_(plan),
      concurrent_(threads > 1),
      budget_(budget),
      arena_(std::move(memory), plan.shards() * kSmallShare, budget) {
  // Some dozens of states for each shard, so that its lock and its pages are used for more than one; less only where
  // the batch's own buffers would be felt in the budget.
  const uint64_t wanted = std::max<uint64_t>(4096, 32 * plan_.shards());
  const uint64_t affordable = budget.limit() / 128 / (2 * plan_.state_bytes + 64) / threads;
  batch_size_ = std::max<uint64_t>(std::min(wanted, affordable), 16);
  const uint64_t recent_bytes = std::clamp<uint64_t>(budget.limit() / 128 / threads, 1 << 10, 512 << 10);
  recent_states_ = std::bit_floor(std::max<uint64_t>(recent_bytes / (plan_.state_bytes + 4), 1));
  shards_ = std::make_unique<StateShard[]>(plan_.shards());
  for (uint64_t i = 0; i < plan_.shards(); ++i) shards_[i].attach(i, plan_, arena_);
  charged_ = plan_.shards() * sizeof(StateShard);
}

StateTable::~StateTable() { budget_.release(charged_); }

uint64_t StateTable::size() const {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < plan_.shards(); ++i) sum += shards_[i].count();
  return sum;
}

std::unique_ptr<Inserter> StateTable::inserter() {
  if (!budget_.reserve(inserter_bytes(*this))) return nullptr;
  return factory_for(plan_.state_bytes, std::make_integer_sequence<unsigned, kLargestSpecial + 1>())(*this);
}

std::unique_ptr<PlaceFinder> StateTable::place_finder() {
  constexpr auto kSizes = std::make_integer_sequence<unsigned, kLargestSpecial + 1>();
  return place_finder_for(plan_.state_bytes, kSizes)(*this);
}

}  // namespace strata
