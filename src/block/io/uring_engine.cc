// io_uring. Any thread puts operations into the submission ring, under a lock. Completions are taken out by whoever waits for
// one, for the others too: there is no thread for it, because waking one for each block, and by it the thread that waits,
// takes longer than reading the block (measured with blocks of 32 KiB: 90 us of processor time each).
//
// Reads that are held back and turn out to be of neighbouring blocks become one: most of what a read costs, it costs whatever
// its size.
#include <liburing.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "block/io/io_engine.h"

namespace strata {

namespace {

constexpr unsigned kDepth = 256;

class UringEngine final : public IoEngine, private Carrier {
 public:
  // The error number of the system, or 0.
  int set_up() {
    const int failed = io_uring_queue_init(kDepth, &ring_, 0);
    ready_ = failed == 0;
    return -failed;
  }
  ~UringEngine() override {
    if (!ready_) return;
    while (under_way_.load(std::memory_order_acquire) > 0) take_completions(true);
    io_uring_queue_exit(&ring_);
  }

  void start(const IoOperation& operation) override {
    under_way_.fetch_add(1, std::memory_order_relaxed);
    const std::lock_guard<std::mutex> lock(submission_);
    if (holds_ > 0 && operation.kind == IoOperation::Kind::read) {
      held_.push_back(operation);
      return;
    }
    put({&operation, 1});
    if (holds_ == 0) io_uring_submit(&ring_);
  }
  Carrier* carrier() override { return this; }
  const char* name() const override { return "io_uring"; }

 private:
  // What the ring knows as one operation. It belongs to the ring until its completion comes back.
  struct Request {
    std::vector<IoOperation> operations;
    std::vector<iovec> buffers;  // of several
  };
  static constexpr uint64_t kMostTogether = 16;

  // Gives neighbouring operations to the ring as one. The caller holds the lock.
  void put(std::span<const IoOperation> operations) {
    auto request = std::make_unique<Request>();
    request->operations.assign(operations.begin(), operations.end());
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (entry == nullptr) {
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    if (operations.size() == 1) {
      prepare(entry, operations[0]);
    } else {
      for (const IoOperation& o : operations) request->buffers.push_back({o.data, o.bytes});
      io_uring_prep_readv(entry, operations[0].descriptor, request->buffers.data(),
                          static_cast<unsigned>(request->buffers.size()), operations[0].offset);
    }
    io_uring_sqe_set_data(entry, request.release());
    // What was done to the operation was done before its completion comes: the kernel sees to that, and this says so.
    started_.fetch_add(1, std::memory_order_release);
  }
  static void prepare(io_uring_sqe* entry, const IoOperation& o) {
    // The kernel counts the bytes of one operation in 31 bits; conclude() asks for the rest.
    constexpr uint64_t kMost = 1u << 30;
    const auto bytes = static_cast<unsigned>(std::min(o.bytes, kMost));
    if (o.kind == IoOperation::Kind::read) {
      io_uring_prep_read(entry, o.descriptor, o.data, bytes, o.offset);
    } else {
      io_uring_prep_write(entry, o.descriptor, o.data, bytes, o.offset);
    }
  }

  void hold() override {
    const std::lock_guard<std::mutex> lock(submission_);
    ++holds_;
  }
  // What others hold back goes along.
  void release() override {
    const std::lock_guard<std::mutex> lock(submission_);
    --holds_;
    submit_held();
  }
  void submit_all() {
    const std::lock_guard<std::mutex> lock(submission_);
    submit_held();
  }
  void submit_held() {
    for (uint64_t first = 0; first < held_.size();) {
      uint64_t end = first + 1;
      while (end < held_.size() && end - first < kMostTogether && follows(held_[end - 1], held_[end])) ++end;
      put(std::span(held_).subspan(first, end - first));
      first = end;
    }
    held_.clear();
    if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
  }
  static bool follows(const IoOperation& a, const IoOperation& b) {
    return a.descriptor == b.descriptor && a.offset + a.bytes == b.offset;
  }

  // One thread at a time takes completions; the others wait until it has taken some.
  void harvest() override {
    std::unique_lock<std::mutex> lock(completion_);
    if (!taking_) take(lock, false);
  }
  void wait_for(const Transfer& transfer) override {
    submit_all();  // or it might wait for what is held back
    std::unique_lock<std::mutex> lock(completion_);
    while (transfer.busy()) {
      if (taking_) {
        taken_.wait(lock);
      } else {
        take(lock, true);
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
  void take_completions(bool wait) {
    io_uring_cqe* completion = nullptr;
    if (wait) io_uring_wait_cqe(&ring_, &completion);
    while (io_uring_peek_cqe(&ring_, &completion) == 0) {
      const std::unique_ptr<Request> request(static_cast<Request*>(io_uring_cqe_get_data(completion)));
      const int returned = completion->res;
      static_cast<void>(started_.load(std::memory_order_acquire));
      io_uring_cqe_seen(&ring_, completion);
      conclude_all(*request, returned);
    }
  }
  void conclude_all(Request& request, int64_t returned) {
    const bool single = request.operations.size() == 1;
    for (IoOperation& operation : request.operations) {
      const int64_t done = single ? returned : std::min(returned, static_cast<int64_t>(operation.bytes));
      // What was not done of several is asked for again, each one for itself, so each one gets its own answer.
      const bool ended = (single || done > 0) && conclude(operation, done);
      if (ended) {
        under_way_.fetch_sub(1, std::memory_order_release);
      } else {
        const std::lock_guard<std::mutex> lock(submission_);
        put({&operation, 1});
        io_uring_submit(&ring_);
      }
      returned -= std::max<int64_t>(done, 0);
    }
  }

  std::mutex submission_, completion_;
  std::condition_variable taken_;
  uint64_t holds_ = 0;             // under submission_
  std::vector<IoOperation> held_;  // under submission_
  bool taking_ = false;            // under completion_
  std::atomic<uint64_t> started_{0}, under_way_{0};
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
