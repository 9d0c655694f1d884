// The visited states of a search in the memory of a device, and what the device does with them. A step is a launch,
// or a course of several levels; after it the host reads what was counted, in one copy.
//
// A step that found no room in the table is undone as a whole: the list is cut off where it ended before, the
// counts are written back, and after grow() the step is repeated. So a table can begin small. What has no room in
// the largest table or the list is lost, and full() stays true.
//
// Folded states are keys in the list, and the pairs that they consist of have a table of their own
// (device/kernels/folded.cuh). When this one grows, all keys change, so both tables are made again.
//
// Invariants, between steps that were not full
//  1. Each state of the list has one slot, and each slot is of one state of the list.
//  2. counts_ is what the device counts; saved_ the same before the last step.
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/kernels/arguments.h"
#include "model/model.h"
#include "search/device/device_kernels.h"
#include "search/device/device_plan.h"

namespace strata {

// A model may read so far behind the states that it gets.
inline constexpr uint64_t kSlackBytes = 16;
// Of addresses in a device's memory, for any use.
inline constexpr uint64_t kDeviceAlignment = 256;

class DeviceStates {
 public:
  DeviceStates(device::Device& device, const DeviceKernels& kernels, const DeviceCode& code,
               const KernelShape& shape, uint64_t state_bytes);

  Status prepare(const DevicePlan& plan, DeadlockMode deadlock);

  // ---- steps

  // Begins a step: what was counted so far is not undone any more.
  void begin_step() { saved_ = counts_; }
  Status undo();
  // Adds packed states.
  Status add(const uint8_t* states, uint64_t n);
  Status expand(uint64_t from, uint64_t to);
  Status check(uint64_t from, uint64_t to);
  // Expands a level and those that follow it, at most `most` of them. Ends after a level in which a state was flagged
  // or found no room, one that leads to no states or to more than most_states, or one that makes the table crowded.
  Status expand_course(uint64_t from, uint64_t to, uint64_t most, uint64_t most_states);
  // How many levels the course expanded; how many states the list had after each.
  uint64_t course_levels() const;
  uint64_t course_end(uint64_t level) const;

  // ---- what was counted

  uint64_t size() const;  // states in the list
  bool full() const;
  uint64_t nodes() const;  // pairs that folded states consist of
  bool lacks_nodes() const { return (counts_[Place::full] & device::kernels::kNodesFull) != 0; }
  uint64_t fired(uint64_t rule) const;
  uint64_t fired_in(uint64_t rule) const;  // states; 0 for a rule with one instance
  uint64_t all_fired() const;
  double orbit_states() const;  // that the visited states stand for, with symmetry

  // ---- for a search that is saved

  // The states that n states from this place on stand for, with symmetry.
  Result<double> weigh(uint64_t from, uint64_t n);
  // Forgets how often rules fired, and the orbits: another has these counts.
  Status forget_counts();

  // ---- the table

  // So many states can be expanded together, also to find predecessors.
  uint64_t most_together() const { return plan_.stretch; }
  // Whether what is full can grow.
  bool can_grow() const;
  // Whether larger tables would be better.
  bool crowded() const { return is_crowded() || has_crowded_nodes(); }
  // Makes larger what is full or crowded.
  Status grow();
  double load() const;
  uint64_t capacity() const { return plan_.capacity; }
  uint64_t bytes() const;       // that states take, with all that is beside them
  uint64_t node_bytes() const;  // of these, the table of pairs

  // ---- beyond the device's memory (search/beyond)

  // Undoes a step that found no room, and makes the tables as they were before it. The one of pairs becomes as large as
  // it can be, because it cannot grow once states are elsewhere.
  Status take_back();
  // Gives the memory of the list away, once its states are elsewhere. The table stays as the one of early states, the
  // first ones of the list: all of them; or, if the table has their places, those of the half that stays in the list.
  struct Spare {
    device::kernels::VisitedStates early;
    uint64_t early_states = 0;
    device::Address memory = 0;
    uint64_t bytes = 0;
  };
  Result<Spare> give_list();
  // From now on, places are those of states at this address. `beyond`: a kernels::Beyond in the device's memory.
  void look_at(device::Address states, device::Address beyond);
  // Candidates in the buffer; may be more than it has room for, after a step that was full.
  uint64_t candidates() const { return counts_[Place::candidates]; }
  device::Address candidate_count() const { return counter(Place::candidates); }
  // The same for states that are known to be new.
  uint64_t fresh() const { return counts_[Place::fresh]; }
  device::Address fresh_count() const { return counter(Place::fresh); }
  // Both were taken out of their buffers.
  Status forget_found();
  device::Address orbit_counter() const { return counter(Place::orbits); }
  // Copies states of the list as keys: packed, or folded. REQUIRES: the kernels are those of KernelShape::beyond.
  Status copy_list(uint64_t from, uint64_t n, uint8_t* keys) const;
  uint64_t key_bytes() const { return shape_.folds() ? sizeof(uint64_t) : state_bytes_; }
  uint64_t list_bytes() const { return shape_.list_words() * sizeof(uint64_t); }  // of a state in the list
  // To run further kernels: with the tables of the search as their argument's, and to read what was counted.
  device::kernels::VisitedStates visited() const;
  Status read_counts();
  template <class Argument>
  Status launch(const device::Kernel& kernel, uint64_t lanes, const Argument& argument) const {
    return device_.launch(kernel, kernels_.grid(kernel, lanes), &argument, sizeof argument);
  }
  const KernelShape& shape() const { return shape_; }

  // ---- flagged states

  uint64_t flags() const;
  // Whether all of them are known by their places.
  bool knows_flagged() const { return flags() <= plan_.flagged; }
  // The flagged states, packed; forgets them. REQUIRES: knows_flagged().
  Status take_flagged(std::vector<uint8_t>& states);
  Status forget_flagged();

  // ---- reading

  // Copies states of the list, packed, to a buffer with room for n states as the device keeps them.
  Status read(uint64_t from, uint64_t n, uint8_t* states) const;
  uint64_t bytes_each() const { return words_ * sizeof(uint64_t); }  // in such a buffer
  // Places whose states, from each to kLanes further ones of this stretch, contain all that lead to one of the targets.
  // False: there are too many targets or places to tell.
  Result<bool> find_predecessors(uint64_t from, uint64_t to,
                                 const std::vector<const std::vector<uint8_t>*>& targets,
                                 std::vector<uint64_t>& places);

 private:
  struct Place {  // of a count, in words
    static constexpr uint64_t count = 0, full = 1, flags = 2, orbits = 3, nodes = 4, candidates = 5,
                              fresh = 6, course = 7,
                              notes = course + sizeof(device::kernels::Course) / sizeof(uint64_t);
  };
  device::Address counter(uint64_t place) const { return counters_.address() + place * sizeof(uint64_t); }
  uint64_t first_rule() const { return Place::notes + plan_.note_bytes / sizeof(uint64_t); }
  Status write_counts();
  uint64_t comfortable() const;
  bool is_crowded() const { return buckets_ < plan_.buckets && size() > comfortable(); }
  bool has_crowded_nodes() const;
  bool can_grow_nodes() const { return node_table_ + 1 < plan_.node_buckets.size(); }
  device::Address nodes_of(uint64_t table) const;
  Status grow_table();
  Status grow_nodes();
  Status fill_table(uint64_t buckets, uint64_t n);
  Status read_folded(uint64_t from, uint64_t n, uint8_t* states) const;
  device::kernels::Level level(uint64_t from, uint64_t to) const;
  Status make_table(uint64_t buckets);
  Status launch_expansion(uint64_t lanes, const device::kernels::Level& level) const;
  Status stage(const uint8_t* states, uint64_t n);
  Status mark(const std::vector<const std::vector<uint8_t>*>& targets, uint64_t marks);

  device::Device& device_;
  const DeviceKernels& kernels_;
  const std::vector<uint64_t>& data_;
  const uint64_t rules_, words_, slots_of_bucket_, state_bytes_;
  const KernelShape shape_;
  DevicePlan plan_;
  uint32_t deadlock_ = 0;
  uint64_t buckets_ = 0;
  uint64_t node_table_ = 0;  // which of the plan's
  uint64_t lacked_ = 0;      // what was full in the step that was undone
  device::Address list_at_ = 0, beyond_ = 0;
  uint64_t early_bytes_ = 0;  // that table and list had when the search outgrew them
  device::Memory table_, list_, counters_, flagged_, staging_, on_way_, queues_, model_, passes_, nodes_;
  std::vector<uint64_t> counts_, saved_;
};

}  // namespace strata
