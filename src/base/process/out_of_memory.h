// What is said where the system has no memory: malloc failed, whatever --memory would allow.
#pragma once

namespace strata {

inline constexpr const char* kOutOfMemory =
    "the system has no more memory to give (see ulimit -v); try a smaller --memory";

}  // namespace strata
