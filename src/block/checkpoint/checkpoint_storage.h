// Files with which a later run continues. The part of a file that a checkpoint has is not changed until two further
// checkpoints are complete: blocks are never overwritten, and removed files and discarded blocks stay. Then the file is
// used for another one, because a file system takes longer to free its space and find other space than to write it.
//
// A file's name on disk is name~N.E, with a number N that no other file has. A run that is resumed with other folders
// writes to those: a file then has blocks in several eras E, each striped over the folders of that era.
//
// The blocks that a process writes to a file have a mark (file.h), which is drawn at random when the process makes,
// reuses or restores the file, and which the checkpoint has. So blocks of another run are found out, and those of a
// copy of this run that was resumed separately.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/locks/mutex.h"
#include "block/storage/disk_storage.h"

namespace strata {

class CheckpointStorage final : public Storage {
 public:
  // The folders of each era. New blocks are written to those of the last era.
  CheckpointStorage(const std::vector<std::vector<std::string>>& eras, DiskBudget& budget);
  ~CheckpointStorage() override;

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  Status remove(const std::string& name) override;
  std::string description() const override;
  bool in_checkpoint(const std::string& name) override;
  void save(const std::string& name, Image& image) override;
  Result<std::unique_ptr<File>> restore(const std::string& name, uint64_t block_bytes, uint64_t blocks,
                                        uint64_t discarded, Image& image) override;

  // Waits until all that was written survives a loss of power.
  Status sync();
  // Called when a checkpoint is complete that has what was saved since the last call. Removes what neither it nor the
  // one before it needs.
  void end_checkpoint();
  // Removes files of the folders that this storage does not use: a killed run left them, or an earlier search.
  void remove_others();

  uint64_t bytes_read() const;
  uint64_t bytes_written() const;

 private:
  struct Entry;
  class ChainedFile;

  struct Discard {
    std::shared_ptr<Entry> entry;
    uint64_t first = 0, blocks = 0;
  };
  // Removed when no checkpoint needs it.
  struct Garbage {
    std::vector<std::shared_ptr<Entry>> files;
    std::vector<Discard> discards;
  };

  // The paths of all files in the folders.
  std::vector<std::string> found() const;
  std::shared_ptr<Entry> spare(uint64_t block_bytes) EXCLUDES(mutex_);
  Status remove_now(const Entry& entry);
  Status discard_now(Entry& entry, uint64_t first, uint64_t blocks);
  Status discard(const std::shared_ptr<Entry>& entry, uint64_t first, uint64_t blocks);

  const std::vector<std::vector<std::string>> folders_;
  std::vector<std::unique_ptr<DiskStorage>> eras_;
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_ GUARDED_BY(mutex_);  // by name
  Garbage since_last_ GUARDED_BY(mutex_), since_one_before_ GUARDED_BY(mutex_);
  std::vector<std::shared_ptr<Entry>> spares_ GUARDED_BY(mutex_);  // files that no checkpoint needs any more
  uint64_t next_number_ GUARDED_BY(mutex_) = 0;
  uint64_t checkpoints_ = 0;  // complete ones that have files of this storage
};

}  // namespace strata
