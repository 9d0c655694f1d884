// One read or write under way. Whoever starts it keeps the Transfer and the memory it works on until wait() has
// returned. A Transfer can be used again after that.
#pragma once

#include <atomic>
#include <chrono>
#include <utility>

#include "base/status.h"

namespace strata {

class Transfer;

// Carries transfers out. One that has no thread of its own for that is driven by the threads that wait.
class Submitter {
 public:
  virtual ~Submitter() = default;
  // Finishes the transfers that have ended, without waiting for any.
  virtual void harvest() = 0;
  // Returns when this one has ended.
  virtual void wait_for(const Transfer& transfer) = 0;
  // Between these, transfers may be kept back, to be given to the system together. Each thread pairs its calls.
  virtual void hold() = 0;
  virtual void release() = 0;
};

// Holds back what is started in its lifetime, if there is somebody who can.
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

  // Called by a File, and by whatever carries the operation out. Without a carrier, some thread finishes it by itself.
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
  // Whether it is still busy after a look at what has ended.
  bool poll() const {
    if (busy() && carrier_ != nullptr) carrier_->harvest();
    return busy();
  }
  // Waits until it has ended, and says how. At once when none was begun.
  const Status& wait() const {
    if (busy() && carrier_ != nullptr) carrier_->wait_for(*this);
    busy_.wait(true, std::memory_order_acquire);
    return status_;
  }
  // The same; the time it took is added to `seconds`.
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
