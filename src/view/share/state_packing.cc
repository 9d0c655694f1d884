#include "view/share/state_packing.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace strata {

namespace {

constexpr uint64_t kGroup = 8, kFewGroups = 2;

uint64_t groups(uint64_t bytes) { return (bytes + kGroup - 1) / kGroup; }
uint64_t head_bytes(uint64_t bytes) { return groups(bytes) <= kFewGroups ? 0 : (groups(bytes) + 7) / 8; }

// The bytes of group g, with zeros behind the state's end; the first byte is the lowest on every machine.
uint64_t load(const uint8_t* state, uint64_t bytes, uint64_t g) {
  uint64_t value = 0;
  std::memcpy(&value, state + g * kGroup, std::min(kGroup, bytes - g * kGroup));
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}

void store(uint64_t value, uint8_t* state, uint64_t bytes, uint64_t g) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(state + g * kGroup, &value, std::min(kGroup, bytes - g * kGroup));
}

}  // namespace

uint64_t packed_bytes(uint64_t state_bytes) {
  return head_bytes(state_bytes) + groups(state_bytes) * (1 + kGroup);
}

StatePacker::StatePacker(uint64_t state_bytes) : bytes_(state_bytes), before_(groups(state_bytes), 0) {}

void StatePacker::begin() { std::fill(before_.begin(), before_.end(), 0); }

uint8_t* StatePacker::pack(const uint8_t* state, uint8_t* to) {
  const uint64_t head = head_bytes(bytes_);
  uint8_t* const heads = to;
  std::memset(heads, 0, head);
  to += head;
  for (uint64_t g = 0; g < before_.size(); ++g) {
    const uint64_t value = load(state, bytes_, g), difference = value ^ before_[g];
    if (difference == 0 && head > 0) continue;
    before_[g] = value;
    if (head > 0) heads[g / 8] |= static_cast<uint8_t>(1u << g % 8);
    uint8_t* const mask = to++;
    uint8_t bits = 0;
    for (unsigned i = 0; i < kGroup; ++i) {
      const bool differs = (difference >> 8 * i & 255) != 0;
      bits |= static_cast<uint8_t>(differs ? 1u << i : 0);
      *to = static_cast<uint8_t>(value >> 8 * i);
      to += differs;
    }
    *mask = bits;
  }
  return to;
}

StateUnpacker::StateUnpacker(uint64_t state_bytes) : bytes_(state_bytes), before_(groups(state_bytes), 0) {}

void StateUnpacker::begin() { std::fill(before_.begin(), before_.end(), 0); }

const uint8_t* StateUnpacker::unpack(const uint8_t* from, const uint8_t* end, uint8_t* state) {
  const uint64_t head = head_bytes(bytes_);
  const uint8_t* const heads = from;
  if (static_cast<uint64_t>(end - from) < head) return nullptr;
  from += head;
  for (uint64_t g = 0; g < before_.size(); ++g) {
    if (head == 0 || (heads[g / 8] >> g % 8 & 1) != 0) {
      if (from == end) return nullptr;
      const uint8_t mask = *from++;
      if (end - from < std::popcount(mask)) return nullptr;
      for (unsigned i = 0; i < kGroup; ++i) {
        if ((mask >> i & 1) == 0) continue;
        before_[g] = (before_[g] & ~(uint64_t{255} << 8 * i)) | uint64_t{*from++} << 8 * i;
      }
    }
    store(before_[g], state, bytes_, g);
  }
  return from;
}

}  // namespace strata
