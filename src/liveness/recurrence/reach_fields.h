// What each state can reach, by its number: a bit for each of some goals.
#pragma once

#include <cstdint>

#include "liveness/semi/bit_array.h"

namespace strata {

class ReachFields {
 public:
  // `bits` has a field of this width, a power of two, for each of the states; `goals` is at most the width.
  ReachFields(BitArray& bits, uint64_t states, uint64_t width, uint64_t goals)
      : bits_(bits), states_(states), width_(width), all_(BitArray::full_field(goals)) {}

  uint64_t get(uint64_t number) const { return bits_.field(number, width_); }
  uint64_t lacking(uint64_t number) const { return all_ & ~get(number); }
  // Adds goals, on any thread; whether the state had not all of them.
  bool add(uint64_t number, uint64_t goals) { return bits_.add_to_field(number, width_, goals & all_); }
  bool all_reach_all() const {
    for (uint64_t number = 0; number < states_; ++number)
      if (lacking(number) != 0) return false;
    return true;
  }

 private:
  BitArray& bits_;
  const uint64_t states_, width_, all_;
};

}  // namespace strata
