// Bytes of states, and comparing objects, on the host; compiled into each model as text, behind words_on_host.h.
#pragma once

// A state of Bytes bytes as words, with zeros behind it. Every word is written at once: what is read from it
// next need not wait until several writes have reached the cache.
template <u64 Bytes>
static inline void load_words(const u8* from, u64* words) {
  constexpr u64 whole = Bytes / 8, rest = Bytes % 8;
  __builtin_memcpy(words, from, whole * 8);
  u64 tail = 0;
  if constexpr (rest != 0 && whole != 0) {
    __builtin_memcpy(&tail, from + Bytes - 8, 8);
    tail >>= 64 - rest * 8;
  } else {
    for (u64 i = 0; i < rest; ++i) tail |= static_cast<u64>(from[i]) << i * 8;
  }
  if constexpr (rest != 0) words[whole] = tail;
  words[whole + (rest != 0)] = 0;
}
// Whether two objects of n bytes differ; n is a constant, so this becomes a few loads.
static inline bool differ(const void* a, const void* b, u64 n) {
  const u8 *x = static_cast<const u8*>(a), *y = static_cast<const u8*>(b);
  u64 difference = 0;
  if (n < 8) {
    for (u64 i = 0; i < n; ++i) difference |= x[i] ^ y[i];
    return difference != 0;
  }
  const auto word = [](const u8* p) {
    u64 value;
    __builtin_memcpy(&value, p, 8);
    return value;
  };
  u64 i = 0;
  if (n >= 32) {
    // Sixteen bytes at a time.
    typedef u64 Vector __attribute__((vector_size(16)));
    const auto vector = [](const u8* p) {
      Vector value;
      __builtin_memcpy(&value, p, 16);
      return value;
    };
    Vector sum = {0, 0};
    for (; i + 16 <= n; i += 16) sum |= vector(x + i) ^ vector(y + i);
    difference = sum[0] | sum[1];
  }
#pragma GCC unroll 8
  for (; i + 8 <= n; i += 8) difference |= word(x + i) ^ word(y + i);
  return (difference | (word(x + n - 8) ^ word(y + n - 8))) != 0;
}
template <class T>
[[gnu::always_inline]] static inline bool differ(const T& a, const T& b) {
  return differ(&a, &b, sizeof a);
}
// Assigns only where that changes something, because most rules leave most of a large state as it is.
template <class T>
[[gnu::always_inline]] static inline void restore(T& part, const T& before) {
  if (differ(part, before)) part = before;
}
