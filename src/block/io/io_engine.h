// Carries out reads and writes of file descriptors in the background, so that computing and I/O overlap: by io_uring
// (uring_engine.cc) where the kernel allows it, otherwise by threads that call pread and pwrite.
//
// Thread safety: start() may be called by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "block/io/transfer.h"

namespace strata {

struct IoOperation {
  enum class Kind { read, write };
  Kind kind = Kind::read;
  int descriptor = -1;
  uint64_t offset = 0;
  uint8_t* data = nullptr;  // not changed by a write
  uint64_t bytes = 0;
  const std::string* file = nullptr;  // its name, for messages
  Transfer* transfer = nullptr;       // begun by the caller, finished by the engine
};

class IoEngine {
 public:
  virtual ~IoEngine() = default;
  // Starts an operation. When the engine is destroyed, all of them have ended. If the system refuses memory or anything
  // else that the engine needs, the engine carries the operation out in the calling thread, because threads may wait
  // for the transfer.
  // REQUIRES: the operation's transfer was begun with carrier().
  virtual void start(const IoOperation& operation) noexcept = 0;
  virtual Submitter* carrier() { return nullptr; }
  virtual const char* name() const = 0;
};

// The engine by io_uring; the status says why there is none.
Result<std::unique_ptr<IoEngine>> make_uring_engine();
// The engine by threads. Where the system refuses threads, it has fewer, or none: start() then carries operations out.
std::unique_ptr<IoEngine> make_thread_engine(unsigned threads = 2);

// Takes what a system call returned for an operation: the count of bytes, or an error number below zero. Finishes the
// transfer and returns true, or moves the operation behind the part that was done and returns false: the rest is to be
// carried out.
bool conclude(IoOperation& operation, int64_t returned) noexcept;
// Carries out what is left of an operation, and finishes its transfer.
void carry_out(IoOperation operation) noexcept;

}  // namespace strata
