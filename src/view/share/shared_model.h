// One rank's share of a model: the states that it owns (state_owner.h). A search sees those successors that belong to
// its rank. The others are packed and sent to their ranks; what other ranks find for this one arrives in the same way.
// So searches that take in arrivals and end their levels together (engine/run/rounds.h) search the whole model, each
// with its own storage.
//
// Most successors were found before. So each thread keeps the states that it sent last and does not send them again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "cluster/rounds/exchange.h"
#include "view/share/state_owner.h"
#include "view/view.h"

namespace strata {

class SharedModel final : public View, public SharedStates, public WholeStates {
 public:
  struct Sizes {
    uint64_t batch = 32 << 10;  // bytes that are sent together; more if a state needs more
    uint64_t cache = 1 << 20;   // bytes of states that a thread sent last
    uint64_t window = 4;        // batches between a pair of ranks, in one direction
  };

  // REQUIRES: all ranks use the same sizes and owners, and have opened their batches for sizes.batch.
  SharedModel(const Model& model, cluster::Exchange& exchange, const Sizes& sizes, StateOwner owner);

  void starts(Expansion& out, const Full& full) const override;
  void expand(const uint8_t* states, uint64_t n, Expansion& out) const override;
  void check(const uint8_t* states, uint64_t n, Expansion& out) const override;
  bool arrivals(Expansion& out, bool flush) const override;
  void hand_out(const uint8_t* states, uint64_t n, Expansion& out) const override;
  const Model& whole() const override { return model_; }
  void make_whole(const uint8_t* states, uint64_t n, uint8_t* result) const override;
  Capabilities capabilities() const override {
    Capabilities offered = View::capabilities();
    offered.whole = this;
    offered.shared = this;
    return offered;
  }

  // The most that an Expansion of this model takes besides its own room.
  static uint64_t scratch_bytes(const ModelInfo& info, uint64_t ranks, const Sizes& sizes);
  // The sizes for a search with this much memory.
  static Sizes fit(const ModelInfo& info, uint64_t ranks, unsigned threads, uint64_t memory);

  // Sums over all threads.
  struct Counts {
    uint64_t successors = 0;  // states found
    uint64_t foreign = 0;     // of them, states of other ranks
    uint64_t sent = 0;        // of these, states that were not sent recently
  };
  Counts counts() const;

 private:
  struct Scratch;

  std::unique_ptr<InnerScratch> make_scratch(uint64_t capacity) const override;
  Scratch& sharing(Expansion& out) const;
  uint64_t owner_of(const uint8_t* state) const;
  bool send_ready(Scratch& own) const;
  void note(Scratch& own) const;

  cluster::Exchange& exchange_;
  const Sizes sizes_;
  const StateOwner owner_;
  mutable std::atomic<uint64_t> successors_{0}, foreign_{0}, sent_{0};
};

}  // namespace strata
