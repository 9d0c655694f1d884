// The message when the system has no memory: malloc failed, although --memory would allow more.
#pragma once

namespace strata {

inline constexpr const char* kOutOfMemory =
    "the system has no more memory to give (see ulimit -v); try a smaller --memory";

}  // namespace strata
