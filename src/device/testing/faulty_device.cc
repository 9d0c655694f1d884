#include "device/testing/faulty_device.h"

#include <fmt/format.h>

namespace strata::device {

bool FaultyDevice::strikes(bool allocation) {
  if (plan_.fault == DevicePlan::Fault::none) return false;
  if (plan_.fault == DevicePlan::Fault::full && !allocation) return false;
  const bool due = plan_.calls++ == plan_.after;
  if (due) plan_.struck = true;
  return due || (plan_.struck && plan_.fault == DevicePlan::Fault::lost);
}

Status FaultyDevice::fault(const char* what) const {
  return Status::system(fmt::format("device 0 ({}): {}: an injected fault", info().name, what));
}

Result<Address> FaultyDevice::allocate(uint64_t bytes) {
  const std::string what = fmt::format("allocating {} bytes", bytes);
  if (!strikes(true)) return base_.allocate(bytes);
  if (plan_.fault != DevicePlan::Fault::full) return fault(what.c_str());
  return Status::limit(
      fmt::format("device 0 ({}): {}: out of memory (an injected fault)", info().name, what));
}

}  // namespace strata::device
