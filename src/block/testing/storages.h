// For tests: a folder of its own that goes away, and the storages that keep the contract of file.h.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "block/storage/disk_storage.h"
#include "block/storage/faulty_storage.h"
#include "block/storage/memory_storage.h"
#include "block/storage/shared_storage.h"

namespace strata {

class TemporaryFolder {
 public:
  // A file system in memory is quick, a real one is real.
  explicit TemporaryFolder(bool quick = false) {
    const bool in_memory = quick && std::filesystem::exists("/dev/shm");
    const std::filesystem::path parent = in_memory ? "/dev/shm" : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "strata-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

enum class StorageKind { uring, threads, striped, memory, faultless, shared };

inline std::string kind_name(StorageKind kind) {
  const char* names[] = {"uring", "threads", "striped", "memory", "faultless", "shared"};
  return names[static_cast<size_t>(kind)];
}

// A storage of a kind, with what it stands on.
struct TestStorage {
  TestStorage(StorageKind kind, DiskBudget& budget) {
    if (kind == StorageKind::shared) {
      base = std::make_unique<MemoryStorage>(no_limit);
      wrapper = std::make_unique<SharedStorage>(*base, budget);
      return;
    }
    if (kind == StorageKind::memory || kind == StorageKind::faultless) {
      base = std::make_unique<MemoryStorage>(budget);
      if (kind == StorageKind::faultless) wrapper = std::make_unique<FaultyStorage>(*base, plan);
      return;
    }
    std::vector<std::string> folders = {first.path()};
    if (kind == StorageKind::striped) folders = {first.path(), second.path(), third.path()};
    const auto engine =
        kind == StorageKind::threads ? DiskStorage::Engine::threads : DiskStorage::Engine::best;
    base = std::make_unique<DiskStorage>(folders, budget, engine);
  }
  Storage& operator*() { return wrapper ? *wrapper : *base; }
  Storage* operator->() { return &**this; }

  TemporaryFolder first, second, third;
  FaultPlan plan;
  DiskBudget no_limit;
  std::unique_ptr<Storage> base, wrapper;
};

}  // namespace strata
