#include "base/system/machine.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace strata {
namespace {

constexpr uint64_t kUnlimited = UINT64_MAX;

uint64_t physical_memory(const std::string& root) {
  std::ifstream file(root + "/proc/meminfo");
  std::string name;
  uint64_t kilobytes = 0;
  while (file >> name >> kilobytes) {
    if (name == "MemTotal:") return kilobytes * 1024;
    std::getline(file, name);
  }
  return 0;
}

// The number in a file; "max", an absent file or anything else means no limit.
uint64_t limit_in(const std::string& path) {
  std::ifstream file(path);
  uint64_t limit = 0;
  return file >> limit ? limit : kUnlimited;
}

// The least limit of a cgroup and of those around it. In a container the path may name folders that are not mounted
// here; the outermost one always is.
uint64_t least_limit(const std::string& mount, std::string group, const char* file) {
  uint64_t least = kUnlimited;
  while (true) {
    least = std::min(least, limit_in(mount + group + "/" + file));
    const size_t slash = group.rfind('/');
    if (slash == std::string::npos) return least;
    group.resize(slash);
  }
}

// /proc/self/cgroup holds lines "0::/path" (version 2) and "4:memory:/path" (version 1).
uint64_t cgroup_limit(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  uint64_t least = kUnlimited;
  for (std::string line; std::getline(file, line);) {
    const size_t first = line.find(':');
    const size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::stringstream controllers(line.substr(first + 1, second - first - 1));
    const std::string group = line.substr(second + 1);
    if (controllers.str().empty()) {
      least = std::min(least, least_limit(root + "/sys/fs/cgroup", group, "memory.max"));
    }
    for (std::string name; std::getline(controllers, name, ',');) {
      if (name != "memory") continue;
      least = std::min(least, least_limit(root + "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

uint64_t machine_memory(const std::string& root) {
  const uint64_t physical = physical_memory(root);
  const uint64_t limit = cgroup_limit(root);
  if (physical == 0) return limit == kUnlimited ? 0 : limit;
  return std::min(physical, limit);
}

std::string processor_name(const std::string& root) {
  std::ifstream file(root + "/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "";
}

std::string system_name() {
  utsname system{};
  if (uname(&system) != 0) return "";
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

unsigned usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
    return static_cast<unsigned>(CPU_COUNT(&set));
  }
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace strata
