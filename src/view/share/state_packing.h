// States on their way to another rank. Each is written as its difference from the one before, because states that are
// found one after another mostly have most bytes in common. A group is eight bytes.
//
//   up to eight groups    for each group a byte that says which of its bytes differ; then these bytes
//   more groups           for each eight groups a byte that says which of them differ; then for each of these groups a
//                         byte that says which of its bytes differ, and these bytes
//
// Nothing predicts which bytes differ, so small states are packed and unpacked without branches.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

// The most that a state of this size takes.
uint64_t packed_bytes(uint64_t state_bytes);

class StatePacker {
 public:
  explicit StatePacker(uint64_t state_bytes);

  // Begins a batch: its first state is written as its difference from zeros.
  void begin();
  // Writes a state to `to`, which must have room for packed_bytes(). Returns the end of the state.
  uint8_t* pack(const uint8_t* state, uint8_t* to);

 private:
  uint8_t* pack_small(const uint8_t* state, uint8_t* to);
  uint8_t* pack_large(const uint8_t* state, uint8_t* to);

  const uint64_t bytes_;
  std::vector<uint64_t> before_;
};

class StateUnpacker {
 public:
  explicit StateUnpacker(uint64_t state_bytes);

  void begin();
  // Reads a state and returns its end. Null: the bytes up to `end` are not a state.
  const uint8_t* unpack(const uint8_t* from, const uint8_t* end, uint8_t* state);

 private:
  // Reads as many bytes as a state can take, even if they are not all of this state.
  const uint8_t* unpack_small(const uint8_t* from);
  const uint8_t* unpack_large(const uint8_t* from);

  const uint64_t bytes_;
  std::vector<uint64_t> before_;
  std::vector<uint8_t> rest_;  // of a batch: shorter than a state may be
};

}  // namespace strata
