#include "base/system/memory_map.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace strata {

namespace {
// In the kernel since Linux 6.1; older headers do not name it.
constexpr int kAdviceCollapse = 25;

// The system's pages may be larger than ours (64 KiB on some ARM machines); protection works on whole ones.
uint64_t system_page() {
  static const uint64_t bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}
}  // namespace

Result<MemoryMap> MemoryMap::reserve(uint64_t bytes) {
  const uint64_t wanted = round_up(bytes, kHugePageBytes) + kHugePageBytes;
  void* mapping = mmap(nullptr, wanted, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return Status::system("cannot reserve " + std::to_string(wanted >> 20) + " MiB of address space: " +
                          std::strerror(errno) + "; raise the limit (ulimit -v) or lower --memory");
  }
  madvise(mapping, wanted, MADV_NOHUGEPAGE);
  MemoryMap map;
  map.mapping_ = mapping;
  map.mapping_bytes_ = wanted;
  map.bytes_ = wanted - kHugePageBytes;
  map.data_ = reinterpret_cast<uint8_t*>(round_up(reinterpret_cast<uint64_t>(mapping), kHugePageBytes));
  return map;
}

MemoryMap::MemoryMap(MemoryMap&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      mapping_(std::exchange(other.mapping_, nullptr)),
      mapping_bytes_(std::exchange(other.mapping_bytes_, 0)) {}

MemoryMap& MemoryMap::operator=(MemoryMap&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  return *this;
}

MemoryMap::~MemoryMap() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

bool MemoryMap::commit(uint64_t offset, uint64_t bytes, Pages pages) {
  if (offset > bytes_ || bytes > bytes_ - offset) return false;
  bytes = round_up(offset + bytes, system_page()) - round_down(offset, system_page());
  offset = round_down(offset, system_page());
  if (mprotect(data_ + offset, bytes, PROT_READ | PROT_WRITE) != 0) return false;
  madvise(data_ + offset, bytes, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  return true;
}

void MemoryMap::collapse(uint64_t offset, uint64_t bytes) {
  if (madvise(data_ + offset, bytes, MADV_HUGEPAGE) == 0) madvise(data_ + offset, bytes, kAdviceCollapse);
}

void MemoryMap::keep_from_copies() { madvise(mapping_, mapping_bytes_, MADV_DONTFORK); }

void MemoryMap::forget(uint64_t offset, uint64_t bytes) {
  madvise(data_ + round_down(offset, system_page()), bytes, MADV_DONTNEED);
}

}  // namespace strata
