#include "search/filtered/waiting_logs.h"

#include <fmt/format.h>

#include <algorithm>

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

void WaitingLogs::exchange(Image& image) {
  for (const auto& log : logs_) log->exchange(image);
  image.list("begins", begins_);
  image.value("waiting", count_);
  image.value("decided", decided_);
  if (!image.restores() || !image.ok()) return;
  bool fits = begins_.size() == logs_.size();
  for (uint64_t p = 0; fits && p < logs_.size(); ++p) fits = begins_[p] <= logs_[p]->size();
  if (!fits) image.fail(Status::system("the waiting states are not there"));
}

}  // namespace strata
