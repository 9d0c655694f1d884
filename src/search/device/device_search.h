// Breadth-first search whose levels a device expands: the loop of `gpu` on the host (search/gpu.cc explains the idea).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/number_list.h"
#include "engine/run/search_run.h"
#include "search/device/better_kernels.h"
#include "search/device/device_reader.h"
#include "search/device/device_states.h"

namespace strata {

// How the search divides its share of --memory, which is for the host's part alone.
struct DeviceHostPlan {
  MemoryPlan shares;
  uint64_t batch = 0, buffer = 0;
};
DeviceHostPlan plan_device_host(const PlanInput& input);

class DeviceSearch {
 public:
  // `better` replaces `kernels`, which the states use, at the end of a level.
  DeviceSearch(SearchRun& run, DeviceStates& states, const device::DeviceInfo& device, DeviceKernels& kernels,
               BetterKernels& better);

  Status prepare();
  // Searches until all states are expanded or the search has to end.
  void search();
  Result<SearchResult> finish();

 private:
  void insert_initial();
  bool next_level();
  void process_level();
  uint64_t small_level() const;
  bool goes_by_course() const;
  void expand_course();
  void expand_stretches();
  // Runs a step of the device until it has room; false: the device failed.
  bool step(const std::function<Status()>& run_step);
  void look_at_flagged(uint64_t from, uint64_t to);
  void look_at_all(uint64_t from, uint64_t to);
  void note_progress(uint64_t done);
  bool works(const Status& status);
  Status full() const;
  void count();

  SearchRun& run_;
  DeviceStates& states_;
  const device::DeviceInfo& device_;
  DeviceKernels& kernels_;
  BetterKernels& better_;
  // Of states: copying the counts of a level that is not larger would take longer than the level.
  const uint64_t small_level_;
  std::optional<DeviceReader> reader_;
  uint64_t level_ = 0;          // the current one
  uint64_t from_ = 0, to_ = 0;  // its places
  NumberList level_sizes_;
  uint64_t expansions_ = 0;
  uint64_t stretch_;   // states of a level that are expanded together
  bool lost_ = false;  // states found no room
  std::vector<uint8_t> flagged_;
};

}  // namespace strata
