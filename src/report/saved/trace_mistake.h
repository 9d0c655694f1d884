// A mistake in a saved trace, and the place within the JSON value where it is: "states[0].x". Thrown and caught in this
// room alone.
#pragma once

#include <fmt/format.h>

#include <string>

namespace strata {

struct TraceMistake {
  std::string message;
};

inline std::string at(const std::string& place, const std::string& key) { return place + "." + key; }
inline std::string at(const std::string& place, size_t index) { return fmt::format("{}[{}]", place, index); }

[[noreturn]] inline void refuse(const std::string& place, const std::string& message) {
  throw TraceMistake{place + ": " + message};
}

}  // namespace strata
