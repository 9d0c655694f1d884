// Many files in one. The blocks of all files with blocks of one size are in one file of the storage below, in the order
// in which they were first written, but a few blocks of one file together, so that they are read together. The place
// of a discarded block is given to another one. A search has hundreds of files that grow in turns, and makes and
// removes files all the time. If each had a file of its own, they would be scattered over the disk in small extents,
// and the file system would take longer to free them than the search took to write them (ext4 with `discard`: 3 of 11
// seconds).
//
// The place of a block is known only in memory (4 bytes a block), so files that must outlive the process need another
// storage. The file below becomes as large as the largest sum of the blocks in use, which is what counts for the
// budget. When no block is in use, the file is emptied if there are others, with blocks of other sizes. A single one
// stays as it is, to be used again, because a file system takes long to free blocks.
//
// Locks are taken in this order: mutex_, that of a Content, that of its Space.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "block/storage/disk_budget.h"
#include "block/storage/file.h"

namespace strata {

class SharedStorage final : public Storage {
 public:
  // Draws the blocks of the files below from the budget; the storage below must not draw them too.
  SharedStorage(Storage& base, DiskBudget& budget) : base_(base), budget_(budget) {}
  ~SharedStorage() override;

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  Status remove(const std::string& name) override;
  std::string description() const override { return base_.description(); }

  // The file below of all files with blocks of one size.
  struct Space {
    std::unique_ptr<File> file;
    Mutex mutex;
    uint32_t end GUARDED_BY(mutex) = 0;       // the first place that no file has taken yet
    uint32_t used GUARDED_BY(mutex) = 0;      // places that hold a block
    uint32_t occupied GUARDED_BY(mutex) = 0;  // places that hold or held a block, drawn from the budget
    uint64_t emptied GUARDED_BY(mutex) = 0;   // how often the file was emptied
    // Places from the first on that may take space on the disk and are not occupied.
    uint32_t stale GUARDED_BY(mutex) = 0;
    // Occupied places that hold no block any more.
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> free GUARDED_BY(mutex);
  };
  // The places of a file's blocks.
  class Content;

 private:
  Storage& base_;
  DiskBudget& budget_;
  void empty_idle_files() REQUIRES(mutex_);

  Mutex mutex_;
  std::map<uint64_t, Space> spaces_ GUARDED_BY(mutex_);  // by the size of a block
  std::atomic<bool> several_{false};                     // sizes
  std::map<std::string, std::shared_ptr<Content>> files_ GUARDED_BY(mutex_);
};

}  // namespace strata
