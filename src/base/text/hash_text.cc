#include "base/text/hash_text.h"

#include <fmt/format.h>

#include "base/hash.h"

namespace strata {

std::string hash_text(std::string_view text) {
  return fmt::format("{:016x}", hash_bytes(text.data(), text.size()));
}

}  // namespace strata
