#include "store/set/candidate_set.h"

#include "store/set/chained_table.h"
#include "store/set/open_table.h"

namespace strata {

Result<std::unique_ptr<CandidateSet>> make_candidate_set(TableKind kind, uint64_t key_bytes, unsigned threads,
                                                         uint64_t bytes, MemoryBudget& budget) {
  return kind == TableKind::chained ? ChainedTable::create(key_bytes, threads, bytes, budget)
                                    : OpenTable::create(key_bytes, threads, bytes, budget);
}

uint64_t least_candidate_set_bytes(TableKind kind, uint64_t key_bytes, unsigned threads) {
  return kind == TableKind::chained ? ChainedTable::least_bytes(key_bytes, threads)
                                    : OpenTable::least_bytes(key_bytes, threads);
}

}  // namespace strata
