#include "base/worker_pool.h"

#include <chrono>
#include <utility>

namespace strata {

namespace {

// How long a worker with an exception waits for the others.
constexpr std::chrono::seconds kPatienceSeconds{10};

// Waits until the value is not `old`.
void wait_for_change(std::atomic<uint32_t>& value, uint32_t old) {
  for (unsigned spins = 0; spins < 2000; ++spins) {
    if (value.load(std::memory_order_acquire) != old) return;
  }
  value.wait(old, std::memory_order_acquire);
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads, std::function<void()> on_thrown) : on_thrown_(std::move(on_thrown)) {
  try {
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this, i] { serve(i); });
  } catch (...) {
    end();
    throw;
  }
}

WorkerPool::~WorkerPool() { end(); }

void WorkerPool::end() {
  end_.store(true, std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
}

void WorkerPool::run(const std::function<void(unsigned)>& work) {
  work_ = &work;
  busy_.store(static_cast<uint32_t>(workers_.size()), std::memory_order_relaxed);
  working_.store(threads(), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  round_.notify_all();
  do_work(0);
  while (const uint32_t busy = busy_.load(std::memory_order_acquire)) wait_for_change(busy_, busy);
  std::exception_ptr thrown;
  {
    const MutexLock lock(mutex_);
    thrown = std::exchange(thrown_, nullptr);
  }
  if (thrown) std::rethrow_exception(thrown);
}

void WorkerPool::do_work(unsigned worker) {
  try {
    (*work_)(worker);
    working_.fetch_sub(1, std::memory_order_release);
  } catch (...) {
    {
      const MutexLock lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    working_.fetch_sub(1, std::memory_order_release);
    if (on_thrown_) on_thrown_();
    wait_for_others();
  }
}

void WorkerPool::wait_for_others() const {
  const auto end = std::chrono::steady_clock::now() + kPatienceSeconds;
  while (working_.load(std::memory_order_acquire) > 0) {
    if (std::chrono::steady_clock::now() > end) std::terminate();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void WorkerPool::serve(unsigned worker) {
  for (uint32_t round = 0;; ++round) {
    wait_for_change(round_, round);
    if (end_.load(std::memory_order_relaxed)) return;
    do_work(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) busy_.notify_all();
  }
}

}  // namespace strata
