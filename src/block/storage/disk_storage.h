// Files on disk, in one folder or striped over several: block b is in folder b mod n. Operations are asynchronous
// (io_engine.h). Files are opened with O_DIRECT where the file system allows it: the page cache would hold a second
// copy of what the search has in its own buffers, and use memory that the user did not give.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "block/io/io_engine.h"
#include "block/storage/disk_budget.h"
#include "block/storage/file.h"
#include "block/storage/occupancy.h"

namespace strata {

struct DiskTraffic {
  std::atomic<uint64_t> read{0}, written{0};  // bytes
};

class DiskStorage final : public Storage {
 public:
  enum class Engine { best, threads };

  // REQUIRES: the folders exist, and only this run uses them.
  DiskStorage(std::vector<std::string> folders, DiskBudget& budget, Engine engine = Engine::best);
  ~DiskStorage() override;

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  // Opens a file of an earlier run that has the blocks [first, end), and removes what is behind them.
  Result<std::unique_ptr<File>> reopen(const std::string& name, uint64_t block_bytes, uint64_t first,
                                       uint64_t end);
  Status remove(const std::string& name) override;
  void retire(std::unique_ptr<File> file, const std::string& name) override;
  std::string description() const override;

  const DiskTraffic& traffic() const { return traffic_; }

 private:
  Result<std::unique_ptr<File>> open_parts(const std::string& name, uint64_t block_bytes, int flags);

  const std::vector<std::string> folders_;
  DiskBudget& budget_;
  std::string engine_note_;
  std::unique_ptr<IoEngine> engine_;
  std::atomic<bool> direct_{true};
  DiskTraffic traffic_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Occupancy>> space_ GUARDED_BY(mutex_);  // by name
  std::vector<int> retired_;                                                    // descriptors
};

}  // namespace strata
