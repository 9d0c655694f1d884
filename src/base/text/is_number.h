// Whole numbers as texts.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/characters.h"

namespace strata {

// One decimal digit or several, and nothing else.
constexpr bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// A number, perhaps with a minus sign before it.
constexpr bool is_integer(std::string_view text) {
  return is_number(text.starts_with('-') ? text.substr(1) : text);
}

}  // namespace strata
