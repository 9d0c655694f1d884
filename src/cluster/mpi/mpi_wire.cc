// Messages between ranks by MPI; the only file that includes mpi.h. It becomes an object of its own,
// libstrata_mpi.so, which cluster/launch.cc loads under mpirun.
//
// The calls of MPI in use: MPI_Init_thread with MPI_THREAD_FUNNELED, and all others from the same thread; MPI_Isend,
// and MPI_Improbe with MPI_Imrecv, on a communicator of our own; MPI_Test for both; MPI_Finalize. The wire uses no
// collectives and no order of messages. Only MPI_Init_thread and MPI_Finalize wait within MPI, so that the others can
// notice whatever happens to a rank.
#include <algorithm>
#include <cstdlib>
#include <list>
#include <string>

#include "base/locks/mutex.h"
#include "cluster/mpi/mpi_entry.h"
#include "cluster/transport/wire.h"

// Only the C functions.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace strata::cluster {
namespace {

constexpr int kTag = 1;

class MpiWire final : public Wire {
 public:
  Status open(BufferPool& pool) override {
    pool_ = &pool;
    // With more ranks than cores, Open MPI would yield the processor at each call, for a whole time slice. This thread
    // sleeps by itself when there is nothing to do.
    ::setenv("OMPI_MCA_mpi_yield_when_idle", "0", 1);
    int given = MPI_THREAD_SINGLE;
    if (failed(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given), "MPI_Init_thread"))
      return status_;
    if (given < MPI_THREAD_FUNNELED)
      return Status::system(
          "this MPI was built for programs without threads (it offers less than MPI_THREAD_FUNNELED)");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (failed(MPI_Comm_dup(MPI_COMM_WORLD, &ranks_comm_), "MPI_Comm_dup")) return status_;
    MPI_Comm_set_errhandler(ranks_comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(ranks_comm_, &rank_);
    MPI_Comm_size(ranks_comm_, &ranks_);
    return {};
  }

  int rank() const override { return rank_; }
  int ranks() const override { return ranks_; }
  const char* name() const override { return "mpi"; }

  void send(int to, Buffer bytes) override {
    Transfer& transfer = sends_.emplace_back(Transfer{to, std::move(bytes), MPI_REQUEST_NULL});
    if (failed(MPI_Isend(transfer.bytes.data(), size_of(transfer.bytes), MPI_BYTE, to, kTag, ranks_comm_,
                         &transfer.request),
               "MPI_Isend"))
      sends_.pop_back();
  }

  std::optional<Incoming> receive() override {
    complete_sends();
    begin_receiving();
    for (auto transfer = receives_.begin(); transfer != receives_.end(); ++transfer) {
      if (!is_complete(*transfer)) continue;
      Incoming incoming{transfer->peer, std::move(transfer->bytes)};
      receives_.erase(transfer);
      return incoming;
    }
    return {};
  }

  bool all_sent() override {
    complete_sends();
    return sends_.empty();
  }

  Status status() const override { return status_; }

  void wait(std::chrono::microseconds time) override {
    // MPI has no call that sleeps, so messages under way are looked at again soon.
    if (!sends_.empty() || !receives_.empty()) time = std::min(time, std::chrono::microseconds(50));
    MutexLock lock(mutex_);
    woken_signal_.wait_for(lock, time, [&]() REQUIRES(mutex_) { return woken_; });
    woken_ = false;
  }

  void wake() override {
    const MutexLock lock(mutex_);
    woken_ = true;
    woken_signal_.notify_one();
  }

  void close(bool in_order) override {
    // MPI_Finalize would wait for a rank that is gone.
    if (!in_order) return;
    MPI_Comm_free(&ranks_comm_);
    MPI_Finalize();
  }

 private:
  struct Transfer {
    int peer = 0;
    Buffer bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  static int size_of(const Buffer& bytes) { return static_cast<int>(bytes.size()); }

  bool failed(int code, const char* call) {
    if (code == MPI_SUCCESS) return false;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(code, text, &length);
    if (status_.ok())
      status_ = Status::system(std::string(call) + ": " + std::string(text, static_cast<size_t>(length)));
    return true;
  }

  bool is_complete(Transfer& transfer) {
    int done = 0;
    return !failed(MPI_Test(&transfer.request, &done, MPI_STATUS_IGNORE), "MPI_Test") && done != 0;
  }

  void complete_sends() {
    for (auto transfer = sends_.begin(); transfer != sends_.end();) {
      if (!is_complete(*transfer)) {
        ++transfer;
        continue;
      }
      pool_->give(std::move(transfer->bytes));
      transfer = sends_.erase(transfer);
    }
  }

  // The windows of the transport bound the number of messages.
  void begin_receiving() {
    for (;;) {
      int found = 0, size = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status from;
      if (failed(MPI_Improbe(MPI_ANY_SOURCE, kTag, ranks_comm_, &found, &message, &from), "MPI_Improbe") ||
          found == 0)
        return;
      MPI_Get_count(&from, MPI_BYTE, &size);
      Transfer& transfer = receives_.emplace_back(
          Transfer{from.MPI_SOURCE, pool_->take(static_cast<uint64_t>(size)), MPI_REQUEST_NULL});
      if (failed(MPI_Imrecv(transfer.bytes.data(), size, MPI_BYTE, &message, &transfer.request),
                 "MPI_Imrecv"))
        receives_.pop_back();
    }
  }

  BufferPool* pool_ = nullptr;
  int rank_ = 0, ranks_ = 1;
  MPI_Comm ranks_comm_ = MPI_COMM_NULL;
  std::list<Transfer> sends_, receives_;
  Status status_;

  Mutex mutex_;
  ConditionVariable woken_signal_;
  bool woken_ GUARDED_BY(mutex_) = false;
};

}  // namespace
}  // namespace strata::cluster

strata::cluster::Wire* strata_mpi_wire() { return new strata::cluster::MpiWire; }
const char* strata_mpi_library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}
