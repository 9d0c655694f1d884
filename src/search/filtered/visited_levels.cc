#include "search/filtered/visited_levels.h"

#include <fmt/format.h>

#include <numeric>

namespace strata {

void VisitedLevels::open(unsigned partition_bits) {
  const uint64_t n = uint64_t{1} << partition_bits;
  for (uint64_t p = 0; p < n; ++p) logs_.push_back(run_.make_visited(fmt::format("visited.{}", p)));
  marks_log_ = run_.make_log("levels", n * sizeof(uint64_t));
  marks_ = std::make_unique<LevelMarks>(*marks_log_, n);
  for (unsigned i = 0; i < run_.threads(); ++i)
    threads_.push_back(std::make_unique<Thread>(run_.mode(), run_.state_bytes(), partition_bits));
}

void VisitedLevels::serialize(Image& image) {
  for (const auto& log : logs_) log->serialize(image);
  marks_log_->serialize(image);
  image.list("sizes", sizes_);
  image.value("visited", states_);
  if (image.restores() && image.ok()) image.fail(marks_->reload());
}

void VisitedLevels::append(unsigned thread, const uint8_t* states, uint64_t n) {
  Thread& own = *threads_[thread];
  const Keys keys = own.keys.of_states(states, n);
  const auto all = [](uint64_t) { return true; };
  own.batch.order(keys, all);
  for (uint64_t p = 0; p < logs_.size(); ++p) {
    const StateSieve::Group group = own.batch.group(p);
    if (group.count == 0) continue;
    own.batch.gather(group, keys, states, !run_.mode().exact(), all);
    const Status status = logs_[p]->append(own.batch.states(), own.batch.signatures(), group.count);
    if (!status.ok()) return run_.fail(status);
  }
  note_appended(n);
}

uint64_t VisitedLevels::append_left(unsigned thread, const WaitingSet& table, uint64_t begin, uint64_t end,
                                    uint8_t label) {
  const uint64_t bytes = run_.state_bytes();
  std::vector<uint8_t>& states = threads_[thread]->left;
  states.clear();
  table.for_each_left(begin, end, label,
                      [&](const uint8_t* state) { states.insert(states.end(), state, state + bytes); });
  const uint64_t n = states.size() / bytes;
  append(thread, states.data(), n);
  run_.note_found(n);
  return n;
}

LevelMarks::Row VisitedLevels::ends() const {
  LevelMarks::Row row;
  for (const auto& log : logs_) row.push_back(log->states().size());
  return row;
}

bool VisitedLevels::push_level(const LevelMarks::Row& ends) {
  const LevelMarks::Row begins =
      marks_->levels() == 0 ? LevelMarks::Row(logs_.size(), 0) : marks_->recent(marks_->levels() - 1);
  const uint64_t size = std::accumulate(ends.begin(), ends.end(), uint64_t{0}) -
                        std::accumulate(begins.begin(), begins.end(), uint64_t{0});
  if (size == 0) return false;
  if (Status status = marks_->push(ends); !status.ok()) run_.fail(status);
  sizes_.push_back(size);
  return true;
}

void VisitedLevels::push_empty_level() {
  if (Status status = marks_->push(ends()); !status.ok()) run_.fail(status);
  sizes_.push_back(0);
}

std::vector<LogRange> VisitedLevels::ranges(const LevelMarks::Row& begins,
                                            const LevelMarks::Row& ends) const {
  std::vector<LogRange> ranges;
  for (uint64_t p = 0; p < logs_.size(); ++p)
    if (begins[p] < ends[p]) ranges.push_back({&logs_[p]->states(), begins[p], ends[p], p});
  return ranges;
}

Result<std::vector<LogRange>> VisitedLevels::level(uint64_t level) const {
  const Result<LevelMarks::Row> ends = marks_->at(level);
  if (!ends.ok()) return ends.status();
  if (level == 0) return ranges(LevelMarks::Row(logs_.size(), 0), *ends);
  const Result<LevelMarks::Row> begins = marks_->at(level - 1);
  if (!begins.ok()) return begins.status();
  return ranges(*begins, *ends);
}

std::vector<LogRange> VisitedLevels::last_level(const LevelMarks::Row& begins) const {
  return ranges(begins, marks_->recent(marks_->levels() - 1));
}

std::vector<LogRange> VisitedLevels::beyond_levels() const {
  return ranges(marks_->recent(marks_->levels() - 1), ends());
}

void VisitedLevels::discard(uint64_t level) {
  const Result<LevelMarks::Row> ends = marks_->at(level);
  if (!ends.ok()) return run_.fail(ends.status());
  for (uint64_t p = 0; p < logs_.size(); ++p)
    if (Status status = logs_[p]->states().discard_before((*ends)[p]); !status.ok()) run_.fail(status);
}

}  // namespace strata
