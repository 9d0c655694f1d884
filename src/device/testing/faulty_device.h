// A Device that passes calls on to another one and fails one of them, or all from one on: devices of bad
// days, for tests.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/status.h"
#include "device/contract/device.h"

namespace strata::device {

// Which call fails, and how.
struct DevicePlan {
  enum class Fault {
    none,
    full,   // an allocation is refused: StatusCode::limit
    error,  // any call that can fail: StatusCode::system
    lost,   // this call and all after it fail: StatusCode::system
  };
  Fault fault = Fault::none;
  uint64_t after = 0;  // the number of calls that succeed before the fault

  uint64_t calls = 0;  // that the fault could have struck, so far
  bool struck = false;
};

class FaultyDevice final : public Device {
 public:
  // Both must outlive this device.
  FaultyDevice(Device& base, DevicePlan& plan) : base_(base), plan_(plan) {}

  const DeviceInfo& info() const override { return base_.info(); }
  Result<uint64_t> free_memory() override {
    return ask("asking how much memory is free", [&] { return base_.free_memory(); });
  }
  Result<Address> allocate(uint64_t bytes) override;
  void release(Address memory) override { base_.release(memory); }
  Status copy_to(Address to, const void* from, uint64_t bytes) override {
    return does("copying to the device", [&] { return base_.copy_to(to, from, bytes); });
  }
  Status copy_from(void* to, Address from, uint64_t bytes) override {
    return does("copying from the device", [&] { return base_.copy_from(to, from, bytes); });
  }
  Status fill(Address memory, uint8_t value, uint64_t bytes) override {
    return does("filling memory", [&] { return base_.fill(memory, value, bytes); });
  }
  Status queue_copy_to(Address to, const void* from, uint64_t bytes) override {
    return does("copying to the device", [&] { return base_.queue_copy_to(to, from, bytes); });
  }
  Status queue_copy_from(void* to, Address from, uint64_t bytes) override {
    return does("copying from the device", [&] { return base_.queue_copy_from(to, from, bytes); });
  }
  Status copy_beside(unsigned place, Address to, const void* from, uint64_t bytes) override {
    return does("copying to the device", [&] { return base_.copy_beside(place, to, from, bytes); });
  }
  Status leave(unsigned place) override {
    return does("queueing an event", [&] { return base_.leave(place); });
  }
  bool pin(void* memory, uint64_t bytes) override { return base_.pin(memory, bytes); }
  void unpin(void* memory) override { base_.unpin(memory); }
  std::string compiler() const override { return base_.compiler(); }
  Result<std::string> compile(const KernelText& text) override {
    return ask("compiling kernels", [&] { return base_.compile(text); });
  }
  Result<std::unique_ptr<Program>> load(const std::string& image) override {
    return ask("loading the kernels", [&] { return base_.load(image); });
  }
  Status launch(const Kernel& kernel, Grid grid, const void* argument, uint64_t bytes) override {
    return does("launching a kernel", [&] { return base_.launch(kernel, grid, argument, bytes); });
  }
  Status wait() override {
    return does("running kernels", [&] { return base_.wait(); });
  }
  Result<Moment> mark() override {
    return ask("queueing an event", [&] { return base_.mark(); });
  }
  Result<double> seconds(Moment from, Moment to) override {
    return ask("measuring the time of kernels", [&] { return base_.seconds(from, to); });
  }

 private:
  bool strikes(bool allocation);
  template <class Call>
  auto ask(const char* what, const Call& call) -> decltype(call()) {
    if (strikes(false)) return fault(what);
    return call();
  }
  template <class Call>
  Status does(const char* what, const Call& call) {
    return strikes(false) ? fault(what) : call();
  }
  Status fault(const char* what) const;

  Device& base_;
  DevicePlan& plan_;
};

}  // namespace strata::device
