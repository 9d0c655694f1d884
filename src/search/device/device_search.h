// Breadth-first search whose levels a device expands: the loop of `gpu` on the host (search/gpu.cc explains the idea).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/number_list.h"
#include "engine/run/search_run.h"
#include "search/device/better_kernels.h"
#include "search/device/device_reader.h"
#include "search/device/device_states.h"

namespace strata {

// A level that is not small is expanded in stretches that take about a tenth of a second, so that limits and signals
// are heard: longer ones follow stretches that take less, and shorter ones those that take more.
inline constexpr double kShortSeconds = 0.03, kLongSeconds = 0.2;

// How the search divides its share of --memory, which is for the host's part alone.
struct DeviceHostPlan {
  MemoryPlan shares;
  uint64_t batch = 0, buffer = 0;
};
// `kept`: bytes for something else.
DeviceHostPlan plan_device_host(const PlanInput& input, uint64_t kept = 0);

class DeviceSearch {
 public:
  // `better` replaces `kernels`, which the states use, at the end of a level.
  DeviceSearch(SearchRun& run, DeviceStates& states, const device::DeviceInfo& device, DeviceKernels& kernels,
               BetterKernels& better);

  // `kept`: bytes of --memory that are not for this search.
  Status prepare(uint64_t kept = 0);
  // Searches until all states are expanded or the search has to end. False: it cannot go on because the memory of the
  // device is full; unless something else continues with the rest, fail() has to end it.
  bool search();
  Result<SearchResult> finish();

  // ---- for a search that continues elsewhere (search/beyond)

  // A level, of which the states before `at` are expanded, by their places; those behind `to` are of the next level.
  struct Rest {
    uint64_t level = 0, from = 0, at = 0, to = 0;
  };
  const Rest& rest() const { return here_; }
  // Ends the search because the memory of the device is full; `more` says what could be done, or was tried.
  void fail(const std::string& more);
  // What to say when the states that the device has now fill its memory.
  Status full() const;
  // Whether a call to the device succeeded; if not, the search fails.
  bool works(const Status& status);
  // So many states were expanded on the device, and the host has yet to look at those that it flagged.
  void note_expanded(uint64_t states) { expansions_ += states; }
  void look_at_flagged(uint64_t from, uint64_t to, uint64_t level);
  // ---- for checkpoints

  // The level at hand while a checkpoint is read.
  void stand_at(const Rest& here) { here_ = here; }
  // Continues from a checkpoint in a level whose states are on the device.
  void continue_from(const Rest& here);
  // The run has the counts of all that was saved; `ahead` as in count().
  void continue_counts(double ahead);
  // Adds saved states. False: they have no room, or the device failed.
  bool add_saved(const uint8_t* states, uint64_t n);
  // Between steps: makes a checkpoint if one is due; the search may end then.
  void rest_if_wanted();
  // Makes one now, if the search can be saved.
  void save();
  // Gives the device's counts to the run, all but those that it has. `ahead`: the states that those which are not
  // expanded stand for, with symmetry; elsewhere they are counted when they are expanded.
  void count(double ahead = 0);
  // The same for a search that goes on. False: the device failed.
  bool hand_over_counts(double ahead);
  // Rules fired, with those that the run has.
  uint64_t transitions() const { return transitions_ + states_.all_fired(); }
  // Of all levels that are done, and the one that the rest is of.
  NumberList& level_sizes() { return level_sizes_; }
  DeviceReader& reader() { return *reader_; }

 private:
  friend class RestingDevice;

  void insert_initial();
  bool give_counts();
  Result<double> weigh_ahead();
  bool next_level();
  bool process_level();
  uint64_t small_level() const;
  bool goes_by_course() const;
  void expand_course();
  void expand_stretches();
  // Runs a step of the device until it has room; false: the device failed.
  bool step(const std::function<Status()>& run_step);
  void look_at_all(uint64_t from, uint64_t to, uint64_t level);
  void note_progress(uint64_t done);

  SearchRun& run_;
  DeviceStates& states_;
  const device::DeviceInfo& device_;
  DeviceKernels& kernels_;
  BetterKernels& better_;
  // Of states: copying the counts of a level that is not larger would take longer than the level.
  const uint64_t small_level_;
  std::optional<DeviceReader> reader_;
  Rest here_;              // the current level
  bool restored_ = false;  // it comes from a checkpoint
  NumberList level_sizes_;
  // Of these the run does not know yet; and what it was told of.
  uint64_t expansions_ = 0;
  uint64_t transitions_ = 0;
  double ahead_ = 0;
  uint64_t stretch_;   // states of a level that are expanded together
  bool lost_ = false;  // states found no room, and the step was taken back
  Status full_;        // what to say then
  std::vector<uint8_t> flagged_;
};

}  // namespace strata
