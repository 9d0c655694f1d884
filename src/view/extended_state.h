// A state of a model with a number added: the bits of the state, then those of the number, which uses the free bits of
// the state's last byte if they suffice.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

#include "model/model.h"

namespace strata {

class ExtendedState {
 public:
  // For numbers below `numbers`, which must be at least 1.
  ExtendedState(const ModelInfo& model, uint64_t numbers)
      : state_bits_(model.state_bits),
        state_bytes_(model.state_bytes),
        number_bits_(static_cast<uint64_t>(std::bit_width(numbers - 1))) {}

  uint64_t bits() const { return state_bits_ + number_bits_; }
  uint64_t bytes() const { return std::max<uint64_t>(1, (bits() + 7) / 8); }
  uint64_t state_bytes() const { return state_bytes_; }

  void join(const uint8_t* state, uint32_t number, uint8_t* result) const {
    std::memset(result, 0, bytes());
    std::memcpy(result, state, (state_bits_ + 7) / 8);
    uint64_t bit = state_bits_;
    for (uint64_t i = 0; i < number_bits_; ++i, ++bit)
      result[bit / 8] |= static_cast<uint8_t>((number >> i & 1u) << (bit % 8));
  }
  uint32_t number(const uint8_t* joined) const {
    uint64_t bit = state_bits_;
    uint32_t result = 0;
    for (uint64_t i = 0; i < number_bits_; ++i, ++bit) result |= (joined[bit / 8] >> (bit % 8) & 1u) << i;
    return result;
  }
  void state(const uint8_t* joined, uint8_t* result) const {
    std::memcpy(result, joined, std::min(state_bytes_, bytes()));
    if (state_bits_ % 8 != 0) result[state_bits_ / 8] &= static_cast<uint8_t>((1u << (state_bits_ % 8)) - 1);
    if (state_bits_ == 0) result[0] = 0;
  }
  // Extracts the states of n joined ones, with slack behind them: readers of packed states may touch whole machine
  // words.
  void states(const uint8_t* joined, uint64_t n, UntouchedVector<uint8_t>& result) const {
    constexpr uint64_t kSlack = 16;
    result.resize(n * state_bytes_ + kSlack);
    for (uint64_t i = 0; i < n; ++i) state(joined + i * bytes(), result.data() + i * state_bytes_);
  }

 private:
  uint64_t state_bits_, state_bytes_, number_bits_;
};

}  // namespace strata
