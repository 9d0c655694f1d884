// The disk of one search: its run folder, the files in it, the space they may occupy and the traffic they cause.
// Searches use this and never see src/block.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "block/checkpoint/checkpoint_folder.h"
#include "block/checkpoint/checkpoint_storage.h"
#include "block/storage/disk_budget.h"
#include "block/storage/disk_storage.h"
#include "block/storage/faulty_storage.h"
#include "block/storage/free_later.h"
#include "block/storage/run_folder.h"
#include "block/storage/shared_storage.h"

namespace strata {

class DiskSpace {
 public:
  struct Options {
    std::vector<std::string> disks;  // existing folders, one at least
    uint64_t limit = UINT64_MAX;     // bytes, over all of them
    std::string keep_folder;         // if not empty: the run folder, kept at the end; `disks` is not used
    FaultPlan* faults = nullptr;     // for tests: how the disk fails
    // Not null: the run can be resumed, and this folder has its files. REQUIRES: outlives the DiskSpace.
    CheckpointFolder* checkpoints = nullptr;
  };
  static Result<std::unique_ptr<DiskSpace>> create(const Options& options) {
    if (options.checkpoints != nullptr) return std::unique_ptr<DiskSpace>(new DiskSpace(nullptr, options));
    Result<std::unique_ptr<RunFolder>> folder = options.keep_folder.empty()
                                                    ? RunFolder::create(options.disks)
                                                    : RunFolder::create_kept(options.keep_folder);
    if (!folder.ok()) return folder.status();
    return std::unique_ptr<DiskSpace>(new DiskSpace(std::move(*folder), options));
  }

  // For a signal handler that ends the process: removes the folders that are not kept.
  static void remove_all_in_signal() { RunFolder::remove_all_in_signal(); }

  // To be called at the end of the process, which need not wait until the space of its files is free.
  static void free_after_the_end() { strata::free_after_the_end(); }
  // Frees that space at once, in a process that continues.
  static void free_now() { strata::free_now(); }

  Storage& storage() { return *top_; }
  // Null: the folder of checkpoints is used instead.
  RunFolder* folder() { return folder_.get(); }
  // Null: there are none.
  CheckpointStorage* checkpoints() { return kept_.get(); }
  const DiskBudget& budget() const { return budget_; }
  uint64_t used() const { return budget_.used(); }
  uint64_t peak() const { return budget_.peak(); }
  uint64_t bytes_read() const {
    return kept_ ? kept_->bytes_read() : storage_->traffic().read.load(std::memory_order_relaxed);
  }
  uint64_t bytes_written() const {
    return kept_ ? kept_->bytes_written() : storage_->traffic().written.load(std::memory_order_relaxed);
  }
  std::string description() const { return kept_ ? kept_->description() : storage_->description(); }

 private:
  DiskSpace(std::unique_ptr<RunFolder> folder, const Options& options)
      : folder_(std::move(folder)), budget_(options.limit) {
    if (options.checkpoints != nullptr) {
      kept_ = std::make_unique<CheckpointStorage>(options.checkpoints->eras(), budget_);
      top_ = kept_.get();
    } else {
      storage_ = std::make_unique<DiskStorage>(folder_->folders(),
                                               options.keep_folder.empty() ? no_limit_ : budget_);
      top_ = storage_.get();
    }
    // Files that are kept are separate; files that are removed with the run share one file.
    if (options.keep_folder.empty() && options.checkpoints == nullptr) {
      shared_ = std::make_unique<SharedStorage>(*top_, budget_);
      top_ = shared_.get();
    }
    if (options.faults == nullptr) return;
    faulty_ = std::make_unique<FaultyStorage>(*top_, *options.faults);
    top_ = faulty_.get();
  }

  // Members are destroyed in reverse order: files before their folder.
  const std::unique_ptr<RunFolder> folder_;
  DiskBudget budget_, no_limit_;
  std::unique_ptr<DiskStorage> storage_;  // null: kept_ has the files
  std::unique_ptr<CheckpointStorage> kept_;
  std::unique_ptr<SharedStorage> shared_;
  std::unique_ptr<FaultyStorage> faulty_;
  Storage* top_ = nullptr;
};

}  // namespace strata
