#include "search/filtered/decider.h"

#include <algorithm>
#include <utility>

namespace strata {

namespace {

// In how many steps all partitions are decided, when they are decided some at a time.
constexpr uint64_t kSteps = 16;

}  // namespace

void Decider::serialize(Image& image) { image.value("decisions", decisions_); }

uint64_t Decider::limit(uint64_t table_bytes) const {
  const uint64_t visited = visited_.states();
  const uint64_t table = capacity(WaitingSet::Labels::none, table_bytes);
  const uint64_t at_once = table * waiting_.partitions() / 10 * 9;
  const uint64_t limit = std::max(table, std::clamp(at_once, visited / 4, visited / 2 + 1));
  return static_cast<uint64_t>(static_cast<double>(limit) * share_ / kUsualShare) + 1;
}

// ---- looking ahead

// The states of W that came in one generation, of some partitions; the first generation is all states that waited
// before the search looked ahead.
std::vector<LogRange> Decider::generation(uint64_t number, const std::vector<LogRange>& waiting) const {
  std::vector<LogRange> ranges;
  for (LogRange range : waiting) {
    if (number > 0) range.begin = generations_[number - 1][range.label];
    range.end = generations_[number][range.label];
    if (range.begin < range.end) ranges.push_back(range);
  }
  return ranges;
}

void Decider::look_ahead(uint64_t table_bytes, const Expand& expand) {
  // To expand a state takes as long as to read some dozens.
  const uint64_t room = capacity(WaitingSet::Labels::bytes, table_bytes), all = waiting_.partitions();
  const uint64_t most = std::min(room * all / 4, std::max<uint64_t>(visited_.states() / 64, 1024));
  if (waiting_.count() > most || waiting_.most() > room || !run_.mode().exact()) return;
  generations_.push_back(waiting_.ends());
  uint64_t before = 0;
  while (before < waiting_.count() && waiting_.count() <= most && generations_.size() < UINT8_MAX &&
         !run_.halted()) {
    before = waiting_.count();
    expand(generation(generations_.size() - 1, waiting_.ranges()));
    generations_.push_back(waiting_.ends());
  }
  // States beyond the room of the table are dropped; those that are new will be found again.
  const auto fits = [&](const LevelMarks::Row& ends) {
    for (uint64_t p = 0; p < all; ++p)
      if (ends[p] - waiting_.begin(p) > room) return false;
    return true;
  };
  while (!fits(generations_.back())) {
    generations_.pop_back();
    dropped_ = true;
  }
  uint64_t count = 0;
  for (uint64_t p = 0; p < all; ++p) count += generations_.back()[p] - waiting_.begin(p);
  waiting_.count_only(count);
}

// ---- deciding

// A table of this size is fast.
uint64_t Decider::table_bytes() const {
  return WaitingSet::bytes_for(run_.key_bytes(), labels(), std::max(WaitingSet::kFastKeys, waiting_.most()));
}

Status Decider::decide(uint8_t* memory, uint64_t bytes, Learn learn) {
  learn_ = std::move(learn);
  learned_.assign(waiting_.partitions(), false);
  if (Status status = make_table(memory, bytes); !status.ok()) return status;
  if (generations_.empty()) {
    decide_in_parts(waiting_.ranges());
  } else {
    decide_generations();
  }
  table_.reset();
  if (run_.halted()) return {};
  ++decisions_;
  waiting_.clear();
  generations_.clear();
  dropped_ = false;
  return {};
}

Result<uint64_t> Decider::decide_some(uint64_t partition, uint8_t* memory, uint64_t bytes) {
  const uint64_t all = waiting_.partitions(), some = std::max<uint64_t>(all / kSteps, 1);
  learn_ = nullptr;
  learned_.assign(all, false);
  if (Status status = make_table(memory, bytes); !status.ok()) return status;
  std::vector<LogRange> waiting;
  uint64_t end = partition;
  for (uint64_t i = 0; i < all && waiting.size() < some; ++i) {
    const uint64_t p = end++ % all;
    if (p == all - 1) ++decisions_;
    if (const LogRange range = waiting_.range(p); range.begin < range.end) waiting.push_back(range);
  }
  decide_in_parts(waiting);
  table_.reset();
  if (run_.halted()) return end % all;
  for (const LogRange& range : waiting) waiting_.clear(range.label);
  return end % all;
}

Status Decider::make_table(uint8_t* memory, uint64_t bytes) {
  auto table = WaitingSet::create(run_.key_bytes(), labels(), run_.threads(), memory, bytes);
  if (!table.ok()) return table.status();
  table_ = std::move(*table);
  return {};
}

// As many waiting states at a time as the table takes.
void Decider::decide_in_parts(std::vector<LogRange> left) {
  while (!run_.halted()) {
    const std::vector<LogRange> some = WaitingLogs::take_together(left, table_->capacity());
    if (some.empty()) return;
    begin_table(some);
    add_waiting(some, 1);
    erase_visited(some);
    append_new(some, 1);
  }
}

// Empties the table, for these states.
void Decider::begin_table(const std::vector<LogRange>& waiting) {
  table_->begin(WaitingLogs::states_in(waiting));
  const unsigned threads = run_.threads();
  run_.pool().run([&](unsigned thread) { table_->clear_part(thread, threads); });
}

// The new states of each generation become a level. The table takes all states that wait in one partition (look_ahead).
void Decider::decide_generations() {
  std::vector<LevelMarks::Row> ends(generations_.size(), visited_.ends());
  std::vector<LogRange> left = waiting_.ranges();
  for (LogRange& range : left) range.end = generations_.back()[range.label];
  while (!run_.halted()) {
    const std::vector<LogRange> some = WaitingLogs::take_together(left, table_->capacity());
    if (some.empty()) break;
    begin_table(some);
    decide_generations(some, ends);
  }
  if (run_.halted()) return;
  for (const LevelMarks::Row& row : ends) visited_.push_level(row);
}

// Of some partitions; notes where each generation's new states end.
void Decider::decide_generations(const std::vector<LogRange>& waiting, std::vector<LevelMarks::Row>& ends) {
  for (uint64_t g = 0; g < generations_.size(); ++g)
    add_waiting(generation(g, waiting), static_cast<uint8_t>(g + 1));
  erase_visited(waiting);
  for (uint64_t g = 0; g < generations_.size(); ++g) {
    append_new(generation(g, waiting), static_cast<uint8_t>(g + 1));
    for (const LogRange& range : waiting) ends[g][range.label] = visited_[range.label].states().size();
  }
}

void Decider::add_waiting(const std::vector<LogRange>& waiting, uint8_t label) {
  run_.read_keys(waiting, DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   table_->add(worker.base.number, piece.keys, label);
                   return {};
                 });
}

// Of the partitions that have waiting states.
void Decider::erase_visited(const std::vector<LogRange>& waiting) {
  std::vector<LogRange> visited;
  for (const LogRange& range : waiting) {
    StateLog& keys = visited_[range.label].keys();
    visited.push_back({&keys, 0, keys.size(), range.label});
  }
  run_.read_keys(std::move(visited), DiskRun::Records::keys, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   table_->erase(piece.keys);
                   if (learn_ && !learned_[piece.range.label])
                     learn_(worker.base.number, piece.range.label, piece.keys);
                   return {};
                 });
  for (const LogRange& range : waiting) learned_[range.label] = true;
}

void Decider::append_new(const std::vector<LogRange>& waiting, uint8_t label) {
  if (run_.halted()) return;
  if (run_.mode().exact()) {
    append_left(label);
  } else {
    append_taken(waiting);
  }
}

// The keys that are left are new states.
void Decider::append_left(uint8_t label) {
  constexpr uint64_t kPiece = 1 << 11;
  std::atomic<uint64_t> next{0};
  run_.pool().run([&](unsigned thread) {
    const auto started = Clock::now();
    for (uint64_t begin = next.fetch_add(kPiece); begin < table_->buckets(); begin = next.fetch_add(kPiece))
      visited_.append_left(thread, *table_, begin, std::min(begin + kPiece, table_->buckets()), label);
    run_.worker(thread).seconds.detect += seconds_between(started, Clock::now());
  });
}

// The states whose signatures are left are new.
void Decider::append_taken(const std::vector<LogRange>& waiting) {
  run_.read_keys(waiting, DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   const Result<uint64_t> n = run_.append_new(*table_, visited_[piece.range.label], worker,
                                                              piece.keys, piece.records);
                   if (n.ok()) visited_.note_appended(*n);
                   return n.status();
                 });
}

}  // namespace strata
