#include "plugin/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>

namespace strata {

bool is_object_file(const std::string& path) {
  return path.ends_with(".so") || path.ends_with(".spins") || path.ends_with(".dve2C");
}

Result<std::unique_ptr<Model>> load_object(const std::string& path,
                                           const std::vector<std::string>& propositions) {
  // An absolute path, because dlopen searches the system's libraries for a name without a slash.
  const std::string whole = std::filesystem::absolute(path).string();
  void* handle = dlopen(whole.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return Status::model(fmt::format("{}: it cannot be loaded: {}", path, dlerror()));
  std::shared_ptr<void> object(handle, [](void* opened) { dlclose(opened); });
  if (dlsym(handle, "strata_model_v1") != nullptr)
    return load_abi_model(path, std::move(object), propositions);
  const bool pins =
      dlsym(handle, "get_successors") != nullptr || dlsym(handle, "spins_get_successor_all") != nullptr;
  if (!pins)
    return Status::model(fmt::format(
        "{}: it exports neither strata_model_v1 (doc/object.md), nor get_successors as DiVinE's and LTSmin's "
        "objects do, nor spins_get_successor_all as those of SpinS do",
        path));
  if (!propositions.empty())
    return Status::usage(
        fmt::format("{}: an object of DiVinE or SpinS has no propositions for a formula", path));
  return load_pins_model(path, std::move(object));
}

}  // namespace strata
