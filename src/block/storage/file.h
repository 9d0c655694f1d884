// An array of blocks of one size, read and written without waiting. Four implementations keep one contract
// (storage_test.cc): on disk (disk_storage.h), in memory (memory_storage.h), many in one file
// (shared_storage.h), and one that fails on command (faulty_storage.h).
//
// Contract
//  1. A block's size is a multiple of kPageBytes, and so are the addresses of buffers, because files on disk bypass the
//     page cache where they can.
//  2. What was written and waited for is read back, also through another File of the same name.
//  3. Any number of operations may be under way at the same time, on different blocks.
//  4. Reading a block that was never written is an error, or gives zeros.
//  5. An error names the file and the offset and says what the system said. A full disk (the device's or the
//     DiskBudget's, or a file's own limit) is StatusCode::disk_full, any other error StatusCode::system.
//  6. A discarded block leaves its part of the DiskBudget to others of its storage and size; it may be written again.
//
// Thread safety: all functions of a File may be called by any thread; those of a Storage too, but for files of one
// name.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/image/image.h"
#include "block/io/transfer.h"

namespace strata {

class File {
 public:
  virtual ~File() = default;
  // Its path, for messages.
  virtual const std::string& name() const = 0;
  virtual uint64_t block_bytes() const = 0;
  // Where a block is in the file of this name, for messages.
  virtual uint64_t offset(uint64_t block) const { return block * block_bytes(); }
  // A random number that is mixed into the stamp of a block (block/record/block_format.h). A file that outlives its
  // process has one for each part that a process wrote, by which a file of another run is found out. 0: it has none.
  virtual uint64_t mark(uint64_t /*block*/) const { return 0; }
  virtual void read(uint64_t block, uint8_t* data, Transfer& transfer) = 0;
  virtual void write(uint64_t block, const uint8_t* data, Transfer& transfer) = 0;
  virtual Status discard(uint64_t first_block, uint64_t blocks) = 0;
  // What carries its transfers out and can hold them back; null: nothing can.
  virtual Submitter* carrier() const { return nullptr; }
  // Waits until what was written survives a loss of power.
  virtual Status sync() = 0;
};

// Numbers by which the logs of a storage tell their blocks from those of other logs: no two are the same.
class Stamps {
 public:
  uint64_t next() { return ++last_; }
  // A log of an earlier process has this one.
  void note(uint64_t stamp) {
    uint64_t last = last_.load();
    while (last < stamp && !last_.compare_exchange_weak(last, stamp)) {
    }
  }

 private:
  std::atomic<uint64_t> last_{0};
};

// Where the files of one run are.
class Storage {
 public:
  virtual ~Storage() = default;
  // Makes a new, empty file, which replaces one of the same name.
  virtual Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) = 0;
  virtual Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) = 0;
  // Removes a file and gives its space back.
  // REQUIRES: no File of this name is in use.
  virtual Status remove(const std::string& name) = 0;
  // The same for a File at the end of a run, which need not wait for the space.
  virtual void retire(std::unique_ptr<File> file, const std::string& name) {
    file.reset();
    static_cast<void>(remove(name));
  }
  // Whether a checkpoint has the file. If so, no block of it may be written again. The file and its blocks stay,
  // although removed or discarded, until no checkpoint needs them.
  virtual bool in_checkpoint(const std::string& /*name*/) { return false; }
  // Saves in a checkpoint which file this is.
  // REQUIRES: there is a file of this name.
  virtual void save(const std::string& /*name*/, Image& image) { image.fail(no_checkpoints()); }
  // Opens a file that a checkpoint has, with its first blocks, of which some may be discarded.
  virtual Result<std::unique_ptr<File>> restore(const std::string& /*name*/, uint64_t /*block_bytes*/,
                                                uint64_t /*blocks*/, uint64_t /*discarded*/,
                                                Image& /*image*/) {
    return no_checkpoints();
  }
  // How its files are read and written, for the statistics.
  virtual std::string description() const = 0;
  Stamps& stamps() { return stamps_; }

 private:
  Stamps stamps_;
  static Status no_checkpoints() { return Status::internal("a storage without checkpoints"); }
};

}  // namespace strata
