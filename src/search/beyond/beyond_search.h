// A breadth-first search on a device whose states are more than the device has room for: the continuation of
// DeviceSearch, level by level, with the same states, levels and counts (search/gpu.cc).
//
// Idea: delayed duplicate detection (Stern & Dill 1998; Korf 2003), with everything but the storage on the device. The
// table of visited states stays as it is, with the early states. A successor that is not there is a candidate.
//
//   expand the level, whose keys come from the host, a window at a time                          on the device
//   candidates: group them by partition, append each group to the log of its partition           to the host
//   when the level is done, for each partition that has candidates:                              on the device
//     fill an empty table, the room, with the partition's visited keys, which come from the host
//     add the candidates: those that were not there are new
//     append them to the partition's visited keys, and count their orbits                        to the host
//
// The states of a level are a range of each partition's log, and those early states that are of this level. So the
// logs are the history of the search, too, and a path is found as before: the device finds the states of a level that
// may lead to the wanted one.
//
// Keys are states as they are in the list: whole words, or the key of a folded state; on the host, without the bytes
// that fill the last word. Where the table has places of states, half of the list has to stay beside it; the later half
// of the states moves to the partitions.
//
// Candidates that are many are decided before the level is done; that changes nothing, because their visited keys
// then contain the new states of the level that is found. If a partition has more keys than its room, it is joined in
// several passes, each for a part of its keys.
//
// Late states (beyond=free). A filter on the device, of all states that are not early, tells at once that a state is
// new if no other has set its bits (as `auto` does on disk). These states are appended to the visited keys of their
// partitions without being compared with any. The others, which are known ones and some new ones, are candidates that
// may wait for levels: until they are as many as the visited keys, or nothing else is left to do. New ones among them
// are found late, and are put into the next level (level_excess.h says by how much they are late at most).
//
// Cost. Each state crosses to the host and back once to be expanded, each candidate too. All visited keys behind the
// early ones go to the device once for each level: with levels that are few and large this is little beside
// expanding; with many small levels it is most of the time. With late states it is a handful of times in all.
//
// Invariants, between levels
//  1. Each visited state is early, or in the log of its partition, once.
//  2. There are no candidates, unless states may be late.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "device/contract/kernel_cache.h"
#include "engine/run/search_run.h"
#include "engine/trace/level_excess.h"
#include "search/beyond/beyond_device.h"
#include "search/beyond/beyond_plan.h"
#include "search/device/better_kernels.h"
#include "search/device/device_search.h"
#include "search/device/device_states.h"
#include "store/tiered/key_log.h"

namespace strata {

class BeyondSearch {
 public:
  struct Parts {
    SearchRun& run;
    DeviceSearch& before;
    DeviceStates& states;
    device::Device& device;
    device::KernelCache* cache;  // may be null
    const DeviceCode& code;
    DeviceKernels& kernels;  // those that the states use: they are replaced
    LevelExcess& excess;     // by which states are late, also before this search began
  };
  explicit BeyondSearch(const Parts& parts);

  // Moves the states from the device to the host. If it fails, the search cannot go on.
  Status begin();
  // Whether the device has given its list away, so that finish() is to end the search.
  bool began() const { return began_; }
  // Searches until all states are expanded or the search has to end.
  void search();

  // ---- for a checkpoint with more states than the device has room for (device_loader.h)

  // Adds further states, which are known to be new. What has begun with begin() is continued.
  Status add_saved(const uint8_t* states, uint64_t n);
  // All states of this level were added.
  Status end_saved_level(uint64_t level);
  // Of the level at hand, the expanded states were added.
  Status begin_saved_open();
  // Continues in a level. `refused`: states of the next level, which may be known.
  Status continue_from(const DeviceSearch::Rest& here, const std::vector<uint8_t>& refused);

  Result<SearchResult> finish();
  // Where the states are that the device has no room for, and what became of the memory of the list.
  void describe(DeviceReport& report) const;

 private:
  friend class BeyondHistory;
  friend class RestingBeyond;

  // How many keys the logs of all partitions have.
  using Row = std::vector<uint64_t>;
  // The states of a level, or some of them.
  struct Level {
    uint64_t early_from = 0, early_to = 0;
    Row from, to;
  };

  // Partitions that share a room, and how many keys they bring.
  struct Together {
    uint64_t from = 0, to = 0, keys = 0;
  };

  Status compile();
  Status make_plan(uint64_t device_bytes);
  Status copy_states(KeyLog& log, uint64_t from, uint64_t to);
  Status move_late(KeyLog& late, uint64_t from, uint64_t to);
  Status mark_levels(KeyLog& late);
  Row row() const;
  void mark();

  bool next_level();
  void expand_level();
  using TakeWindow = std::function<Status(uint64_t n)>;
  Status in_windows(const Level& level, const TakeWindow& take);
  Status expand_window(uint64_t n);
  Status expand_and_rest(uint64_t n);
  void pass(uint64_t n);
  Status rest_if_wanted();
  Result<double> weigh_ahead();
  Status flush_saved();
  Status take_back(uint64_t expanded, uint64_t found);
  uint64_t stretch() const;
  void adapt(uint64_t expanded, uint64_t found, double seconds);
  uint64_t buffered() const;
  bool must_resolve() const;
  Status flush();
  Status resolve();
  Status join(const Together& together);
  Result<bool> join_pass(const Together& together, uint64_t parts, uint64_t part);
  Status send(KeyLog& log, Status (BeyondDevice::*take)(const uint8_t*, uint64_t));
  Status take_new(uint64_t from, uint64_t to);
  uint64_t keys_of(uint64_t partition) const;
  using Logs = std::vector<std::unique_ptr<KeyLog>>;
  Status append_parted(const Result<std::vector<uint64_t>>& sizes, Logs& logs);
  void note_progress();
  Level level_of(uint64_t level) const;
  Level next_part() const;
  void say_how_late(SearchResult& result) const;
  void add_details(SearchResult& result) const;

  const Parts parts_;
  SearchRun& run_;
  DeviceStates& states_;
  BeyondDevice device_;
  BeyondPlan plan_;
  std::unique_ptr<BetterKernels> better_;
  std::unique_ptr<KeySpace> space_;
  std::unique_ptr<KeyLog> early_;
  Logs visited_, candidates_;  // of each partition
  uint64_t waiting_ = 0;       // candidates in logs
  uint64_t most_waiting_ = 0;

  Level level_;            // what is to be expanded of the level at hand
  uint64_t number_ = 0;    // of that level
  uint64_t expanded_ = 0;  // states of it
  uint64_t found_ = 0;     // states of the next one
  uint64_t size_ = 0;      // all states
  uint64_t stretch_;       // states to expand together
  double rate_ = 0;        // candidates that a state led to, at most

  uint64_t early_states_ = 0;
  std::vector<uint64_t> early_ends_;  // of all levels with early states
  // Of levels from first_marked_ on: the ends in the logs.
  std::vector<Row> marks_;
  uint64_t first_marked_ = 0;
  Row rest_from_;  // the part of the first level that was not expanded yet

  // For the report.
  uint64_t began_at_ = 0, began_level_ = 0, candidates_seen_ = 0, passes_ = 0, joined_ = 0;
  uint64_t late_ = 0;  // new states among candidates that had waited
  BeyondSeconds seconds_;
  const bool filters_;
  LevelExcess& excess_;
  bool began_ = false, is_whole_ = false;
};

}  // namespace strata
