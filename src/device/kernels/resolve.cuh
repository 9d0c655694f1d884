// Which candidates of a search beyond the device's memory are new (beyond.cuh). Keys are divided by bits of their hash.
// For one part of them at a time, the visited keys are put into an empty table, the room, and the candidates are added
// to it: those that were not there are new. They stand behind the visited ones in the room's list.
//
// Tables find the bucket of a key by the high bits of its hash; the part is told by the low ones, so that a room is
// filled evenly. Compiled after search.cuh.
#pragma once

inline u64 part_of(const u64* key, u64 parts) { return (hash_of<kListWords>(key) & 0xffffffffull) * parts >> 32; }

struct Parting {
  const u64* keys;
  u64 n;
  u64 parts;
  u64* counts;  // of each part: how many keys it has; for part_keys, where its next key goes
  u64* to;
};

KERNEL(count_parts, Parting) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    add64(argument.counts + part_of(argument.keys + i * kListWords, argument.parts), 1);
}

// Copies keys, those of a part together.
KERNEL(part_keys, Parting) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes) {
    const u64* const key = argument.keys + i * kListWords;
    const u64 place = add64(argument.counts + part_of(key, argument.parts), 1);
    for (u32 k = 0; k < kListWords; ++k) argument.to[place * kListWords + k] = key[k];
  }
}

struct Passing {
  const Beyond* beyond;
  const u64* keys;
  u64 n;
};

// Puts visited states into the filter.
KERNEL(fill_filter, Passing) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    passes_filter(*argument.beyond, argument.keys + i * kListWords);
}

struct Joining {
  VisitedStates room;
  const u64* keys;
  u64 n;
  u64 parts, part;  // keys of other parts are left out
  u64* orbits;      // as in Level
};

// Puts visited keys, which are different, into the room.
KERNEL(take_visited, Joining) {
  const VisitedStates& room = argument.room;
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    const u64* const key = argument.keys + (base + lane()) * kListWords;
    const bool has = base + lane() < argument.n && part_of(key, argument.parts) == argument.part;
    const u64 place = place_for(room, has);
    if (!has) continue;
    if (place >= room.capacity) {
      or32(room.full, kStatesFull);
      continue;
    }
    u64 own[kListWords];
    for (u32 k = 0; k < kListWords; ++k) room.list[place * kListWords + k] = own[k] = key[k];
    Keys::keep(room, own, place);
  }
}

KERNEL(join, Joining) {
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    const u64* const key = argument.keys + (base + lane()) * kListWords;
    const bool has = base + lane() < argument.n && part_of(key, argument.parts) == argument.part;
    u64 own[kListWords];
    if (has)
      for (u32 k = 0; k < kListWords; ++k) own[k] = key[k];
    Keys::add(argument.room, own, has);
  }
}

// The size of the orbit of a key's state, which is the representative.
template <class Visited>
inline double orbit_of(const Visited& visited, const u64* key) {
  u64 state[kStateWords];
  if constexpr (kFolds) {
    unfold_state(visited, *key, state);
  } else {
    for (u32 k = 0; k < kStateWords; ++k) state[k] = key[k];
  }
  return reduced(state, kStages - 1);
}

// Adds the orbits of new states.
KERNEL(weigh, Joining) {
  if constexpr (kReduces) {
    double orbits = 0;
    for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
      orbits += orbit_of(argument.room, argument.keys + i * kListWords);
    add_orbits(argument.orbits, orbits);
  }
}
