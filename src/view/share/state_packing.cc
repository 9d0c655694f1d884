#include "view/share/state_packing.h"

#include <algorithm>
#include <bit>
#include <cstring>

#ifdef __ARM_NEON
#include <arm_neon.h>
#endif

namespace strata {

namespace {

constexpr uint64_t kGroup = 8, kFewGroups = 2;

uint64_t groups(uint64_t bytes) { return (bytes + kGroup - 1) / kGroup; }
uint64_t head_bytes(uint64_t bytes) { return groups(bytes) <= kFewGroups ? 0 : (groups(bytes) + 7) / 8; }

// The bytes of group g, with zeros behind the state's end; the first byte is the lowest on every machine.
uint64_t load(const uint8_t* state, uint64_t bytes, uint64_t g) {
  uint64_t value = 0;
  if (const uint64_t left = bytes - g * kGroup; left >= kGroup)
    std::memcpy(&value, state + g * kGroup, kGroup);
  else
    std::memcpy(&value, state + g * kGroup, left);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}

void store(uint64_t value, uint8_t* state, uint64_t bytes, uint64_t g) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  if (const uint64_t left = bytes - g * kGroup; left >= kGroup)
    std::memcpy(state + g * kGroup, &value, kGroup);
  else
    std::memcpy(state + g * kGroup, &value, left);
}

#if defined(__ARM_NEON) && !defined(__ARM_BIG_ENDIAN)

// For each mask, where its bytes are: of byte i of a group, which of the bytes behind the mask it is; and back. 255: none.
struct Places {
  uint8_t of_group[256][kGroup], of_list[256][kGroup];
};
constexpr Places make_places() {
  Places places{};
  for (unsigned mask = 0; mask < 256; ++mask) {
    uint8_t n = 0;
    for (unsigned i = 0; i < kGroup; ++i) places.of_group[mask][i] = places.of_list[mask][i] = 255;
    for (uint8_t i = 0; i < kGroup; ++i) {
      if ((mask >> i & 1) == 0) continue;
      places.of_group[mask][i] = n;
      places.of_list[mask][n++] = i;
    }
  }
  return places;
}
constexpr Places kPlaces = make_places();

uint64_t replace(uint64_t value, uint8_t mask, uint64_t bytes) {
  return vget_lane_u64(
      vreinterpret_u64_u8(vtbx1_u8(vcreate_u8(value), vcreate_u8(bytes), vld1_u8(kPlaces.of_group[mask]))),
      0);
}

uint8_t differing_bytes(uint64_t difference) {
  return vaddv_u8(
      vand_u8(vtst_u8(vcreate_u8(difference), vcreate_u8(difference)), vcreate_u8(0x8040201008040201u)));
}

void write_list(uint64_t value, uint8_t mask, uint8_t* to) {
  vst1_u8(to, vtbl1_u8(vcreate_u8(value), vld1_u8(kPlaces.of_list[mask])));
}

#else

// `value` with the next of some bytes in the place of each byte that the mask names. Without a jump: none could be foreseen.
uint64_t replace(uint64_t value, uint8_t mask, uint64_t bytes) {
  for (unsigned i = 0; i < kGroup; ++i) {
    const uint64_t is_new = mask >> i & 1, place = (0 - is_new) & uint64_t{255} << 8 * i;
    value = (value & ~place) | (bytes << 8 * i & place);
    bytes >>= 8 * is_new;
  }
  return value;
}

// Bit i: whether byte i is not zero.
uint8_t differing_bytes(uint64_t difference) {
  uint8_t bits = 0;
  for (unsigned i = 0; i < kGroup; ++i)
    bits |= static_cast<uint8_t>((difference >> 8 * i & 255) != 0 ? 1u << i : 0);
  return bits;
}

// The bytes that the mask names, one behind the other; what is behind them, up to eight, is of no use.
void write_list(uint64_t value, uint8_t mask, uint8_t* to) {
  for (unsigned i = 0; i < kGroup; ++i) {
    *to = static_cast<uint8_t>(value >> 8 * i);
    to += mask >> i & 1;
  }
}

#endif

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
    const uint8_t mask = differing_bytes(difference);
    *to++ = mask;
    write_list(value, mask, to);
    to += std::popcount(mask);
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
      const auto count = static_cast<uint64_t>(std::popcount(mask)), left = static_cast<uint64_t>(end - from);
      if (left < count) return nullptr;
      before_[g] = replace(before_[g], mask, load(from, std::min(left, kGroup), 0));
      from += count;
    }
    store(before_[g], state, bytes_, g);
  }
  return from;
}

}  // namespace strata
