// Folded states: a state is cut into a tree of pairs over the halves of its words, each distinct pair is kept once in a
// table, and the pair at the root is the state's key, which is kept instead of the state. The number of a pair is its
// place in the table, so one access finds it; the table cannot grow without new numbers (refold).
//
// A text made of the tree (search/device/fold_text.h) comes behind this one:
//
//   u64 fold_state(const VisitedStates&, const u64* state)               the key; its highest bit is 0
//   void unfold_state(const VisitedStates&, u64 key, u64* state)
//
// Invariants
//   1. A slot of the table changes from empty to one pair, and keeps it. Pairs are not 0: two parts that are 0 are the
//      part 0 without a slot.
//   2. No two slots have the same pair: both would have been put into the first empty slot of the same sequence.
//   3. Where no bucket within kMostBuckets has room, kNodesFull is set in `full`, and keys may be wrong.
//
// Compiled after visited.cuh.
#pragma once

inline bool find_node(u64* slots, u64 pair, u64* count, u32& slot) {
  u64 there[8];
#pragma unroll
  for (u32 i = 0; i < 8; i += 2) read_two(slots + i, there[i], there[i + 1]);
#pragma unroll
  for (u32 i = 0; i < 8; ++i) {
    if (there[i] == 0) {
      there[i] = swap64(slots + i, 0, pair);
      if (there[i] == 0) {
        add64(count, 1);
        there[i] = pair;
      }
    }
    if (there[i] == pair) {
      slot = i;
      return true;
    }
  }
  return false;
}

// The number of a pair: at least 1; 0 for the pair of zeros.
STRATA_CALLED u32 node_of(const VisitedStates& visited, u32 left, u32 right) {
  const u64 pair = u64(right) << 32 | left;
  if (pair == 0) return 0;
  u64 hash = mixed(pair);
  for (u32 i = 0; i < kMostBuckets; ++i, hash = mixed(hash + i)) {
    const u64 bucket = high_product(hash, visited.node_buckets);
    u32 slot = 0;
    if (find_node(visited.nodes + bucket * 8, pair, visited.node_count, slot)) return u32(bucket * 8 + slot + 1);
  }
  or32(visited.full, kNodesFull);
  return 0;
}
// The pair of a number that node_of() gave in an earlier launch.
inline u64 node_at(const VisitedStates& visited, u32 number) { return number == 0 ? 0 : visited.nodes[number - 1]; }

inline u64 fold_state(const VisitedStates& visited, const u64* state);

template <u32 kWords>
struct FoldedSlots {
  using Keys = StateSlots<1>;

  // As that of the other forms, with whole states.
  static bool add(const VisitedStates& visited, const u64* state, bool has) {
    u64 key = 0;
    if (has) key = fold_state(visited, state);
    return Keys::add(visited, &key, has);
  }
  // Puts a key of the list, which has no slot yet, into one.
  static void keep(const VisitedStates& visited, const u64* key, u64 place) { Keys::keep(visited, key, place); }
};
