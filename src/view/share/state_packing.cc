#include "view/share/state_packing.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "view/share/byte_lists.h"

namespace strata {

namespace {

constexpr uint64_t kGroup = kWordBytes, kFewGroups = 8;

uint64_t groups(uint64_t bytes) { return (bytes + kGroup - 1) / kGroup; }
bool is_small(uint64_t bytes) { return groups(bytes) <= kFewGroups; }
uint64_t head_bytes(uint64_t bytes) { return is_small(bytes) ? 0 : (groups(bytes) + 7) / 8; }

// Eight bytes as a number whose lowest byte is the first one, and back.
uint64_t load(const uint8_t* from) {
  uint64_t value;
  std::memcpy(&value, from, sizeof value);
  return value;
}
void store(uint64_t value, uint8_t* to) { std::memcpy(to, &value, sizeof value); }

// The last group of a state, with zeros behind the state's end.
uint64_t load_last(const uint8_t* state, uint64_t bytes) {
  if (bytes >= kGroup) return load(state + bytes - kGroup) >> 8 * (groups(bytes) * kGroup - bytes);
  uint64_t value = 0;
  for (uint64_t i = 0; i < bytes; ++i) value |= uint64_t{state[i]} << 8 * i;
  return value;
}

void store_all(const uint64_t* values, uint8_t* state, uint64_t bytes) {
  const uint64_t whole = bytes / kGroup, left = bytes % kGroup;
  for (uint64_t g = 0; g < whole; ++g) store(values[g], state + g * kGroup);
  if (left == 0) return;
  if (whole > 0) {
    store(values[whole - 1] >> 8 * left | values[whole] << 8 * (kGroup - left), state + bytes - kGroup);
  } else {
    for (uint64_t i = 0; i < left; ++i) state[i] = static_cast<uint8_t>(values[0] >> 8 * i);
  }
}

constexpr std::array<uint8_t, 256> make_counts() {
  std::array<uint8_t, 256> counts{};
  for (unsigned mask = 0; mask < 256; ++mask) counts[mask] = static_cast<uint8_t>(std::popcount(mask));
  return counts;
}
// Bits of a mask.
constexpr std::array<uint8_t, 256> kCount = make_counts();

// Bit i: whether byte i is not zero.
uint8_t differing_bytes(uint64_t difference) {
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f, kOnes = 0x0101010101010101, kGather = 0x0102040810204080;
  const uint64_t high = ((difference & kLow) + kLow) | difference;
  return static_cast<uint8_t>(((high >> 7 & kOnes) * kGather) >> 56);
}

}  // namespace

uint64_t packed_bytes(uint64_t state_bytes) {
  return head_bytes(state_bytes) + groups(state_bytes) * (1 + kGroup);
}

StatePacker::StatePacker(uint64_t state_bytes) : bytes_(state_bytes), before_(groups(state_bytes), 0) {}

void StatePacker::begin() { std::fill(before_.begin(), before_.end(), 0); }

uint8_t* StatePacker::pack(const uint8_t* state, uint8_t* to) {
  return is_small(bytes_) ? pack_small(state, to) : pack_large(state, to);
}

uint8_t* StatePacker::pack_small(const uint8_t* state, uint8_t* to) {
  const uint64_t last = before_.size() - 1;
  uint8_t* masks = to;
  to += before_.size();
  const auto add = [&](uint64_t& before, uint64_t value) {
    const uint8_t mask = differing_bytes(value ^ before);
    before = value;
    *masks++ = mask;
    write_bytes(value, mask, to);
    to += kCount[mask];
  };
  for (uint64_t g = 0; g < last; ++g) add(before_[g], load(state + g * kGroup));
  add(before_[last], load_last(state, bytes_));
  return to;
}

uint8_t* StatePacker::pack_large(const uint8_t* state, uint8_t* to) {
  const uint64_t last = before_.size() - 1;
  uint8_t* const heads = to;
  std::memset(heads, 0, head_bytes(bytes_));
  to += head_bytes(bytes_);
  for (uint64_t g = 0; g <= last; ++g) {
    const uint64_t value = g < last ? load(state + g * kGroup) : load_last(state, bytes_);
    const uint64_t difference = value ^ before_[g];
    if (difference == 0) continue;
    before_[g] = value;
    heads[g / 8] |= static_cast<uint8_t>(1u << g % 8);
    const uint8_t mask = differing_bytes(difference);
    *to++ = mask;
    write_bytes(value, mask, to);
    to += kCount[mask];
  }
  return to;
}

// A list is read as eight bytes; those behind its end are not used.
StateUnpacker::StateUnpacker(uint64_t state_bytes)
    : bytes_(state_bytes), before_(groups(state_bytes), 0), rest_(packed_bytes(state_bytes), 0) {}

void StateUnpacker::begin() { std::fill(before_.begin(), before_.end(), 0); }

const uint8_t* StateUnpacker::unpack(const uint8_t* from, const uint8_t* end, uint8_t* state) {
  const auto left = static_cast<uint64_t>(end - from);
  const bool is_whole = left >= rest_.size();
  if (!is_whole) {
    std::memcpy(rest_.data(), from, left);
    std::memset(rest_.data() + left, 0, rest_.size() - left);
  }
  const uint8_t* const begin = is_whole ? from : rest_.data();
  const auto read =
      static_cast<uint64_t>((is_small(bytes_) ? unpack_small(begin) : unpack_large(begin)) - begin);
  if (read > left) return nullptr;
  store_all(before_.data(), state, bytes_);
  return from + read;
}

const uint8_t* StateUnpacker::unpack_small(const uint8_t* from) {
  const uint8_t* masks = from;
  from += before_.size();
  for (uint64_t& before : before_) {
    const uint8_t mask = *masks++;
    before = replace_bytes(before, mask, load(from));
    from += kCount[mask];
  }
  return from;
}

const uint8_t* StateUnpacker::unpack_large(const uint8_t* from) {
  const uint8_t* const heads = from;
  from += head_bytes(bytes_);
  for (uint64_t g = 0; g < before_.size(); ++g) {
    if ((heads[g / 8] >> g % 8 & 1) == 0) continue;
    const uint8_t mask = *from++;
    before_[g] = replace_bytes(before_[g], mask, load(from));
    from += kCount[mask];
  }
  return from;
}

}  // namespace strata
