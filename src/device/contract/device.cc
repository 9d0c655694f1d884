#include "device/contract/device.h"

#include <utility>

namespace strata::device {

Result<Memory> Memory::allocate(Device& device, uint64_t bytes) {
  const Result<Address> address = device.allocate(bytes);
  if (!address.ok()) return address.status();
  Memory memory;
  memory.device_ = &device;
  memory.address_ = *address;
  memory.bytes_ = bytes;
  return memory;
}

void Memory::release() {
  if (device_ != nullptr) device_->release(address_);
  device_ = nullptr;
  address_ = bytes_ = 0;
}

void Memory::swap(Memory& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
}

}  // namespace strata::device
