// The hash of a text as 16 hexadecimal digits, for files that people may look at.
#pragma once

#include <string>
#include <string_view>

namespace strata {

std::string hash_text(std::string_view text);

}  // namespace strata
