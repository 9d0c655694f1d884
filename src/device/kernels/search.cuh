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
      if (has) orbit = reduced(state, true);
    if (Slots::add(argument.visited, state, has)) orbits += orbit;
  }
  if constexpr (kReduces) add_orbits(argument.orbits, orbits);
}

// Puts the first n states of the list into an empty table.
KERNEL(refill, States) {
  const VisitedStates& visited = argument.visited;
  for (u64 place = warp() * kLanes + lane(); place < argument.n; place += warps() * kLanes) {
    u64 state[kStateWords];
    for (u32 i = 0; i < kStateWords; ++i) state[i] = visited.list[place * kStateWords + i];
    Slots::keep(visited, state, place);
  }
}

struct Gathering {
  const u64* list;
  const u64* places;
  u64 n;
  u64* states;
};

// Copies the states of some places.
KERNEL(gather, Gathering) {
  for (u64 i = warp() * kLanes + lane(); i < argument.n; i += warps() * kLanes)
    for (u32 k = 0; k < kStateWords; ++k)
      argument.states[i * kStateWords + k] = argument.list[argument.places[i] * kStateWords + k];
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
