// The texts of option values, turned into numbers. A failure's message is a sentence about the value, without the
// option's name, which the caller puts before it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/status.h"
#include "store/key/store_mode.h"

namespace strata {

// "512M", "2G", "1.5GiB", "64K", "1048576": a number, perhaps with a fraction, and a unit of 1024 (K, M, G, T, P, with
// or without B or iB, in either case) or none for bytes. At most 1 EiB.
Result<uint64_t> parse_size(const std::string& text);

// A decimal number within [least, most].
Result<uint64_t> parse_number(const std::string& text, uint64_t least, uint64_t most);

// A positive number of seconds, perhaps with a fraction; at most a hundred years.
Result<double> parse_seconds(const std::string& text);

// "30s", "10m", "2h", "1d", "0.5": a positive number, perhaps with a fraction, and a unit of time; in seconds.
Result<double> parse_duration(const std::string& text);

// "states", "signatures", "signatures:40".
Result<StoreMode> parse_store(const std::string& text);

// NAME=VALUE with an identifier and something after the sign.
Result<std::pair<std::string, std::string>> parse_definition(const std::string& text);

}  // namespace strata
