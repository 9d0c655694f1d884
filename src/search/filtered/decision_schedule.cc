#include "search/filtered/decision_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace strata {

void DecisionSchedule::serialize(Image& image) {
  image.value("late", late_);
  image.value("excess", excess_);
}

void DecisionSchedule::tell_phase() {
  run_.phase(fmt::format("deciding {} waiting states", waiting_.count()));
}

void DecisionSchedule::make_room(uint64_t level) {
  // To make the filter again takes as long as to decide, and a decision of all does both.
  if (keeper_.is_crowded()) keeper_.tolerate_crowding();
  finish_round();
  if (keeper_.better_filter(Outlook::goes_on, 0) > 0) return decide(level);
  if (is_full() && !begin_round(level)) decide(level);
}

// False: rounds are not allowed, or there is no room for the table.
bool DecisionSchedule::begin_round(uint64_t level) {
  const uint64_t table = background_.table_bytes();
  if (!in_background_ || table > keeper_.cache_memory().bytes / 8 * 7) return false;
  round_limit_ = waiting_.count();
  keeper_.sieve().reserve(table);
  const StateSieve::Memory memory = keeper_.sieve().reserved_memory();
  if (Status status = background_.begin(memory.data, memory.bytes); !status.ok()) run_.fail(status);
  round_ = excess_.since(level);
  return true;
}

void DecisionSchedule::finish_round() {
  if (!background_.active()) return;
  tell_phase();
  background_.finish();
  note_found();
}

void DecisionSchedule::pause_round() {
  background_.pause();
  note_found();
}

void DecisionSchedule::cancel_round() {
  background_.cancel();
  note_found();
}

void DecisionSchedule::note_found() {
  if (const uint64_t found = background_.found() - std::exchange(found_, background_.found()); found > 0) {
    late_ += found;
    excess_.note_late(visited_.levels());
  }
  if (background_.active() || background_.rounds() == std::exchange(rounds_, background_.rounds())) return;
  keeper_.sieve().reserve(0);
  excess_.begin_waiting(round_);
}

// In memory of the cache, which then learns again what it has forgotten.
void DecisionSchedule::decide(uint64_t level, Outlook outlook) {
  if (waiting_.count() == 0 || run_.halted()) return;
  sweeps_ = false;
  tell_phase();
  cancel_round();
  StateSieve& sieve = keeper_.sieve();
  const bool had_table = sieve.reserved_memory().bytes > 0;
  if (had_table) sieve.reserve(0);
  const uint64_t needed = decider_.table_bytes();
  const bool divided = keeper_.divide(outlook, needed);
  // Twice as much as is needed, if there is as much: so large a table is fast.
  const StateSieve::Memory memory = sieve.cache_memory();
  const uint64_t lent = std::min(memory.bytes, 2 * needed);
  const uint64_t before = visited_.states(), levels = visited_.levels();
  const bool dropped = decider_.dropped();
  const LevelMarks::Row ends = visited_.ends();
  const Decider::Learn learn = divided ? keeper_.learn() : nullptr;
  if (Status status = decider_.decide(memory.data, lent, learn); !status.ok()) return run_.fail(status);
  if (run_.halted()) return;
  const uint64_t forgotten = sieve.forget(dropped ? sieve.bytes() : lent);
  if (divided) keeper_.teach_rest(ends, decider_);
  keeper_.teach_recent(divided || had_table ? visited_.partitions() : forgotten);
  if (visited_.states() > before) {
    late_ += visited_.states() - before;
    excess_.note_late(std::max(levels, visited_.levels() - 1));
  }
  excess_.begin_waiting(level);
}

void DecisionSchedule::begin_sweeps(uint64_t level, const Decider::Expand& expand,
                                    const std::function<void()>& forget) {
  if (sweeps_) return;
  if (!keeper_.is_precise()) {
    decider_.look_ahead(keeper_.cache_memory().bytes, expand);
    if (decider_.dropped()) forget();
  }
  decide(level, Outlook::ends);
  sweeps_ = true;
}

void DecisionSchedule::sweep() {
  tell_phase();
  const StateSieve::Memory memory = keeper_.cache_memory();
  const uint64_t lent = std::min(memory.bytes, 2 * decider_.table_bytes());
  const uint64_t before = visited_.states(), levels = visited_.levels();
  const Result<uint64_t> next = decider_.decide_some(next_, memory.data, lent);
  if (!next.ok()) return run_.fail(next.status());
  next_ = *next;
  keeper_.sieve().forget(lent);
  if (visited_.states() == before) return;
  late_ += visited_.states() - before;
  excess_.note_late(levels);
}

}  // namespace strata
