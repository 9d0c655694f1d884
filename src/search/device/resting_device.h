// A search on a device that rests for a checkpoint: its states come to the host, level by level.
#pragma once

#include "engine/ram/resting_search.h"
#include "search/device/device_search.h"

namespace strata {

class RestingDevice final : public RestingSearch {
 public:
  explicit RestingDevice(DeviceSearch& search) : search_(search) {}

  const NumberList& level_sizes() const override { return search_.level_sizes(); }
  void visit_levels(uint64_t first, const History::Visit& visit) override;
  void visit_expanded(const History::Visit& visit) override;
  void visit_open(const History::Visit& visit) override;
  void visit_next(const History::Visit& visit) override;

 private:
  void visit_places(uint64_t from, uint64_t to, const History::Visit& visit);

  DeviceSearch& search_;
};

}  // namespace strata
