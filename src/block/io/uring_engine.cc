// io_uring. Any thread puts operations into the submission ring (submissions.h). A thread that waits for a transfer
// takes completions out of the completion ring, also those of the other threads. No thread exists for that alone:
// waking it for each block, and then the thread that waits, takes longer than reading the block (measured with blocks
// of 32 KiB: 90 us of processor time each).
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "base/locks/mutex.h"
#include "block/io/io_engine.h"
#include "block/io/ring.h"
#include "block/io/submissions.h"

namespace strata {

namespace {

class UringEngine final : public IoEngine, private Submitter {
 public:
  explicit UringEngine(std::unique_ptr<Ring> ring)
      : ring_(std::move(ring)), submissions_(*ring_, [this] { harvest(); }) {}
  ~UringEngine() override {
    while (submissions_.has_requests()) take_completions(true);
  }

  void start(const IoOperation& operation) noexcept override { submissions_.start(operation); }
  Submitter* carrier() override { return this; }
  const char* name() const override { return "io_uring"; }

 private:
  static constexpr useconds_t kLookAgainUs = 1000;

  void hold() override { submissions_.hold(); }
  void release() override { submissions_.release(); }

  // One thread at a time takes completions. The others wait until it has taken some.
  void harvest() override {
    {
      const MutexLock lock(mutex_);
      if (taking_) return;
      taking_ = true;
    }
    take_completions(false);
    end_taking();
  }
  void wait_for(const Transfer& transfer) override {
    submissions_.flush();  // the transfer may be held back
    while (begin_waiting(transfer)) {
      take_completions(true);
      end_taking();
    }
  }
  // True: this thread is to take completions. False: the transfer has ended, or another thread carries it out and will
  // finish it.
  bool begin_waiting(const Transfer& transfer) {
    MutexLock lock(mutex_);
    while (transfer.busy() && taking_) taken_.wait(lock);
    if (!transfer.busy() || !submissions_.has_requests()) return false;
    taking_ = true;
    return true;
  }
  void end_taking() {
    const MutexLock lock(mutex_);
    taking_ = false;
    taken_.notify_all();
  }

  void take_completions(bool wait) noexcept {
    const int failed = wait ? ring_->wait() : 0;
    // The kernel still has the buffers of what is under way, so that this thread has to wait in another way.
    if (failed < 0 && failed != -EINTR) ::usleep(kLookAgainUs);
    for (Ring::Completion completion; ring_->take(completion);) {
      const std::unique_ptr<RingRequest> request(static_cast<RingRequest*>(completion.request));
      if (!request || !request->given.load(std::memory_order_acquire)) continue;
      conclude_all(*request, completion.result);
      submissions_.note_completed();
    }
  }
  // Carries out here what the kernel did not do: the rest of several reads that were one, so that each gets its own
  // answer, and what the kernel cancels because the system refuses the thread for it (ulimit -u).
  static void conclude_all(RingRequest& request, int64_t returned) noexcept {
    const bool single = request.operations.size() == 1;
    for (IoOperation& operation : request.operations) {
      const int64_t done = single ? returned : std::min(returned, static_cast<int64_t>(operation.bytes));
      const bool answers = done > 0 || (single && done != -ECANCELED);
      if (!answers || !conclude(operation, done)) carry_out(operation);
      returned -= std::max<int64_t>(done, 0);
    }
  }

  const std::unique_ptr<Ring> ring_;
  Submissions submissions_;
  Mutex mutex_;
  ConditionVariable taken_;
  bool taking_ GUARDED_BY(mutex_) = false;  // a thread is in take_completions()
};

}  // namespace

std::unique_ptr<IoEngine> make_ring_engine(std::unique_ptr<Ring> ring) {
  return std::make_unique<UringEngine>(std::move(ring));
}

Result<std::unique_ptr<IoEngine>> make_uring_engine() {
  Result<std::unique_ptr<Ring>> ring = make_kernel_ring();
  if (!ring.ok()) return ring.status();
  return make_ring_engine(std::move(*ring));
}

}  // namespace strata
