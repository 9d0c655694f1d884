// Carries out reads and writes of file descriptors in the background, so that computing and I/O overlap: by io_uring
// where the kernel allows it, otherwise by threads that call pread and pwrite.
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
  // Thread-safe. All operations have ended when the engine is destroyed. The operation's transfer was begun
  // with carrier(), and somebody may wait for it: so an engine to which the system refuses memory or anything
  // else that it works with carries the operation out in the calling thread.
  virtual void start(const IoOperation& operation) noexcept = 0;
  virtual Submitter* carrier() { return nullptr; }
  virtual const char* name() const = 0;
};

// io_uring; the status says why not.
Result<std::unique_ptr<IoEngine>> make_uring_engine();
// Has fewer threads where the system refuses them.
std::unique_ptr<IoEngine> make_thread_engine(unsigned threads = 2);

// What a system call returned for an operation: the count of bytes, or an error number below zero. Finishes
// the transfer, or moves the operation behind the part that was done and returns false: the rest is to be
// started again.
bool conclude(IoOperation& operation, int64_t returned) noexcept;
// Carries the operation out, or what is left of it, and finishes its transfer.
void carry_out(IoOperation operation) noexcept;

}  // namespace strata
