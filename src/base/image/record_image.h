// Many records of one size in an image (base/image/image.h), some at a time: the states and stacks of a search in RAM.
//
//   count:u64 records
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "base/image/image.h"

namespace strata {

constexpr uint64_t kRecordImageBytes = 64 << 10;  // that are exchanged at a time
inline uint64_t records_at_once(uint64_t bytes) { return std::max<uint64_t>(kRecordImageBytes / bytes, 1); }

// fill(i, record) writes record i.
template <class Fill>
void save_records(Image& image, std::string_view name, uint64_t count, uint64_t bytes, const Fill& fill) {
  image.value(name, count);
  const uint64_t most = std::min(records_at_once(bytes), count);
  std::vector<uint8_t> some(most * bytes);
  for (uint64_t done = 0; done < count && image.ok();) {
    const uint64_t n = std::min(most, count - done);
    for (uint64_t i = 0; i < n; ++i) fill(done + i, some.data() + i * bytes);
    image.bytes(some.data(), n * bytes);
    done += n;
  }
}

// take(records, n) gets them in the same order. False: it refused some, and what follows in the image is not read.
template <class Take>
bool restore_records(Image& image, std::string_view name, uint64_t bytes, const Take& take) {
  uint64_t count = 0;
  image.value(name, count);
  if (!image.ok()) return false;
  const uint64_t most = std::min(records_at_once(bytes), count);
  std::vector<uint8_t> some(most * bytes);
  for (uint64_t done = 0; done < count;) {
    const uint64_t n = std::min(most, count - done);
    image.bytes(some.data(), n * bytes);
    if (!image.ok() || !take(some.data(), n)) return false;
    done += n;
  }
  return true;
}

}  // namespace strata
