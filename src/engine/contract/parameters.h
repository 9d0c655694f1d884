// Checked access to the values of --set. An invalid value is a usage error that says which values are valid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/contract/search_context.h"

namespace strata {

// A whole number within [least, most]; `default_value` when it is not set.
Result<uint64_t> number_parameter(const SearchOptions& options, const std::string& name,
                                  uint64_t default_value, uint64_t least, uint64_t most);
// A number within [least, most].
Result<double> real_parameter(const SearchOptions& options, const std::string& name, double default_value,
                              double least, double most);
// One of some words; the first one when it is not set.
Result<std::string> choice_parameter(const SearchOptions& options, const std::string& name,
                                     const std::vector<std::string>& words);

}  // namespace strata
