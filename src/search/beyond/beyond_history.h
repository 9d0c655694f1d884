// The levels of a search that has outgrown the device's memory, brought back to the device, which looks for
// predecessors there; the host expands only the states that it does not rule out.
#pragma once

#include "search/beyond/beyond_search.h"

namespace strata {

class BeyondHistory final : public History {
 public:
  BeyondHistory(BeyondSearch& search, unsigned lanes) : search_(search), lanes_(lanes) {}

  Status visit(uint64_t epoch, const Visit& visit) override;
  Status visit_predecessors(uint64_t epoch, const Targets& targets, const Visit& visit) override;

 private:
  BeyondSearch& search_;
  const unsigned lanes_;
};

}  // namespace strata
