// What a search does beside expanding levels: start states, a larger table, flagged states, and the states that lead to
// given ones. Compiled after expand.cuh.
#pragma once

// Some states, one after another.
struct States {
  VisitedStates visited;
  const u64* states;
  u64 n;
};

// Adds start states.
KERNEL(add_states, States) {
  for (u64 base = warp() * kLanes; base < argument.n; base += warps() * kLanes) {
    const u64 left = argument.n - base;
    add_batch(argument.visited, argument.states + base * kStateWords, left < kLanes ? u32(left) : kLanes);
  }
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

// A set of hashes: of the states whose predecessors are wanted. There is at least one empty mark.
struct Marks {
  u64* marks;  // 0: empty
  u64 size;    // a power of two
};
inline u64 mark_of(const u64* state) { return hash_of<kStateWords>(state) | 1; }

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

inline bool is_marked(const Marks& all, const u64* state) {
  const u64 mark = mark_of(state);
  for (u64 at = mark >> 8;; ++at) {
    const u64 there = all.marks[at & all.size - 1];
    if (there == 0 || there == mark) return there == mark;
  }
}

struct Predecessors {
  Level level;  // its counts are not wanted, nor are its notes
  Marks marks;
};

// Flags the first place of each warp's states if one of them may lead to a marked state. Properties are not looked at.
KERNEL(find_predecessors, Predecessors) {
  const Level& level = argument.level;
  WARP_MEMORY(u64, queue, kQueueAtHand, kWarpsOfBlock);
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Context x;
  begin_context(x, level, queue, counts);
  for (u64 base = level.from + warp() * kLanes; base < level.to; base += warps() * kLanes) {
    const u64 place = base + lane();
    const bool on = place < level.to;
    bool leads = false;
    if (on) take_state(x, level.visited.list, place);
#pragma unroll 1
    for (u32 group = 0; group < kGroups; ++group) {
      if (on) fire(x, group);
      meet();
      const u32 waiting = *x.queued;
      for (u32 i = lane(); i < waiting; i += kLanes)
        leads = leads || is_marked(argument.marks, x.queue + i * kStateWords);
      meet();
      if (lane() == 0) *x.queued = 0;
      meet();
    }
    if (vote(leads) != 0 && lane() == 0) flag(level, base);
  }
}
