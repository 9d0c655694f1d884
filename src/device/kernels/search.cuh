// What a search does beside expanding levels: start states, a larger table, flagged states, and marking the states whose
// predecessors are wanted. Compiled after level.cuh.
#pragma once

// Some states, one after another.
struct States {
  VisitedStates visited;
  const u64* states;
  u64 n;
  u64* orbits;  // as in Level
};

// Adds start states; with symmetry, representatives of their orbits.
KERNEL(add_states, States) {
  double orbits = 0;
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    const u64 left = argument.n - base;
    const bool has = lane() < left;
    u64 state[kStateWords];
    if (has)
      for (u32 i = 0; i < kStateWords; ++i) state[i] = argument.states[(base + lane()) * kStateWords + i];
    double orbit = 0;
    if constexpr (kReduces)
      if (has) orbit = reduced(state, kStages - 1);
    if (Slots::add(argument.visited, state, has)) orbits += orbit;
  }
  if constexpr (kReduces) add_orbits(argument.orbits, orbits);
}

// Puts the first n states of the list, or their keys, into an empty table.
KERNEL(refill, States) {
  const VisitedStates& visited = argument.visited;
  for (u64 place = warp() * kLanes + lane(); place < argument.n; place += warps() * kLanes) {
    u64 state[kListWords];
    for (u32 i = 0; i < kListWords; ++i) state[i] = visited.list[place * kListWords + i];
    Slots::keep(visited, state, place);
  }
}

// Folds the first n states of the list again, from one table of pairs to another.
struct Refolding {
  VisitedStates from, to;
  u64 n;
};

template <class Visited>
inline void fold_again(const Visited& from, const Visited& to, u64 place) {
  if constexpr (kFolds) {
    Whole whole;
    to.list[place] = fold_state(to, state_at(from, place, whole));
  }
}

KERNEL(refold, Refolding) {
  for (u64 place = warp() * kLanes + lane(); place < argument.n; place += warps() * kLanes)
    fold_again(argument.from, argument.to, place);
}

struct Gathering {
  VisitedStates visited;
  const u64* places;  // null: they follow each other
  u64 from, n;
  u64* states;
};

// Copies the states of some places.
KERNEL(gather, Gathering) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes) {
    Whole whole;
    const u64 place = argument.places == nullptr ? argument.from + i : argument.places[i];
    const u64* const state = state_at(argument.visited, place, whole);
    for (u32 k = 0; k < kStateWords; ++k) argument.states[i * kStateWords + k] = state[k];
  }
}

// The states whose predecessors are wanted.
struct Targets {
  Marks marks;
  const u64* states;
  u64 n;
};

KERNEL(mark_targets, Targets) {
  const Marks& all = argument.marks;
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes) {
    const u64 mark = mark_of(argument.states + i * kStateWords);
    for (u64 at = mark >> 8;; ++at) {
      const u64 there = swap64(all.marks + (at & all.size - 1), 0, mark);
      if (there == 0 || there == mark) break;
    }
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

struct Weighing {
  VisitedStates room;
  const u64* keys;
  u64 n;
  u64* orbits;  // as in Level
};

// Adds the orbits of some keys.
KERNEL(weigh, Weighing) {
  if constexpr (kReduces) {
    double orbits = 0;
    for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
      orbits += orbit_of(argument.room, argument.keys + i * kListWords);
    add_orbits(argument.orbits, orbits);
  }
}
