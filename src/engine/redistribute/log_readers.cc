#include "engine/redistribute/log_readers.h"

#include <utility>

namespace strata {

Status LogReaders::open(uint64_t block_bytes) {
  const uint64_t bytes = blocks(run_.threads()) * block_bytes;
  if (!run_.budget.reserve(bytes))
    return Status::limit("--memory is too small for checkpoints; raise it", Reason::memory_for_checkpoint);
  drawn_ = bytes;
  for (unsigned i = 0; i < run_.threads(); ++i)
    readers_.push_back(std::make_unique<ScanReader>(block_bytes, kAhead));
  return {};
}

void LogReaders::close() {
  readers_.clear();
  run_.budget.release(std::exchange(drawn_, 0));
}

void LogReaders::read_scan(unsigned thread, StateScan& scan, const History::Visit& visit) {
  ScanReader& reader = *readers_[thread];
  reader.open(scan);
  while (!run_.halted()) {
    const Result<StateScan::Span> span = reader.next();
    if (!span.ok()) run_.fail(span.status());
    if (!span.ok() || span->count == 0) break;
    visit(thread, span->records, span->count);
  }
  reader.close();
}

void LogReaders::read(StateLog& log, uint64_t begin, uint64_t end, const History::Visit& visit) {
  StateScan scan({{&log, begin, end}});
  const auto work = [&](unsigned i) { read_scan(i, scan, visit); };
  if (scan.records() < kWorthSharing) return work(0);
  run_.pool().run(work);
}

void LogReaders::read_here(StateLog& log, const History::Visit& visit) {
  StateScan scan({{&log, 0, log.size()}});
  read_scan(0, scan, visit);
}

}  // namespace strata
