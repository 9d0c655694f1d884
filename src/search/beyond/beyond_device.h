// What a device does for a search that has outgrown its memory, in the memory that the list of states had: a window
// with the states that are expanded, candidates on their way to the host, and a room in which the keys of one
// partition meet (device/kernels/beyond.cuh and resolve.cuh).
//
// Thread safety: one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/kernels/arguments.h"
#include "search/beyond/beyond_plan.h"
#include "search/device/device_states.h"
#include "store/tiered/key_space.h"

namespace strata {

// Seconds that a search beyond the device's memory spent.
struct BeyondSeconds {
  double expand = 0, copy = 0, join = 0;
};

class BeyondDevice final : public MemoryUser {
 public:
  // The kernels are those of KernelShape::beyond.
  BeyondDevice(device::Device& device, DeviceStates& states, const DeviceKernels& kernels)
      : device_(device), states_(states), kernels_(kernels) {}

  // Memory of the host whose keys are copied, queued. After settle(), all copies are done.
  void take(void* memory, uint64_t bytes) override { device_.pin(memory, bytes); }
  void drop(void* memory) override { device_.unpin(memory); }
  Status settle() override { return device_.wait(); }

  // From now on, places of states are those of the window.
  Status begin(const BeyondPlan& plan, const DeviceStates::Spare& spare);

  // ---- the window

  // The keys stay in the host's memory until settle(), or until the states are expanded.
  Status load(uint64_t place, const uint8_t* keys, uint64_t n);
  // After a step that was undone: candidates that were taken back may be met again.
  Status forget_recent();

  // ---- partitions

  // Groups candidates, or states that the filter knows to be new, or n visited keys of the host, by partition. The
  // sizes of the groups, which follow each other. Visited keys are then known to the filter.
  Result<std::vector<uint64_t>> part_candidates(uint64_t n);
  Result<std::vector<uint64_t>> part_fresh(uint64_t n);
  Result<std::vector<uint64_t>> part(const uint8_t* keys, uint64_t n);
  // The same for keys of the room, by their places.
  Result<std::vector<uint64_t>> part_room(uint64_t first, uint64_t n);
  // The keys are there after settle().
  Status copy_parted(uint8_t* to, uint64_t first, uint64_t n);
  uint64_t most_parted() const { return plan_.candidates; }

  // ---- the room

  // Empties it for keys of one of so many parts.
  Status open_room(uint64_t parts, uint64_t part);
  // The keys stay in the host's memory until settle() or read_room().
  Status take_visited(const uint8_t* keys, uint64_t n);
  Status join(const uint8_t* keys, uint64_t n);
  struct Room {
    uint64_t keys = 0;
    bool full = false;
  };
  Result<Room> read_room();
  // Adds the orbits of keys of the room to those of the visited states.
  Status weigh(uint64_t first, uint64_t n);

 private:
  device::kernels::VisitedStates room() const;
  Result<std::vector<uint64_t>> group(device::Address keys, uint64_t n);
  Status unpack(device::Address from, device::Address to, uint64_t n);
  template <class Run>
  Status in_pieces(const uint8_t* keys, uint64_t n, const Run& run);

  device::Device& device_;
  DeviceStates& states_;
  const DeviceKernels& kernels_;
  BeyondPlan plan_;
  uint64_t word_bytes_ = 0, key_bytes_ = 0;  // of a key on the device, and packed
  // Addresses of the shares.
  device::Address beyond_ = 0, room_count_ = 0, part_counts_ = 0, window_ = 0, candidates_ = 0, grouped_ = 0,
                  recent_ = 0, filter_ = 0, fresh_ = 0, room_slots_ = 0, room_list_ = 0;
  uint64_t parts_ = 1, part_ = 0;  // of the room
  unsigned next_half_ = 0;         // of the buffer of grouped candidates, for keys from the host
};

}  // namespace strata
