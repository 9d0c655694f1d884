// Threads that do the same work side by side, again and again: one round for each level of a search. Between rounds
// they wait, first spinning (levels may be short), then asleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace strata {

class WorkerPool {
 public:
  // The caller of run() is worker 0; threads - 1 others are started. Throws std::system_error when the system refuses.
  // `on_thrown` is called by a worker that an exception has ended: it asks the others to end too.
  explicit WorkerPool(unsigned threads, std::function<void()> on_thrown = nullptr);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls work(i) once for each worker i, at the same time, and returns when all are done. An exception of a worker is
  // thrown then. If the others do not end within kPatience they wait for what that worker had in hand (a
  // lock, a count), and for ever: std::terminate is called, with the exception.
  void run(const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned worker);
  void do_work(unsigned worker);
  void wait_for_others() const;
  void end();

  const std::function<void(unsigned)>* work_ = nullptr;
  alignas(128) std::atomic<uint32_t> round_{0};
  alignas(128) std::atomic<uint32_t> busy_{0};  // others than worker 0
  std::atomic<uint32_t> working_{0};            // of all
  const std::function<void()> on_thrown_;
  std::atomic<bool> end_{false};
  std::mutex mutex_;
  std::exception_ptr thrown_;  // the first one of a round
  std::vector<std::jthread> workers_;
};

}  // namespace strata
