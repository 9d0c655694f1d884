// Limits that every front end enforces, so that the later passes can rely on them.
#pragma once

#include <cstdint>

namespace strata::lang {

// The greatest nesting depth of expressions, types, statements and rules. The parser and all later passes may therefore
// be recursive.
constexpr uint32_t kMaximumNesting = 1000;

// Far more than any model that can be checked, and small enough that sizes computed from it do not overflow.
constexpr uint64_t kMaximumStateBits = uint64_t{1} << 32;

}  // namespace strata::lang
