#include "cluster/launch.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <string>
#include <vector>

#include "cluster/transport/wire.h"

namespace strata::cluster {
namespace {

constexpr const char* kObject = "libstrata_mpi.so";

// Variables of launchers with the number of processes. Slurm sets its variables also for a script that it started as
// one process; only srun sets the number of a step.
struct Variables {
  const char* size;
  const char* rank;
};
constexpr Variables kLaunchers[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                    {"PMI_SIZE", "PMI_RANK"},
                                    {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                                    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

int number(const char* text) {
  const long value = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return value > 0 && value < INT_MAX ? static_cast<int>(value) : 0;
}

// Paths at which the object may be: beside the program, or where an installation puts it.
std::vector<std::string> object_paths() {
  char self[PATH_MAX] = {};
  const ssize_t length = ::readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return {};
  const std::string path(self, static_cast<size_t>(length)), folder = path.substr(0, path.rfind('/'));
  return {folder + "/" + kObject, folder + "/../lib/strata/" + kObject};
}

using MakeWire = Wire* (*)();
using LibraryName = const char* (*)();

struct MpiObject {
  MakeWire make_wire = nullptr;
  LibraryName library = nullptr;
};

Result<MpiObject> load_mpi(const Launch& launch) {
  const auto started = fmt::format("{} processes were started together ({})", launch.ranks, launch.launcher);
  for (const std::string& path : object_paths()) {
    if (::access(path.c_str(), F_OK) != 0) continue;
    // The parts of Open MPI look up its symbols globally.
    void* object = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
    if (object == nullptr)
      return Status::system(fmt::format("{}, but MPI cannot be loaded: {}", started, ::dlerror()));
    MpiObject mpi{reinterpret_cast<MakeWire>(::dlsym(object, "strata_mpi_wire")),
                  reinterpret_cast<LibraryName>(::dlsym(object, "strata_mpi_library"))};
    if (mpi.make_wire == nullptr || mpi.library == nullptr)
      return Status::system(fmt::format("{} is of another build of strata; build it again", path));
    return mpi;
  }
  return Status::usage(fmt::format(
      "{}, but this strata was built without MPI, and they would all do the same search. Install MPI "
      "(Debian: apt-get install mpi-default-dev) and build strata again; or start one process. "
      "(STRATA_ALONE=1: they are meant to be searches of their own.)",
      started));
}

}  // namespace

Launch detect_launch(const Environment& environment) {
  const char* alone = environment("STRATA_ALONE");
  if (alone != nullptr && *alone != '\0' && std::string(alone) != "0") return {};
  for (const auto& [size, rank] : kLaunchers)
    if (const int ranks = number(environment(size)); ranks > 0)
      return {ranks, number(environment(rank)), size};
  return {};
}

Launch detect_launch() {
  return detect_launch([](const char* name) { return std::getenv(name); });
}

Result<std::unique_ptr<Transport>> join(const Launch& launch, const TransportOptions& options) {
  if (launch.ranks == 1) return Transport::alone();
  const Result<MpiObject> mpi = load_mpi(launch);
  if (!mpi.ok()) return mpi.status();
  Result<std::unique_ptr<Transport>> transport =
      Transport::open(std::unique_ptr<Wire>(mpi->make_wire()), options);
  if (!transport.ok() || (*transport)->ranks() == launch.ranks) return transport;
  const int found = (*transport)->ranks();
  (void)(*transport)->finish();
  std::string library = mpi->library();
  library = library.substr(0, library.find_first_of(",\n"));
  std::replace(library.begin(), library.end(), '\t', ' ');
  return Status::usage(
      fmt::format("{} processes were started together ({}), but MPI knows of {}: the launcher is of another "
                  "MPI than strata was "
                  "built with ({}), or was not told to use it (srun --mpi=pmix)",
                  launch.ranks, launch.launcher, found, library));
}

}  // namespace strata::cluster
