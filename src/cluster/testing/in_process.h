// Many ranks in one process, for tests: each is a thread (or several) with a transport of its own. Messages
// are delayed at random, overtake each other, and a rank may die or be cut off, at a moment that a test
// chooses.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

#include "cluster/transport/transport.h"
#include "cluster/transport/wire.h"

namespace strata::cluster {

struct InProcessOptions {
  uint64_t seed = 1;
  std::chrono::microseconds delay{0};  // a message takes from 0 to this long, each its own time
  // 25 Gbit/s: 3125. Bytes in a microsecond that a rank can send; 0: no limit.
  uint64_t bandwidth = 0;
};

class InProcessNetwork {
 public:
  explicit InProcessNetwork(int ranks, const InProcessOptions& options = {});
  ~InProcessNetwork();
  InProcessNetwork(const InProcessNetwork&) = delete;
  InProcessNetwork& operator=(const InProcessNetwork&) = delete;

  int ranks() const;
  // Of a rank, once; the network must outlive it.
  std::unique_ptr<Wire> wire(int rank);

  // The rank is dead from now on: it neither sends nor receives. The others must find out.
  void kill(int rank);
  // Nothing gets from one to the other, in either direction.
  void cut(int one, int other);

 private:
  friend class InProcessWire;
  struct State;
  std::unique_ptr<State> state_;
};

// Calls work(transport) once for each rank, at the same time, each on its own thread, when all transports are
// open; returns when all are done. The work calls finish() itself if it wants an orderly end. An exception of
// the work is thrown. Transports that cannot be opened are an exception as well.
void run_ranks(InProcessNetwork& network, const std::function<void(Transport&)>& work,
               const TransportOptions& options = {});

}  // namespace strata::cluster
