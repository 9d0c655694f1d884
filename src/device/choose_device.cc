#include "device/choose_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "device/cuda/nvrtc.h"

namespace strata::device {
namespace {

// Opening a device takes a few hundred milliseconds and megabytes, so the others are closed before the next
// one is tried.
Result<std::unique_ptr<Device>> open_freest(const LibraryPlaces& places) {
  const Result<std::vector<CudaDeviceEntry>> devices = list_cuda_devices(places);
  if (!devices.ok()) return devices.status();
  int best = -1;
  uint64_t most = 0;
  Status refused;
  for (const CudaDeviceEntry& entry : *devices) {
    const Result<std::unique_ptr<Device>> device = open_cuda_device(entry.number, places);
    const Result<uint64_t> available = device.ok() ? (*device)->free_memory() : device.status();
    if (!available.ok()) {
      refused = available.status();
    } else if (best < 0 || *available > most) {
      best = entry.number;
      most = *available;
    }
  }
  if (best < 0) return refused;
  return open_cuda_device(best, places);
}

}  // namespace

Result<DeviceChoice> parse_device(const std::string& text) {
  using Kind = DeviceChoice::Kind;
  if (text == "none") return DeviceChoice{};
  if (text == "auto") return DeviceChoice{Kind::any};
  if (text == "host") return DeviceChoice{Kind::host};
  DeviceChoice choice{Kind::number};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, choice.number);
  if (text.empty() || error != std::errc() || stop != end || choice.number < 0)
    return Status::usage(fmt::format("'{}' is not auto, none, host or the number of a device", text));
  return choice;
}

DeviceList list_devices(const LibraryPlaces& places) {
  DeviceList list;
  Result<std::vector<CudaDeviceEntry>> devices = list_cuda_devices(places);
  if (devices.ok())
    list.devices = std::move(*devices);
  else
    list.no_devices = devices.status().message();
  if (devices.ok() && list.devices.empty()) list.no_devices = "the driver knows no device";
  const Result<Nvrtc> compiler = Nvrtc::load(places.compiler);
  if (compiler.ok())
    list.compiler = compiler->version();
  else
    list.no_compiler = compiler.status().message();
  return list;
}

Result<std::unique_ptr<Device>> open_device(const DeviceChoice& choice, const DeviceSources& sources) {
  switch (choice.kind) {
    case DeviceChoice::Kind::none: return std::unique_ptr<Device>();
    case DeviceChoice::Kind::any: return open_freest(sources.places);
    case DeviceChoice::Kind::host: return open_host_device(sources.host, sources.compiler);
    case DeviceChoice::Kind::number: break;
  }
  return open_cuda_device(choice.number, sources.places);
}

}  // namespace strata::device
