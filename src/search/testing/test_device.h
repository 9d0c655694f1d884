// A device for tests of searches, with kernels that are compiled once: the processor, or the GPU that the variable
// STRATA_TEST_DEVICE numbers (tests/device/run).
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "device/contract/kernel_cache.h"
#include "device/cuda/cuda_device.h"
#include "device/host/host_device.h"
#include "device/testing/host_compiler.h"
#include "search/algorithms.h"

namespace strata {

// Kernels in memory: their images are files of the test's compiler.
class TestKernels final : public device::KernelCache {
 public:
  std::optional<std::string> find(const std::string& key) override {
    const auto image = images_.find(key);
    if (image == images_.end()) return std::nullopt;
    ++found_;
    return image->second;
  }
  void keep(const std::string& key, const std::string& image) override { images_[key] = image; }

  uint64_t size() const { return images_.size(); }
  uint64_t found() const { return found_; }

 private:
  std::map<std::string, std::string> images_;
  uint64_t found_ = 0;
};

// The cache and the compiler of all tests of a program.
inline TestKernels& test_kernels() {
  static TestKernels kernels;
  return kernels;
}
inline const device::HostCompiler& shared_test_compiler() {
  static const device::HostCompiler compiler = device::test_compiler();
  return compiler;
}

// `compiles_quickly`: as a GPU does (DeviceInfo).
inline std::unique_ptr<device::Device> make_test_device(unsigned threads, bool compiles_quickly = false) {
  constexpr uint64_t kHostMemory = 64 << 20;
  const char* const chosen = std::getenv("STRATA_TEST_DEVICE");
  const bool on_host = chosen == nullptr || chosen == std::string("host");
  auto device =
      on_host ? device::open_host_device({threads, kHostMemory, compiles_quickly}, shared_test_compiler())
              : device::open_cuda_device(std::atoi(chosen), device::library_places());
  EXPECT_TRUE(device.ok()) << device.status().message();
  return device.ok() ? std::move(*device) : nullptr;
}

inline bool is_gpu(const device::Device& device) { return device.info().lanes > 1; }

// A tree that is a list: its first pair is (0, 1), each other one has the pair before and the next word.
inline StateTree long_tree(uint64_t state_bytes) {
  StateTree tree;
  tree.words = static_cast<uint32_t>((state_bytes + 3) / 4);
  for (uint32_t i = 1; i < tree.words; ++i) tree.pairs.push_back({i == 1 ? 0 : tree.words + i - 2, i});
  return tree;
}

// Searches a model with `gpu` on a device. What the many lanes of a GPU take comes on top of `memory` (0: enough).
// `kernels`: null, those of all tests. `tree`: how states are folded; null: they are not.
inline Result<SearchResult> run_on_device(device::Device& device, const Model& model,
                                          const SearchOptions& options, uint64_t memory = 0,
                                          bool stopped = false, TestKernels* kernels = nullptr,
                                          const StateTree* tree = nullptr) {
  constexpr uint64_t kOfLanes = 64 << 20;
  const SearchDevice use{&device, is_gpu(device) ? memory + kOfLanes : memory,
                         kernels == nullptr ? &test_kernels() : kernels, tree};
  ProgressBoard progress;
  const std::atomic<bool> stop{stopped};
  SearchContext context{model, options, progress, stop};
  context.device = &use;
  return find_algorithm("gpu")->run(context);
}

}  // namespace strata
