// The stack of a nested depth-first search in RAM: the states of the first search, above them those of the second, and
// their waiting successors. States are places in a StateTable. When an error was found, the stack is the path to it.
//
// A state takes 16 bytes, a successor that waits 8, drawn from the MemoryBudget.
#pragma once

#include <cstdint>
#include <vector>

#include "base/system/growing_array.h"
#include "engine/run/search_run.h"
#include "liveness/lasso/depth_first.h"
#include "store/table/state_table.h"

namespace strata {

class NestedStack {
 public:
  struct Frame {
    uint64_t place;
    uint64_t waiting : 62;  // where its successors begin among those that wait
    uint64_t accepting : 1;
    uint64_t all_red : 1;
  };

  explicit NestedStack(MemoryBudget& budget) : frames_(budget), waiting_(budget) {}
  Status open();

  // False: the budget refuses.
  [[nodiscard]] bool push(uint64_t place, bool accepting) {
    if (!frames_.push({place, waiting_.size() & kMostWaiting, accepting, true})) return false;
    if (frames_.size() > deepest_) deepest_ = frames_.size();
    return true;
  }
  Frame pop() { return frames_.pop(); }
  Frame& top() { return frames_.top(); }
  uint64_t size() const { return frames_.size(); }
  uint64_t deepest() const { return deepest_; }

  // A successor of the state on top waits; the last one to wait is taken first. False: the budget refuses.
  [[nodiscard]] bool wait(uint64_t place) { return waiting_.push(place); }
  // Makes room for this many more waiting successors.
  [[nodiscard]] bool reserve(uint64_t more) { return waiting_.reserve(more); }
  bool has_waiting() { return waiting_.size() > top().waiting; }
  uint64_t take_waiting() { return waiting_.pop(); }
  uint64_t waiting() const { return waiting_.size(); }  // of all states

  // Which state of the stack has this place.
  uint64_t find(uint64_t place) const;

  // For a checkpoint: places are saved as states, and states become the places that they have when they are restored.
  // False: the budget refuses.
  void save(Image& image, const StateTable& table);
  bool restore(Image& image, uint64_t state_bytes, PlaceFinder& finder);

  // The path. Whether there is room for it beside the table;
  bool fits(const SearchRun& run) const;
  // its states, copied;
  std::vector<uint8_t> states(const StateTable& table) const;
  // the error without its path, if there is no room.
  FarError far_error(const DepthFirst& search, const StateTable& table) const;

 private:
  static constexpr uint64_t kMostWaiting = (uint64_t{1} << 62) - 1;

  GrowingStack<Frame> frames_;
  GrowingStack<uint64_t> waiting_;
  uint64_t deepest_ = 0;
};

}  // namespace strata
