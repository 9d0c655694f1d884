// The ring of the kernel, by liburing.
#include <liburing.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "block/io/ring.h"

namespace strata {

namespace {

class KernelRing final : public Ring {
 public:
  ~KernelRing() override {
    if (ready_) io_uring_queue_exit(&ring_);
  }
  // The error number of the system, or 0.
  int set_up() {
    const int failed = io_uring_queue_init(kDepth, &ring_, 0);
    ready_ = failed == 0;
    return -failed;
  }

  unsigned depth() const override { return kDepth; }
  Place put(const IoOperation& first, std::span<const iovec> buffers, void* request) override {
    io_uring_sqe* const entry = io_uring_get_sqe(&ring_);
    if (entry == nullptr) return nullptr;
    if (!buffers.empty()) {
      io_uring_prep_readv(entry, first.descriptor, buffers.data(), static_cast<unsigned>(buffers.size()),
                          first.offset);
    } else {
      prepare(entry, first);
    }
    io_uring_sqe_set_data(entry, request);
    return entry;
  }
  void clear(Place place) override {
    auto* const entry = static_cast<io_uring_sqe*>(place);
    io_uring_prep_nop(entry);
    io_uring_sqe_set_data(entry, nullptr);
  }
  int submit() override { return io_uring_submit(&ring_); }
  int wait() override {
    io_uring_cqe* completion = nullptr;
    return io_uring_wait_cqe(&ring_, &completion);
  }
  bool take(Completion& completion) override {
    io_uring_cqe* entry = nullptr;
    if (io_uring_peek_cqe(&ring_, &entry) != 0) return false;
    completion = {io_uring_cqe_get_data(entry), entry->res};
    io_uring_cqe_seen(&ring_, entry);
    return true;
  }

 private:
  static constexpr unsigned kDepth = 256;

  static void prepare(io_uring_sqe* entry, const IoOperation& o) {
    // The kernel counts the bytes of one operation in 31 bits. The thread that takes the completion carries out the
    // rest.
    constexpr uint64_t kMostBytes = 1u << 30;
    const auto bytes = static_cast<unsigned>(std::min(o.bytes, kMostBytes));
    if (o.kind == IoOperation::Kind::read) {
      io_uring_prep_read(entry, o.descriptor, o.data, bytes, o.offset);
    } else {
      io_uring_prep_write(entry, o.descriptor, o.data, bytes, o.offset);
    }
  }

  io_uring ring_{};
  bool ready_ = false;
};

}  // namespace

Result<std::unique_ptr<Ring>> make_kernel_ring() {
  auto ring = std::make_unique<KernelRing>();
  if (const int error = ring->set_up(); error != 0)
    return Status::system(std::string("the kernel refuses io_uring: ") + std::strerror(error));
  return std::unique_ptr<Ring>(std::move(ring));
}

}  // namespace strata
