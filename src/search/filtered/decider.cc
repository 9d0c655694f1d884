// How FilteredSearch decides which of its waiting states are new, and what it makes wait before that.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "search/filtered/filtered_search.h"

namespace strata {

namespace {

// A table for so many states is in the second-level cache.
constexpr uint64_t kFastTable = 1 << 15;

}  // namespace

uint64_t FilteredSearch::waiting_limit() const {
  const uint64_t visited = visited_.load(std::memory_order_relaxed);
  // Rather so few that each partition's waiting states fit into the table at once.
  const uint64_t table = capacity(WaitingSet::Labels::none), at_once = table * partitions_.size() / 10 * 9;
  return std::max(table, std::clamp(at_once, visited / 4, visited / 2 + 1));
}

// Of a table in the memory of the sieve's cache.
uint64_t FilteredSearch::capacity(WaitingSet::Labels labels) const {
  return WaitingSet::capacity(run_.key_bytes(), labels, sieve_->cache_memory().bytes);
}

// The states of W that came in one generation, of some partitions; the first generation is all that waited before anything
// was looked ahead.
std::vector<LogRange> FilteredSearch::waiting_ranges(uint64_t generation, uint64_t first,
                                                     uint64_t end) const {
  std::vector<LogRange> ranges;
  for (uint64_t p = first; p < end; ++p) {
    const uint64_t begin = generation == 0 ? 0 : generations_[generation - 1][p];
    const uint64_t last = generations_[generation][p];
    if (begin < last) ranges.push_back({partitions_[p].waiting.get(), begin, last, p});
  }
  return ranges;
}

void FilteredSearch::look_ahead() {
  // To expand a state takes as long as to read some dozens.
  const uint64_t room = capacity(WaitingSet::Labels::bytes), all = partitions_.size();
  const uint64_t most = std::min(room * all / 4, std::max<uint64_t>(visited_ / 64, 1024));
  const auto note_generation = [&] {
    LevelMarks::Row& row = generations_.emplace_back();
    for (const Partition& partition : partitions_) row.push_back(partition.waiting->size());
  };
  if (waiting_ > most || !run_.mode().exact()) return;
  note_generation();
  if (std::ranges::max(generations_.back()) > room) return generations_.clear();
  uint64_t before = 0;
  while (before < waiting_ && waiting_ <= most && generations_.size() < UINT8_MAX && !run_.halted()) {
    before = waiting_;
    expand_waiting(waiting_ranges(generations_.size() - 1, 0, all));
    note_generation();
  }
  // What is more than the table takes is dropped, and will be found again if it is new; so nobody may call it met.
  while (std::ranges::max(generations_.back()) > room) {
    generations_.pop_back();
    dropped_ = true;
  }
  waiting_ = std::accumulate(generations_.back().begin(), generations_.back().end(), uint64_t{0});
  if (!dropped_) return;
  for (auto& thread : threads_) thread->latest.clear();
}

// Makes successors wait, without checking the states or counting what is fired: what is new is expanded in its turn.
void FilteredSearch::expand_waiting(const std::vector<LogRange>& waiting) {
  const uint64_t bytes = run_.state_bytes();
  run_.read(waiting, [&](DiskWorker& worker, const StateScan::Span& span) -> Status {
    Expansion& out = worker.base.out;
    const bool checks = std::exchange(out.check_properties, false);
    const auto put = std::exchange(out.put, nullptr);
    for (uint64_t done = 0; done < span.count; done += out.consumed) {
      const auto begin = Clock::now();
      out.reset();
      run_.model.expand(span.records + done * bytes, span.count - done, out);
      worker.base.seconds.generate += seconds_between(begin, Clock::now());
      Batch batch{nullptr, out.states.data(), worker.successor_keys.of_states(out.states.data(), out.count),
                  0};
      store(worker, batch, Fresh::waiting);
    }
    out.check_properties = checks;
    out.put = put;
    return {};
  });
}

void FilteredSearch::decide(Outlook outlook) {
  if (waiting_ == 0 || run_.halted()) return;
  run_.phase(fmt::format("deciding {} waiting states", waiting_.load()));
  const auto labels = generations_.empty() ? WaitingSet::Labels::none : WaitingSet::Labels::bytes;
  // Room for what waits in a partition, twice if that is there: so large a table is fast.
  uint64_t most = kFastTable;
  for (const Partition& partition : partitions_) most = std::max(most, partition.waiting->size());
  const uint64_t needed = WaitingSet::bytes_for(run_.key_bytes(), labels, most);
  const bool anew = divide_sieve(outlook, needed);
  StateSieve::Memory memory = sieve_->cache_memory();
  memory.bytes = std::min(memory.bytes, 2 * needed);
  auto table = WaitingSet::create(run_.key_bytes(), labels, run_.threads(), memory.data, memory.bytes);
  if (!table.ok()) return run_.fail(table.status());
  table_ = std::move(*table);
  const uint64_t before = visited_, levels = level_sizes_.size();
  if (generations_.empty()) {
    decide_in_parts();
  } else {
    decide_generations();
  }
  table_.reset();
  generations_.clear();
  if (run_.halted()) return;
  const uint64_t forgotten = sieve_->forget(std::exchange(dropped_, false) ? sieve_->bytes() : memory.bytes);
  for (Partition& partition : partitions_)
    if (Status status = partition.waiting->clear(); !status.ok()) run_.fail(status);
  if (anew) {
    teach_sieve();
  } else {
    teach_visited(forgotten, false);
  }
  if (visited_ > before) note_late(visited_ - before, std::max(levels, level_sizes_.size() - 1));
  ++decisions_;
  waited_ += waiting_;
  waiting_ = 0;
  note_oldest();
}

// Divides the sieve's memory anew when its filter should have another size; the table gets as many bytes at least.
bool FilteredSearch::divide_sieve(Outlook outlook, uint64_t table_bytes) {
  const uint64_t all = sieve_->bytes(), has = sieve_->filter_bytes();
  const uint64_t wanted = std::min(filter_bytes(all, outlook), all - std::min(all, table_bytes));
  if (wanted <= has / 4 * 5 && wanted >= has / 4 * 3) return false;
  sieve_->divide(wanted);
  return true;
}

// For more waiting states, or for more visited ones.
void FilteredSearch::make_room() {
  if (waiting_ >= waiting_limit()) return decide();
  if (divide_sieve(Outlook::goes_on, 0)) return teach_sieve();
  crowded_ = UINT64_MAX;
}

// As many waiting states at a time as the table takes.
void FilteredSearch::decide_in_parts() {
  std::vector<LogRange> some;
  uint64_t room = table_->capacity(), waiting = 0;
  const auto flush = [&] {
    if (!some.empty() && !run_.halted()) {
      begin_table(waiting);
      add_waiting(some, 1);
      erase_visited(some);
      append_new(some, 1);
    }
    some.clear();
    room = table_->capacity();
    waiting = 0;
  };
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    LogRange rest{partitions_[p].waiting.get(), 0, partitions_[p].waiting->size(), p};
    if (rest.end > room || waiting >= kFastTable) flush();
    while (rest.begin < rest.end) {
      LogRange part = rest;
      part.end = std::min(rest.end, rest.begin + room);
      some.push_back(part);
      room -= part.end - part.begin;
      waiting += part.end - part.begin;
      rest.begin = part.end;
      if (room == 0) flush();
    }
  }
  flush();
}

// Empties the table, for so many states.
void FilteredSearch::begin_table(uint64_t waiting) {
  table_->begin(waiting);
  const unsigned threads = run_.threads();
  run_.pool().run([&](unsigned thread) { table_->clear_part(thread, threads); });
}

// What is new of each generation is a level.
void FilteredSearch::decide_generations() {
  const LevelMarks::Row& waiting = generations_.back();
  std::vector<LevelMarks::Row> ends(generations_.size(), LevelMarks::Row(partitions_.size(), 0));
  for (uint64_t first = 0, end = 0; first < partitions_.size(); first = end) {
    uint64_t count = 0;
    while (end < partitions_.size() &&
           (end == first || (count < kFastTable && count + waiting[end] <= table_->capacity())))
      count += waiting[end++];
    begin_table(count);
    decide_generations(first, end, ends);
  }
  if (run_.halted()) return;
  for (const LevelMarks::Row& row : ends) push_level(row);
}

// Of some partitions; notes where each generation's new states end.
void FilteredSearch::decide_generations(uint64_t first, uint64_t end, std::vector<LevelMarks::Row>& ends) {
  std::vector<LogRange> all;
  for (uint64_t p = first; p < end; ++p)
    if (generations_.back()[p] > 0)
      all.push_back({partitions_[p].waiting.get(), 0, generations_.back()[p], p});
  for (uint64_t g = 0; g < generations_.size(); ++g)
    add_waiting(waiting_ranges(g, first, end), static_cast<uint8_t>(g + 1));
  erase_visited(all);
  for (uint64_t g = 0; g < generations_.size(); ++g) {
    append_new(waiting_ranges(g, first, end), static_cast<uint8_t>(g + 1));
    for (uint64_t p = first; p < end; ++p) ends[g][p] = partitions_[p].visited->states().size();
  }
}

void FilteredSearch::add_waiting(const std::vector<LogRange>& waiting, uint8_t label) {
  run_.read_keys(waiting, DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   table_->add(worker.base.number, piece.keys, label);
                   return {};
                 });
}

// Of the partitions that have waiting states.
void FilteredSearch::erase_visited(const std::vector<LogRange>& waiting) {
  std::vector<LogRange> visited;
  for (const LogRange& range : waiting) {
    StateLog& keys = partitions_[range.label].visited->keys();
    visited.push_back({&keys, 0, keys.size(), range.label});
  }
  run_.read_keys(std::move(visited), DiskRun::Records::keys, &TimeShares::detect,
                 [&](DiskWorker&, const DiskRun::Piece& piece) -> Status {
                   table_->erase(piece.keys);
                   return {};
                 });
}

void FilteredSearch::append_new(const std::vector<LogRange>& waiting, uint8_t label) {
  if (run_.halted()) return;
  if (run_.mode().exact()) {
    append_left(label);
  } else {
    append_taken(waiting);
  }
}

// The keys that are left are new states.
void FilteredSearch::append_left(uint8_t label) {
  constexpr uint64_t kPiece = 1 << 11;
  std::atomic<uint64_t> next{0};
  run_.pool().run([&](unsigned thread) {
    const auto started = Clock::now();
    const uint64_t bytes = run_.state_bytes();
    std::vector<uint8_t> states;
    for (uint64_t begin = next.fetch_add(kPiece); begin < table_->buckets(); begin = next.fetch_add(kPiece)) {
      states.clear();
      table_->for_each_left(begin, std::min(begin + kPiece, table_->buckets()), label,
                            [&](const uint8_t* state) { states.insert(states.end(), state, state + bytes); });
      append_visited(thread, states.data(), states.size() / bytes);
      run_.note_found(states.size() / bytes);
    }
    run_.worker(thread).seconds.detect += seconds_between(started, Clock::now());
  });
}

// The states whose signatures are left are new.
void FilteredSearch::append_taken(const std::vector<LogRange>& waiting) {
  run_.read_keys(waiting, DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   Thread& own = *threads_[worker.base.number];
                   worker.taken.resize(piece.keys.count);
                   if (table_->take(piece.keys, worker.taken.data()) == 0) return {};
                   own.places.resize(piece.keys.count);
                   std::iota(own.places.begin(), own.places.end(), 0);
                   const StateSieve::Group all{piece.range.label, own.places.data(), piece.keys.hashes,
                                               piece.keys.count};
                   sieve_->learn(piece.keys, all, false);
                   const uint64_t n = gather(own, all, piece.keys, piece.records, true,
                                             [&](uint64_t i) { return worker.taken[i] != 0; });
                   run_.note_found(n);
                   visited_.fetch_add(n, std::memory_order_relaxed);
                   return partitions_[piece.range.label].visited->append(own.states.data(),
                                                                         own.signatures.data(), n);
                 });
}

}  // namespace strata
