#include "block/record/merge.h"

#include <cstring>
#include <utility>

namespace strata {

Merger::Merger(const std::vector<const RecordFile*>& sources, MemoryBudget& budget, uint64_t buffers_a_source)
    : record_bytes_(sources.empty() ? 1 : sources.front()->record_bytes()) {
  for (const RecordFile* file : sources)
    sources_.push_back(std::make_unique<Source>(*file, budget, buffers_a_source));
}

Status Merger::open() {
  for (const auto& source : sources_) {
    if (Status status = source->reader.open(); !status.ok()) return status;
    if (Status status = advance(*source); !status.ok()) return status;
  }
  losers_.assign(std::max<size_t>(sources_.size(), 1), 0);
  if (!sources_.empty()) losers_[0] = build(1);
  return {};
}

Status Merger::advance(Source& source) {
  if (source.left > 0) {
    source.record += record_bytes_;
    --source.left;
    return {};
  }
  const Result<RecordReader::Span> span = source.reader.next();
  if (!span.ok()) return span.status();
  source.record = span->count == 0 ? nullptr : span->records;
  source.left = span->count == 0 ? 0 : span->count - 1;
  return {};
}

// A source at its end comes after all others.
bool Merger::before(uint64_t a, uint64_t b) const {
  if (sources_[a]->record == nullptr) return false;
  if (sources_[b]->record == nullptr) return true;
  return std::memcmp(sources_[a]->record, sources_[b]->record, record_bytes_) < 0;
}

// Plays all matches below an inner node; the leaves n .. 2n-1 are the sources. Returns the winner.
uint64_t Merger::build(uint64_t node) {
  if (node >= sources_.size()) return node - sources_.size();
  const uint64_t left = build(2 * node), right = build(2 * node + 1);
  const bool right_wins = before(right, left);
  losers_[node] = right_wins ? left : right;
  return right_wins ? right : left;
}

// Plays the matches of the source that won, which has a new record.
void Merger::replay(uint64_t source) {
  uint64_t winner = source;
  for (uint64_t node = (source + sources_.size()) / 2; node > 0; node /= 2)
    if (before(losers_[node], winner)) std::swap(losers_[node], winner);
  losers_[0] = winner;
}

Result<uint64_t> Merger::next(uint8_t* records, uint64_t most) {
  uint64_t count = 0;
  if (sources_.empty()) return count;
  while (count < most) {
    Source& first = *sources_[losers_[0]];
    if (first.record == nullptr) break;
    uint8_t* out = records + count * record_bytes_;
    std::memcpy(out, first.record, record_bytes_);
    ++count;
    // Its duplicates come to the top next.
    while (sources_[losers_[0]]->record != nullptr &&
           std::memcmp(sources_[losers_[0]]->record, out, record_bytes_) == 0) {
      if (Status status = advance(*sources_[losers_[0]]); !status.ok()) return status;
      replay(losers_[0]);
    }
  }
  return count;
}

double Merger::waited() const {
  double sum = 0;
  for (const auto& source : sources_) sum += source->reader.waited();
  return sum;
}

}  // namespace strata
