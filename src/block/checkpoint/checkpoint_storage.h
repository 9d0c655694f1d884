// Files that a later run goes on with. What a checkpoint has of them is not touched until two further ones
// stand: nothing is written in the place of what was written before, a removed file stays, and so do
// discarded blocks. Then the file is used for another one: to free its space and to take other space takes
// the file system longer than to write it.
//
// A file's name on disk is name~N.E, with a number that no other has. A run that is resumed with other
// folders goes on in those: a file then has blocks in several eras E, each striped over the folders of its
// own.
//
// What a process writes to a file has a mark (file.h) that is drawn at random when the file is made, used
// anew or restored, and the checkpoint knows it. So blocks of another run are found out, and those of a copy
// of this run that went on by itself.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "block/storage/disk_storage.h"

namespace strata {

class CheckpointStorage final : public Storage {
 public:
  // The folders of each era; the last one is for what is written now.
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

  // What was written survives a loss of power.
  Status sync();
  // A checkpoint stands that has what was saved since the last call; what neither it nor the one before needs goes.
  void end_checkpoint();
  // Files of the folders that are in use by nobody go: a killed run left them, or a search before this one.
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
  // What goes when no checkpoint needs it.
  struct Garbage {
    std::vector<std::shared_ptr<Entry>> files;
    std::vector<Discard> discards;
  };

  // All files that there are, by folder.
  std::vector<std::string> found() const;
  std::shared_ptr<Entry> spare(uint64_t block_bytes);
  Status remove_now(const Entry& entry);
  Status discard_now(Entry& entry, uint64_t first, uint64_t blocks);
  Status discard(const std::shared_ptr<Entry>& entry, uint64_t first, uint64_t blocks);

  const std::vector<std::vector<std::string>> folders_;
  std::vector<std::unique_ptr<DiskStorage>> eras_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Entry>> entries_;  // by name
  Garbage since_last_, since_one_before_;
  std::vector<std::shared_ptr<Entry>> spares_;  // files that no checkpoint needs any more
  uint64_t next_number_ = 0;
  uint64_t checkpoints_ = 0;  // that stand with this one's files
};

}  // namespace strata
