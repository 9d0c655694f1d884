#include "device/contract/kernel_cache.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/hash.h"

namespace strata::device {

std::string kernel_key(const Device& device, const KernelText& text) {
  std::string all = device.compiler();
  const auto add = [&](const std::string& part) {
    all += '\0';
    all += part;
  };
  add(device.info().architecture);
  for (const std::string& option : text.options) add(option);
  add(text.quick ? "quick" : "");
  add(text.text);
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

Result<KernelImage> kernel_image(Device& device, KernelCache* cache, const KernelText& text) {
  const std::string key = cache == nullptr ? "" : kernel_key(device, text);
  if (cache != nullptr)
    if (std::optional<std::string> kept = cache->find(key)) return KernelImage{std::move(*kept), true};
  Result<std::string> image = device.compile(text);
  if (!image.ok()) return image.status();
  if (cache != nullptr) cache->keep(key, *image);
  return KernelImage{std::move(*image), false};
}

}  // namespace strata::device
