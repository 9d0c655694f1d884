#include "search/filtered/sieve_keeper.h"

#include <algorithm>
#include <utility>

namespace strata {

namespace {

// Bits of the filter for each state below which it is crowded, and those for which it is made at least.
constexpr uint64_t kCrowdedBits = 6, kExpectedBits = 12;
// With this many bits for each state next to no new state is found late, and nothing is gained by looking ahead.
constexpr uint64_t kPreciseBits = 12;
// By how much the number of states may grow before the filter is made again.
constexpr uint64_t kFilterGrowth = 2;

}  // namespace

Status SieveKeeper::make(unsigned partition_bits, uint64_t bytes, uint64_t filter_bytes, uint64_t visited) {
  auto sieve = StateSieve::create(run_.key_bytes(), partition_bits, bytes, filter_bytes, run_.budget);
  if (!sieve.ok()) return sieve.status();
  sieve_ = std::move(*sieve);
  sieve_->expect(expected_states(Outlook::goes_on, visited));
  return {};
}

bool SieveKeeper::is_precise() const { return sieve_->filter_bits() / kPreciseBits >= visited_.states(); }

// How many states the filter is for.
uint64_t SieveKeeper::expected_states(Outlook outlook, uint64_t visited) const {
  return outlook == Outlook::ends ? visited
                                  : std::max(kFilterGrowth * visited, sieve_->filter_bits() / kExpectedBits);
}

uint64_t SieveKeeper::better_filter(Outlook outlook, uint64_t for_table) const {
  const uint64_t all = sieve_->bytes(), has = sieve_->filter_bytes(), visited = visited_.states();
  if (is_precise() && sieve_->cache_memory().bytes >= for_table) return 0;
  const uint64_t wanted = std::min(filter_bytes(all, visited, outlook), all - std::min(all, for_table));
  // At the end the filter is made for the last time, and few states are left for the cache.
  const uint64_t tolerated = outlook == Outlook::ends ? has / 10 : has / 4;
  const bool fits = wanted <= has + tolerated && wanted >= has / 4 * 3;
  return fits && !sieve_->is_overfull(expected_states(outlook, visited)) ? 0 : wanted;
}

bool SieveKeeper::divide(Outlook outlook, uint64_t for_table) {
  const uint64_t wanted = better_filter(outlook, for_table);
  if (wanted == 0) return false;
  sieve_->divide(wanted);
  sieve_->expect(expected_states(outlook, visited_.states()));
  return true;
}

void SieveKeeper::note_crowded() {
  const uint64_t most = sieve_->filter_bits() / kCrowdedBits;
  crowded_ = most > visited_.states() ? most : UINT64_MAX;
}

void SieveKeeper::teach_all() {
  run_.phase("reading visited states");
  teach(waiting_.ranges(), DiskRun::Records::states, 0);
  teach_visited(visited_.partitions(), true);
  note_crowded();
}

Decider::Learn SieveKeeper::learn() {
  return [this](unsigned thread, uint64_t partition, const Keys& keys) {
    sieve_->learn(keys, visited_.batch(thread).whole(partition, keys), false);
  };
}

void SieveKeeper::teach_rest(const LevelMarks::Row& ends, const Decider& decider) {
  std::vector<LogRange> ranges;
  for (uint64_t p = 0; p < visited_.partitions(); ++p) {
    StateLog& keys = visited_[p].keys();
    ranges.push_back({&keys, decider.learned(p) ? ends[p] : 0, keys.size(), p});
  }
  teach(std::move(ranges), DiskRun::Records::keys, 0);
  note_crowded();
}

// The cache learns the last states of the first partitions; the filter all of them, if asked to.
void SieveKeeper::teach_visited(uint64_t partitions, bool all) {
  std::vector<LogRange> ranges;
  const uint64_t recent = sieve_->recent_states() / visited_.partitions();
  for (uint64_t p = 0; p < partitions; ++p) {
    StateLog& keys = visited_[p].keys();
    ranges.push_back({&keys, all ? 0 : keys.size() - std::min(keys.size(), recent), keys.size(), p});
  }
  teach(std::move(ranges), DiskRun::Records::keys, recent);
}

// The filter learns the records of some ranges, and the cache the last `recent` records of each.
void SieveKeeper::teach(std::vector<LogRange> ranges, DiskRun::Records records, uint64_t recent) {
  run_.read_keys(
      std::move(ranges), records, &TimeShares::insert,
      [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
        OrderedBatch& batch = visited_.batch(worker.base.number);
        sieve_->learn(piece.keys, batch.whole(piece.range.label, piece.keys),
                      recent > 0 && piece.first + recent >= piece.range.end);
        return {};
      },
      DiskRun::Sharing::ranges);
}

}  // namespace strata
