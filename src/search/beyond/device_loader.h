// Continues a search on a device from a checkpoint, whether it was made by a search on a device or by one in RAM: all
// states are added to those of the device, in their order, so that a level is again a range of the list.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "base/locks/mutex.h"
#include "engine/ram/ram_image.h"
#include "search/device/device_search.h"

namespace strata {

class DeviceLoader {
 public:
  DeviceLoader(SearchRun& run, DeviceSearch& search, DeviceStates& states)
      : run_(run), search_(search), states_(states) {}

  // False: the memory of the device is full. Trouble is the run's.
  bool load(RamImage& saved);

 private:
  void take_done(const std::set<std::string>& in_hand, const uint8_t* states, uint64_t n);
  void take(const uint8_t* states, uint64_t n);
  bool end();

  SearchRun& run_;
  DeviceSearch& search_;
  DeviceStates& states_;
  // Threads take turns.
  Mutex mutex_;
  bool full_ = false;
  DeviceSearch::Rest here_;  // the level at hand, as it will be
};

}  // namespace strata
