// io_uring. Any thread puts operations into the submission ring, under a lock. Completions are taken out by whoever waits for
// one, for the others too: there is no thread for it, because waking one for each block, and by it the thread that waits,
// takes longer than reading the block (measured with blocks of 32 KiB: 90 us of processor time each).
#include <liburing.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstring>
#include <memory>
#include <mutex>

#include "block/io_engine.h"

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
    submit(std::make_unique<IoOperation>(operation));
  }
  Carrier* carrier() override { return this; }
  const char* name() const override { return "io_uring"; }

 private:
  // The operation belongs to the ring until its completion comes back.
  void submit(std::unique_ptr<IoOperation> operation) {
    const std::lock_guard<std::mutex> lock(submission_);
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (entry == nullptr) {
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    prepare(entry, *operation);
    io_uring_sqe_set_data(entry, operation.release());
    // What was done to the operation was done before its completion comes: the kernel sees to that, and this says so.
    started_.fetch_add(1, std::memory_order_release);
    if (holds_ == 0) io_uring_submit(&ring_);
  }
  void hold() override {
    const std::lock_guard<std::mutex> lock(submission_);
    ++holds_;
  }
  void release() override {
    {
      const std::lock_guard<std::mutex> lock(submission_);
      if (--holds_ > 0) return;
    }
    submit_all();
  }
  void submit_all() {
    const std::lock_guard<std::mutex> lock(submission_);
    if (io_uring_sq_ready(&ring_) > 0) io_uring_submit(&ring_);
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
      std::unique_ptr<IoOperation> operation(static_cast<IoOperation*>(io_uring_cqe_get_data(completion)));
      const int returned = completion->res;
      static_cast<void>(started_.load(std::memory_order_acquire));
      io_uring_cqe_seen(&ring_, completion);
      if (conclude(*operation, returned)) {
        under_way_.fetch_sub(1, std::memory_order_release);
      } else {
        submit(std::move(operation));
      }
    }
  }

  std::mutex submission_, completion_;
  std::condition_variable taken_;
  uint64_t holds_ = 0;   // under submission_
  bool taking_ = false;  // under completion_
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
