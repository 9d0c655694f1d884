#include "block/io/submissions.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

namespace strata {

namespace {

// The ring's request for neighbouring operations. Null: the system has no memory.
std::unique_ptr<RingRequest> make_request(std::span<const IoOperation> operations) noexcept {
  try {
    auto request = std::make_unique<RingRequest>();
    request->operations.assign(operations.begin(), operations.end());
    if (operations.size() == 1) return request;
    for (const IoOperation& o : operations) request->buffers.push_back({o.data, o.bytes});
    return request;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool follows(const IoOperation& a, const IoOperation& b) {
  return a.descriptor == b.descriptor && a.offset + a.bytes == b.offset;
}

// Whether another call may succeed after such an answer.
bool may_succeed_later(int answer) { return answer == -EBUSY || answer == -EAGAIN || answer == -EINTR; }

// Carries out the operations of requests that the kernel did not take, without it. Owns the list.
void carry_out_all(RingRequest* first) noexcept {
  while (first != nullptr) {
    const std::unique_ptr<RingRequest> request(std::exchange(first, first->next));
    for (const IoOperation& operation : request->operations) carry_out(operation);
  }
}

}  // namespace

Submissions::Submissions(Ring& ring, std::function<void()> harvest)
    : ring_(ring), harvest_(std::move(harvest)), places_(ring.depth()) {}

void Submissions::start(const IoOperation& operation) noexcept {
  bool given = false;
  RingRequest* rejected = nullptr;
  {
    const MutexLock lock(mutex_);
    const bool holds = holds_ > 0, read = operation.kind == IoOperation::Kind::read;
    given = holds && read ? hold_back(operation) : put({&operation, 1});
    if (given && !holds) submit_all();
    rejected = take_rejected();
  }
  carry_out_all(rejected);
  if (!given) carry_out(operation);
}

void Submissions::hold() {
  const MutexLock lock(mutex_);
  ++holds_;
}

// What other threads hold back goes along.
void Submissions::release() {
  {
    const MutexLock lock(mutex_);
    --holds_;
  }
  submit_held();
}

void Submissions::flush() noexcept { submit_held(); }

void Submissions::submit_held() noexcept {
  std::vector<IoOperation> left;
  RingRequest* rejected = nullptr;
  {
    const MutexLock lock(mutex_);
    left = put_held();
    submit_all();
    rejected = take_rejected();
  }
  carry_out_all(rejected);
  for (const IoOperation& operation : left) carry_out(operation);
}

bool Submissions::hold_back(const IoOperation& operation) noexcept {
  try {
    held_.push_back(operation);
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

// Puts the operations that were held back into the ring, neighbours together. Returns those that found no place, which
// the caller carries out.
std::vector<IoOperation> Submissions::put_held() noexcept {
  uint64_t refused = 0;  // these are moved to the front
  for (uint64_t first = 0; first < held_.size();) {
    uint64_t end = first + 1;
    while (end < held_.size() && end - first < kMostTogether && follows(held_[end - 1], held_[end])) ++end;
    const bool placed = put(std::span(held_).subspan(first, end - first));
    for (; first < end; ++first)
      if (!placed) held_[refused++] = held_[first];
  }
  held_.resize(refused);
  std::vector<IoOperation> left;
  if (refused > 0) left.swap(held_);
  return left;
}

// Puts neighbouring operations into the ring as one. False: the caller carries them out.
bool Submissions::put(std::span<const IoOperation> operations) noexcept {
  std::unique_ptr<RingRequest> request = make_request(operations);
  if (!request) return false;
  Ring::Place place = ring_.put(operations[0], request->buffers, request.get());
  if (place == nullptr && submit_once() > 0)
    place = ring_.put(operations[0], request->buffers, request.get());
  if (place == nullptr) return false;
  request->given.store(true, std::memory_order_release);
  places_[placed_++] = {place, request.release()};
  return true;
}

// Asks the kernel once to take the places.
int Submissions::submit_once() noexcept {
  const int taken = ring_.submit();
  if (taken <= 0) return taken;
  const auto count = std::min(static_cast<unsigned>(taken), placed_);
  in_ring_.fetch_add(std::count_if(places_.begin(), places_.begin() + count,
                                   [](const Placed& placed) { return placed.request != nullptr; }),
                     std::memory_order_relaxed);
  std::copy(places_.begin() + count, places_.begin() + placed_, places_.begin());
  placed_ -= count;
  return taken;
}

// Has the kernel take all places, or rejects what the kernel does not take.
void Submissions::submit_all() noexcept {
  for (unsigned tries = 0; placed_ > 0;) {
    const int taken = submit_once();
    if (taken > 0) continue;
    if (!may_succeed_later(taken) || ++tries == kTries) return reject_placed();
    mutex_.unlock();
    harvest_();
    mutex_.lock();
  }
}

// The places stay in the ring, with nothing to do.
void Submissions::reject_placed() noexcept {
  for (unsigned i = 0; i < placed_; ++i) {
    RingRequest* const request = std::exchange(places_[i].request, nullptr);
    if (request == nullptr) continue;
    ring_.clear(places_[i].place);
    request->next = std::exchange(rejected_, request);
  }
}

RingRequest* Submissions::take_rejected() noexcept { return std::exchange(rejected_, nullptr); }

}  // namespace strata
