// The ranks of a search: the processes that search one model together. A search always has them: Joint (joint.h) when
// there are several processes, Solo when this one is alone. Solo does nothing: each agreement is what this process says
// itself, there are no calls, and nothing is in transit.
//
// Thread safety: agreements are made by one thread of each rank, and all ranks make the same ones in the same order.
// Calls, and what is asked of a round, may come from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "cluster/rounds/exchange.h"

namespace strata {

class SearchRanks {
 public:
  SearchRanks() = default;
  virtual ~SearchRanks() = default;
  SearchRanks(const SearchRanks&) = delete;
  SearchRanks& operator=(const SearchRanks&) = delete;

  virtual uint64_t count() const = 0;

  // ---- agreements. When a rank is lost, each returns what this rank says alone, and heard() tells of the loss.

  virtual void sum(std::span<uint64_t> values) const = 0;
  virtual void largest(std::span<uint64_t> values) const = 0;
  virtual uint64_t least(uint64_t value) const = 0;
  // The texts of all ranks, by rank.
  virtual std::vector<std::string> all(const std::string& own) const = 0;
  bool any(bool here) const {
    uint64_t value = here ? 1 : 0;
    largest({&value, 1});
    return value != 0;
  }

  // ---- calls

  enum class Heard {
    nothing,
    end_called,  // a rank asked all of them to end this round soon: it has to stop, or is to be saved
    lost         // a rank is lost, or the ranks do not do the same any more; status() says which
  };
  virtual Heard heard() const = 0;
  // Asks all ranks to end this round soon. May be repeated.
  virtual void call_end() const = 0;
  // Whether all ranks were told of this rank's calls.
  virtual bool all_called() const = 0;
  virtual Status status() const = 0;
  // This rank cannot continue: all others fail for this reason.
  virtual void fail(const Status& reason) const = 0;
  // A message of a rank, with its name.
  virtual std::string named(uint64_t rank, const std::string& message) const = 0;

  // ---- rounds (cluster/rounds/exchange.h)

  // Sleeps until states have arrived, or may be sent, or the round is over; or for a moment.
  virtual void wait() const = 0;
  // REQUIRES: no thread sends any more in this round.
  virtual void end_sends() const = 0;
  virtual bool round_over() const = 0;
  virtual Status end_round() const = 0;
};

class Solo final : public SearchRanks {
 public:
  uint64_t count() const override { return 1; }
  void sum(std::span<uint64_t>) const override {}
  void largest(std::span<uint64_t>) const override {}
  uint64_t least(uint64_t value) const override { return value; }
  std::vector<std::string> all(const std::string& own) const override { return {own}; }
  Heard heard() const override { return Heard::nothing; }
  void call_end() const override {}
  bool all_called() const override { return true; }
  Status status() const override { return {}; }
  void fail(const Status&) const override {}
  std::string named(uint64_t, const std::string& message) const override { return message; }
  void wait() const override {}
  void end_sends() const override {}
  bool round_over() const override { return true; }
  Status end_round() const override { return {}; }
};

// Joint for an exchange, Solo for none.
std::unique_ptr<SearchRanks> make_ranks(cluster::Exchange* exchange);

}  // namespace strata
