// For a scalar type that is a union, type number K: value_K, the value of a code, and encode_K, the code of a value.
#pragma once

#include <cstdint>

#include "ir/program.h"
#include "native/text/output.h"

namespace strata::native {

void emit_union_codes(uint32_t k, const ir::ScalarType& type, const Target& target, Text& text);

}  // namespace strata::native
