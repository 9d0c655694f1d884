// A Device that passes calls on to another one: kernels as late as the contract allows, copies beside them as early.
// Whoever forgets to leave() a place, or reads it without having copied, gets wrong data there. For tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "device/contract/device.h"

namespace strata::device {

class LateDevice final : public Device {
 public:
  // `base` must outlive this device.
  explicit LateDevice(Device& base) : base_(base) {}

  const DeviceInfo& info() const override { return base_.info(); }
  Result<uint64_t> free_memory() override { return base_.free_memory(); }
  Result<Address> allocate(uint64_t bytes) override { return base_.allocate(bytes); }
  void release(Address memory) override {
    static_cast<void>(catch_up());
    base_.release(memory);
  }
  Status copy_to(Address to, const void* from, uint64_t bytes) override {
    return after_all([&] { return base_.copy_to(to, from, bytes); });
  }
  Status copy_from(void* to, Address from, uint64_t bytes) override {
    return after_all([&] { return base_.copy_from(to, from, bytes); });
  }
  Status fill(Address memory, uint8_t value, uint64_t bytes) override {
    return after_all([&] { return base_.fill(memory, value, bytes); });
  }
  Status queue_copy_to(Address to, const void* from, uint64_t bytes) override {
    return after_all([&] { return base_.queue_copy_to(to, from, bytes); });
  }
  Status queue_copy_from(void* to, Address from, uint64_t bytes) override {
    return after_all([&] { return base_.queue_copy_from(to, from, bytes); });
  }
  Status copy_beside(unsigned place, Address to, const void* from, uint64_t bytes) override {
    while (done_ < left_[place])
      if (Status status = run_first(); !status.ok()) return status;
    return base_.copy_to(to, from, bytes);
  }
  Status leave(unsigned place) override {
    left_[place] = done_ + waiting_.size();
    return {};
  }
  bool pin(void* memory, uint64_t bytes) override { return base_.pin(memory, bytes); }
  void unpin(void* memory) override { base_.unpin(memory); }
  std::string compiler() const override { return base_.compiler(); }
  Result<std::string> compile(const KernelText& text) override { return base_.compile(text); }
  Result<std::unique_ptr<Program>> load(const std::string& image) override { return base_.load(image); }
  Status launch(const Kernel& kernel, Grid grid, const void* argument, uint64_t bytes) override {
    const auto* const first = static_cast<const uint8_t*>(argument);
    waiting_.push_back({kernel, grid, {first, first + bytes}});
    return {};
  }
  Status wait() override {
    return after_all([&] { return base_.wait(); });
  }
  Result<Moment> mark() override {
    if (Status status = catch_up(); !status.ok()) return status;
    return base_.mark();
  }
  Result<double> seconds(Moment from, Moment to) override { return base_.seconds(from, to); }

 private:
  struct Launch {
    Kernel kernel;
    Grid grid;
    std::vector<uint8_t> argument;
  };

  Status run_first() {
    const Launch launch = std::move(waiting_.front());
    waiting_.pop_front();
    ++done_;
    return base_.launch(launch.kernel, launch.grid, launch.argument.data(), launch.argument.size());
  }
  Status catch_up() {
    while (!waiting_.empty())
      if (Status status = run_first(); !status.ok()) return status;
    return {};
  }
  template <class Call>
  Status after_all(const Call& call) {
    if (Status status = catch_up(); !status.ok()) return status;
    return call();
  }

  Device& base_;
  std::deque<Launch> waiting_;
  uint64_t done_ = 0;  // launches that base_ has
  uint64_t left_[kPlacesBeside] = {};
};

}  // namespace strata::device
