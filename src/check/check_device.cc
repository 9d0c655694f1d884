#include "check/check_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "device/choose_device.h"
#include "model/device_code.h"
#include "native/compile/cache_folder.h"
#include "native/compile/compiler.h"
#include "native/compile/kept_image.h"

namespace strata {
namespace {

// Kernels of a GPU, in the folder of compiled models.
class KeptKernels final : public device::KernelCache {
 public:
  explicit KeptKernels(std::string folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(const std::string& key) override {
    return native::find_image(folder_, key);
  }
  void keep(const std::string& key, const std::string& image) override {
    static_cast<void>(native::keep_image(folder_, key, image));
  }

 private:
  const std::string folder_;
};

// Kernels of the host are shared objects, which the compiler's driver keeps by itself.
device::HostCompiler host_compiler(const std::string& folder) {
  return [folder](const device::KernelText& text) -> Result<std::string> {
    native::ModelSource source;
    source.text = text.text;
    source.flags = {"-std=c++20", text.quick ? "-O1" : "-O2", "-w", "-fPIC", "-g0"};
    source.flags.insert(source.flags.end(), text.options.begin(), text.options.end());
    source.libraries = {"-latomic"};
    const Result<native::CompiledObject> object = native::compile(source, folder);
    return object.ok() ? Result<std::string>(object->path) : object.status();
  };
}

// Of --memory, the host as a device takes what is left when the process has its own.
uint64_t host_memory(const Options& options, const SearchOptions& search) {
  constexpr uint64_t kShare = 4;
  return std::min(options.device_memory.value_or(UINT64_MAX), search.memory - search.memory / kShare);
}

}  // namespace

CheckDevice::CheckDevice(std::unique_ptr<device::Device> device, std::unique_ptr<device::KernelCache> kernels,
                         uint64_t memory)
    : device_(std::move(device)),
      kernels_(std::move(kernels)),
      search_{device_.get(), memory, kernels_.get(), nullptr} {}

Result<std::unique_ptr<CheckDevice>> CheckDevice::open(const Options& options, const SearchOptions& search) {
  const Result<device::DeviceChoice> choice =
      device::parse_device(options.device.empty() ? "auto" : options.device);
  if (!choice.ok()) return choice.status();
  const Result<native::CacheFolder> cache = native::open_cache();
  if (!cache.ok()) return cache.status();
  const bool on_host = choice->kind == device::DeviceChoice::Kind::host;
  device::DeviceSources sources;
  sources.host = {search.threads, host_memory(options, search)};
  sources.compiler = host_compiler(cache->path);
  Result<std::unique_ptr<device::Device>> opened = device::open_device(*choice, sources);
  if (!opened.ok()) return opened.status();
  auto kernels = on_host ? nullptr : std::make_unique<KeptKernels>(cache->path);
  return std::unique_ptr<CheckDevice>(
      new CheckDevice(std::move(*opened), std::move(kernels), options.device_memory.value_or(0)));
}

Result<bool> wants_device(const Options& options, const Algorithm& algorithm) {
  const bool named = !options.device.empty() && options.device != "none";
  if (algorithm.has(trait::on_device)) {
    if (options.device != "none") return true;
    return Status::usage(fmt::format("--device none: the algorithm {} searches on a device", algorithm.name));
  }
  if (named && algorithm.name != std::string_view("auto"))
    return Status::usage(
        fmt::format("--device {}: the algorithm {} runs on the processor; leave --algorithm out",
                    options.device, algorithm.name));
  return named;
}

std::string refuse_device(const Task& task, const Options& options) {
  if (task.seeks_cycles() || task.kind == Task::Kind::recurrence)
    return "the property asks for a search for cycles, which runs on the processor";
  if (options.ranks > 1) return "several processes cannot share a search on a device";
  if (!options.keep.empty()) return "a search on a device has no files that --keep could leave";
  if (!options.store.exact()) return "a search on a device keeps states exactly";
  if (!task.views.empty()) return "the property changes the states that are searched";
  const DeviceModel* const model = task.searched().capabilities().device;
  if (model == nullptr) return "models in shared objects run on the processor";
  return model->runs_on_device().message();
}

}  // namespace strata
