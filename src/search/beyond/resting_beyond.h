// A search beyond the memory of its device that rests for a checkpoint: its states come to the device by windows, and
// from there to the host, as states are.
#pragma once

#include "engine/ram/resting_search.h"
#include "search/beyond/beyond_search.h"

namespace strata {

class RestingBeyond final : public RestingSearch {
 public:
  explicit RestingBeyond(BeyondSearch& search) : search_(search) {}

  const NumberList& level_sizes() const override { return search_.parts_.before.level_sizes(); }
  void visit_levels(uint64_t first, const History::Visit& visit) override;
  void visit_expanded(const History::Visit& visit) override;
  void visit_open(const History::Visit& visit) override;
  void visit_next(const History::Visit& visit) override;

 private:
  void visit_level(const BeyondSearch::Level& level, const History::Visit& visit);

  BeyondSearch& search_;
};

}  // namespace strata
