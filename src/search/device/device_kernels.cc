#include "search/device/device_kernels.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace strata {

// Measured on an H200: with 80 KiB of code, warps in step are a fifth faster, with 50 KiB up to a tenth slower; with 16
// warps in two blocks a tenth faster than with 20 in five; but with 8 in one block slower than with 12 in three.
constexpr uint64_t kCodeAtHand = 64 << 10;
constexpr double kGainInStep = 1.4;
constexpr unsigned kFewWarps = 4;  // of a block

template <class Visit>
void DeviceKernels::each(const Visit& visit) {
  static constexpr const char *kOnePass[] = {"expand"},
                              *kTwoPasses[] = {"examine", "find", "arrange", "fire_found", "conclude"};
  expansion_.resize(two_passes_ ? std::size(kTwoPasses) : std::size(kOnePass));
  for (size_t i = 0; i < expansion_.size(); ++i)
    visit(two_passes_ ? kTwoPasses[i] : kOnePass[i], expansion_[i]);
  visit("check_states", check_states);
  visit("begin_course", begin_course);
  visit("advance", advance);
  visit("add_states", add_states);
  visit("refill", refill);
  visit("refold", refold);
  visit("gather", gather);
  visit("mark_targets", mark_targets);
  visit("weigh", weigh);
  if (!beyond_) return;
  visit("pack_keys", pack_keys);
  visit("unpack_keys", unpack_keys);
  visit("count_parts", count_parts);
  visit("part_keys", part_keys);
  visit("fill_filter", fill_filter);
  visit("take_visited", take_visited);
  visit("join", join);
}

Result<DeviceKernels> DeviceKernels::load(device::Device& device, const std::string& image,
                                          const KernelShape& shape) {
  Result<std::unique_ptr<device::Program>> program = device.load(image);
  if (!program.ok()) return program.status();
  DeviceKernels kernels;
  kernels.program_ = std::move(*program);
  kernels.lanes_ = device.info().lanes;
  kernels.processors_ = device.info().processors;
  kernels.two_passes_ = shape.two_passes;
  kernels.beyond_ = shape.beyond;
  Status status = kernels.choose_block(static_cast<unsigned>(shape.warps_of_block));
  kernels.each([&](const char* name, device::Kernel& kernel) {
    if (!status.ok()) return;
    const Result<device::Kernel> found = kernels.program_->kernel(name, kernels.threads_);
    status = found.status();
    if (found.ok()) kernel = *found;
  });
  if (!status.ok()) return status;
  return kernels;
}

// Small blocks leave fewer registers of a processor unused. Warps in step wait less for instructions the more of them
// are in a block.
Status DeviceKernels::choose_block(unsigned warps) {
  const char* const name = two_passes_ ? "fire_found" : "expand";
  const unsigned few = std::min(warps, kFewWarps) * lanes_, many = warps * lanes_;
  const Result<device::Kernel> small = program_->kernel(name, few), large = program_->kernel(name, many);
  if (!small.ok()) return small.status();
  threads_ = few;
  in_step_ = small->code_bytes > kCodeAtHand;
  if (!large.ok()) return {};  // a block of so many threads does not fit
  const double gain = in_step_ ? kGainInStep : 1;
  if (gain * large->blocks * many > static_cast<double>(small->blocks) * few) threads_ = many;
  return {};
}

void DeviceKernels::describe(bool found, bool quick, double seconds) {
  found_ = found;
  quick_ = quick;
  compile_seconds_ = seconds;
}

void DeviceKernels::use_at_most(uint64_t lanes) {
  const auto blocks = static_cast<unsigned>(std::max<uint64_t>(lanes / processors_ / threads_, 1));
  each([&](const char*, device::Kernel& kernel) { kernel.blocks = std::min(kernel.blocks, blocks); });
}

void DeviceKernels::continue_for(const DeviceKernels& before) {
  compile_seconds_ = before.compile_seconds_;
  found_ = before.found_;
  swapped_ = true;
}

device::Grid DeviceKernels::grid(const device::Kernel& kernel, uint64_t lanes) const {
  const uint64_t most = uint64_t{processors_} * kernel.blocks;
  return {std::clamp<uint64_t>((lanes + threads_ - 1) / threads_, 1, most), threads_};
}

uint64_t DeviceKernels::most_lanes() const {
  uint64_t blocks = 0;
  for (const device::Kernel* kernel :
       {&check_states, &add_states, &refill, &refold, &gather, &mark_targets, &pack_keys, &unpack_keys,
        &count_parts, &part_keys, &fill_filter, &take_visited, &join, &weigh})
    blocks = std::max<uint64_t>(blocks, kernel->blocks);
  for (const device::Kernel& kernel : expansion_) blocks = std::max<uint64_t>(blocks, kernel.blocks);
  return blocks * processors_ * threads_;
}

uint64_t DeviceKernels::local_bytes() const {
  uint64_t bytes = 0;
  for (const device::Kernel* kernel : {&check_states, &add_states, &weigh})
    bytes = std::max(bytes, kernel->local_bytes);
  for (const device::Kernel& kernel : expansion_) bytes = std::max(bytes, kernel.local_bytes);
  return bytes;
}

}  // namespace strata
