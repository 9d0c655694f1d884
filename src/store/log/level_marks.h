// Where the levels of a search end in its N visited files: for each level a row of N sizes. A graph may have a hundred
// thousand levels, so the rows are in a log; the last kWindow of them are in memory too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "store/log/state_scan.h"

namespace strata {

class LevelMarks {
 public:
  using Row = std::vector<uint64_t>;

  // REQUIRES: `log` has records of width * 8 bytes and outlives this.
  LevelMarks(StateLog& log, uint64_t width) : log_(log), width_(width) {}

  static constexpr uint64_t kWindow = 512;

  Status push(const Row& row) {
    window_.push_back(row);
    if (window_.size() > kWindow) window_.pop_front();
    ++levels_;
    return log_.append(reinterpret_cast<const uint8_t*>(row.data()), 1);
  }
  uint64_t levels() const { return levels_; }
  // Reads the rows of a log that has been restored.
  Status reload() {
    window_.clear();
    levels_ = 0;
    const uint64_t all = log_.size();
    for (uint64_t level = all - std::min(all, kWindow); level < all; ++level) {
      levels_ = all;
      Result<Row> row = read(level);
      if (!row.ok()) return row.status();
      window_.push_back(std::move(*row));
    }
    return {};
  }
  // The first level that is in memory.
  uint64_t window_begin() const { return levels_ - window_.size(); }
  // The ends of a level. REQUIRES: level >= window_begin().
  const Row& recent(uint64_t level) const { return window_[level - window_begin()]; }

  // The ends of any level; reads them from disk if they are not in memory.
  Result<Row> at(uint64_t level) const { return level >= window_begin() ? recent(level) : read(level); }

 private:
  Result<Row> read(uint64_t level) const {
    StateScan scan({{&log_, level, level + 1}});
    ScanReader reader(log_.pool().block_bytes(), 1);
    reader.open(scan);
    const Result<StateScan::Span> span = reader.next();
    if (!span.ok()) return span.status();
    Row row(width_);
    std::memcpy(row.data(), span->records, width_ * sizeof(uint64_t));
    return row;
  }

  StateLog& log_;
  const uint64_t width_;
  uint64_t levels_ = 0;
  std::deque<Row> window_;
};

}  // namespace strata
