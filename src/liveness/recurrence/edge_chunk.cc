#include "liveness/recurrence/edge_chunk.h"

#include <algorithm>
#include <cstring>

namespace strata {

namespace {

constexpr uint64_t kNumberBytes = kEdgeBytes / 2;
constexpr uint64_t kMostNumber = (uint64_t{1} << 8 * kNumberBytes) - 1;
constexpr uint64_t kMostPlaces = UINT32_MAX;  // a place in the stack has 32 bits

uint64_t decode_number(const uint8_t* bytes) {
  uint64_t number = 0;
  for (uint64_t i = 0; i < kNumberBytes; ++i) number |= uint64_t{bytes[i]} << 8 * i;
  return number;
}

void encode_number(uint64_t number, uint8_t* bytes) {
  for (uint64_t i = 0; i < kNumberBytes; ++i) bytes[i] = static_cast<uint8_t>(number >> 8 * i);
}

}  // namespace

void encode_edge(uint64_t source, uint64_t target, uint8_t* record) {
  encode_number(source, record);
  encode_number(target, record + kNumberBytes);
}

EdgeChunk::EdgeChunk(MemoryBudget& budget, uint64_t edges)
    : capacity_(std::min(edges, kMostPlaces)),
      memory_(budget, bytes_of(capacity_)),
      edges_(reinterpret_cast<Edge*>(memory_.data())),
      stack_(open() ? reinterpret_cast<uint32_t*>(edges_ + capacity_) : nullptr) {}

void EdgeChunk::add(const uint8_t* records, uint64_t n) {
  Edge* edge = edges_ + size_.fetch_add(n, std::memory_order_relaxed);
  for (const uint8_t* end = records + n * kEdgeBytes; records != end; records += kEdgeBytes, ++edge) {
    edge->source = decode_number(records) & kMostNumber;
    edge->waiting = 0;
    edge->target = decode_number(records + kNumberBytes);
  }
}

bool EdgeChunk::settle(ReachFields& reach, const std::function<bool()>& stopped) {
  constexpr uint64_t kSeldom = 1 << 16;
  Edge* const end = edges_ + size_;
  std::sort(edges_, end, [](const Edge& a, const Edge& b) { return a.target < b.target; });
  bool changed = false;
  for (const Edge* edge = edges_; edge != end; ++edge) changed |= take_back(*edge, reach);
  for (uint64_t taken = 1; waiting_ > 0; ++taken) {
    Edge* edge = edges_ + stack_[--waiting_];
    edge->waiting = 0;
    const uint64_t target = edge->target;
    for (; edge != end && edge->target == target; ++edge) take_back(*edge, reach);
    if (taken % kSeldom == 0 && stopped()) break;
  }
  return changed;
}

bool EdgeChunk::take_back(const Edge& edge, ReachFields& reach) {
  if (!reach.add(edge.source, reach.get(edge.target))) return false;
  push(edge.source);
  return true;
}

// If no edge of the chunk leads to the state, no predecessor has to be updated.
void EdgeChunk::push(uint64_t state) {
  Edge* const edge = std::lower_bound(edges_, edges_ + size_, state,
                                      [](const Edge& a, uint64_t wanted) { return a.target < wanted; });
  if (edge == edges_ + size_ || edge->target != state || edge->waiting != 0) return;
  edge->waiting = 1;
  stack_[waiting_++] = static_cast<uint32_t>(edge - edges_);
}

Status EdgeChunk::write_open(const ReachFields& reach, const Write& write) const {
  constexpr uint64_t kAtOnce = 256;
  uint8_t records[kAtOnce * kEdgeBytes];
  uint64_t n = 0;
  for (const Edge* edge = edges_; edge != edges_ + size_; ++edge) {
    if (reach.lacking(edge->source) == 0) continue;
    encode_edge(edge->source, edge->target, records + n * kEdgeBytes);
    if (++n < kAtOnce) continue;
    if (Status status = write(records, n); !status.ok()) return status;
    n = 0;
  }
  return n > 0 ? write(records, n) : Status();
}

}  // namespace strata
