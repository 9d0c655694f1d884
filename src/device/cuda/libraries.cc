#include "device/cuda/libraries.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace strata::device {
namespace {

// NVRTC's name carries the version of CUDA. The newest comes first: it knows the newest devices.
constexpr const char* kCompilerNames[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2",
                                          "libnvrtc.so"};
constexpr const char* kDriverNames[] = {"libcuda.so.1", "libcuda.so"};

void add_folder(LibraryPlaces& places, const std::string& folder) {
  for (const char* name : kDriverNames) places.driver.push_back(folder + "/" + name);
  for (const char* name : kCompilerNames) places.compiler.push_back(folder + "/" + name);
}

// Packages of Python put CUDA's libraries into nvidia/NAME/lib, where NAME is cu13 or cuda_nvrtc.
void add_python(LibraryPlaces& places, const std::string& root) {
  for (const char* packages : {"site-packages", "dist-packages"})
    for (const char* name : kCompilerNames)
      places.compiler.push_back(fmt::format("{}/python3*/{}/nvidia/*/lib/{}", root, packages, name));
}

// The files that a place stands for; a name without a folder is for the loader.
std::vector<std::string> files(const std::string& place) {
  if (place.find('/') == std::string::npos) return {place};
  glob_t found{};
  std::vector<std::string> result;
  if (::glob(place.c_str(), 0, nullptr, &found) == 0)
    result.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  std::reverse(result.begin(), result.end());  // the newest version first
  return result;
}

struct Loaded {
  void* handle = nullptr;
  std::string path;
};

Result<Loaded> open_first(const char* what, const char* hint, const std::vector<std::string>& places) {
  std::string reason;
  for (const std::string& place : places)
    for (const std::string& file : files(place)) {
      void* handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle != nullptr) return Loaded{handle, file};
      // Only a file that is there and cannot be loaded is worth telling.
      if (file.find('/') != std::string::npos) reason = ::dlerror();
    }
  if (!reason.empty()) return Status::system(fmt::format("{} cannot be loaded: {}", what, reason));
  std::string looked;
  for (const std::string& place : places) looked += (looked.empty() ? "" : ", ") + place;
  return Status::system(fmt::format("{} is not there; {} (looked for: {})", what, hint, looked));
}

struct Symbol {
  const char* name;
  void* function;  // the pointer to be set
};

Status find_all(const char* what, const Loaded& loaded, const std::vector<Symbol>& symbols) {
  for (const Symbol& symbol : symbols) {
    void* const found = ::dlsym(loaded.handle, symbol.name);
    std::memcpy(symbol.function, &found, sizeof found);
    if (found == nullptr)
      return Status::system(fmt::format("{} is too old: {} has no {}; install CUDA 12 or newer", what,
                                        loaded.path, symbol.name));
  }
  return {};
}

template <class Library>
Result<Library> load(const char* what, const char* hint, const std::vector<std::string>& places,
                     std::vector<Symbol> (*symbols)(Library&)) {
  const Result<Loaded> loaded = open_first(what, hint, places);
  if (!loaded.ok()) return loaded.status();
  Library library;
  library.path = loaded->path;
  if (const Status found = find_all(what, *loaded, symbols(library)); !found.ok()) return found;
  return library;
}

std::vector<Symbol> driver_symbols(DriverLibrary& library) {
  return {
#define FUNCTION(member, symbol, parameters) {#symbol, &library.member},
#include "device/cuda/driver_functions.def"
#undef FUNCTION
  };
}

std::vector<Symbol> compiler_symbols(CompilerLibrary& library) {
  return {
#define FUNCTION(member, symbol, parameters) {#symbol, &library.member},
#include "device/cuda/compiler_functions.def"
#undef FUNCTION
  };
}

}  // namespace

LibraryPlaces library_places(const Environment& environment) {
  LibraryPlaces places;
  const auto value = [&](const char* name) {
    const char* text = environment(name);
    return std::string(text == nullptr ? "" : text);
  };
  if (const std::string own = value("STRATA_CUDA"); !own.empty()) add_folder(places, own);
  places.driver.insert(places.driver.end(), std::begin(kDriverNames), std::end(kDriverNames));
  places.compiler.insert(places.compiler.end(), std::begin(kCompilerNames), std::end(kCompilerNames));
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string root = value(variable); !root.empty())
      for (const char* folder : {"/lib64", "/lib"}) add_folder(places, root + folder);
  for (const char* folder : {"/usr/local/cuda*/lib64", "/usr/local/cuda*/lib", "/opt/cuda/lib64"})
    add_folder(places, folder);
  places.driver.push_back("/usr/local/nvidia/lib64/libcuda.so.1");
  places.driver.push_back("/usr/lib/wsl/lib/libcuda.so.1");
  if (const std::string active = value("VIRTUAL_ENV"); !active.empty()) add_python(places, active + "/lib");
  if (const std::string home = value("HOME"); !home.empty()) add_python(places, home + "/.local/lib");
  for (const char* root : {"/usr/local/lib", "/usr/lib"}) add_python(places, root);
  return places;
}

LibraryPlaces library_places() {
  return library_places([](const char* name) { return std::getenv(name); });
}

Result<DriverLibrary> load_driver(const std::vector<std::string>& places) {
  return load<DriverLibrary>("CUDA's driver (libcuda.so.1)", "it comes with the driver of an NVIDIA GPU",
                             places, driver_symbols);
}

Result<CompilerLibrary> load_compiler(const std::vector<std::string>& places) {
  return load<CompilerLibrary>("NVRTC, CUDA's compiler (libnvrtc.so),",
                               "install CUDA 12 or newer, or the Python package nvidia-cuda-nvrtc", places,
                               compiler_symbols);
}

}  // namespace strata::device
