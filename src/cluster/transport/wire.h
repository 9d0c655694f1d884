// What lies below a transport: moves messages between ranks and knows nothing of what they mean. All calls
// but wake() come from one thread, from open() to close(). Implementations: cluster/mpi (MPI),
// cluster/testing/in_process.h (tests).
//
// A message arrives once and whole; messages may overtake each other. A wire need not notice that a rank is
// gone: what is sent to it vanishes.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "base/status.h"
#include "cluster/transport/buffer_pool.h"

namespace strata::cluster {

struct Incoming {
  int from = 0;
  Buffer bytes;
};

class Wire {
 public:
  virtual ~Wire() = default;

  // Joins the others. The pool, which outlives the wire, is where buffers come from and go to. What rank()
  // and ranks() say holds afterwards.
  virtual Status open(BufferPool& pool) = 0;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual const char* name() const = 0;

  // Never waits; how much is on its way is the caller's concern.
  virtual void send(int to, Buffer bytes) = 0;
  virtual std::optional<Incoming> receive() = 0;
  // Everything that was sent has left this rank.
  virtual bool all_sent() = 0;
  // An error that the wire itself noticed.
  virtual Status status() const = 0;

  // Sleeps until a message may be there, wake() was called since the last wait(), or the time is over.
  virtual void wait(std::chrono::microseconds time) = 0;
  // From any thread.
  virtual void wake() = 0;

  // Leaves: in order, when all ranks do so, or at once.
  virtual void close(bool in_order) = 0;
};

}  // namespace strata::cluster
