#include "search/device/resting_device.h"

namespace strata {

void RestingDevice::visit_levels(uint64_t first, const History::Visit& visit) {
  const NumberList& sizes = level_sizes();
  uint64_t from = sizes.sum_of(first);
  for (uint64_t level = first; level + 1 < sizes.size() && !search_.run_.halted(); ++level) {
    const uint64_t to = from + sizes[level];
    visit_places(from, to, visit);
    from = to;
  }
}

void RestingDevice::visit_expanded(const History::Visit& visit) {
  visit_places(search_.here_.from, search_.here_.at, visit);
}

void RestingDevice::visit_open(const History::Visit& visit) {
  visit_places(search_.here_.at, search_.here_.to, visit);
}

void RestingDevice::visit_next(const History::Visit& visit) {
  visit_places(search_.here_.to, search_.states_.size(), visit);
}

void RestingDevice::visit_places(uint64_t from, uint64_t to, const History::Visit& visit) {
  search_.works(search_.reader_->visit(from, to, visit, [this] { return search_.run_.halted(); }));
}

}  // namespace strata
