// Threads that do the same work side by side in rounds, for example one round for each level of a search. Between
// rounds they wait: first they spin, because levels may be short, then they sleep.
//
// Thread safety: one thread at a time uses a pool; its own threads only call the functions that it is given.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "base/locks/mutex.h"

namespace strata {

class WorkerPool {
 public:
  // Starts threads - 1 workers; the caller of run() is worker 0. Throws std::system_error when the system refuses a
  // thread. A worker that an exception has ended calls `on_thrown`, which asks the others to end too.
  explicit WorkerPool(unsigned threads, std::function<void()> on_thrown = nullptr);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  unsigned threads() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Calls work(i) once for each worker i, at the same time, returns when all are done, and then throws the first
  // exception of a worker. If a worker has thrown and the others do not end within ten seconds, they wait for something
  // that it had in hand (a lock, a count) and would wait for ever: std::terminate() is called, with the exception.
  // REQUIRES: not called by a worker.
  void run(const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned worker);
  void do_work(unsigned worker);
  void wait_for_others() const;
  void end();

  const std::function<void(unsigned)>* work_ = nullptr;
  alignas(128) std::atomic<uint32_t> round_{0};
  alignas(128) std::atomic<uint32_t> busy_{0};  // others than worker 0
  std::atomic<uint32_t> working_{0};            // all workers that work
  const std::function<void()> on_thrown_;
  std::atomic<bool> end_{false};
  Mutex mutex_;
  std::exception_ptr thrown_ GUARDED_BY(mutex_);  // the first one of a round
  std::vector<std::jthread> workers_;
};

}  // namespace strata
