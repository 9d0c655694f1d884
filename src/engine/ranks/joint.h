// The ranks of a search by several processes, over an exchange of messages (cluster/rounds/exchange.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ranks/search_ranks.h"

namespace strata {

class Joint final : public SearchRanks {
 public:
  explicit Joint(cluster::Exchange& exchange) : exchange_(exchange) {}

  cluster::Exchange& exchange() const { return exchange_; }

  uint64_t count() const override { return exchange_.ranks(); }
  void sum(std::span<uint64_t> values) const override { reduce(values, cluster::Reduce::sum); }
  void largest(std::span<uint64_t> values) const override { reduce(values, cluster::Reduce::largest); }
  uint64_t least(uint64_t value) const override {
    reduce({&value, 1}, cluster::Reduce::least);
    return value;
  }
  std::vector<std::string> all(const std::string& own) const override;

  Heard heard() const override {
    if (exchange_.failed()) return Heard::lost;
    return exchange_.ending() ? Heard::end_called : Heard::nothing;
  }
  void call_end() const override { exchange_.call_end(); }
  bool all_called() const override { return exchange_.all_called(); }
  Status status() const override { return exchange_.transport().status(); }
  void fail(const Status& reason) const override { exchange_.transport().fail(reason); }
  std::string named(uint64_t rank, const std::string& message) const override;

  void wait() const override { exchange_.transport().wait(); }
  void end_sends() const override { exchange_.end_sends(); }
  bool round_over() const override { return exchange_.is_over(); }
  Status end_round() const override { return exchange_.end_round(); }

 private:
  void reduce(std::span<uint64_t> values, cluster::Reduce how) const;
  void end_on(const Status& status) const;

  cluster::Exchange& exchange_;
};

}  // namespace strata
