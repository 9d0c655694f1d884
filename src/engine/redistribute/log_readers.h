// Reads logs with one size of blocks on all threads of a run. Draws its memory from the budget of the run.
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
  // Calls visit(thread, states, count). Stops at the first error, which is recorded.
  void read(StateLog& log, uint64_t begin, uint64_t end, const History::Visit& visit);
  // Reads the whole log on this thread alone, so that visit() may use the others.
  void read_here(StateLog& log, const History::Visit& visit);

 private:
  static constexpr uint64_t kAhead = 2;

  void read_scan(unsigned thread, StateScan& scan, const History::Visit& visit);

  DiskRun& run_;
  std::vector<std::unique_ptr<ScanReader>> readers_;
  uint64_t drawn_ = 0;
};

}  // namespace strata
