// For tests: keys and records by number, as bytes that fill the whole width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "store/key/keys.h"

namespace strata {

// Different numbers give different bytes, as far as the width allows (see different_numbers).
inline void write_number(uint64_t number, uint64_t bytes, uint8_t* out) {
  for (uint64_t i = 0; i < bytes; ++i)
    out[i] = static_cast<uint8_t>(i < 8 ? number >> (8 * i) : number * i + (number >> 8) + i);
}

// How many numbers from 0 on are told apart in this many bytes, `wanted` at most.
inline uint64_t different_numbers(uint64_t bytes, uint64_t wanted) {
  return bytes >= 8 ? wanted : std::min(wanted, uint64_t{1} << (8 * bytes));
}

inline std::vector<uint8_t> records_of(const std::vector<uint64_t>& numbers, uint64_t bytes) {
  std::vector<uint8_t> records(numbers.size() * bytes);
  for (uint64_t i = 0; i < numbers.size(); ++i) write_number(numbers[i], bytes, records.data() + i * bytes);
  return records;
}

// Some keys, with the memory they stand in.
class NumberedKeys {
 public:
  NumberedKeys(const std::vector<uint64_t>& numbers, uint64_t bytes)
      : maker_({}, bytes),
        records_(records_of(numbers, bytes)),
        keys_(maker_.of_keys(records_.data(), numbers.size())) {}
  NumberedKeys(const NumberedKeys&) = delete;
  NumberedKeys& operator=(const NumberedKeys&) = delete;
  operator const Keys&() const { return keys_; }

 private:
  KeyMaker maker_;
  std::vector<uint8_t> records_;
  const Keys keys_;
};

// first, first + 1, ...
inline std::vector<uint64_t> numbers_from(uint64_t first, uint64_t count) {
  std::vector<uint64_t> numbers(count);
  for (uint64_t i = 0; i < count; ++i) numbers[i] = first + i;
  return numbers;
}

}  // namespace strata
