// What a kernel works on while the rules of a state fire; compiled into the text of a model for a device, behind
// device/kernels/firing.cuh, which declares Firing. Repeated: how many rules have several instances.
#pragma once

// The state that a rule fires in, as words: where the kernel has it, or a copy, which may be held in registers.
template <bool IsCopy>
struct Parent {
  const u64* packed;
  void keep(const u64* from) { packed = from; }
};
template <>
struct Parent<true> {
  u64 packed[kStateWords];
  void keep(const u64* from) {
    for (u32 i = 0; i < kStateWords; ++i) packed[i] = from[i];
  }
};

template <class UnpackedState, u32 Repeated, bool IsCopy>
struct FiringContext : Firing, Parent<IsCopy> {
  UnpackedState state;          // the same, except while a rule fires
  u32 seen[Repeated / 32 + 1];  // of the rules with several instances: those that have fired
  u32 no_steps;                 // what `steps` is before a rule fires
  bool rank_is_on;              // no rule of a lower rank has fired or failed

  // Whether this is the first instance of the rule with this number among those that have several.
  bool is_first(u32 repeated) {
    const u32 bit = 1u << repeated % 32;
    if (kTwoPasses && told != nullptr) return (or32(told + 1 + repeated / 32, bit) & bit) == 0;
    const bool first = (seen[repeated / 32] & bit) == 0;
    seen[repeated / 32] |= bit;
    return first;
  }
  // Whether nothing went wrong. Otherwise the fault is settled: a failure makes the kernel flag the state.
  bool settled() {
    if (__builtin_expect(state.fault.what == 0, 1)) return true;
    failed |= state.fault.what == kFailed;
    state.fault.what = 0;
    return false;
  }
  bool are_noted(u32 first, u32 end) const {
    for (u32 i = first; i < end; ++i)
      if ((noted[i / 32] >> i % 32 & 1) == 0) return false;
    return true;
  }
  void begin_rank() { rank_is_on = steps == no_steps && !failed; }
};
