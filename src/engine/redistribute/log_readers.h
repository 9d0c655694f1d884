// Reads logs of one size of blocks on all threads of a run. Draws the memory for it from the run's.
#pragma once

#include <memory>
#include <vector>

#include "engine/disk/disk_run.h"
#include "engine/trace/trace_back.h"

namespace strata {

class LogReaders {
 public:
  explicit LogReaders(DiskRun& run) : run_(run) {}
  ~LogReaders() { close(); }
  LogReaders(const LogReaders&) = delete;
  LogReaders& operator=(const LogReaders&) = delete;

  static uint64_t blocks(unsigned threads) { return threads * ScanReader::blocks_of(kAhead); }
  Status open(uint64_t block_bytes);
  void close();
  // Calls visit(thread, states, count). Trouble ends it, and is noted.
  void read(StateLog& log, uint64_t begin, uint64_t end, const History::Visit& visit);
  // The whole log, by this thread alone: visit() may use the others.
  void read_here(StateLog& log, const History::Visit& visit);

 private:
  static constexpr uint64_t kAhead = 2;

  void read_scan(unsigned thread, StateScan& scan, const History::Visit& visit);

  DiskRun& run_;
  std::vector<std::unique_ptr<ScanReader>> readers_;
  uint64_t drawn_ = 0;
};

}  // namespace strata
