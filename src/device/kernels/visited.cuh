// The visited states of a search on a device, in two forms, with states of a fixed number of 64-bit words:
//
//   StateSlots   1 or 2 words: the table's slots are the states themselves, with a bit that says that a slot is used.
//   PlaceSlots   any number: slots of 8 bytes are a tag, a part of the state's hash, and the state's place in the list.
//
// A third form, FoldedSlots (folded.cuh), keeps keys of states by StateSlots. All append each state once to the list
// of states, in the order of discovery, so that a level of the search is a range of the list. Slots are in buckets of
// 64 bytes; a state is in the first bucket of its sequence of buckets that had an empty slot when it came. Nothing
// moves and nothing is removed, so what a lookup has passed stays passed.
//
// Invariants, also while all warps add states:
//   1. A slot changes from empty to one state, and stays this state's.
//   2. No two slots are of the same state: both would have been put into the first empty slot of the same sequence.
//   3. (PlaceSlots) A slot is open, with the place of its state among the states on their way (one for each lane), until
//      the state is in the list; then closed, with the place in the list. A state on its way stays as it is while a
//      slot is open with its place. So a reader that finds the slot unchanged after it has read the state has read this
//      state. Nobody waits for another.
//   4. Where no bucket within kMostBuckets has room or the list is full, `full` is set, and states were lost.
//
// This text is compiled with kernels by the device's compiler, after lane.cuh.
#pragma once

struct VisitedStates {
  u64* slots;    // 0: empty
  u64 buckets;   // of 64 bytes
  u64* list;     // the states, word after word
  u64 capacity;  // states that the list has room for
  u64* count;    // states in the list
  u64* on_way;   // PlaceSlots: a state for each lane of the launch
  u32* full;     // bits: kStatesFull, kNodesFull
  // FoldedSlots (folded.cuh): the pairs that states are folded to, in buckets, and how many there are.
  u64* nodes;
  u64 node_buckets;
  u64* node_count;
  const struct Beyond* beyond;  // of a search that has outgrown the device's memory (beyond.cuh)
};
enum : u32 { kStatesFull = 1, kNodesFull = 2 };

constexpr u32 kBucketBytes = 64;
constexpr u32 kMostBuckets = 64;

inline u64 mixed(u64 x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdull;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ull;
  return x ^ x >> 33;
}

template <u32 kWords>
inline u64 hash_of(const u64* state) {
  u64 hash = mixed(state[0]);
  for (u32 i = 1; i < kWords; ++i) hash = mixed(hash * 0x9e3779b97f4a7c15ull ^ state[i]);
  return hash;
}

// The places for as many new states as lanes have one; those of this warp follow each other.
inline u64 place_for(const VisitedStates& visited, bool fresh) {
  const u32 all = vote(fresh);
  if (all == 0) return 0;
  u64 first = 0;
  if (lane() == first_one(all)) first = add64(visited.count, ones(all));
  return from_lane(first, first_one(all)) + ones(all & ((1u << lane()) - 1));
}

// The state is the lane's, of kWords words; its last word is below 2^63.
template <u32 kWords>
struct StateSlots {
  static_assert(kWords == 1 || kWords == 2);
  static constexpr u32 kSlots = kBucketBytes / (8 * kWords);
  static constexpr u64 kUsed = 1ull << 63;

  // Adds the states of all lanes that have one. Whether this lane's is new. REQUIRES all lanes of the warp.
  static bool add(const VisitedStates& visited, const u64* state, bool has) {
    const bool fresh = has && put(visited, state);
    const u64 place = place_for(visited, fresh);
    if (!fresh) return false;
    if (place >= visited.capacity)
      or32(visited.full, kStatesFull);
    else
      for (u32 i = 0; i < kWords; ++i) visited.list[place * kWords + i] = state[i];
    return true;
  }

  // Puts a state of the list, which has no slot yet, into one.
  static void keep(const VisitedStates& visited, const u64* state, u64 /*place*/) { put(visited, state); }

 private:
  static bool put(const VisitedStates& visited, const u64* state) {
    u64 hash = hash_of<kWords>(state);
    for (u32 i = 0; i < kMostBuckets; ++i, hash = mixed(hash + i)) {
      const u64 bucket = high_product(hash, visited.buckets);
      int found;
      // A device without pairs of words has no put2().
      if constexpr (kWords == 1) {
        found = put1(visited.slots + bucket * 8, state[0] | kUsed);
      } else {
        found = put2(visited.slots + bucket * 8, u128(state[kWords - 1] | kUsed) << 64 | state[0]);
      }
      if (found >= 0) return found == 1;
    }
    or32(visited.full, kStatesFull);
    return false;
  }
  // 1: put there, 0: was there, -1: no room.
  static int put1(u64* slots, u64 state) {
    u64 there[8];
#pragma unroll
    for (u32 i = 0; i < 8; i += 2) read_two(slots + i, there[i], there[i + 1]);
#pragma unroll
    for (u32 i = 0; i < 8; ++i) {
      if (there[i] == 0) there[i] = swap64(slots + i, 0, state);
      if (there[i] == 0) return 1;
      if (there[i] == state) return 0;
    }
    return -1;
  }
  template <class Pair = u128>
  static int put2(u64* words, Pair state) {
    Pair* const slots = reinterpret_cast<Pair*>(words);
    Pair there[4];
#pragma unroll
    for (u32 i = 0; i < 4; ++i) there[i] = read128(slots + i);
#pragma unroll
    for (u32 i = 0; i < 4; ++i) {
      if (there[i] == 0) there[i] = swap128(slots + i, 0, state);
      if (there[i] == 0) return 1;
      if (there[i] == state) return 0;
    }
    return -1;
  }
};

template <u32 kWords>
struct PlaceSlots {
  // A slot: used, open, tag, place.
  static constexpr u64 kUsed = 1ull << 63, kOpen = 1ull << 62;
  static constexpr u32 kPlaceBits = 38;
  static constexpr u64 kPlace = (1ull << kPlaceBits) - 1;
  static constexpr u64 kTag = (kOpen - 1) & ~kPlace;

  // Adds the states of all lanes that have one. Whether this lane's is new. REQUIRES all lanes of the warp.
  static bool add(const VisitedStates& visited, const u64* state, bool has) {
    u64 tag = 0;
    u64* const slot = has ? put(visited, state, tag) : nullptr;
    const u64 place = place_for(visited, slot != nullptr);
    if (slot != nullptr) {
      if (place >= visited.capacity) {
        // The slot stays open, and its state does not stay on its way: the search must not continue.
        or32(visited.full, kStatesFull);
      } else {
        for (u32 i = 0; i < kWords; ++i) write64(visited.list + place * kWords + i, state[i]);
        publish();
        write64(slot, kUsed | tag | place);
        publish();
      }
    }
    meet();
    return slot != nullptr;
  }

  // Puts a state of the list, which has no slot yet, into one.
  static void keep(const VisitedStates& visited, const u64* state, u64 place) {
    u64 hash = hash_of<kWords>(state);
    const u64 value = kUsed | mixed(hash) & kTag | place;
    for (u32 i = 0; i < kMostBuckets; ++i, hash = mixed(hash + i)) {
      u64* const slots = visited.slots + high_product(hash, visited.buckets) * 8;
      for (u32 j = 0; j < 8; ++j)
        if (read64(slots + j) == 0 && swap64(slots + j, 0, value) == 0) return;
    }
    or32(visited.full, kStatesFull);
  }

 private:
  // The slot that was won, or null: the state was there. The loop has one place for comparisons, whatever slot a lane
  // compares with, so that lanes can compare together: a comparison takes much longer than finding the next slot.
  static u64* put(const VisitedStates& visited, const u64* state, u64& tag) {
    u64 hash = hash_of<kWords>(state);
    tag = mixed(hash) & kTag;
    const u64 mine = warp() * kLanes + lane();
    bool on_way = false;
    for (u32 i = 0; i < kMostBuckets; ++i, hash = mixed(hash + i)) {
      u64* const slots = visited.slots + high_product(hash, visited.buckets) * 8;
      u64 there[8];
#pragma unroll
      for (u32 j = 0; j < 8; j += 2) read_two(slots + j, there[j], there[j + 1]);
      for (u32 from = 0; from < 8;) {
        u64 value = 0;
        from = next_slot(there, from, tag, value);
        if (from == 8) break;
        u64* const slot = slots + from++;
        if (value == 0) {
          if (!on_way) {
            for (u32 k = 0; k < kWords; ++k) write64(visited.on_way + mine * kWords + k, state[k]);
            publish();
            on_way = true;
          }
          value = swap64(slot, 0, kUsed | kOpen | tag | mine);
          if (value == 0) return slot;
        }
        if ((value & kTag) == tag && is(visited, slot, value, state)) return nullptr;
      }
    }
    or32(visited.full, kStatesFull);
    return nullptr;
  }
  // The first slot, from this one on, that is empty or has the tag, and its value; 8: there is none.
  static u32 next_slot(const u64 (&there)[8], u32 from, u64 tag, u64& value) {
    u32 next = 8;
#pragma unroll
    for (u32 j = 8; j-- > 0;) {
      const bool fits = j >= from && (there[j] == 0 || (there[j] & kTag) == tag);
      if (fits) {
        next = j;
        value = there[j];
      }
    }
    return next;
  }
  // Whether the state of a slot with the same tag is this one.
  static bool is(const VisitedStates& visited, const u64* slot, u64 value, const u64* state) {
    for (;;) {
      observe();
      const u64* const other = (value & kOpen ? visited.on_way : visited.list) + (value & kPlace) * kWords;
      bool same = true;
      if constexpr (kWords % 2 == 0) {
        for (u32 i = 0; i < kWords; i += 2) {
          u64 first, second;
          read_two(other + i, first, second);
          same &= (first == state[i]) & (second == state[i + 1]);
        }
      } else {
        for (u32 i = 0; i < kWords; ++i) same &= read64(other + i) == state[i];
      }
      if (!(value & kOpen)) return same;
      observe();
      const u64 again = read64(slot);
      if (again == value) return same;
      value = again;
    }
  }
};
