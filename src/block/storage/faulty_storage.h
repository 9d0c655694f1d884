// A Storage that passes everything on to another one and fails on command or at random: the disks of bad days, for
// tests.
#pragma once

#include <map>

#include "base/locks/mutex.h"
#include "base/random.h"
#include "block/storage/file.h"

namespace strata {

enum class Fault {
  none,
  read_error,   // EIO
  write_error,  // EIO, nothing written
  disk_full,    // half of the block is written, then ENOSPC
  torn_write,   // half of the block is written, and it is called a success
  flipped_bit,  // the block is written with one bit wrong
};

// Which operation fails, and how.
//
// Thread safety: all functions may be called by any thread.
class FaultPlan {
 public:
  // Reads (read_error) or writes (the others) are counted from now; the one after `passed` others fails, once.
  void fail_once(Fault fault, uint64_t passed);
  // Any operation that the fault can strike fails with this probability.
  void fail_at_random(Fault fault, double probability, uint64_t seed);

  // The fault of the next operation; a file calls this before each.
  Fault next(bool write);
  uint64_t struck() const;

 private:
  static bool strikes(Fault fault, bool write) { return (fault == Fault::read_error) != write; }

  mutable Mutex mutex_;
  Fault once_ GUARDED_BY(mutex_) = Fault::none, random_ GUARDED_BY(mutex_) = Fault::none;
  uint64_t passed_ GUARDED_BY(mutex_) = 0, struck_ GUARDED_BY(mutex_) = 0;
  double probability_ GUARDED_BY(mutex_) = 0;
  Random generator_ GUARDED_BY(mutex_){0};
};

class FaultyStorage final : public Storage {
 public:
  FaultyStorage(Storage& base, FaultPlan& plan) : base_(base), plan_(plan) {}

  Result<std::unique_ptr<File>> create(const std::string& name, uint64_t block_bytes) override;
  Result<std::unique_ptr<File>> open(const std::string& name, uint64_t block_bytes) override;
  Status remove(const std::string& name) override { return base_.remove(name); }
  std::string description() const override { return "with faults, " + base_.description(); }
  bool in_checkpoint(const std::string& name) override { return base_.in_checkpoint(name); }
  void save(const std::string& name, Image& image) override { base_.save(name, image); }
  Result<std::unique_ptr<File>> restore(const std::string& name, uint64_t block_bytes, uint64_t blocks,
                                        uint64_t discarded, Image& image) override;

 private:
  Storage& base_;
  FaultPlan& plan_;
};

}  // namespace strata
