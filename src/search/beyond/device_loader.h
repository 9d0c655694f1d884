// Continues a search on a device from a checkpoint, whether it was made by a search on a device or by one in RAM: all
// states are added to those of the device, in their order, so that a level is again a range of the list. When the
// memory of the device is full, the search goes beyond it, and the further states, which are known to be new, go there.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/locks/mutex.h"
#include "engine/ram/ram_image.h"
#include "search/beyond/beyond_search.h"
#include "search/device/device_search.h"

namespace strata {

class DeviceLoader {
 public:
  // Begins the search beyond the device's memory; null: it cannot, and the run ends.
  using GoBeyond = std::function<BeyondSearch*()>;
  DeviceLoader(SearchRun& run, DeviceSearch& search, DeviceStates& states, GoBeyond go_beyond)
      : run_(run), search_(search), states_(states), go_beyond_(std::move(go_beyond)) {}

  // Trouble is the run's. When all states have room, the search continues with them, or the one beyond.
  void load(RamImage& saved);

 private:
  void take_done(const std::set<std::string>& in_hand, const uint8_t* states, uint64_t n);
  void take(const uint8_t* states, uint64_t n);
  void go_beyond();
  DeviceSearch::Rest loaded() const;
  void end_level(uint64_t level);
  void begin_open();
  void end(const std::vector<uint8_t>& refused);
  void note(const Status& status);

  SearchRun& run_;
  DeviceSearch& search_;
  DeviceStates& states_;
  // Threads take turns.
  Mutex mutex_;
  const GoBeyond go_beyond_;
  BeyondSearch* beyond_ = nullptr;  // null: all states so far are on the device
  bool ended_ = false;
  DeviceSearch::Rest here_;  // the level at hand, as it will be
};

}  // namespace strata
