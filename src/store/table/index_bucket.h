// One cache line of a StateTable's index: sixteen entries of four bytes, filled from the front, compared all at
// once. An entry is a state's number plus one in its low `number_bits`, and a tag (bits of the state's hash) in the
// others; zero is an empty entry.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace strata {

// A set of entries of one bucket, with kSlotBits bits for each.
class SlotSet {
 public:
#if defined(__ARM_NEON)
  static constexpr unsigned kSlotBits = 4;
#else
  static constexpr unsigned kSlotBits = 1;
#endif
  explicit SlotSet(uint64_t bits) : bits_(bits) {}
  bool empty() const { return bits_ == 0; }
  unsigned first() const { return static_cast<unsigned>(std::countr_zero(bits_)) / kSlotBits; }
  void drop_first() { bits_ &= bits_ - 1; }
  // Without the entries before this one.
  SlotSet from(unsigned slot) const { return SlotSet(bits_ & ~uint64_t{0} << slot * kSlotBits); }

 private:
  uint64_t bits_;
};

struct alignas(64) IndexBucket {
  static constexpr unsigned kSlots = 16;
  uint32_t slots[kSlots];

  bool full() const { return slots[kSlots - 1] != 0; }

  // The entries that agree with `pattern` in all but the low `low_bits` bits.
  //
  // Thread safety: other threads may store entries meanwhile, by atomic_ref. The entries are read by plain SIMD loads:
  // C++ has no atomic ones, and calls this a data race. It is right on the machines of the code below, x86-64 and ARM:
  // an aligned load of 16 bytes reads each aligned word of four bytes whole, either before or after a store to it. A
  // caller without the lock therefore sees each entry empty or complete, and StateShard::try_find_unlocked() throws
  // away what it saw while entries were moved.
  SlotSet matching(uint32_t pattern, unsigned low_bits) const {
#if defined(__ARM_NEON)
    const uint32x4_t wanted = vdupq_n_u32(pattern);
    const uint32x4_t limit = vdupq_n_u32(1u << low_bits);
    const uint32x4_t m0 = vcltq_u32(veorq_u32(vld1q_u32(slots), wanted), limit);
    const uint32x4_t m1 = vcltq_u32(veorq_u32(vld1q_u32(slots + 4), wanted), limit);
    const uint32x4_t m2 = vcltq_u32(veorq_u32(vld1q_u32(slots + 8), wanted), limit);
    const uint32x4_t m3 = vcltq_u32(veorq_u32(vld1q_u32(slots + 12), wanted), limit);
    const uint16x8_t low = vuzp1q_u16(vreinterpretq_u16_u32(m0), vreinterpretq_u16_u32(m1));
    const uint16x8_t high = vuzp1q_u16(vreinterpretq_u16_u32(m2), vreinterpretq_u16_u32(m3));
    const uint8x16_t bytes = vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
    const uint8x8_t nibbles = vshrn_n_u16(vreinterpretq_u16_u8(bytes), 4);
    return SlotSet(vget_lane_u64(vreinterpret_u64_u8(nibbles), 0) & 0x1111111111111111ull);
#elif defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(pattern));
    const __m128i shift = _mm_cvtsi32_si128(static_cast<int>(low_bits));
    const __m128i zero = _mm_setzero_si128();
    const auto match = [&](unsigned i) {
      const __m128i entries = _mm_load_si128(reinterpret_cast<const __m128i*>(slots + i));
      return _mm_cmpeq_epi32(_mm_srl_epi32(_mm_xor_si128(entries, wanted), shift), zero);
    };
    const __m128i low = _mm_packs_epi32(match(0), match(4));
    const __m128i high = _mm_packs_epi32(match(8), match(12));
    return SlotSet(static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(low, high))));
#else
    uint64_t bits = 0;
    for (unsigned i = 0; i < kSlots; ++i) bits |= uint64_t{((slots[i] ^ pattern) >> low_bits) == 0} << i;
    return SlotSet(bits);
#endif
  }

  // The first empty entry. REQUIRES: the bucket is not full.
  unsigned first_empty() const { return matching(0, 0).first(); }
};

}  // namespace strata
