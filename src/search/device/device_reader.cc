#include "search/device/device_reader.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace strata {

namespace {

constexpr uint64_t kPiece = 256;  // states that a thread takes together
// States of a level in which predecessors are looked for together, so that a stop request is heard.
constexpr uint64_t kStretch = 4 << 20;

}  // namespace

DeviceReader::DeviceReader(DeviceStates& states, WorkerPool& pool, uint64_t state_bytes,
                           uint64_t buffer_bytes)
    : states_(states),
      pool_(pool),
      state_bytes_(state_bytes),
      portion_(std::max<uint64_t>(buffer_bytes / states.bytes_each(), 1)),
      buffer_(portion_ * states.bytes_each() + kSlackBytes) {}

Status DeviceReader::visit(uint64_t from, uint64_t to, const History::Visit& visit,
                           const std::function<bool()>& halted) {
  const auto ends = [&] { return halted && halted(); };
  for (uint64_t at = from; at < to && !ends(); at += portion_) {
    const uint64_t n = std::min(portion_, to - at);
    if (Status status = states_.read(at, n, buffer_.data()); !status.ok()) return status;
    std::atomic<uint64_t> next{0};
    const auto work = [&](unsigned thread) {
      for (uint64_t i = next.fetch_add(kPiece); i < n && !ends(); i = next.fetch_add(kPiece))
        visit(thread, buffer_.data() + i * state_bytes_, std::min(kPiece, n - i));
    };
    if (n <= kPiece)
      work(0);
    else
      pool_.run(work);
  }
  return {};
}

Status DeviceReader::visit_predecessors(uint64_t first, uint64_t end, unsigned lanes,
                                        const History::Targets& targets, const History::Visit& visit_state) {
  std::vector<uint64_t> places;
  const uint64_t stretch = std::min(kStretch, states_.most_together());
  for (uint64_t from = first; from < end; from += stretch) {
    const uint64_t to = std::min(from + stretch, end);
    const Result<bool> known = states_.find_predecessors(from, to, targets, places);
    if (!known.ok()) return known.status();
    if (!*known) places.clear();
    if (!*known)
      if (Status status = visit(from, to, visit_state); !status.ok()) return status;
    for (const uint64_t place : places)
      if (Status status = visit(place, std::min(place + lanes, to), visit_state); !status.ok()) return status;
  }
  return {};
}

DeviceHistory::DeviceHistory(DeviceStates& states, DeviceReader& reader, const NumberList& sizes,
                             unsigned lanes)
    : states_(states), reader_(reader), sizes_(sizes), lanes_(lanes), level_(sizes.size()) {
  from_ = to_ = std::accumulate(sizes.begin(), sizes.end(), uint64_t{0});
}

void DeviceHistory::descend(uint64_t epoch) {
  while (level_ > epoch) {
    to_ = from_;
    from_ -= sizes_[--level_];
  }
}

Status DeviceHistory::visit(uint64_t epoch, const Visit& visit) {
  descend(epoch);
  return reader_.visit(from_, to_, visit);
}

Status DeviceHistory::visit_predecessors(uint64_t epoch, const Targets& targets, const Visit& visit) {
  descend(epoch);
  return reader_.visit_predecessors(from_, to_, lanes_, targets, visit);
}

}  // namespace strata
