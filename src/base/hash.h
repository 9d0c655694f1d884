// The hash of a state: XXH3, inlined so that a length known at compile time costs no branches.
#pragma once

#include <cstdint>

#ifndef XXH_INLINE_ALL
#define XXH_INLINE_ALL
#endif
#include <xxhash.h>

namespace strata {

inline uint64_t hash_bytes(const void* bytes, uint64_t size) { return XXH3_64bits(bytes, size); }

}  // namespace strata
