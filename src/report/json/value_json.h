// Values as JSON: undefined is null, symbols are strings; records and arrays are objects; multisets are lists.
#pragma once

#include <nlohmann/json.hpp>

#include "model/value.h"

namespace strata {

nlohmann::ordered_json to_json(const Value& value);

}  // namespace strata
