// Words in colour, for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace strata {

enum class Colour { good, bad, warning, emphasis };

// The text as it is, or between the sequences that a terminal takes for a colour.
inline std::string coloured(bool on, Colour colour, std::string_view text) {
  if (!on || text.empty()) return std::string(text);
  const char* code = colour == Colour::good      ? "32"
                     : colour == Colour::bad     ? "31"
                     : colour == Colour::warning ? "33"
                                                 : "1";
  return std::string("\x1b[") + code + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace strata
