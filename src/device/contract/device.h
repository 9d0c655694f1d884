// A device that runs kernels over memory of its own: a GPU, or the processor itself
// (device/host/host_device.h). The seam is as narrow as a breadth-first search needs: memory, copies, kernels
// compiled from text when the search begins, one queue of launches.
//
// Launches, fills and times are queued and run one after another. Copies and wait() return when all that was queued
// before has ended; a kernel that failed is reported by the first of them.
//
// Thread safety: one thread uses a device at a time; but info(), compiler(), compile() and pin() may be called by any
// thread meanwhile.
//
// REQUIRES of all addresses: within memory that this device allocated and that has not been freed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace strata::device {

using Address = uint64_t;

struct DeviceInfo {
  std::string name;          // "NVIDIA H200"
  std::string architecture;  // that kernels are compiled for: "sm_90"; of the host "host"
  std::string driver;        // and the compiler of kernels, with their versions
  uint64_t memory = 0;       // bytes in all
  unsigned processors = 1;   // that run blocks at the same time
  unsigned lanes = 1;        // threads of a warp, which run in step
  uint64_t resident = 0;     // threads that it can run at the same time; 0: as many as are launched
  // Compiling quickly takes much less time than compiling well. Both are done at the same time.
  bool compiles_quickly = false;

  // For how many threads the device takes local memory when a kernel with so many threads is launched.
  uint64_t lanes_with_memory(uint64_t launched) const { return resident > launched ? resident : launched; }
};

struct KernelText {
  std::string text;
  std::vector<std::string> options;  // beside those that the device adds, for example -DNAME=VALUE
  bool quick = false;                // compile fast code slowly, or slower code fast
  // Becomes true: the compiler gives up with StatusCode::interrupted, if it can. May be null.
  const std::atomic<bool>* cancel = nullptr;
};

struct Kernel {
  uint64_t handle = 0;
  unsigned registers = 0;    // of a thread
  uint64_t local_bytes = 0;  // of a thread, in the device's memory: what registers had no room for
  uint64_t code_bytes = 0;   // of its instructions; 0: not known
  unsigned blocks = 1;       // of the size given to Program::kernel(), that a processor runs at the same time
};

// Kernels that were compiled together, loaded on a device. Must not outlive the device.
class Program {
 public:
  virtual ~Program() = default;
  // The kernel of this name, for launches in blocks of this many threads.
  virtual Result<Kernel> kernel(const std::string& name, unsigned threads) = 0;
};

// The number of blocks and of their threads. The host runs `blocks` times `threads` warps of one lane.
struct Grid {
  uint64_t blocks = 1;
  unsigned threads = 1;
};

// A moment in the queue of launches.
using Moment = uint64_t;

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  // Bytes that could be allocated now. Other programs use the same device.
  virtual Result<uint64_t> free_memory() = 0;

  // Memory with arbitrary content. StatusCode::limit when the device has not as much.
  virtual Result<Address> allocate(uint64_t bytes) = 0;
  virtual void release(Address memory) = 0;
  virtual Status copy_to(Address to, const void* from, uint64_t bytes) = 0;
  virtual Status copy_from(void* to, Address from, uint64_t bytes) = 0;
  virtual Status fill(Address memory, uint8_t value, uint64_t bytes) = 0;
  // The same as copy_to() and copy_from(), but queued. The host's memory is neither changed nor freed until wait(), or
  // a copy that is not queued, has returned; what was copied from the device is there then.
  virtual Status queue_copy_to(Address to, const void* from, uint64_t bytes) = 0;
  virtual Status queue_copy_from(void* to, Address from, uint64_t bytes) = 0;
  // Copies to the device beside the kernels, to one of kPlacesBeside places from which kernels read. It begins when
  // those that were queued before the last leave() of the place are done, and is done before those that are queued
  // from now on. The host's memory as above.
  static constexpr unsigned kPlacesBeside = 2;
  virtual Status copy_beside(unsigned place, Address to, const void* from, uint64_t bytes) = 0;
  virtual Status leave(unsigned place) = 0;
  // Fixes memory of the host in its place, so that copies run at full speed. False: the system refused; the memory can
  // be used as before. Must be undone before the memory is freed.
  virtual bool pin(void* memory, uint64_t bytes) = 0;
  virtual void unpin(void* memory) = 0;

  // What identifies the compiler's work beside the text: a compiled image may be kept under a hash of both.
  virtual std::string compiler() const = 0;
  // Compiles a text to an image for this device. StatusCode::system with the compiler's messages where it refuses.
  virtual Result<std::string> compile(const KernelText& text) = 0;
  virtual Result<std::unique_ptr<Program>> load(const std::string& image) = 0;

  // Queues a kernel, with one argument: a struct of plain data, passed by value.
  virtual Status launch(const Kernel& kernel, Grid grid, const void* argument, uint64_t bytes) = 0;
  virtual Status wait() = 0;

  // Queues a note of the time.
  virtual Result<Moment> mark() = 0;
  // Seconds of the device between two moments; waits for them. Forgets both.
  virtual Result<double> seconds(Moment from, Moment to) = 0;
};

// Memory of a device, which goes away with this object.
class Memory {
 public:
  Memory() = default;
  static Result<Memory> allocate(Device& device, uint64_t bytes);
  ~Memory() { release(); }
  Memory(Memory&& other) noexcept { swap(other); }
  Memory& operator=(Memory&& other) noexcept {
    release();
    swap(other);
    return *this;
  }

  Address address() const { return address_; }
  uint64_t bytes() const { return bytes_; }

 private:
  void release();
  void swap(Memory& other) noexcept;

  Device* device_ = nullptr;
  Address address_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace strata::device
