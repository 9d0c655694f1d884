#include "device/host/host_device.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "base/worker_pool.h"

namespace strata::device {
namespace {

using Clock = std::chrono::steady_clock;
using WarpFunction = void (*)(const void* argument, unsigned long long warp, unsigned long long warps);

// As on a GPU, where 16-byte words have to begin at multiples of 16.
constexpr std::align_val_t kAlignment{256};
constexpr uint64_t kWarpsAtOnce = 16;

class HostProgram final : public Program {
 public:
  explicit HostProgram(void* object) : object_(object) {}
  ~HostProgram() override { ::dlclose(object_); }

  Result<Kernel> kernel(const std::string& name, unsigned /*threads*/) override {
    void* const function = ::dlsym(object_, name.c_str());
    if (function == nullptr)
      return Status::system(fmt::format("looking for the kernel {}: {}", name, ::dlerror()));
    Kernel result;
    result.handle = reinterpret_cast<uint64_t>(function);
    // Enough warps that all threads have some.
    result.blocks = kWarpsAtOnce;
    return result;
  }

 private:
  void* const object_;
};

class HostDevice final : public Device {
 public:
  HostDevice(const HostOptions& options, HostCompiler compiler, std::unique_ptr<WorkerPool> pool)
      : compiler_(std::move(compiler)), pool_(std::move(pool)) {
    info_.name = fmt::format("host, {} thread{}", options.threads, options.threads == 1 ? "" : "s");
    info_.architecture = "host";
    info_.driver = "a C++ compiler";
    info_.memory = options.memory;
    info_.processors = options.threads;
    info_.compiles_quickly = options.compiles_quickly;
  }
  ~HostDevice() override {
    while (!blocks_.empty()) release(blocks_.begin()->first);
  }

  const DeviceInfo& info() const override { return info_; }
  Result<uint64_t> free_memory() override { return info_.memory - used_; }

  Result<Address> allocate(uint64_t bytes) override {
    if (bytes > info_.memory - used_)
      return Status::limit(
          fmt::format("host: allocating {} bytes: {} are free", bytes, info_.memory - used_));
    void* const memory = ::operator new(bytes, kAlignment, std::nothrow);
    if (memory == nullptr)
      return Status::limit(fmt::format("host: allocating {} bytes: out of memory", bytes));
    const auto address = reinterpret_cast<Address>(memory);
    blocks_.emplace(address, bytes);
    used_ += bytes;
    return address;
  }
  void release(Address memory) override {
    const auto block = blocks_.find(memory);
    if (block == blocks_.end()) return;
    ::operator delete(reinterpret_cast<void*>(memory), kAlignment);
    used_ -= block->second;
    blocks_.erase(block);
  }
  Status copy_to(Address to, const void* from, uint64_t bytes) override {
    std::memcpy(reinterpret_cast<void*>(to), from, bytes);
    return {};
  }
  Status copy_from(void* to, Address from, uint64_t bytes) override {
    std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
    return {};
  }
  Status fill(Address memory, uint8_t value, uint64_t bytes) override {
    std::memset(reinterpret_cast<void*>(memory), value, bytes);
    return {};
  }

  Status queue_copy_to(Address to, const void* from, uint64_t bytes) override {
    return copy_to(to, from, bytes);
  }
  Status queue_copy_from(void* to, Address from, uint64_t bytes) override {
    return copy_from(to, from, bytes);
  }
  Status copy_beside(unsigned /*place*/, Address to, const void* from, uint64_t bytes) override {
    return copy_to(to, from, bytes);
  }
  Status leave(unsigned /*place*/) override { return {}; }
  bool pin(void*, uint64_t) override { return true; }
  void unpin(void*) override {}

  std::string compiler() const override { return "host"; }
  Result<std::string> compile(const KernelText& text) override { return compiler_(text); }
  Result<std::unique_ptr<Program>> load(const std::string& image) override {
    void* const object = ::dlopen(image.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) return Status::system(fmt::format("loading the kernels: {}", ::dlerror()));
    return std::unique_ptr<Program>(std::make_unique<HostProgram>(object));
  }

  Status launch(const Kernel& kernel, Grid grid, const void* argument, uint64_t /*bytes*/) override {
    const auto run = reinterpret_cast<WarpFunction>(kernel.handle);
    const uint64_t warps = grid.blocks * grid.threads;
    if (warps <= kWarpsAtOnce) {
      for (uint64_t warp = 0; warp < warps; ++warp) run(argument, warp, warps);
      return {};
    }
    std::atomic<uint64_t> next{0};
    pool_->run([&](unsigned) {
      for (uint64_t from = next.fetch_add(kWarpsAtOnce); from < warps; from = next.fetch_add(kWarpsAtOnce))
        for (uint64_t warp = from; warp < warps && warp < from + kWarpsAtOnce; ++warp)
          run(argument, warp, warps);
    });
    return {};
  }
  Status wait() override { return {}; }

  Result<Moment> mark() override {
    moments_.emplace(++last_moment_, Clock::now());
    return last_moment_;
  }
  Result<double> seconds(Moment from, Moment to) override {
    const double result = std::chrono::duration<double>(moments_.at(to) - moments_.at(from)).count();
    moments_.erase(from);
    moments_.erase(to);
    return result;
  }

 private:
  const HostCompiler compiler_;
  const std::unique_ptr<WorkerPool> pool_;
  DeviceInfo info_;
  uint64_t used_ = 0;
  std::map<Address, uint64_t> blocks_;
  std::map<Moment, Clock::time_point> moments_;
  Moment last_moment_ = 0;
};

}  // namespace

Result<std::unique_ptr<Device>> open_host_device(const HostOptions& options, HostCompiler compiler) {
  try {
    auto pool = std::make_unique<WorkerPool>(options.threads);
    return std::unique_ptr<Device>(
        std::make_unique<HostDevice>(options, std::move(compiler), std::move(pool)));
  } catch (const std::system_error& refused) {
    return Status::system(fmt::format("starting {} threads: {}", options.threads, refused.code().message()));
  }
}

}  // namespace strata::device
