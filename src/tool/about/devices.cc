#include "tool/about/devices.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/units.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"

namespace strata {

using Json = nlohmann::ordered_json;

std::string devices_text(const device::DeviceList& list) {
  std::string out;
  for (const device::CudaDeviceEntry& entry : list.devices)
    out += fmt::format("{}: {}, {}\n", entry.number, entry.name, bytes_text(entry.memory));
  if (list.devices.empty()) out += fmt::format("No GPU: {}\n", list.no_devices);
  out += list.compiler.empty() ? fmt::format("No compiler for GPUs: {}\n", list.no_compiler)
                               : fmt::format("compiler: {}\n", list.compiler);
  return out + "host: the processor, which runs the same kernels\n";
}

std::string devices_json(const device::DeviceList& list) {
  Json object = {{"strata", STRATA_VERSION}, {"devices", Json::array()}};
  for (const device::CudaDeviceEntry& entry : list.devices)
    object["devices"].push_back({{"number", entry.number}, {"name", entry.name}, {"memory", entry.memory}});
  const auto text_or_null = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
  object["no_devices"] = text_or_null(list.no_devices);
  object["compiler"] = text_or_null(list.compiler);
  object["no_compiler"] = text_or_null(list.no_compiler);
  return object.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string devices_line(const device::DeviceList& list) {
  std::string out;
  for (const device::CudaDeviceEntry& entry : list.devices)
    out += fmt::format("{}{}, {}", out.empty() ? "" : "; ", entry.name, bytes_text(entry.memory));
  return out.empty() ? "none" : out;
}

int devices_command(const Options& options) {
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  const device::DeviceList list = device::list_devices(device::library_places());
  const Console console(options);
  console.print(devices_text(list));
  Status status = console.flush();
  if (status.ok() && outputs->json.is_open()) status = outputs->write_json(devices_json(list));
  return status.ok() ? 0 : fail(status);
}

}  // namespace strata
