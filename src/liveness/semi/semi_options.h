// What a search asks of the semi-external machinery.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/contract/parameters.h"

namespace strata {

using PackedState = std::vector<uint8_t>;

struct SemiOptions {
  bool on_disk = false;      // the function
  uint64_t buffer = 0;       // blocks of a reader of a function on disk; 0: from the memory
  bool check = false;        // run check_perfect_hash
  bool with_depths = false;  // find() gives the depths of states
  uint64_t bits = 1;         // for each state
  bool one_error = true;     // ends with the first error, whatever --max-errors and --bound say

  // From --set hash, buffer and check.
  static SemiOptions from(const SearchOptions& options) {
    SemiOptions chosen;
    chosen.on_disk = parameter<std::string>(options, "hash") == "disk";
    chosen.buffer = parameter<uint64_t>(options, "buffer");
    chosen.check = parameter<std::string>(options, "check") == "yes";
    return chosen;
  }
};

// States that a search takes at a time, so that their look-ups are read together; fewer of large ones.
constexpr uint64_t kMostTogether = 32;
inline uint64_t together(uint64_t state_bytes) {
  return std::clamp<uint64_t>((64 << 10) / state_bytes, 1, kMostTogether);
}

}  // namespace strata
