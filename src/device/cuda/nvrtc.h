// Compiles kernels by NVRTC, for the processors of one device. Needs no device: tests compile where there is none.
#pragma once

#include <string>

#include "base/status.h"
#include "device/contract/device.h"
#include "device/cuda/libraries.h"

namespace strata::device {

class Nvrtc {
 public:
  static Result<Nvrtc> load(const std::vector<std::string>& places);

  // "NVRTC 13.0".
  const std::string& version() const { return version_; }

  // What determines its work beside the text and its options: the version, and the options that are added here.
  std::string identity() const;

  // Whether it can compile to slower code in much less time.
  bool compiles_quickly() const { return compiles_quickly_; }

  // Machine code for an architecture, "sm_90"; where this NVRTC does not know the architecture, PTX, which
  // the driver compiles when it loads the image. NVRTC runs in a copy of this process, so it can be stopped at once.
  Result<std::string> compile(const KernelText& text, const std::string& architecture) const;

 private:
  explicit Nvrtc(const CompilerLibrary& library) : library_(library) {}

  Result<std::string> compile_here(const KernelText& text, const std::string& architecture) const;

  CompilerLibrary library_;
  std::string version_;
  bool compiles_quickly_ = false;
};

}  // namespace strata::device
