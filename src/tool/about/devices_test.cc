#include "tool/about/devices.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace strata {
namespace {

device::DeviceList two_devices() {
  device::DeviceList list;
  list.devices = {{0, "NVIDIA H200", 139ull << 30}, {1, "NVIDIA T4", 16ull << 30}};
  list.compiler = "NVRTC 13.0";
  return list;
}

device::DeviceList nothing() {
  device::DeviceList list;
  list.no_devices = "there is no libcuda.so.1";
  list.no_compiler = "there is no libnvrtc.so.13";
  return list;
}

TEST(Devices, each_has_a_line) {
  EXPECT_EQ(devices_text(two_devices()),
            "0: NVIDIA H200, 139 GiB\n1: NVIDIA T4, 16.0 GiB\ncompiler: NVRTC 13.0\n"
            "host: the processor, which runs the same kernels\n");
  EXPECT_EQ(devices_line(two_devices()), "NVIDIA H200, 139 GiB; NVIDIA T4, 16.0 GiB");
}

TEST(Devices, without_any_the_text_says_why) {
  EXPECT_EQ(devices_text(nothing()),
            "No GPU: there is no libcuda.so.1\nNo compiler for GPUs: there is no libnvrtc.so.13\n"
            "host: the processor, which runs the same kernels\n");
  EXPECT_EQ(devices_line(nothing()), "none");
}

TEST(Devices, json_has_the_same) {
  const auto some = nlohmann::json::parse(devices_json(two_devices()));
  EXPECT_EQ(some["devices"].size(), 2u);
  EXPECT_EQ(some["devices"][0]["memory"], 139ull << 30);
  EXPECT_TRUE(some["no_devices"].is_null());
  EXPECT_EQ(some["compiler"], "NVRTC 13.0");
  const auto none = nlohmann::json::parse(devices_json(nothing()));
  EXPECT_TRUE(none["devices"].empty());
  EXPECT_EQ(none["no_compiler"], "there is no libnvrtc.so.13");
}

}  // namespace
}  // namespace strata
