#include "native/compile/sealed_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/system/plain_file.h"

namespace strata::native {

namespace {

constexpr std::string_view kMark = "STRATA 1";

struct Seal {
  std::array<char, 8> mark{};
  uint64_t size = 0;
  uint64_t high = 0, low = 0;
};
static_assert(sizeof(Seal) == 32);

Seal seal_of(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  Seal seal;
  kMark.copy(seal.mark.data(), kMark.size());
  seal.size = content.size();
  seal.high = hash.high64;
  seal.low = hash.low64;
  return seal;
}

// Empty where it is no plain file, or larger than any that was compiled.
std::string content_of(const std::string& path) {
  constexpr uint64_t kLongest = uint64_t{1} << 30;
  Result<std::string> content = read_plain(path, kLongest);
  return content.ok() ? std::move(*content) : std::string();
}

}  // namespace

Status seal_file(const std::string& path) {
  const Seal seal = seal_of(content_of(path));
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  bool done = descriptor >= 0;
  done = done && ::write(descriptor, &seal, sizeof seal) == static_cast<ssize_t>(sizeof seal);
  done = done && ::fsync(descriptor) == 0;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (done) return {};
  return Status::system(fmt::format("cannot write the compiled model '{}': {}", path, std::strerror(error)));
}

std::optional<std::string> read_sealed(const std::string& path) {
  std::string content = content_of(path);
  if (content.size() < sizeof(Seal)) return {};
  const size_t size = content.size() - sizeof(Seal);
  const Seal expected = seal_of(std::string_view(content).substr(0, size));
  if (std::memcmp(&expected, content.data() + size, sizeof expected) != 0) return {};
  content.resize(size);
  return content;
}

bool is_sealed(const std::string& path) { return read_sealed(path).has_value(); }

}  // namespace strata::native
