// One read or write under way. The thread that starts it keeps the Transfer and its memory until wait() has returned.
// Then the Transfer can be used again.
//
// Thread safety: one thread begins a Transfer and waits for it; any thread may finish it.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "base/status.h"

namespace strata {

class Transfer;

// Carries transfers out. A Submitter without a thread of its own is driven by the threads that wait.
//
// Thread safety: all functions may be called by any thread.
class Submitter {
 public:
  virtual ~Submitter() = default;
  // Finishes the transfers that have ended, without waiting.
  virtual void harvest() = 0;
  // Waits until the transfer has ended, or until another thread carries it out, which will finish it.
  virtual void wait_for(const Transfer& transfer) = 0;
  // Between hold() and release(), transfers may be held back, to be given to the system together. Each thread pairs its
  // calls.
  virtual void hold() = 0;
  virtual void release() = 0;
};

// Holds back the transfers that are started in its lifetime, if the carrier can (null: there is none).
class SubmitBatch {
 public:
  explicit SubmitBatch(Submitter* carrier) : carrier_(carrier) {
    if (carrier_ != nullptr) carrier_->hold();
  }
  ~SubmitBatch() {
    if (carrier_ != nullptr) carrier_->release();
  }
  SubmitBatch(const SubmitBatch&) = delete;
  SubmitBatch& operator=(const SubmitBatch&) = delete;

 private:
  Submitter* const carrier_;
};

class Transfer {
 public:
  Transfer() = default;
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() { wait(); }

  // begin() is called by a File, finish() by the thread that carries the operation out. Without a carrier, a thread
  // finishes it that needs no help.
  // REQUIRES: the transfer is not busy.
  void begin(Submitter* carrier = nullptr) {
    status_ = Status();
    carrier_ = carrier;
    busy_.store(true, std::memory_order_relaxed);
  }
  void finish(Status status) {
    status_ = std::move(status);
    busy_.store(false, std::memory_order_release);
    busy_.notify_all();
  }

  bool busy() const { return busy_.load(std::memory_order_acquire); }
  // Whether it is still busy, after finishing the transfers that have ended.
  bool poll() const {
    if (busy() && carrier_ != nullptr) carrier_->harvest();
    return busy();
  }
  // Waits until it has ended, and says how. Returns at once where none was begun.
  const Status& wait() const {
    if (busy() && carrier_ != nullptr) carrier_->wait_for(*this);
    busy_.wait(true, std::memory_order_acquire);
    return status_;
  }
  // The same; adds the time that it took to `seconds`.
  const Status& wait(double& seconds) const {
    if (!busy()) return status_;
    const auto begin = std::chrono::steady_clock::now();
    wait();
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return status_;
  }

 private:
  std::atomic<bool> busy_{false};
  Submitter* carrier_ = nullptr;
  Status status_;
};

}  // namespace strata
