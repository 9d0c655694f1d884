#include "search/device/better_kernels.h"

#include <system_error>
#include <utility>

namespace strata {

BetterKernels::BetterKernels(device::Device& device, device::KernelCache* cache, const DeviceCode& code,
                             const KernelShape& shape)
    : device_(device),
      cache_(cache),
      shape_(shape),
      text_(kernel_text(code, shape)),
      quick_text_(text_),
      begin_(Clock::now()) {
  quick_text_.quick = true;
}

BetterKernels::~BetterKernels() {
  cancelled_ = true;
  if (!thread_.joinable()) return;
  thread_.join();
  static_cast<void>(take_image());
}

Result<DeviceKernels> BetterKernels::first(double patience, const std::atomic<bool>& stop) {
  stop_ = &stop;
  if (cache_ != nullptr)
    if (std::optional<std::string> kept = cache_->find(kernel_key(device_, text_)))
      return load({std::move(*kept), true}, false);
  if (!device_.info().compiles_quickly || !begin_thread()) return compile_now();
  return begin_quickly(patience);
}

Result<DeviceKernels> BetterKernels::compile_now() {
  text_.cancel = stop_;
  const Result<device::KernelImage> image = kernel_image(device_, cache_, text_);
  if (!image.ok()) return image.status();
  return load(*image, false);
}

Result<DeviceKernels> BetterKernels::begin_quickly(double patience) {
  // It is kept only if the search begins with it.
  std::optional<std::string> kept;
  if (cache_ != nullptr) kept = cache_->find(kernel_key(device_, quick_text_));
  quick_text_.cancel = stop_;
  Result<std::string> quick = kept ? *kept : device_.compile(quick_text_);
  const std::chrono::duration<double> seconds(kept ? 0 : patience);
  const auto last =
      quick.ok() ? begin_ + std::chrono::duration_cast<Clock::duration>(seconds) : Clock::time_point::max();
  if (wait_until(last)) {
    if (std::optional<std::string> image = take_image()) return load({std::move(*image), false}, false);
    if (!quick.ok()) return quick.status();
  }
  if (*stop_) return Status(StatusCode::interrupted, "interrupted while the kernels were compiled");
  if (cache_ != nullptr && !kept) cache_->keep(kernel_key(device_, quick_text_), *quick);
  return load({std::move(*quick), kept.has_value()}, true);
}

Result<DeviceKernels> BetterKernels::load(const device::KernelImage& image, bool quick) {
  Result<DeviceKernels> kernels = DeviceKernels::load(device_, image.image, shape_);
  if (kernels.ok())
    kernels->describe(image.found, quick, std::chrono::duration<double>(Clock::now() - begin_).count());
  return kernels;
}

// False: the system gives no thread.
bool BetterKernels::begin_thread() {
  text_.cancel = &cancelled_;
  try {
    thread_ = std::thread([this] { compile_beside(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

// A text that is refused here was accepted when it was compiled quickly, or is refused there too, with the message.
void BetterKernels::compile_beside() {
  Result<std::string> image = device_.compile(text_);
  const MutexLock lock(mutex_);
  done_ = true;
  if (image.ok()) image_ = std::move(*image);
  changed_.notify_all();
}

bool BetterKernels::wait_until(Clock::time_point time) {
  constexpr auto kStep = std::chrono::milliseconds(20);  // how soon the end of the run is heard
  MutexLock lock(mutex_);
  while (!done_ && !*stop_ && Clock::now() < time) changed_.wait_for(lock, kStep);
  return done_;
}

std::optional<std::string> BetterKernels::take_image() {
  std::optional<std::string> image;
  {
    const MutexLock lock(mutex_);
    image.swap(image_);
  }
  if (image && cache_ != nullptr) cache_->keep(kernel_key(device_, text_), *image);
  return image;
}

Result<bool> BetterKernels::take_over(DeviceKernels& kernels) {
  const std::optional<std::string> image = take_image();
  if (!image) return false;
  // A kernel that is still in the queue would be unloaded.
  if (Status status = device_.wait(); !status.ok()) return status;
  Result<DeviceKernels> better = DeviceKernels::load(device_, *image, shape_);
  if (better.status().code() == StatusCode::limit) return false;
  if (!better.ok()) return better.status();
  const Result<uint64_t> available = device_.free_memory();
  if (!available.ok()) return available.status();
  const uint64_t lanes = kernels.most_lanes();
  if (better->local_bytes() > kernels.local_bytes() &&
      (better->local_bytes() - kernels.local_bytes()) * device_.info().lanes_with_memory(lanes) >
          *available / 2)
    return false;
  better->use_at_most(lanes);
  better->continue_for(kernels);
  kernels = std::move(*better);
  return true;
}

}  // namespace strata
