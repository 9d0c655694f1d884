// A ring for tests (block/io/ring.h) that answers as a kernel in trouble does: it refuses submissions, takes only some
// of the places, finds its completion ring full, and completes operations late, in part or not at all.
//
// Its two sides use their members without locks, as those of the kernel's ring do. So a thread sanitizer sees a caller
// that uses one side from two threads.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "base/locks/mutex.h"
#include "base/random.h"
#include "block/io/ring.h"

namespace strata {

class FakeRing final : public Ring {
 public:
  struct Behaviour {
    unsigned depth = 8;
    // The nth call of submit() returns this number if it is below 0; otherwise the call takes at most this many
    // places. 0: all.
    std::function<int(uint64_t call)> answer = [](uint64_t) { return 0; };
    // submit() returns EBUSY while this many completions have not been taken.
    uint64_t most_completions = UINT64_MAX;
    // The result of an operation on this many bytes: the bytes that it transfers, or an error number below 0.
    std::function<int64_t(uint64_t bytes, Random& random)> result = [](uint64_t bytes, Random&) {
      return static_cast<int64_t>(bytes);
    };
    // What wait() answers for its nth call, if below 0: it has not waited then.
    std::function<int(uint64_t call)> wait_answer = [](uint64_t) { return 0; };
  };
  // What happened; may be read when the engine is gone.
  struct Tally {
    uint64_t submits = 0, refused = 0, taken = 0, cleared = 0, completed = 0;
    bool stuck = false;  // a thread waited for a completion that does not come
  };

  FakeRing(Behaviour behaviour, Tally& tally) : behaviour_(std::move(behaviour)), tally_(tally) {}

  unsigned depth() const override { return behaviour_.depth; }
  Place put(const IoOperation& first, std::span<const iovec> buffers, void* request) override {
    if (tail_ - head_ == behaviour_.depth) return nullptr;
    Entry& entry = entries_.at(tail_++ % behaviour_.depth);
    entry = {first, {buffers.begin(), buffers.end()}, request};
    return &entry;
  }
  void clear(Place place) override {
    static_cast<Entry*>(place)->request = nullptr;
    ++tally_.cleared;
  }
  int submit() override {
    const int answer = behaviour_.answer(tally_.submits++);
    if (answer < 0 || completions() >= behaviour_.most_completions) {
      ++tally_.refused;
      return answer < 0 ? answer : -EBUSY;
    }
    int taken = 0;
    for (; head_ < tail_ && (answer == 0 || taken < answer); ++head_, ++taken)
      complete(entries_.at(head_ % behaviour_.depth));
    tally_.taken += static_cast<uint64_t>(taken);
    return taken;
  }
  int wait() override {
    if (const int answer = behaviour_.wait_answer(waits_++); answer < 0) return answer;
    MutexLock lock(mutex_);
    const bool came = changed_.wait_for(lock, std::chrono::seconds(20),
                                        [this]() REQUIRES(mutex_) { return !completions_.empty(); });
    tally_.stuck |= !came;
    return came ? 0 : -ETIME;
  }
  bool take(Completion& completion) override {
    ++taken_;
    const MutexLock lock(mutex_);
    if (completions_.empty()) return false;
    completion = completions_.front();
    completions_.pop_front();
    ++tally_.completed;
    return true;
  }

 private:
  struct Entry {
    IoOperation first;
    std::vector<iovec> buffers;
    void* request = nullptr;
  };

  uint64_t completions() const {
    const MutexLock lock(mutex_);
    return completions_.size();
  }
  // What the kernel does with an operation.
  void complete(const Entry& entry) {
    int64_t result = 0;
    if (entry.request != nullptr) {
      uint64_t bytes = entry.first.bytes;
      if (!entry.buffers.empty()) bytes = 0;
      for (const iovec& buffer : entry.buffers) bytes += buffer.iov_len;
      result = behaviour_.result(bytes, random_);
      if (result > 0) transfer(entry, static_cast<uint64_t>(result));
    }
    const MutexLock lock(mutex_);
    completions_.push_back({entry.request, static_cast<int>(result)});
    changed_.notify_all();
  }
  static void transfer(const Entry& entry, uint64_t bytes) {
    const auto one = [&](void* data, uint64_t offset, uint64_t count) {
      const auto at = static_cast<off_t>(offset);
      const bool reads = entry.first.kind == IoOperation::Kind::read;
      const ssize_t done = reads ? ::pread(entry.first.descriptor, data, count, at)
                                 : ::pwrite(entry.first.descriptor, data, count, at);
      if (done != static_cast<ssize_t>(count)) std::abort();
    };
    if (entry.buffers.empty()) return one(entry.first.data, entry.first.offset, bytes);
    uint64_t offset = entry.first.offset;
    for (const iovec& buffer : entry.buffers) {
      const uint64_t count = std::min<uint64_t>(bytes, buffer.iov_len);
      if (count > 0) one(buffer.iov_base, offset, count);
      offset += count;
      bytes -= count;
    }
  }

  const Behaviour behaviour_;
  Tally& tally_;
  // Of the side that submits.
  std::array<Entry, 64> entries_;
  uint64_t head_ = 0, tail_ = 0;
  Random random_{7};
  // Of the side that takes completions.
  uint64_t waits_ = 0, taken_ = 0;

  mutable Mutex mutex_;
  ConditionVariable changed_;
  std::deque<Completion> completions_ GUARDED_BY(mutex_);
};

}  // namespace strata
