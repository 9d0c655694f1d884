// The machine, and how much of it this process may use.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// Bytes of memory: those of the machine, or fewer if a cgroup (version 1 or 2) limits this process. 0 if the system
// does not say. `root` is put before the paths that are read, for tests.
uint64_t machine_memory(const std::string& root = "");

// Cores this process may run on; at least 1.
unsigned usable_cores();

// "Linux 6.1.0 x86_64"; empty if the system does not say.
std::string system_name();

// "AMD EPYC 7B13"; empty if the system does not say.
std::string processor_name(const std::string& root = "");

}  // namespace strata
