// Values as JSON: undefined is null, symbols are strings; records and arrays are objects; multisets are lists.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "model/value.h"

namespace strata {

// Programs that read numbers as doubles read integers between this and its negative exactly.
inline constexpr int64_t kLargestSafe = int64_t{1} << 53;

nlohmann::ordered_json to_json(const Value& value);

}  // namespace strata
