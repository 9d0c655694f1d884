// Files on disk, in one folder or striped over several: block b lies in folder b mod n. Operations are asynchronous
// (io_engine.h). O_DIRECT is used where the file system allows it: the page cache would hold a second copy of what the
// search keeps in its own buffers, and count as memory that the user did not give.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

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

  // The folders exist, and belong to this run alone.
  DiskStorage(std::vector<std::string> folders, DiskBudget& budget, Engine engine = Engine::best);
  ~DiskStorage() override;

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  // A file of an earlier run, of which only the blocks [first, end) count; what is behind them goes.
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
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Occupancy>> space_;  // by name
  std::vector<int> retired_;                                 // descriptors
};

}  // namespace strata
