// Files in memory, for tests: the contract of file.h without a disk.
#pragma once

#include <map>
#include <vector>

#include "base/locks/mutex.h"
#include "block/storage/file.h"
#include "block/storage/occupancy.h"

namespace strata {

class MemoryStorage final : public Storage {
 public:
  explicit MemoryStorage(DiskBudget& budget) : budget_(budget) {}

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  Status remove(const std::string& name) override;
  std::string description() const override { return "in memory"; }

  // The names of all files.
  std::vector<std::string> names() const;

  struct Content {
    Content(DiskBudget& budget, uint64_t block_bytes) : space(budget, block_bytes) {}
    Occupancy space;
    Mutex mutex;
    std::map<uint64_t, std::vector<uint8_t>> blocks GUARDED_BY(mutex);
  };

 private:
  DiskBudget& budget_;
  mutable Mutex mutex_;
  std::map<std::string, std::shared_ptr<Content>> files_ GUARDED_BY(mutex_);
};

}  // namespace strata
