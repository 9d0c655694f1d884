// What this process may use of the machine it runs on.
#pragma once

#include <cstdint>
#include <string>

namespace strata {

// Bytes of memory: the machine's, or less where a cgroup (version 1 or 2) limits this process. 0 when the system does
// not say. `root` is put before the paths that are read; tests give a folder of their own.
uint64_t machine_memory(const std::string& root = "");

// Cores this process may run on; at least 1.
unsigned usable_cores();

// "AMD EPYC 7B13"; empty where the system does not say.
std::string processor_name(const std::string& root = "");

}  // namespace strata
