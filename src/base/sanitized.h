// Whether this is a build with a sanitizer, which is ten to fifty times slower: tests do less in it.
#pragma once

namespace strata {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace strata
