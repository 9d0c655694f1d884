// Kernels that were compiled before. The caller of a search may have a place for them; a search without one
// compiles its kernels each time.
#pragma once

#include <optional>
#include <string>

#include "device/contract/device.h"

namespace strata::device {

class KernelCache {
 public:
  virtual ~KernelCache() = default;
  // The image with this key. An image that is damaged must not be found. On the host, an image is the path of a file.
  virtual std::optional<std::string> find(const std::string& key) = 0;
  // Keeps an image if that is possible; a failure costs time only.
  virtual void keep(const std::string& key, const std::string& image) = 0;
};

// What determines an image: the text with its options, the compiler and the architecture. Hexadecimal digits.
std::string kernel_key(const Device& device, const KernelText& text);

// The image of a text: from the cache (null: there is none), or compiled and kept there.
struct KernelImage {
  std::string image;
  bool found = false;  // in the cache
};
Result<KernelImage> kernel_image(Device& device, KernelCache* cache, const KernelText& text);

}  // namespace strata::device
