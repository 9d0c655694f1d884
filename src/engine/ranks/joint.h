// What the ranks of a search agree on, each time that a rank must know it. Between these times ranks exchange states
// (cluster/rounds/exchange.h). All ranks make the same calls in the same order, by one thread each. When a
// rank is lost, each call returns what this rank has to say alone; SearchRun::halted() then ends the search.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cluster/rounds/exchange.h"

namespace strata {

class Joint {
 public:
  explicit Joint(cluster::Exchange& exchange) : exchange_(exchange) {}

  cluster::Exchange& exchange() const { return exchange_; }

  void sum(std::span<uint64_t> values) const { reduce(values, cluster::Reduce::sum); }
  void largest(std::span<uint64_t> values) const { reduce(values, cluster::Reduce::largest); }
  uint64_t least(uint64_t value) const {
    reduce({&value, 1}, cluster::Reduce::least);
    return value;
  }
  bool any(bool here) const {
    uint64_t value = here ? 1 : 0;
    largest({&value, 1});
    return value != 0;
  }
  // The texts of all ranks, by rank.
  std::vector<std::string> all(const std::string& own) const;

 private:
  void reduce(std::span<uint64_t> values, cluster::Reduce how) const;
  void end_on(const Status& status) const;

  cluster::Exchange& exchange_;
};

// Whether it is so in any rank; alone: here.
inline bool in_any_rank(cluster::Exchange* exchange, bool here) {
  return exchange == nullptr ? here : Joint(*exchange).any(here);
}

}  // namespace strata
