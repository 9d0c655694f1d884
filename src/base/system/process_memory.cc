#include "base/system/process_memory.h"

#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace strata {
namespace {

// The value of a line such as "VmRSS:  1234 kB" of /proc/self/status, in bytes; 0 where there is none.
uint64_t process_status(const char* key) {
  std::FILE* file = std::fopen("/proc/self/status", "r");
  if (file == nullptr) return 0;
  char line[256];
  unsigned long long kilobytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    if (std::strncmp(line, key, std::strlen(key)) != 0) continue;
    kilobytes = std::strtoull(line + std::strlen(key), nullptr, 10);
    break;
  }
  std::fclose(file);
  return kilobytes * 1024;
}

}  // namespace

void keep_heap_small() {
  // Setting either threshold also keeps the heap from raising them by itself.
  constexpr int kLarge = 256 << 10, kArenas = 2;
  mallopt(M_MMAP_THRESHOLD, kLarge);
  mallopt(M_TRIM_THRESHOLD, kLarge);
  mallopt(M_ARENA_MAX, kArenas);
}

uint64_t resident_bytes() { return process_status("VmRSS:"); }

uint64_t trimmed_resident_bytes() {
  malloc_trim(0);
  return resident_bytes();
}

uint64_t peak_resident_bytes() { return process_status("VmHWM:"); }

}  // namespace strata
