#include "device/host/host_device.h"

#include <gtest/gtest.h>

#include <memory>

#include "device/testing/device_cases.h"
#include "device/testing/faulty_device.h"
#include "device/testing/host_compiler.h"
#include "device/testing/late_device.h"

namespace strata::device {
namespace {

std::unique_ptr<Device> host(unsigned threads, uint64_t memory = 64 << 20) {
  Result<std::unique_ptr<Device>> device = open_host_device({threads, memory}, test_compiler());
  EXPECT_TRUE(device.ok()) << device.status().message();
  return device.ok() ? std::move(*device) : nullptr;
}

TEST(HostDeviceTest, IsADevice) {
  for (const unsigned threads : {1u, 4u}) {
    const auto device = host(threads);
    ASSERT_TRUE(device);
    expect_device(*device);
    LateDevice late(*device);
    expect_device(late);
  }
}

TEST(HostDeviceTest, WarpsShareMemory) {
  const auto device = host(4);
  ASSERT_TRUE(device);
  expect_lanes(*device);
}

TEST(HostDeviceTest, KeepsVisitedStates) {
  const auto device = host(4);
  ASSERT_TRUE(device);
  expect_visited(*device, 20'000);
  expect_full(*device);
}

TEST(HostDeviceTest, SearchesLevelByLevel) {
  const auto device = host(4);
  ASSERT_TRUE(device);
  expect_levels(*device, 200);
}

TEST(HostDeviceTest, RefusesMoreThanItsMemory) {
  const auto device = host(1, 1000);
  Result<Memory> first = Memory::allocate(*device, 600);
  ASSERT_TRUE(first.ok());
  const Result<Memory> second = Memory::allocate(*device, 600);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::limit);
  EXPECT_EQ(second.status().message(), "host: allocating 600 bytes: 400 are free");
  *first = Memory();
  EXPECT_TRUE(Memory::allocate(*device, 1000).ok());
}

TEST(FaultyDeviceTest, FailsWhereItShould) {
  using Fault = DevicePlan::Fault;
  const auto device = host(1);
  DevicePlan full{Fault::full, 1};
  FaultyDevice without_memory(*device, full);
  EXPECT_TRUE(Memory::allocate(without_memory, 8).ok());
  EXPECT_TRUE(without_memory.wait().ok());
  EXPECT_EQ(Memory::allocate(without_memory, 8).status().code(), StatusCode::limit);
  EXPECT_TRUE(Memory::allocate(without_memory, 8).ok());

  DevicePlan lost{Fault::lost, 2};
  FaultyDevice gone(*device, lost);
  EXPECT_TRUE(gone.wait().ok());
  EXPECT_TRUE(gone.mark().ok());
  EXPECT_EQ(gone.wait().message(), "device 0 (host, 1 thread): running kernels: an injected fault");
  EXPECT_FALSE(gone.free_memory().ok());
  EXPECT_TRUE(lost.struck);
}

}  // namespace
}  // namespace strata::device
