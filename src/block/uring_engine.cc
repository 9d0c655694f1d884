// io_uring. Any thread puts operations into the submission ring, under a lock; one thread takes completions out and
// finishes their transfers. Blocks are large (some 20,000 operations a second at most), so neither is busy.
#include <liburing.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>

#include "block/io_engine.h"

namespace strata {

namespace {

constexpr unsigned kDepth = 256;

class UringEngine final : public IoEngine {
 public:
  // The error number of the system, or 0.
  int set_up() {
    const int failed = io_uring_queue_init(kDepth, &ring_, 0);
    if (failed == 0) reaper_ = std::thread([this] { reap(); });
    return -failed;
  }
  ~UringEngine() override {
    if (!reaper_.joinable()) return;
    submit(nullptr);
    reaper_.join();
    io_uring_queue_exit(&ring_);
  }

  void start(const IoOperation& operation) override { submit(std::make_unique<IoOperation>(operation)); }
  const char* name() const override { return "io_uring"; }

 private:
  // The operation belongs to the ring until its completion comes back; null is the sign to end.
  void submit(std::unique_ptr<IoOperation> operation) {
    const std::lock_guard<std::mutex> lock(mutex_);
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    while (entry == nullptr) {
      io_uring_submit(&ring_);
      entry = io_uring_get_sqe(&ring_);
    }
    prepare(entry, operation.get());
    io_uring_sqe_set_data(entry, operation.release());
    // The reaper has the operation after all that was done with it here: the kernel sees to it, and this says so.
    started_.fetch_add(1, std::memory_order_release);
    io_uring_submit(&ring_);
  }
  static void prepare(io_uring_sqe* entry, const IoOperation* o) {
    // The kernel counts the bytes of one operation in 31 bits; conclude() asks for the rest.
    constexpr uint64_t kMost = 1u << 30;
    if (o == nullptr) {
      io_uring_prep_nop(entry);
    } else if (o->kind == IoOperation::Kind::read) {
      io_uring_prep_read(entry, o->descriptor, o->data, static_cast<unsigned>(std::min(o->bytes, kMost)),
                         o->offset);
    } else {
      io_uring_prep_write(entry, o->descriptor, o->data, static_cast<unsigned>(std::min(o->bytes, kMost)),
                          o->offset);
    }
  }
  void reap() {
    while (true) {
      io_uring_cqe* completion = nullptr;
      if (io_uring_wait_cqe(&ring_, &completion) != 0) continue;
      std::unique_ptr<IoOperation> operation(static_cast<IoOperation*>(io_uring_cqe_get_data(completion)));
      const int returned = completion->res;
      static_cast<void>(started_.load(std::memory_order_acquire));
      io_uring_cqe_seen(&ring_, completion);
      if (operation == nullptr) return;
      if (!conclude(*operation, returned)) submit(std::move(operation));
    }
  }

  std::mutex mutex_;
  std::atomic<uint64_t> started_{0};
  io_uring ring_{};
  std::thread reaper_;
};

}  // namespace

Result<std::unique_ptr<IoEngine>> make_uring_engine() {
  auto engine = std::make_unique<UringEngine>();
  if (const int error = engine->set_up(); error != 0)
    return Status::system(std::string("the kernel refuses io_uring: ") + std::strerror(error));
  return std::unique_ptr<IoEngine>(std::move(engine));
}

}  // namespace strata
