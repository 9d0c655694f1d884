// The submission and completion ring of io_uring, as uring_engine.cc uses it. The one implementation in the program is
// the kernel's (kernel_ring.cc); tests have one that refuses, delays and shortens.
//
// Thread safety: put(), clear() and submit() are one side, called by one thread at a time; wait() and take() are the
// other side, also called by one thread at a time. The two sides may run at the same time.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <span>

#include "base/status.h"
#include "block/io/io_engine.h"

namespace strata {

class Ring {
 public:
  // An entry of the submission ring that the kernel has not taken yet.
  using Place = void*;
  struct Completion {
    void* request = nullptr;  // null: of a place that was cleared
    int result = 0;           // bytes, or an error number below zero
  };

  virtual ~Ring() = default;
  // How many places the submission ring has.
  virtual unsigned depth() const = 0;
  // Puts one operation, or the neighbours that `buffers` lists as one operation, into the next place. Null: all places
  // are taken. The buffers must stay until the completion comes, and so must what `request` points to.
  virtual Place put(const IoOperation& first, std::span<const iovec> buffers, void* request) = 0;
  // The place has nothing to do any more.
  // REQUIRES: submit() has not taken the place.
  virtual void clear(Place place) = 0;
  // Gives the places to the kernel, in the order of put(). Returns how many the kernel took, or an error number below
  // 0.
  virtual int submit() = 0;
  // Waits for a completion. Returns 0, or an error number below 0.
  virtual int wait() = 0;
  // Takes a completion without waiting. False: there is none.
  virtual bool take(Completion& completion) = 0;
};

// The kernel's ring; the status says why there is none.
Result<std::unique_ptr<Ring>> make_kernel_ring();
// The engine on a ring. make_uring_engine() has the kernel's.
std::unique_ptr<IoEngine> make_ring_engine(std::unique_ptr<Ring> ring);

}  // namespace strata
