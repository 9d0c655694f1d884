// Limits that every front end keeps, so that what comes behind it can rely on them.
#pragma once

#include <cstdint>

namespace strata::lang {

// Expressions, types, statements and rules may be nested this deep, so that the parser and every later pass can be
// recursive.
constexpr uint32_t kMaximumNesting = 1000;

// Far above every model that can be checked, and low enough that sizes stay sane everywhere behind.
constexpr uint64_t kMaximumStateBits = uint64_t{1} << 32;

}  // namespace strata::lang
