// A sequence of records of one size that only grows at its end: visited files, candidate files, queues and
// the history of a search. Full blocks go to disk in the background; the last one stays in memory until it is
// full, so a log of a few records touches no disk, and appending to hundreds of logs, a few records each,
// does not write a block each time.
//
// Invariants
//  1. Record i is in block i / per_block(), at place i mod per_block(); none crosses blocks.
//  2. The last block is in memory, owned by this log and neither empty nor full, unless the pool needed the memory.
//     Blocks before it are on disk, or full in memory and being written. With one of these there is a file.
//  3. Records never change once appended, until clear().
//  4. Only whole blocks before the last one are discarded.
//
// Thread safety: any number of threads append and fetch. Nobody may fetch what discard_before() gives back; clear()
// requires that no other thread uses the log.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/locks/mutex.h"
#include "block/storage/file.h"
#include "store/log/block_pool.h"

namespace strata {

class StateLog {
 public:
  // The file `name` is made when the first block is full, and removed with the log unless keep() was called.
  StateLog(Storage& storage, BlockPool& pool, std::string name, uint64_t record_bytes);
  ~StateLog();
  StateLog(const StateLog&) = delete;
  StateLog& operator=(const StateLog&) = delete;

  Status append(const uint8_t* records, uint64_t n);
  uint64_t size() const { return size_.load(std::memory_order_acquire); }
  uint64_t record_bytes() const { return record_bytes_; }
  uint64_t per_block() const { return per_block_; }
  const std::string& name() const { return name_; }

  // Removes all records; their space on disk is reused.
  Status clear();
  // Gives back the space of the whole blocks before a record, which are not fetched again.
  Status discard_before(uint64_t record);
  // Writes the last block in the background and gives its memory to the pool, until something is appended.
  Status rest();
  // Writes the last block too, and waits for all of them.
  Status flush();
  // The file stays when the log goes, with all its records if this succeeds.
  Status keep();

  // For a checkpoint: where the records are, and the records of the last block themselves, as that block may be written
  // again later. REQUIRES for restoring: the log is empty, and its blocks have the same size as before.
  void serialize(Image& image);

  // Brings a block into a buffer of the pool's block size; the records follow the block's header. True: the block was
  // in memory, and its records from `begin` to before `end` are in the buffer. False: the block is being read; when the
  // transfer has ended, check() says whether it is good.
  bool fetch(uint64_t block, uint8_t* buffer, Transfer& transfer, uint64_t begin = 0,
             uint64_t end = UINT64_MAX);
  // `needed` is how many records of the block the caller wants.
  Status check(uint64_t block, const uint8_t* buffer, uint64_t needed) const;
  // The error to report when reading has failed: that of a write if one failed before, because a block that
  // could not be written cannot be read.
  Status explain(const Status& read) const;

  // See base/checks.h. REQUIRES: no thread appends, and no write has failed.
  std::string check_invariants() const;

  BlockPool& pool() const { return pool_; }
  // What reads its blocks; null: nothing yet, or nothing that could batch transfers.
  Submitter* carrier() const {
    const MutexLock lock(mutex_);
    return file_ ? file_->carrier() : nullptr;
  }

 private:
  friend class BlockPool;
  template <class>
  friend struct InvariantPeer;
  void save(Image& image) REQUIRES(mutex_);
  void restore(Image& image) REQUIRES(mutex_);
  Status make_file() REQUIRES(mutex_);
  Status open_tail(uint64_t size) REQUIRES(mutex_);
  Status seal_tail() REQUIRES(mutex_);
  Status write_tail() REQUIRES(mutex_);

  Storage& storage_;
  BlockPool& pool_;
  const std::string name_;
  const uint64_t record_bytes_, per_block_;
  // No two logs of a storage have the same, nor a log before and after it was cleared: they may use the same blocks.
  uint64_t stamp_;
  mutable Mutex mutex_;
  // Made with the lock held, before any block is on disk; check() and fetch() read it without the lock afterwards.
  std::unique_ptr<File> file_;
  // Null: nothing in it, or the pool took it away.
  BlockPool::Block* tail_ GUARDED_BY(mutex_) = nullptr;
  uint64_t discarded_ GUARDED_BY(mutex_) = 0;  // blocks
  bool kept_ = false;
  std::atomic<uint64_t> size_{0};
};

}  // namespace strata
