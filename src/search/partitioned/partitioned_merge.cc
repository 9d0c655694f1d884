// MERGE of PartitionedSearch (partitioned_search.h): decides which successors of a level are new, or delays the
// decision.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "search/partitioned/partitioned_search.h"

namespace strata {

// T, and the levels of C before it, in chunks that fit into H. A partition that does not fit is cut into
// chunks of its own.
std::vector<std::vector<PartitionedSearch::Piece>> PartitionedSearch::plan(bool with_candidates) const {
  std::vector<std::vector<Piece>> chunks(1);
  uint64_t room = table_->capacity();
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    std::vector<Piece> pieces;
    uint64_t total = 0;
    for (uint64_t age = 0; with_candidates && age < pending(); ++age) {
      const uint64_t begin = age == 0 ? 0 : candidate_ends_[age - 1][p], end = candidate_ends_[age][p];
      if (begin < end) pieces.push_back({{&partitions_[p].candidates->states(), begin, end, p}, p, age});
      total += end - begin;
    }
    const uint64_t fresh = partitions_[p].fresh->size();
    if (fresh > 0) pieces.push_back({{partitions_[p].fresh.get(), 0, fresh, p}, p, pending()});
    total += fresh;
    if (total > room && !chunks.back().empty()) {
      chunks.emplace_back();
      room = table_->capacity();
    }
    for (Piece piece : pieces) {
      while (piece.range.end - piece.range.begin > room) {
        Piece head = piece;
        head.range.end = head.range.begin + room;
        piece.range.begin = head.range.end;
        if (room > 0) chunks.back().push_back(head);
        chunks.emplace_back();
        room = table_->capacity();
      }
      chunks.back().push_back(piece);
      room -= piece.range.end - piece.range.begin;
    }
  }
  return chunks;
}

// Puts the keys of some pieces into H, and nothing else.
void PartitionedSearch::load(const std::vector<Piece>& pieces) {
  std::vector<LogRange> ranges;
  uint64_t records = 0;
  for (const Piece& piece : pieces) {
    records += piece.range.end - piece.range.begin;
    ranges.push_back(piece.range);
    ranges.back().label = std::min<uint64_t>(piece.age, CandidateSet::kMostLabel);
  }
  table_->clear();
  table_->reserve(records);
  run_.read_keys(std::move(ranges), DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   table_->add(worker.base.number, piece.keys, static_cast<uint8_t>(piece.range.label),
                               nullptr);
                   return {};
                 });
}

void PartitionedSearch::merge(bool forced) {
  if (run_.halted()) return;
  std::vector<std::vector<Piece>> chunks = plan(false);
  uint64_t fresh = 0, loaded = 0;
  for (const Partition& partition : partitions_) fresh += partition.fresh->size();
  for (const Piece& piece : chunks.front()) loaded += piece.range.end - piece.range.begin;
  // The number of different states in T is counted for the part that fits into H, and estimated for the rest.
  load(chunks.front());
  const double multiplicity =
      loaded == 0 ? 1 : static_cast<double>(table_->size()) / static_cast<double>(loaded);
  const bool detection = policy_.detect(view(multiplicity, fresh)) || forced || marks_->levels() == 0;
  front_.clear();
  if (detection) {
    detect_level(std::move(chunks));
  } else {
    delay_level(std::move(chunks));
  }
  for (Partition& partition : partitions_) {
    if (Status status = partition.fresh->clear(); !status.ok()) run_.fail(status);
  }
}

MergeView PartitionedSearch::view(double multiplicity, uint64_t fresh) {
  MergeView view;
  view.front = static_cast<uint64_t>(multiplicity * static_cast<double>(fresh));
  for (const Partition& partition : partitions_) view.visited += partition.visited->states().size();
  uint64_t before = 0;
  for (const LevelMarks::Row& row : candidate_ends_) {
    const uint64_t sum = std::accumulate(row.begin(), row.end(), uint64_t{0});
    view.candidates.push_back(sum - before);
    before = sum;
  }
  double transitions = 0, expansions = 0, detect = 0, write = 0, expand = 0;
  for (unsigned i = 0; i < run_.threads(); ++i) {
    const SearchWorker& worker = run_.worker(i);
    transitions += static_cast<double>(worker.transitions);
    expansions += static_cast<double>(worker.expansions);
    detect += worker.seconds.detect;
    write += worker.seconds.queue + worker.seconds.partition;
    expand += worker.seconds.generate + worker.seconds.insert;
  }
  const auto ratio = [](double a, double b) { return b == 0 ? 0 : a / b; };
  view.degree = ratio(transitions, expansions);
  view.read_cost = ratio(detect, static_cast<double>(records_read_));
  view.write_cost = ratio(write, static_cast<double>(records_written_));
  view.expand_cost = ratio(expand, expansions);
  return view;
}

// H has the first of the chunks of T. The different states of T are expanded next, whether they are new or not.
void PartitionedSearch::delay_level(std::vector<std::vector<Piece>> chunks) {
  run_.phase(fmt::format("delaying level {}", level_));
  const uint64_t front = table_->size();
  worthwhile_ = lengths_->worthwhile(front, [&](uint64_t length) { return read_of_length(length, front); });
  ++(worthwhile_.empty() ? delayed_ : partial_);
  LevelMarks::Row begins, ends;
  for (const Partition& partition : partitions_) begins.push_back(partition.candidates->states().size());
  for (uint64_t i = 0; i < chunks.size() && !run_.halted(); ++i) {
    if (i > 0) load(chunks[i]);
    erase_typical(chunks[i], begins);
    take(chunks[i], pending(), false);
  }
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    StateLog& candidates = partitions_[p].candidates->states();
    ends.push_back(candidates.size());
    if (begins[p] < ends[p]) front_.push_back({&candidates, begins[p], ends[p], p});
  }
  candidate_ends_.push_back(std::move(ends));
}

// H has the first of the chunks of T. C and T are compared with V, and the new states are appended to V.
void PartitionedSearch::detect_level(std::vector<std::vector<Piece>> chunks) {
  ++full_;
  const bool with_candidates = pending() > 0;
  if (with_candidates) chunks = plan(true);
  std::vector<LevelMarks::Row> ends(pending() + 1, LevelMarks::Row(partitions_.size(), 0));
  for (uint64_t i = 0; i < chunks.size() && !run_.halted(); ++i) {
    run_.phase(chunks.size() == 1
                   ? fmt::format("merging level {}", level_)
                   : fmt::format("merging level {}, part {} of {}", level_, i + 1, chunks.size()));
    if (i > 0 || with_candidates) load(chunks[i]);
    detect(chunks[i], ends);
  }
  if (!run_.halted()) finish_detection(ends);
}

// H holds the keys of these pieces. States that are not in V are appended to it, level by level.
void PartitionedSearch::detect(const std::vector<Piece>& pieces, std::vector<LevelMarks::Row>& ends) {
  erase_visited(pieces);
  for (uint64_t age = 0; age <= pending(); ++age) {
    take(pieces, age, true);
    // Levels before the first one here were settled with an earlier chunk.
    for (const Piece& piece : pieces) {
      if (piece.age <= age)
        ends[age][piece.partition] = partitions_[piece.partition].visited->states().size();
    }
  }
}

// Appends the states of one level that are still in H to V or to C.
void PartitionedSearch::take(const std::vector<Piece>& pieces, uint64_t age, bool to_visited) {
  std::vector<LogRange> ranges;
  for (const Piece& piece : pieces)
    if (piece.age == age) ranges.push_back(piece.range);
  run_.read_keys(std::move(ranges), DiskRun::Records::states, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   Partition& partition = partitions_[piece.range.label];
                   VisitedLog& to = to_visited ? *partition.visited : *partition.candidates;
                   return run_.append_new(*table_, to, worker, piece.keys, piece.records).status();
                 });
}

namespace {

// The first level of [first, end) that ends behind a record; `end` when none does.
template <class EndOf>
uint64_t first_level_after(uint64_t first, uint64_t end, uint64_t record, const EndOf& end_of) {
  while (first < end) {
    const uint64_t middle = first + (end - first) / 2;
    if (end_of(middle) > record) {
      end = middle;
    } else {
      first = middle + 1;
    }
  }
  return first;
}

}  // namespace

void PartitionedSearch::erase_visited(const std::vector<Piece>& pieces) {
  std::vector<LogRange> ranges;
  for (const Piece& piece : pieces) {
    StateLog& keys = partitions_[piece.partition].visited->keys();
    if (ranges.empty() || ranges.back().log != &keys)
      ranges.push_back({&keys, 0, keys.size(), piece.partition});
    records_read_.fetch_add(piece.range.end - piece.range.begin, std::memory_order_relaxed);
    lengths_->note_compared(piece.range.end - piece.range.begin);
  }
  for (const LogRange& range : ranges) records_read_.fetch_add(range.end, std::memory_order_relaxed);
  const uint64_t oldest = marks_->window_begin(), levels = marks_->levels();
  run_.read_keys(std::move(ranges), DiskRun::Records::keys, &TimeShares::detect,
                 [&](DiskWorker& worker, const DiskRun::Piece& piece) -> Status {
                   const uint64_t p = piece.range.label;
                   if (!lengths_->wanted() || levels == 0) {
                     table_->erase(piece.keys, nullptr);
                     return {};
                   }
                   // Level by level, where the levels are known, to learn how far back duplicates lie.
                   std::vector<uint64_t>& lengths = lengths_->counts(worker.base.number);
                   uint64_t by_age[CandidateSet::kMostLabel + 1];
                   uint64_t level = oldest;
                   const auto end_of = [&](uint64_t l) { return marks_->recent(l)[p]; };
                   for (uint64_t done = 0; done < piece.keys.count;) {
                     const uint64_t record = piece.first + done;
                     level = first_level_after(level, levels, record, end_of);
                     const uint64_t end = level < levels ? end_of(level) : piece.first + piece.keys.count;
                     const uint64_t n = std::min(end - record, piece.keys.count - done);
                     const Keys keys{piece.keys.key(done), piece.keys.hashes + done, n, piece.keys.key_bytes};
                     if ((level == oldest && oldest > 0) || level == levels) {
                       // Of an older level, or of one that is being settled just now.
                       table_->erase(keys, nullptr);
                     } else {
                       std::fill(std::begin(by_age), std::end(by_age), 0);
                       table_->erase(keys, by_age);
                       for (uint64_t age = 0; age <= std::min<uint64_t>(pending(), CandidateSet::kMostLabel);
                            ++age)
                         lengths[levels + age - level] += by_age[age];
                     }
                     done += n;
                   }
                   return {};
                 });
}

// Erases from H the states of the levels at the typical distances before this one, and those that this level has
// already.
void PartitionedSearch::erase_typical(const std::vector<Piece>& pieces, const LevelMarks::Row& begins) {
  std::vector<LogRange> ranges;
  uint64_t last = partitions_.size();
  for (const Piece& piece : pieces) {
    const uint64_t p = piece.partition;
    if (p == last) continue;
    last = p;
    StateLog& candidates = partitions_[p].candidates->keys();
    if (begins[p] < candidates.size()) ranges.push_back({&candidates, begins[p], candidates.size(), p});
    for (const uint64_t length : worthwhile_) {
      if (length > level_) continue;
      const uint64_t level = level_ - length;
      LogRange range;
      if (level >= marks_->levels()) {
        const uint64_t age = level - marks_->levels();
        range = {&candidates, age == 0 ? 0 : candidate_ends_[age - 1][p], candidate_ends_[age][p], p};
      } else if (level > marks_->window_begin()) {
        range = {&partitions_[p].visited->keys(), marks_->recent(level - 1)[p], marks_->recent(level)[p], p};
      }
      if (range.begin < range.end) ranges.push_back(range);
    }
  }
  run_.read_keys(std::move(ranges), DiskRun::Records::keys, &TimeShares::detect,
                 [&](DiskWorker&, const DiskRun::Piece& piece) -> Status {
                   table_->erase(piece.keys, nullptr);
                   return {};
                 });
}

// All candidates are decided: their levels are known now, and the last one is the front.
void PartitionedSearch::finish_detection(const std::vector<LevelMarks::Row>& found) {
  const uint64_t n = partitions_.size();
  LevelMarks::Row last = marks_->levels() == 0 ? LevelMarks::Row(n, 0) : marks_->recent(marks_->levels() - 1);
  for (uint64_t age = 0; age < found.size(); ++age) {
    LevelMarks::Row row(n);
    uint64_t size = 0;
    for (uint64_t p = 0; p < n; ++p) {
      row[p] = std::max(found[age][p], last[p]);
      size += row[p] - last[p];
      if (age + 1 == found.size() && row[p] > last[p]) {
        front_.push_back({&partitions_[p].visited->states(), last[p], row[p], p});
      }
    }
    last = row;
    // Levels behind the last one that has a state do not exist.
    if (size == 0 && front_.empty() && age + 1 == found.size()) break;
    if (Status status = marks_->push(row); !status.ok()) run_.fail(status);
    level_sizes_.push_back(size);
    run_.context.progress.begin_level(size);
  }
  while (!level_sizes_.empty() && level_sizes_.back() == 0) level_sizes_.pop_back();
  candidate_ends_.clear();
  for (Partition& partition : partitions_) {
    if (Status status = partition.candidates->clear(); !status.ok()) run_.fail(status);
  }
  lengths_->learn();
  policy_.measured(level_sizes_);
  if (run_.keeps_states()) return;
  for (const LogRange& range : front_) {
    if (Status status = range.log->discard_before(range.begin); !status.ok()) run_.fail(status);
  }
}

// What a comparison of the front with the level so far before it reads: that level, and a part of one block in each
// partition.
uint64_t PartitionedSearch::read_of_length(uint64_t length, uint64_t front) const {
  if (length > level_) return UINT64_MAX;
  const uint64_t level = level_ - length;
  const uint64_t size = level < level_sizes_.size() ? level_sizes_[level] : front;
  return size + partitions_.size() * partitions_.front().visited->keys().per_block();
}

}  // namespace strata
