#include "search/filtered/waiting_logs.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/set/waiting_set.h"

namespace strata {

void WaitingLogs::open(uint64_t partitions, BlockPool& blocks) {
  for (uint64_t p = 0; p < partitions; ++p)
    logs_.push_back(run_.make_log(fmt::format("waiting.{}", p), run_.state_bytes(), &blocks));
  begins_.assign(partitions, 0);
}

std::vector<LogRange> WaitingLogs::ranges() const {
  std::vector<LogRange> ranges;
  for (uint64_t p = 0; p < logs_.size(); ++p) ranges.push_back(range(p));
  return ranges;
}

uint64_t WaitingLogs::most() const {
  uint64_t most = 0;
  for (uint64_t p = 0; p < logs_.size(); ++p) most = std::max(most, logs_[p]->size() - begins_[p]);
  return most;
}

LevelMarks::Row WaitingLogs::ends() const {
  LevelMarks::Row row;
  for (const auto& log : logs_) row.push_back(log->size());
  return row;
}

std::vector<LogRange> WaitingLogs::take_together(std::vector<LogRange>& left, uint64_t capacity) {
  std::vector<LogRange> some;
  uint64_t count = 0, taken = 0;
  for (LogRange& range : left) {
    const uint64_t n = range.end - range.begin;
    if (count > 0 && n > 0 && (count >= WaitingSet::kFastKeys || count + n > capacity)) break;
    LogRange part = range;
    part.end = range.begin + std::min(n, capacity);
    if (n > 0) some.push_back(part);
    count += part.end - part.begin;
    range.begin = part.end;
    if (range.begin < range.end) break;
    ++taken;
  }
  left.erase(left.begin(), left.begin() + static_cast<int64_t>(taken));
  return some;
}

uint64_t WaitingLogs::states_in(const std::vector<LogRange>& ranges) {
  uint64_t count = 0;
  for (const LogRange& range : ranges) count += range.end - range.begin;
  return count;
}

void WaitingLogs::drop(const LogRange& decided) {
  const uint64_t n = decided.end - decided.begin;
  begins_[decided.label] = decided.end;
  count_.fetch_sub(n, std::memory_order_relaxed);
  decided_ += n;
  if (Status status = decided.log->discard_before(decided.end); !status.ok()) run_.fail(status);
}

void WaitingLogs::clear(uint64_t p) {
  const uint64_t n = logs_[p]->size() - begins_[p];
  count_ -= n;
  decided_ += n;
  forget(p);
}

void WaitingLogs::clear() {
  decided_ += count_.exchange(0);
  for (uint64_t p = 0; p < logs_.size(); ++p) forget(p);
}

void WaitingLogs::forget(uint64_t p) {
  begins_[p] = 0;
  if (Status status = logs_[p]->clear(); !status.ok()) run_.fail(status);
}

void WaitingLogs::serialize(Image& image) {
  for (const auto& log : logs_) log->serialize(image);
  image.list("begins", begins_);
  image.value("waiting", count_);
  image.value("decided", decided_);
  if (!image.restores() || !image.ok()) return;
  bool fits = begins_.size() == logs_.size();
  for (uint64_t p = 0; fits && p < logs_.size(); ++p) fits = begins_[p] <= logs_[p]->size();
  if (!fits) image.fail(Status::system("the waiting states are not there"));
}

}  // namespace strata
