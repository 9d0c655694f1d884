#include "search/partitioned/partitioned_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace strata {

PartitionedSearch::PartitionedSearch(DiskRun& run, DetectionPolicy& policy, const PartitionOptions& options)
    : run_(run), policy_(policy), options_(options) {}

Status PartitionedSearch::prepare() {
  const auto memory = run_.plan([&](const PlanInput& input) { return plan_memory(input); });
  if (!memory.ok()) return memory.status();
  if (Status status = run_.start_on_disk(memory->disk); !status.ok()) return status;
  const uint64_t n = memory->partitions;
  run_.shape.partitions = n;
  for (uint64_t p = 0; p < n; ++p) {
    partitions_.push_back({run_.make_visited(fmt::format("visited.{}", p)),
                           run_.make_visited(fmt::format("candidates.{}", p)),
                           run_.make_log(fmt::format("successors.{}", p), run_.state_bytes())});
  }
  marks_log_ = run_.make_log("levels", n * sizeof(uint64_t));
  marks_ = std::make_unique<LevelMarks>(*marks_log_, n);
  lengths_.emplace(options_.partial, LevelMarks::kWindow + CandidateSet::kMostLabel + 1, run_.threads());
  return make_tables();
}

// Planned again each time: successors may have taken a little of the memory.
Status PartitionedSearch::make_tables() {
  const auto memory = run_.plan([&](const PlanInput& input) { return plan_memory(input); });
  if (!memory.ok()) return memory.status();
  if (Status status = run_.make_cache(memory->cache, cache_); !status.ok()) return status;
  return run_.make_table(TableKind::chained, memory->table, table_);
}

void PartitionedSearch::release_tables() {
  cache_.reset();
  table_.reset();
}

Status PartitionedSearch::begin() {
  const bool resumes = run_.resumes();
  if (Status status = run_.save_with([this](Image& image) { exchange(image); }); !status.ok()) return status;
  if (!resumes) begin_anew();
  return {};
}

// What the cache knew is not needed: it keeps duplicates away from T.
void PartitionedSearch::exchange(Image& image) {
  for (Partition& partition : partitions_) {
    partition.visited->exchange(image);
    partition.candidates->exchange(image);
    partition.fresh->exchange(image);
  }
  marks_log_->exchange(image);
  if (image.restores() && image.ok()) image.fail(marks_->reload());
  uint64_t pending_levels = candidate_ends_.size();
  image.value("pending", pending_levels);
  if (image.restores() && image.ok()) candidate_ends_.resize(pending_levels);
  for (LevelMarks::Row& row : candidate_ends_) image.list("row", row);
  run_.exchange(image, "front", front_);
  image.value("level", level_);
  image.value("in_level", in_level_);
  image.value("bound", bound_);
  image.list("level_sizes", level_sizes_);
  lengths_->exchange(image);
  image.list("worthwhile", worthwhile_);
  image.value("full", full_);
  image.value("partial", partial_);
  image.value("delayed", delayed_);
  image.value("records_read", records_read_);
  image.value("records_written", records_written_);
  policy_.exchange(image);
}

void PartitionedSearch::begin_anew() {
  KeyMaker maker(run_.mode(), run_.state_bytes());
  run_.initial([&](const Expansion& some) {
    Batch batch{nullptr, some.states.data(), maker.of_states(some.states.data(), some.count), 0};
    while (!store(run_.disk_worker(0), batch)) cache_->grow();
  });
  merge(true);
}

void PartitionedSearch::search() {
  while (advance()) {
  }
  settle();
  // A level of which detection left nothing was not cut off.
  if (bound_ && level_sizes_.size() > *run_.options.bound) run_.stop(StopReason::bound);
}

bool PartitionedSearch::advance() {
  if (!run_.goes_on() || bound_ || (front_.empty() && !in_level_)) return false;
  in_level_ = true;
  expand_level();
  in_level_ = false;
  run_.end_level();
  bound_ = run_.at_bound(level_);
  ++level_;
  merge(bound_ || !run_.goes_on());
  return true;
}

// Nothing is left undecided.
void PartitionedSearch::settle() {
  if (pending() > 0) merge(true);
}

void PartitionedSearch::expand_level() {
  run_.phase(fmt::format("expanding level {}", level_));
  LevelExpander expander(run_, front_, level_);
  while (!expander.run([&](DiskWorker& worker, Batch& batch) { return store(worker, batch); })) {
    if (expander.rests()) {
      front_ = expander.rest();
      run_.checkpoint();
    } else {
      cache_->grow();
    }
  }
}

// Puts successors that are not in the cache into T. False: the cache is to grow.
bool PartitionedSearch::store(DiskWorker& worker, Batch& batch) {
  TimeShares& seconds = worker.base.seconds;
  const Keys keys = batch.keys.from(batch.done);
  const uint8_t* states = batch.states + batch.done * run_.state_bytes();
  const auto begin = Clock::now();
  worker.outcomes.resize(keys.count);
  const uint64_t added_keys = cache_->add(keys, worker.outcomes.data()).done;
  const auto added = Clock::now();
  seconds.insert += seconds_between(begin, added);
  worker.partitions.resize(added_keys);
  for (uint64_t i = 0; i < added_keys; ++i) {
    worker.partitions[i] = worker.outcomes[i] == Outcome::fresh
                               ? static_cast<uint32_t>(partition_of(keys.hashes[i]))
                               : DiskRun::kNoPartition;
  }
  DiskRun::sort_by_partition(worker, worker.partitions.data(), states, added_keys, run_.state_bytes(),
                             partitions_.size());
  const auto sorted = Clock::now();
  seconds.partition += seconds_between(added, sorted);
  const Result<uint64_t> written =
      run_.append_sorted(worker, [&](uint32_t p) -> StateLog& { return *partitions_[p].fresh; });
  if (!written.ok()) run_.fail(written.status());
  records_written_.fetch_add(written.ok() ? *written : 0, std::memory_order_relaxed);
  seconds.queue += seconds_between(sorted, Clock::now());
  batch.done += added_keys;
  return added_keys == keys.count;
}

// ---- MERGE

// T, and the levels of C before it, in chunks that fit into H. A partition that does not fit is cut into chunks of its own.
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
  // How many different states T has is known of what fits into H, and estimated for the rest.
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

// H has the first of the chunks of T. What is different in T is expanded next, whether it is new or not.
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

// H has the first of the chunks of T. C and T are compared with V, and what is new is appended to it.
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

// H holds the keys of these pieces. What V has not is appended to it, level by level.
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

// Erases from H what the levels at the typical distances before this one have, and what this level has already.
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
    // The levels behind the last one that has a state are none.
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

// ---- the end

std::vector<LogRange> PartitionedSearch::visited_ranges() {
  std::vector<LogRange> ranges;
  for (Partition& partition : partitions_)
    ranges.push_back({&partition.visited->states(), 0, partition.visited->states().size(), 0});
  return ranges;
}

Result<std::vector<LogRange>> PartitionedSearch::level_ranges(uint64_t level) {
  std::vector<LogRange> ranges;
  LevelMarks::Row begins(partitions_.size(), 0), ends;
  const bool visited = level < marks_->levels();
  if (visited) {
    Result<LevelMarks::Row> row = marks_->at(level);
    if (!row.ok()) return row.status();
    ends = *row;
    if (level > 0) {
      Result<LevelMarks::Row> before = marks_->at(level - 1);
      if (!before.ok()) return before.status();
      begins = *before;
    }
  } else {
    const uint64_t age = level - marks_->levels();
    ends = candidate_ends_[age];
    if (age > 0) begins = candidate_ends_[age - 1];
  }
  for (uint64_t p = 0; p < partitions_.size(); ++p) {
    Partition& partition = partitions_[p];
    ranges.push_back(
        {visited ? &partition.visited->states() : &partition.candidates->states(), begins[p], ends[p], p});
  }
  return ranges;
}

Result<SearchResult> PartitionedSearch::finish() {
  LogHistory history(run_, [&](uint64_t level) { return level_ranges(level); });
  const bool cut = run_.stopped() != StopReason::none && run_.stopped() != StopReason::bound;
  uint64_t states = 0;
  for (Partition& partition : partitions_) {
    states += partition.visited->states().size();
    // Where the search was cut off they may be duplicates.
    if (!cut) states += partition.candidates->states().size();
  }
  release_tables();  // their memory is for the paths
  Result<SearchResult> result =
      run_.finish({states, level_sizes_, {}}, run_.keeps_states() ? &history : nullptr);
  if (!result.ok()) return result;
  result->full_detections = full_;
  result->partial_detections = partial_;
  result->delayed_detections = delayed_;
  result->details.push_back({"partitions", uint64_t{partitions_.size()}});
  return result;
}

}  // namespace strata
