// States on their way to another rank: each is written as what differs from the one before it, as states that
// are found one after another mostly have most of their bytes in common.
//
//   a state   of up to eight groups: for each group a byte that says which of its bytes differ; then those
//   bytes. A group is eight bytes.
//   a larger  for each eight of its groups a byte that says which of them differ; then for each group that
//   does, a byte that says which
//             of its bytes do, and those bytes.
//
// Which bytes differ cannot be foreseen, so small states are packed and unpacked without a jump.
#pragma once

#include <cstdint>
#include <vector>

namespace strata {

// What a state of so many bytes takes at most.
uint64_t packed_bytes(uint64_t state_bytes);

class StatePacker {
 public:
  explicit StatePacker(uint64_t state_bytes);

  // The next state is the first of a batch, and differs from zeros.
  void begin();
  // Writes a state to `to`, which has room for packed_bytes(); returns its end.
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
  // Reads a state, and returns its end; null: the bytes to `end` are not a state.
  const uint8_t* unpack(const uint8_t* from, const uint8_t* end, uint8_t* state);

 private:
  // Reads what a state takes at most, whether it is of that state or not.
  const uint8_t* unpack_small(const uint8_t* from);
  const uint8_t* unpack_large(const uint8_t* from);

  const uint64_t bytes_;
  std::vector<uint64_t> before_;
  std::vector<uint8_t> rest_;  // of a batch: shorter than a state may be
};

}  // namespace strata
