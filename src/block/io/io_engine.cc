#include "block/io/io_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

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

// pread and pwrite, called by a few threads.
class ThreadEngine final : public IoEngine {
 public:
  explicit ThreadEngine(unsigned threads) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~ThreadEngine() override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ending_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void start(const IoOperation& operation) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      operations_.push_back(operation);
    }
    wake_.notify_one();
  }
  const char* name() const override { return "pread/pwrite"; }

 private:
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ending_ || !operations_.empty(); });
      if (operations_.empty()) return;
      IoOperation operation = operations_.front();
      operations_.pop_front();
      lock.unlock();
      while (!conclude(operation, call(operation))) {
      }
      lock.lock();
    }
  }
  static int64_t call(const IoOperation& o) {
    const auto offset = static_cast<off_t>(o.offset);
    const ssize_t done = o.kind == IoOperation::Kind::read ? ::pread(o.descriptor, o.data, o.bytes, offset)
                                                           : ::pwrite(o.descriptor, o.data, o.bytes, offset);
    return done < 0 ? -errno : done;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<IoOperation> operations_;
  bool ending_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

bool conclude(IoOperation& operation, int64_t returned) {
  if (returned == -EINTR || returned == -EAGAIN) return false;
  if (returned < 0) {
    operation.transfer->finish(io_error(operation, static_cast<int>(-returned)));
    return true;
  }
  if (returned == 0) {
    const bool read = operation.kind == IoOperation::Kind::read;
    operation.transfer->finish(
        Status::system(fmt::format("{}: {} at offset {}", *operation.file,
                                   read ? "the file ends" : "nothing could be written", operation.offset)));
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

std::unique_ptr<IoEngine> make_thread_engine(unsigned threads) {
  return std::make_unique<ThreadEngine>(threads);
}

}  // namespace strata
