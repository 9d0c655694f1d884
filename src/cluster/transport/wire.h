// The layer below a transport: moves messages between ranks and does not read them. Implementations: cluster/mpi (MPI),
// cluster/testing/in_process.h (tests).
//
// A message arrives once and whole; messages may overtake each other. A wire need not notice that a rank is gone:
// messages to it vanish.
//
// Thread safety: all calls except wake() come from one thread, from open() to close(). wake() comes from any thread.
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

  // Joins the others. Buffers come from the pool and go back to it. rank() and ranks() are right afterwards.
  // REQUIRES: the pool outlives the wire.
  virtual Status open(BufferPool& pool) = 0;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  virtual const char* name() const = 0;

  // Never waits. The caller limits how much is on its way.
  virtual void send(int to, Buffer bytes) = 0;
  virtual std::optional<Incoming> receive() = 0;
  // All messages that were sent have left this rank.
  virtual bool all_sent() = 0;
  // An error that the wire itself noticed.
  virtual Status status() const = 0;

  // Sleeps until a message may be there, wake() was called since the last wait(), or the time is over.
  virtual void wait(std::chrono::microseconds time) = 0;
  virtual void wake() = 0;

  // Leaves: in order, when all ranks do so, or at once.
  virtual void close(bool in_order) = 0;
};

}  // namespace strata::cluster
