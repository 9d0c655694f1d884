// States of the list of a device, handed out to all threads of the host, a portion at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

#include "base/system/memory_map.h"
#include "base/worker_pool.h"
#include "engine/trace/trace_back.h"
#include "search/device/device_states.h"

namespace strata {

class DeviceReader {
 public:
  // With a buffer of so many bytes, at least those of a state.
  DeviceReader(DeviceStates& states, WorkerPool& pool, uint64_t state_bytes, uint64_t buffer_bytes);

  // Calls visit(thread, states, count) for the states from place `from` to place `to`, until halted().
  Status visit(uint64_t from, uint64_t to, const History::Visit& visit,
               const std::function<bool()>& halted = nullptr);
  // The same for those that lead to one of the targets, and some others. `lanes`: of a warp of the device.
  Status visit_predecessors(uint64_t from, uint64_t to, unsigned lanes, const History::Targets& targets,
                            const History::Visit& visit);

 private:
  DeviceStates& states_;
  WorkerPool& pool_;
  const uint64_t state_bytes_, portion_;  // states
  UntouchedVector<uint8_t> buffer_;
};

// The levels of a search on a device. The device itself looks for predecessors; the host expands only those few states
// of which it does not know.
class DeviceHistory final : public History {
 public:
  // `sizes`: of all levels.
  DeviceHistory(DeviceStates& states, DeviceReader& reader, const NumberList& sizes, unsigned lanes);

  Status visit(uint64_t epoch, const Visit& visit) override;
  Status visit_predecessors(uint64_t epoch, const Targets& targets, const Visit& visit) override;

 private:
  void descend(uint64_t epoch);

  DeviceStates& states_;
  DeviceReader& reader_;
  const NumberList& sizes_;
  const unsigned lanes_;
  uint64_t level_;              // the one visited last
  uint64_t from_ = 0, to_ = 0;  // its places
};

}  // namespace strata
