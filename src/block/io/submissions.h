// Operations on their way into a Ring: those that are held back, those in places that the kernel has not taken yet, and
// the number of those whose completions are to come.
//
// Reads that are held back and turn out to be of neighbouring blocks become one: most of what a read costs does not
// depend on its size.
//
// An operation that cannot be given to the kernel is carried out by the thread that was to give it: where there is no
// memory for a request, no place in the ring, or the kernel does not take it. A kernel that answers EBUSY or EAGAIN may
// have completions that nobody has taken. They are then taken, without the lock, and the kernel is asked again, kTries
// times at most.
//
// Invariants
//  1. Each operation that was started ends: by the ring, or by carry_out().
//  2. Where has_requests() is true, the kernel has taken requests whose completions nobody has taken. So a thread that
//     waits for a completion then gets one, as long as no other thread takes completions. A request that is only placed
//     does not count: it may be rejected, and a thread that waited for its completion would wait for ever.
//  3. The lock is never held while a thread waits: neither for the kernel, nor for a completion, nor for a file.
//
// Thread safety: all functions may be called by any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/locks/mutex.h"
#include "block/io/io_engine.h"
#include "block/io/ring.h"

namespace strata {

// What the ring has as one operation. The completion gives it back.
struct RingRequest {
  std::vector<IoOperation> operations;
  std::vector<iovec> buffers;   // of several operations
  RingRequest* next = nullptr;  // among the rejected ones
  // Stored when the request is complete, loaded when its completion comes. The kernel hands the pointer from one thread
  // to the other, and neither the language nor a thread sanitizer knows that this orders their accesses.
  std::atomic<bool> given{false};
};

class Submissions {
 public:
  // `harvest` takes the completions that there are, without waiting.
  Submissions(Ring& ring, std::function<void()> harvest);

  void start(const IoOperation& operation) noexcept EXCLUDES(mutex_);
  // Between these two, reads may be held back.
  void hold() EXCLUDES(mutex_);
  void release() EXCLUDES(mutex_);
  // Submits what is held back, whoever holds it.
  void flush() noexcept EXCLUDES(mutex_);

  // Whether the kernel has requests whose completions are to come.
  bool has_requests() const EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return in_ring_.load(std::memory_order_acquire) > 0;
  }
  // A request has come back from the ring, and its operations have ended.
  void note_completed() { in_ring_.fetch_sub(1, std::memory_order_release); }

 private:
  // A place that the kernel has not taken yet. Without a request it has nothing to do.
  struct Placed {
    Ring::Place place = nullptr;
    RingRequest* request = nullptr;
  };
  static constexpr uint64_t kMostTogether = 16;  // reads
  static constexpr unsigned kTries = 4;

  bool hold_back(const IoOperation& operation) noexcept REQUIRES(mutex_);
  bool put(std::span<const IoOperation> operations) noexcept REQUIRES(mutex_);
  std::vector<IoOperation> put_held() noexcept REQUIRES(mutex_);
  int submit_once() noexcept REQUIRES(mutex_);
  void submit_all() noexcept REQUIRES(mutex_);
  void reject_placed() noexcept REQUIRES(mutex_);
  RingRequest* take_rejected() noexcept REQUIRES(mutex_);
  void submit_held() noexcept EXCLUDES(mutex_);

  Ring& ring_;
  const std::function<void()> harvest_;
  mutable Mutex mutex_;
  uint64_t holds_ GUARDED_BY(mutex_) = 0;
  std::vector<IoOperation> held_ GUARDED_BY(mutex_);
  std::vector<Placed> places_ GUARDED_BY(mutex_);  // in the order of the ring
  unsigned placed_ GUARDED_BY(mutex_) = 0;
  RingRequest* rejected_ GUARDED_BY(mutex_) = nullptr;  // a list, owned
  // Added to with the lock held, by the call that gave them to the kernel. A completion may be counted before that.
  std::atomic<int64_t> in_ring_{0};
};

}  // namespace strata
