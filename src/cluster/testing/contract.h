// What every transport must do, whatever lies below it: run by all ranks at once, in gtest on ranks in one
// process, and by a program of its own under mpirun (tests/cluster/contract_main.cc).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "cluster/transport/transport.h"

namespace strata::cluster {

// What went wrong, on this rank. Thread-safe.
class Problems {
 public:
  void add(std::string text);
  void expect(bool true_, const std::string& text) {
    if (!true_) add(text);
  }
  void expect(const Status& status, const std::string& text) {
    expect(status.ok(), text + ": " + status.message());
  }
  std::vector<std::string> list() const;

 private:
  mutable Mutex mutex_;
  std::vector<std::string> list_ GUARDED_BY(mutex_);
};

struct ContractPart {
  const char* name;
  void (*run)(Transport& transport, uint64_t seed, Problems& problems);
};

// In this order, all on the same transport, whose batches are open with kContractShape.
const std::vector<ContractPart>& contract();
constexpr BatchShape kContractShape{.bytes = 40'000, .window = 3};

// Opens the batches and runs all parts. The transport is not finished.
void run_contract(Transport& transport, uint64_t seed, Problems& problems);

// One round with random batches on some threads; what it needs is in the arguments, so that tests can make
// rounds of all kinds.
struct RandomRound {
  unsigned threads = 1;
  uint64_t most = 20;              // batches of a thread
  int only_to = -1;                // all to this rank
  unsigned slow_microseconds = 0;  // that the taking in of a batch takes
};
void random_round(Transport& transport, const RandomRound& round, uint64_t seed, Problems& problems);

}  // namespace strata::cluster
