#include "search/device/better_kernels.h"

#include <system_error>
#include <utility>

namespace strata {

BetterKernels::BetterKernels(device::Device& device, device::KernelCache* cache, const DeviceCode& code,
                             const KernelShape& shape)
    : device_(device), cache_(cache), shape_(shape), text_(kernel_text(code, shape)) {
  text_.quick = false;
  text_.cancel = &cancelled_;
}

BetterKernels::~BetterKernels() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

void BetterKernels::begin(const DeviceKernels& kernels) {
  if (!kernels.quick() || !device_.info().cancels) return;
  try {
    thread_ = std::thread([this] { compile(); });
  } catch (const std::system_error&) {
    return;
  }
}

// A text that the compiler refuses now was accepted when it was compiled quickly: then nothing takes over.
void BetterKernels::compile() {
  Result<device::KernelImage> image = kernel_image(device_, cache_, text_);
  if (!image.ok()) return;
  image_ = std::move(image->image);
  ready_.store(true, std::memory_order_release);
}

Result<bool> BetterKernels::take_over(DeviceKernels& kernels) {
  if (!ready_.load(std::memory_order_acquire)) return false;
  ready_.store(false, std::memory_order_relaxed);
  Result<DeviceKernels> better = DeviceKernels::load(device_, image_, shape_);
  if (!better.ok()) return better.status();
  // The driver takes local memory for all lanes from what is free.
  const Result<uint64_t> available = device_.free_memory();
  if (!available.ok()) return available.status();
  const uint64_t lanes = kernels.most_lanes();
  if (better->local_bytes() > kernels.local_bytes() &&
      lanes * (better->local_bytes() - kernels.local_bytes()) > *available / 2)
    return false;
  better->use_at_most(lanes);
  better->continue_for(kernels);
  kernels = std::move(*better);
  return true;
}

}  // namespace strata
