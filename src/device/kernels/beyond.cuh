// The visited states of a search that has outgrown the device's memory (search/beyond). The table keeps the early
// states, and nothing is added to it any more. A successor that is not there is a candidate: it is appended to a
// buffer, and whether it is new is found out later, among the states of its partition (resolve.cuh).
//
// A small table of successors met lately keeps most duplicates out of the buffer. Where two of them want the same slot,
// the later one takes it. It lasts from level to level, because a candidate of an earlier level has become a visited
// state by then, or waits.
//
// A search that may find states late has a filter of all states that are not early: words in each of which a state has
// kFilterBits bits (Putze, Sanders & Singler 2007). The successor that sets the first of its bits is new, and there is
// one such lane, because the bits are set at once. The others are candidates: known ones, and some new ones.
//
// Invariants
//   1. A key in the table of those met lately is early, or a visited state, or a candidate that is not decided yet. (A
//      step that is undone takes states back, so the host clears the table then.)
//   2. All visited states that are not early have their bits in the filter. Others may, too: a step that was undone.
//   3. Where a buffer has no room, kCandidatesFull is set in `full`, and the step must be undone.
//
// Before this text stand `using Keys`, the form of the tables of keys, and kKeysInList: whether they have places of
// states (visited.cuh). Compiled after the text of a model, before level.cuh, in the place of `using Slots`.
#pragma once

enum : u32 { kCandidatesFull = 4 };

// Keys, word after word.
struct KeyBuffer {
  u64* keys;
  u64 most;    // that there is room for
  u64* count;  // larger than `most`: some were lost
};

struct Beyond {
  VisitedStates early;
  u64* recent;  // successors met lately, with the mark of a used slot
  u64 recents;  // how many slots: a power of two, or 0
  KeyBuffer candidates;
  u64* filter;       // null: there is none
  u64 filter_words;  // at least 1
  KeyBuffer fresh;   // with a filter: states that are new
};

constexpr u32 kFilterBits = 3;

// Whether no other state has all bits of this one in the filter; then they are set.
inline bool passes_filter(const Beyond& beyond, const u64* key) {
  const u64 hash = mixed(hash_of<kListWords>(key) + 1);
  u64* const word = beyond.filter + high_product(hash, beyond.filter_words);
  u64 bits = 0;
  for (u32 i = 0; i < kFilterBits; ++i) bits |= 1ull << (hash >> 6 * i & 63);
  if ((read64(word) & bits) == bits) return false;
  return (or64(word, bits) & bits) != bits;
}

// Appends the keys of all lanes that have one. REQUIRES all lanes of the warp.
inline void append_keys(const KeyBuffer& buffer, u32* full, const u64* key, bool has) {
  const u32 all = vote(has);
  if (all == 0) return;
  u64 first = 0;
  if (lane() == first_one(all)) first = add64(buffer.count, ones(all));
  const u64 place = from_lane(first, first_one(all)) + ones(all & ((1u << lane()) - 1));
  if (!has) return;
  if (place >= buffer.most)
    or32(full, kCandidatesFull);
  else
    for (u32 i = 0; i < kListWords; ++i) buffer.keys[place * kListWords + i] = key[i];
}

template <class Form>
inline bool is_early(const VisitedStates& early, const u64* key) {
  const u64 first = hash_of<kListWords>(key);
  u64 hash = first;
  for (u32 i = 0; i < kMostBuckets; ++i, hash = mixed(hash + i)) {
    const u64* const slots = early.slots + high_product(hash, early.buckets) * 8;
    u64 there[8];
#pragma unroll
    for (u32 j = 0; j < 8; j += 2) read_two(slots + j, there[j], there[j + 1]);
    if constexpr (kKeysInList) {
      for (u32 j = 0; j < 8; ++j) {
        if (there[j] == 0) return false;
        if ((there[j] & Form::kTag) != (mixed(first) & Form::kTag)) continue;
        const u64* const other = early.list + (there[j] & Form::kPlace) * kListWords;
        bool same = true;
        for (u32 k = 0; k < kListWords; ++k) same &= other[k] == key[k];
        if (same) return true;
      }
    } else {
#pragma unroll
      for (u32 j = 0; j < 8; j += kListWords) {
        // The last word of a slot has its mark.
        const u64 last = there[j + kListWords - 1];
        if (last == 0) return false;
        bool same = last == (key[kListWords - 1] | Form::kUsed);
        if (kListWords == 2) same &= there[j] == key[0];
        if (same) return true;
      }
    }
  }
  return false;
}

// A device without pairs of words has no states of two words in its slots, and none of these functions.
template <class Pair>
inline bool was_met_as_pair(u64* words, Pair key) {
  Pair* const slot = reinterpret_cast<Pair*>(words);
  const Pair there = read128(slot);
  if (there == key) return true;
  swap128(slot, there, key);
  return false;
}

// Whether the key was met lately; from now on it was. States in the list alone are never: a slot has no room for them.
template <class Form>
inline bool was_met(const Beyond& beyond, const u64* key) {
  if constexpr (kKeysInList) {
    return false;
  } else {
    if (beyond.recents == 0) return false;
    u64* const slot = beyond.recent + (mixed(hash_of<kListWords>(key)) & beyond.recents - 1) * kListWords;
    if constexpr (kListWords == 1) {
      const u64 value = key[0] | Form::kUsed;
      if (read64(slot) == value) return true;
      write64(slot, value);
      return false;
    } else {
      return was_met_as_pair(slot, u128(key[kListWords - 1] | Form::kUsed) << 64 | key[0]);
    }
  }
}

struct BeyondSlots {
  // Appends the states of all lanes that have one and are not known to be visited: to those that are new, or to the
  // candidates. Whether this lane's is known to be new. REQUIRES all lanes of the warp.
  template <class Visited>
  static bool add(const Visited& visited, const u64* state, bool has) {
    const Beyond& beyond = *visited.beyond;
    const u64* key = state;
    [[maybe_unused]] u64 folded = 0;
    if constexpr (kFolds) {
      if (has) folded = fold_state(visited, state);
      key = &folded;
    }
    const bool is_unknown = has && !was_met<Keys>(beyond, key) && !is_early<Keys>(beyond.early, key);
    bool is_new = false;
    if (beyond.filter != nullptr) {
      is_new = is_unknown && passes_filter(beyond, key);
      append_keys(beyond.fresh, visited.full, key, is_new);
    }
    append_keys(beyond.candidates, visited.full, key, is_unknown && !is_new);
    return is_new;
  }

  static void keep(const VisitedStates& visited, const u64* key, u64 place) { Keys::keep(visited, key, place); }
};
