// The kernels of a search, compiled and loaded on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "device/contract/device.h"
#include "search/device/kernel_text.h"

namespace strata {

class DeviceKernels {
 public:
  // From an image that was compiled from the text.
  static Result<DeviceKernels> load(device::Device& device, const std::string& image,
                                    const KernelShape& shape);

  // By their names in device/kernels.
  device::Kernel check_states, begin_course, advance, add_states, refill, refold, gather, mark_targets, weigh;
  // Only of a search that has outgrown the device's memory (KernelShape::beyond).
  device::Kernel pack_keys, unpack_keys, count_parts, part_keys, fill_filter, take_visited, join;
  // Those that expand a level, one after another; the one that fires the rules.
  const std::vector<device::Kernel>& expansion() const { return expansion_; }
  const device::Kernel& firing() const { return expansion_[two_passes_ ? 3 : 0]; }

  unsigned threads() const { return threads_; }  // of a block
  // Whether the warps of a block should wait for each other, so that they run the same part of the code.
  bool in_step() const { return in_step_; }
  // For a kernel that has something to do for so many lanes: as many blocks as that takes, at most as many as run at
  // the same time.
  device::Grid grid(const device::Kernel& kernel, uint64_t lanes) const;
  // All launches have at most so many lanes and warps.
  uint64_t most_lanes() const;
  uint64_t most_warps() const { return most_lanes() / lanes_; }
  // The most that a lane of a kernel with the model's code takes.
  uint64_t local_bytes() const;

  double compile_seconds() const { return compile_seconds_; }
  bool found() const { return found_; }      // in the cache
  bool quick() const { return quick_; }      // compiled quickly, to slower code
  bool swapped() const { return swapped_; }  // they took over from others

  // What found(), quick() and compile_seconds() say.
  void describe(bool found, bool quick, double seconds);
  // Limits the lanes of all launches.
  void use_at_most(uint64_t lanes);
  // Takes over what is known of the kernels that these replace.
  void continue_for(const DeviceKernels& before);

 private:
  template <class Visit>
  void each(const Visit& visit);
  Status choose_block(unsigned warps);

  std::unique_ptr<device::Program> program_;
  unsigned threads_ = 1, lanes_ = 1, processors_ = 1;
  std::vector<device::Kernel> expansion_;
  bool two_passes_ = false, in_step_ = false, beyond_ = false;
  double compile_seconds_ = 0;
  bool found_ = false, quick_ = false, swapped_ = false;
};

}  // namespace strata
