#include "block/io/io_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/locks/mutex.h"
#include "block/io/file_error.h"

namespace strata {

namespace {

Status io_error(const IoOperation& operation, int error) {
  const bool read = operation.kind == IoOperation::Kind::read;
  return file_error(
      fmt::format("{}: {} {} bytes at offset {}: {}", *operation.file, read ? "reading" : "writing",
                  operation.bytes, operation.offset, std::strerror(error)),
      error);
}

Status empty_answer(const IoOperation& operation) {
  const bool read = operation.kind == IoOperation::Kind::read;
  return Status::system(fmt::format("{}: {} at offset {}", *operation.file,
                                    read ? "the file ends" : "nothing could be written", operation.offset));
}

int64_t call(const IoOperation& o) {
  const auto offset = static_cast<off_t>(o.offset);
  const ssize_t done = o.kind == IoOperation::Kind::read ? ::pread(o.descriptor, o.data, o.bytes, offset)
                                                         : ::pwrite(o.descriptor, o.data, o.bytes, offset);
  return done < 0 ? -errno : done;
}

// pread and pwrite, called by a few threads, or by the threads that start operations where the system gives none.
class ThreadEngine final : public IoEngine {
 public:
  explicit ThreadEngine(unsigned threads) {
    try {
      threads_.reserve(threads);
      while (threads_.size() < threads) threads_.emplace_back([this] { work(); });
    } catch (const std::system_error&) {
      // The system refused a thread: the engine has those that it got.
    } catch (const std::bad_alloc&) {
    }
  }
  ~ThreadEngine() override {
    {
      const MutexLock lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void start(const IoOperation& operation) noexcept override {
    if (threads_.empty() || !give(operation)) return carry_out(operation);
    wake_.notify_one();
  }
  const char* name() const override {
    return threads_.empty() ? "pread/pwrite, in the threads of the search" : "pread/pwrite";
  }

 private:
  bool give(const IoOperation& operation) noexcept {
    const MutexLock lock(mutex_);
    try {
      operations_.push_back(operation);
    } catch (const std::bad_alloc&) {
      return false;
    }
    return true;
  }
  void work() {
    MutexLock lock(mutex_);
    while (true) {
      while (!ending_ && operations_.empty()) wake_.wait(lock);
      if (operations_.empty()) return;
      const IoOperation operation = operations_.front();
      operations_.pop_front();
      lock.unlock();
      carry_out(operation);
      lock.lock();
    }
  }

  Mutex mutex_;
  ConditionVariable wake_;
  std::deque<IoOperation> operations_ GUARDED_BY(mutex_);
  bool ending_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

// Finishes the transfer with the Status that make() returns, or with a shorter one where there is no memory for it: a
// thread may wait for the transfer.
template <class Make>
void finish_with(Transfer& transfer, const Make& make) noexcept {
  Status status;
  try {
    status = make();
  } catch (const std::bad_alloc&) {
    status = Status::system("out of memory");  // short enough to need no memory
  }
  transfer.finish(std::move(status));
}

}  // namespace

bool conclude(IoOperation& operation, int64_t returned) noexcept {
  if (returned == -EINTR || returned == -EAGAIN) return false;
  if (returned <= 0) {
    finish_with(*operation.transfer, [&] {
      return returned == 0 ? empty_answer(operation) : io_error(operation, static_cast<int>(-returned));
    });
    return true;
  }
  const auto done = static_cast<uint64_t>(returned);
  operation.offset += done;
  operation.data += done;
  operation.bytes -= done;
  if (operation.bytes > 0) return false;
  operation.transfer->finish(Status());
  return true;
}

void carry_out(IoOperation operation) noexcept {
  while (!conclude(operation, call(operation))) {
  }
}

std::unique_ptr<IoEngine> make_thread_engine(unsigned threads) {
  return std::make_unique<ThreadEngine>(threads);
}

}  // namespace strata
