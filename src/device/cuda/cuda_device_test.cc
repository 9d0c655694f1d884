#include "device/cuda/cuda_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "device/choose_device.h"
#include "device/cuda/nvrtc.h"
#include "device/testing/device_cases.h"
#include "device/testing/host_compiler.h"

namespace strata::device {
namespace {

std::string fake_text() {
  std::ifstream file(std::string(STRATA_SOURCE_DIR) + "/tests/device/fake_cuda.cc");
  return {std::istreambuf_iterator<char>(file), {}};
}

// A shared object with the functions of both libraries (tests/device/fake_cuda.cc).
class FakeCuda : public testing::Test {
 protected:
  void SetUp() override {
    const Result<std::string> object = compiler_({fake_text(), {}, false});
    ASSERT_TRUE(object.ok()) << object.status().message();
    places_ = {{*object}, {*object}};
  }
  void TearDown() override { work(); }
  static void fail(const std::string& function, int code = 999) {
    ::setenv("FAKE_CUDA_FAILS", function.c_str(), 1);
    ::setenv("FAKE_CUDA_CODE", std::to_string(code).c_str(), 1);
  }
  static void work() {
    ::unsetenv("FAKE_CUDA_FAILS");
    ::unsetenv("FAKE_CUDA_CODE");
  }
  // Every call once; the first status that is not ok.
  Status use() const;

  HostCompiler compiler_ = test_compiler();
  LibraryPlaces places_;
};

Status FakeCuda::use() const {
  Result<std::unique_ptr<Device>> opened = open_cuda_device(1, places_);
  if (!opened.ok()) return opened.status();
  Device& device = **opened;
  const Result<uint64_t> available = device.free_memory();
  if (!available.ok()) return available.status();
  const Result<Memory> memory = Memory::allocate(device, 64);
  if (!memory.ok()) return memory.status();
  char bytes[64] = {};
  if (device.pin(bytes, 64)) device.unpin(bytes);
  for (const Status& status :
       {device.copy_to(memory->address(), bytes, 64), device.fill(memory->address(), 1, 64),
        device.copy_from(bytes, memory->address(), 64), device.queue_copy_to(memory->address(), bytes, 64),
        device.queue_copy_from(bytes, memory->address(), 64),
        device.copy_beside(1, memory->address(), bytes, 64), device.leave(1)})
    if (!status.ok()) return status;
  const Result<std::string> image = device.compile({"text", {}, true});
  if (!image.ok()) return image.status();
  const Result<std::unique_ptr<Program>> program = device.load(*image);
  if (!program.ok()) return program.status();
  const Result<Kernel> kernel = (*program)->kernel("name", 128);
  if (!kernel.ok()) return kernel.status();
  const Result<Moment> before = device.mark(), after = device.mark();
  for (const Result<Moment>* moment : {&before, &after})
    if (!moment->ok()) return moment->status();
  if (const Status launched = device.launch(*kernel, {1, 128}, bytes, 64); !launched.ok()) return launched;
  if (const Status waited = device.wait(); !waited.ok()) return waited;
  return device.seconds(*before, *after).status();
}

TEST_F(FakeCuda, IsOpenedAndUsed) {
  EXPECT_TRUE(use().ok()) << use().message();
  const auto devices = list_cuda_devices(places_);
  ASSERT_TRUE(devices.ok());
  ASSERT_EQ(devices->size(), 2u);
  EXPECT_EQ((*devices)[1].name, "Fake GPU");
  const auto device = open_device({DeviceChoice::Kind::any}, {places_, {}, nullptr});
  ASSERT_TRUE(device.ok()) << device.status().message();
  EXPECT_EQ((*device)->info().architecture, "sm_90");
  EXPECT_EQ((*device)->info().driver, "CUDA 13.0, NVRTC 13.0");
}

TEST_F(FakeCuda, EachFunctionMayFail) {
  const std::vector<std::string> harmless = {"cuDevicePrimaryCtxRelease_v2",
                                             "cuMemFree_v2",
                                             "cuMemHostRegister_v2",
                                             "cuMemHostUnregister",
                                             "cuModuleUnload",
                                             "cuEventDestroy_v2",
                                             "cuStreamDestroy_v2",
                                             "cuGetErrorName",
                                             "cuGetErrorString",
                                             "nvrtcDestroyProgram",
                                             "nvrtcGetProgramLogSize",
                                             "nvrtcGetProgramLog",
                                             "nvrtcGetPTXSize",
                                             "nvrtcGetPTX"};
  const std::vector<std::string> functions = {
#define FUNCTION(member, symbol, parameters) #symbol,
#include "device/cuda/compiler_functions.def"
#include "device/cuda/driver_functions.def"
#undef FUNCTION
  };
  for (const std::string& function : functions) {
    fail(function);
    const bool is_harmless = std::find(harmless.begin(), harmless.end(), function) != harmless.end();
    EXPECT_EQ(use().ok(), is_harmless) << function << ": " << use().message();
    work();
  }
}

TEST_F(FakeCuda, MessagesSayWhat) {
  fail("cuMemAlloc_v2", 2);
  EXPECT_EQ(use().code(), StatusCode::limit);
  EXPECT_EQ(use().message(), "device 1 (Fake GPU): allocating 64 bytes: a fake error (CUDA_ERROR_FAKE)");
  fail("cuInit", 100);
  EXPECT_EQ(use().message(), "CUDA's driver finds no GPU");
  fail("nvrtcCompileProgram", 6);
  EXPECT_EQ(use().message(), "NVRTC 13.0 refused the kernels for sm_90:\nwrong");
  work();
  EXPECT_EQ(open_cuda_device(2, places_).status().message(),
            "there is no device 2: CUDA's driver finds 2, numbered from 0");
}

TEST_F(FakeCuda, ALibraryMayBeAbsentOrTooOld) {
  EXPECT_EQ(
      load_driver({"/nonexistent/libcuda.so.1"}).status().message(),
      "CUDA's driver (libcuda.so.1) is not there; it comes with the driver of an NVIDIA GPU (looked for: "
      "/nonexistent/libcuda.so.1)");
  const Result<std::string> old = compiler_({fake_text(), {"-DFAKE_CUDA_WITHOUT_LAUNCH"}, false});
  ASSERT_TRUE(old.ok());
  EXPECT_EQ(load_driver({*old}).status().message(),
            fmt::format(
                "CUDA's driver (libcuda.so.1) is too old: {} has no cuLaunchKernel; install CUDA 12 or newer",
                *old));
  const std::string text = std::string(STRATA_SOURCE_DIR) + "/LICENSE";
  EXPECT_NE(load_compiler({text}).status().message().find("cannot be loaded: " + text), std::string::npos);
}

TEST(LibraryPlaces, FollowTheEnvironment) {
  const LibraryPlaces places = library_places([](const char* name) -> const char* {
    return std::string(name) == "STRATA_CUDA" ? "/own" : std::string(name) == "HOME" ? "/users/u" : nullptr;
  });
  EXPECT_EQ(places.driver.front(), "/own/libcuda.so.1");
  EXPECT_EQ(places.compiler.front(), "/own/libnvrtc.so.13");
  EXPECT_NE(std::find(places.compiler.begin(), places.compiler.end(),
                      "/users/u/.local/lib/python3*/site-packages/nvidia/*/lib/libnvrtc.so.12"),
            places.compiler.end());
}

TEST(ParseDevice, KnowsItsWords) {
  EXPECT_EQ(parse_device("auto")->kind, DeviceChoice::Kind::any);
  EXPECT_EQ(parse_device("none")->kind, DeviceChoice::Kind::none);
  EXPECT_EQ(parse_device("host")->kind, DeviceChoice::Kind::host);
  EXPECT_EQ(parse_device("3")->number, 3);
  for (const char* wrong : {"", "-1", "1x", "gpu", "99999999999"})
    EXPECT_EQ(parse_device(wrong).status().message(),
              fmt::format("'{}' is not auto, none, host or the number of a device", wrong));
}

TEST(NvrtcTest, CompilesForDevicesThatAreNotThere) {
  const Result<Nvrtc> nvrtc = Nvrtc::load(library_places().compiler);
  if (!nvrtc.ok()) GTEST_SKIP() << nvrtc.status().message();
  const char* kernel = "struct A { u64* to; }; KERNEL(k, A) { argument.to[lane()] = warp(); }";
  const Result<std::string> image = nvrtc->compile(kernel_text(kernel), "sm_90");
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->substr(1, 3), "ELF");
  for (const bool places : {false, true}) {
    const Result<std::string> search = nvrtc->compile(level_text(200, places), "sm_90");
    EXPECT_TRUE(search.ok()) << search.status().message();
  }
  const Result<std::string> unknown = nvrtc->compile(kernel_text(kernel), "sm_999");
  ASSERT_TRUE(unknown.ok()) << unknown.status().message();
  EXPECT_NE(unknown->find(".target sm_90"), std::string::npos);
  const Status wrong = nvrtc->compile(kernel_text("KERNEL(k, Missing) {}"), "sm_90").status();
  EXPECT_NE(wrong.message().find("\"Missing\""), std::string::npos) << wrong.message();
}

TEST(NvrtcTest, GivesUpWhenItIsCancelled) {
  const Result<Nvrtc> nvrtc = Nvrtc::load(library_places().compiler);
  if (!nvrtc.ok()) GTEST_SKIP() << nvrtc.status().message();
  std::atomic<bool> cancel{false};
  KernelText text = level_text(200, false);
  text.cancel = &cancel;
  EXPECT_TRUE(nvrtc->compile(text, "sm_90").ok());
  cancel = true;
  EXPECT_EQ(nvrtc->compile(text, "sm_90").status().code(), StatusCode::interrupted);
}

// With a GPU: tests/device/run.
TEST(CudaDeviceTest, IsADevice) {
  const Result<std::unique_ptr<Device>> device =
      open_device({DeviceChoice::Kind::any}, {library_places(), {}, nullptr});
  if (!device.ok()) GTEST_SKIP() << device.status().message();
  expect_device(**device);
  expect_lanes(**device);
  expect_visited(**device, 2'000'000);
  expect_full(**device);
  expect_levels(**device, 2000);
}

}  // namespace
}  // namespace strata::device
