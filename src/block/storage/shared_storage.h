// Many files in one. The blocks of all files of one block size lie in one file of the storage below: those of
// one file a few together, so that they are read together, and these in the order in which they were first
// written. A block that was discarded leaves its place to another one. A search has hundreds of files that
// grow in turns, and makes and removes them all the time: each in a file of its own, they would be scattered
// over the disk in small extents, and a file system takes longer to free those than the search took to write
// them (ext4 with `discard`: 3 of 11 seconds).
//
// Which block lies where is known in memory alone, so what must outlive the process needs another storage. It
// takes 4 bytes a block. The file below becomes as large as the largest sum of the blocks in use, which is
// what counts for the budget. When none is in use, it is emptied if there are others, with blocks of other
// sizes; alone it stays as it is, to be used again: a file system takes its time to free blocks.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <queue>
#include <string>
#include <vector>

#include "block/storage/disk_budget.h"
#include "block/storage/file.h"

namespace strata {

class SharedStorage final : public Storage {
 public:
  // Draws on the budget for what lies in the files below, which need none of their own.
  SharedStorage(Storage& base, DiskBudget& budget) : base_(base), budget_(budget) {}
  ~SharedStorage() override;

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  Status remove(const std::string& name) override;
  std::string description() const override { return base_.description(); }

  // The file below of all files with blocks of one size.
  struct Space {
    std::unique_ptr<File> file;
    std::mutex mutex;
    uint32_t end = 0;       // of the places in the file
    uint32_t used = 0;      // places that hold a block
    uint32_t occupied = 0;  // places that hold one or did, and are drawn from the budget
    uint64_t emptied = 0;   // how often
    uint32_t stale = 0;     // places from the first on that may lie on the disk and are not occupied
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free;  // of those occupied
  };
  // A file: where its blocks lie.
  class Content;

 private:
  Storage& base_;
  DiskBudget& budget_;
  void empty_idle_files();

  std::mutex mutex_;
  std::map<uint64_t, Space> spaces_;  // by the size of a block
  std::atomic<bool> several_{false};  // sizes
  std::map<std::string, std::shared_ptr<Content>> files_;
};

}  // namespace strata
