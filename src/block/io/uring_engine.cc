// io_uring. Any thread puts operations into the submission ring, under a lock. Completions are taken out by
// whoever waits for one, for the others too: there is no thread for it, because waking one for each block,
// and by it the thread that waits, takes longer than reading the block (measured with blocks of 32 KiB: 90 us
// of processor time each).
//
// Reads that are held back and turn out to be of neighbouring blocks become one: most of what a read costs,
// it costs whatever its size.
//
// An operation that cannot be given to the kernel, as there is no memory or the kernel does not take it, is
// carried out by the thread that was to give it. So each operation that was started ends, and none is waited
// for that is not in the ring.
#include <liburing.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "block/io/io_engine.h"

namespace strata {

namespace {

constexpr unsigned kDepth = 256;

class UringEngine final : public IoEngine, private Submitter {
 public:
  // The error number of the system, or 0.
  int set_up() {
    const int failed = io_uring_queue_init(kDepth, &ring_, 0);
    ready_ = failed == 0;
    return -failed;
  }
  ~UringEngine() override {
    if (!ready_) return;
    while (in_ring_.load(std::memory_order_acquire) > 0) take_completions(true);
    io_uring_queue_exit(&ring_);
  }

  void start(const IoOperation& operation) noexcept override {
    std::unique_lock<std::mutex> lock(submission_);
    const bool holds = holds_ > 0, read = operation.kind == IoOperation::Kind::read;
    const bool given = holds && read ? hold_back(operation) : put({&operation, 1});
    if (given && !holds) submit();
    carry_out_rejected(lock);
    if (!given) carry_out(operation);
  }
  Submitter* carrier() override { return this; }
  const char* name() const override { return "io_uring"; }

 private:
  // What the ring knows as one operation. It belongs to the ring until its completion comes back.
  struct Request {
    std::vector<IoOperation> operations;
    std::vector<iovec> buffers;  // of several
    Request* next = nullptr;     // among the rejected ones
  };
  // A place in the submission ring that the kernel has not taken yet. Without a request it has nothing to do.
  struct Place {
    io_uring_sqe* entry = nullptr;
    Request* request = nullptr;
  };
  static constexpr uint64_t kMostTogether = 16;

  // ---- giving operations to the kernel; the caller holds the lock

  bool hold_back(const IoOperation& operation) noexcept {
    try {
      held_.push_back(operation);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }
  // Null: the system has no memory.
  static std::unique_ptr<Request> make_request(std::span<const IoOperation> operations) noexcept {
    try {
      auto request = std::make_unique<Request>();
      request->operations.assign(operations.begin(), operations.end());
      if (operations.size() == 1) return request;
      for (const IoOperation& o : operations) request->buffers.push_back({o.data, o.bytes});
      return request;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }
  // Puts neighbouring operations into the ring as one. False: they are not there, and nobody else carries them out.
  bool put(std::span<const IoOperation> operations) noexcept {
    std::unique_ptr<Request> request = make_request(operations);
    if (!request) return false;
    if (io_uring_sq_space_left(&ring_) == 0) submit();
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    if (entry == nullptr) return false;
    if (operations.size() == 1) {
      prepare(entry, operations[0]);
    } else {
      io_uring_prep_readv(entry, operations[0].descriptor, request->buffers.data(),
                          static_cast<unsigned>(request->buffers.size()), operations[0].offset);
    }
    io_uring_sqe_set_data(entry, request.get());
    places_[placed_++] = {entry, request.release()};
    in_ring_.fetch_add(1, std::memory_order_relaxed);
    // What was done to the operation was done before its completion comes: the kernel sees to that, and this says so.
    started_.fetch_add(1, std::memory_order_release);
    return true;
  }
  static void prepare(io_uring_sqe* entry, const IoOperation& o) {
    // The kernel counts the bytes of one operation in 31 bits; what is left is carried out by the thread that takes the
    // completion.
    constexpr uint64_t kMost = 1u << 30;
    const auto bytes = static_cast<unsigned>(std::min(o.bytes, kMost));
    if (o.kind == IoOperation::Kind::read) {
      io_uring_prep_read(entry, o.descriptor, o.data, bytes, o.offset);
    } else {
      io_uring_prep_write(entry, o.descriptor, o.data, bytes, o.offset);
    }
  }

  // Has the kernel take all places. What it does not take is rejected at once: it may refuse for as long as
  // this lock is held.
  void submit() noexcept {
    while (placed_ > 0) {
      const int taken = io_uring_submit(&ring_);
      if (taken <= 0) return reject_placed();
      const auto count = std::min(static_cast<unsigned>(taken), placed_);
      std::copy(places_.begin() + count, places_.begin() + placed_, places_.begin());
      placed_ -= count;
    }
  }
  // The places stay, with nothing to do.
  void reject_placed() noexcept {
    for (unsigned i = 0; i < placed_; ++i) {
      Request* const request = std::exchange(places_[i].request, nullptr);
      if (request == nullptr) continue;
      io_uring_prep_nop(places_[i].entry);
      io_uring_sqe_set_data(places_[i].entry, nullptr);
      request->next = std::exchange(rejected_, request);
      in_ring_.fetch_sub(1, std::memory_order_release);
    }
  }
  // What the kernel rejected is carried out without it, and without the lock.
  void carry_out_rejected(std::unique_lock<std::mutex>& lock) noexcept {
    Request* first = std::exchange(rejected_, nullptr);
    lock.unlock();
    while (first != nullptr) {
      const std::unique_ptr<Request> request(std::exchange(first, first->next));
      for (const IoOperation& operation : request->operations) carry_out(operation);
    }
  }

  void hold() override {
    const std::lock_guard<std::mutex> lock(submission_);
    ++holds_;
  }
  // What others hold back goes along.
  void release() override {
    std::unique_lock<std::mutex> lock(submission_);
    --holds_;
    submit_held(lock);
  }
  void submit_held(std::unique_lock<std::mutex>& lock) noexcept {
    uint64_t refused = 0;  // operations, which found no place and are moved to the front
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
    submit();
    carry_out_rejected(lock);
    for (const IoOperation& operation : left) carry_out(operation);
  }
  static bool follows(const IoOperation& a, const IoOperation& b) {
    return a.descriptor == b.descriptor && a.offset + a.bytes == b.offset;
  }

  // ---- taking completions: one thread at a time does; the others wait until it has taken some

  void harvest() override {
    std::unique_lock<std::mutex> lock(completion_);
    if (!taking_) take(lock, false);
  }
  void wait_for(const Transfer& transfer) override {
    {
      std::unique_lock<std::mutex> lock(submission_);
      submit_held(lock);  // or it might wait for what is held back
    }
    std::unique_lock<std::mutex> lock(completion_);
    while (transfer.busy()) {
      if (taking_) {
        taken_.wait(lock);
      } else if (in_ring_.load(std::memory_order_acquire) > 0) {
        take(lock, true);
      } else {
        return;  // another thread carries it out, and finishes it
      }
    }
  }
  void take(std::unique_lock<std::mutex>& lock, bool wait) {
    taking_ = true;
    lock.unlock();
    take_completions(wait);
    lock.lock();
    taking_ = false;
    taken_.notify_all();
  }
  void take_completions(bool wait) noexcept {
    io_uring_cqe* completion = nullptr;
    const int failed = wait ? io_uring_wait_cqe(&ring_, &completion) : 0;
    // The kernel still has the buffers of what is under way, so there is nothing but to wait for it in another way.
    if (failed < 0 && failed != -EINTR) ::usleep(kLookAgain);
    while (io_uring_peek_cqe(&ring_, &completion) == 0) {
      const std::unique_ptr<Request> request(static_cast<Request*>(io_uring_cqe_get_data(completion)));
      const int returned = completion->res;
      static_cast<void>(started_.load(std::memory_order_acquire));
      io_uring_cqe_seen(&ring_, completion);
      if (!request) continue;  // a place that had nothing to do
      conclude_all(*request, returned);
      in_ring_.fetch_sub(1, std::memory_order_release);
    }
  }
  // What was not done is carried out here: the rest of several reads that were one, so that each gets its own
  // answer, and what the kernel cancels because the system refuses it the thread that it needs (ulimit -u).
  static void conclude_all(Request& request, int64_t returned) noexcept {
    const bool single = request.operations.size() == 1;
    for (IoOperation& operation : request.operations) {
      const int64_t done = single ? returned : std::min(returned, static_cast<int64_t>(operation.bytes));
      const bool answers = done > 0 || (single && done != -ECANCELED);
      if (!answers || !conclude(operation, done)) carry_out(operation);
      returned -= std::max<int64_t>(done, 0);
    }
  }

  static constexpr useconds_t kLookAgain = 1000;

  std::mutex submission_, completion_;
  std::condition_variable taken_;
  uint64_t holds_ = 0;  // under submission_, like the next five
  std::vector<IoOperation> held_;
  std::array<Place, kDepth> places_{};  // in the order of the ring
  unsigned placed_ = 0;
  Request* rejected_ = nullptr;  // a list, which carry_out_rejected() empties
  bool taking_ = false;          // under completion_
  std::atomic<uint64_t> started_{0};
  std::atomic<uint64_t> in_ring_{0};  // requests whose completions are to come
  io_uring ring_{};
  bool ready_ = false;
};

}  // namespace

Result<std::unique_ptr<IoEngine>> make_uring_engine() {
  auto engine = std::make_unique<UringEngine>();
  if (const int error = engine->set_up(); error != 0)
    return Status::system(std::string("the kernel refuses io_uring: ") + std::strerror(error));
  return std::unique_ptr<IoEngine>(std::move(engine));
}

}  // namespace strata
