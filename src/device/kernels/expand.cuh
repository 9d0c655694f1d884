// Expands a level: each warp takes as many states as it has lanes, fires the rules of the model group by group, puts
// successors into a queue in the warp's memory, and adds them to the visited states whenever there is one for each
// lane. So all lanes look up states, although few of them may have fired the same rule.
//
// The text of a model comes between firing.cuh and this text (firing.cuh says what it has). Compiled after visited.cuh.
#pragma once

struct Level {
  VisitedStates visited;
  u64 from, to;  // the states of the level: their places in the list
  u64* fired;    // of each rule: how often it fired; then of each rule: in how many states (firing.cuh)
  u32* noted;    // a bit for each note
  // States at which something is wrong, or may be: a property that does not hold, a rule that failed, a deadlock. The
  // host looks at them again, in an order of its own.
  u64* flagged;
  u64* flags;  // how many there are, also beyond most_flagged
  u64 most_flagged;
  u32 deadlock;    // 0: none, 1: no rule fired, 2: no rule led to another state
  u32 properties;  // 1: check them
};

constexpr u32 kWarpsOfBlock = 8;
// Successors wait here until there is one for each lane; a group adds at most kMostOfGroup for each lane.
constexpr u32 kQueue = kLanes - 1 + kLanes * kMostOfGroup;

inline void add_batch(const Level& level, const u64* queue, u32 states) {
  u64 state[kStateWords];
  const bool has = lane() < states;
  if (has)
    for (u32 i = 0; i < kStateWords; ++i) state[i] = queue[lane() * kStateWords + i];
  Slots::add(level.visited, state, has);
}

// Adds whole batches of the queue, or all of it.
inline void add_queued(const Level& level, u64* queue, u32* queued, bool all) {
  meet();
  u32 waiting = *queued;
  meet();
  if (waiting < kLanes && !(all && waiting > 0)) return;
  while (waiting >= kLanes) {
    waiting -= kLanes;
    add_batch(level, queue + waiting * kStateWords, kLanes);
  }
  if (all && waiting > 0) {
    add_batch(level, queue, waiting);
    waiting = 0;
  }
  if (lane() == 0) *queued = waiting;
  meet();
}

inline void flag(const Level& level, u64 place) {
  const u64 at = add64(level.flags, 1);
  if (at < level.most_flagged) level.flagged[at] = place;
}

KERNEL(expand, Level) {
  WARP_MEMORY(u64, queue, kQueue * kStateWords, kWarpsOfBlock);
  WARP_MEMORY(u32, counts, 2 * kRulesAtHand + 1, kWarpsOfBlock);
  for (u32 i = lane(); i <= 2 * kRulesAtHand; i += kLanes) counts[i] = 0;
  u32* const queued = counts + 2 * kRulesAtHand;
  meet();
  Context x;
  x.queue = queue;
  x.queued = queued;
  x.counts = counts;
  x.fired = argument.fired;
  x.noted = argument.noted;
  for (u64 base = argument.from + warp() * kLanes; base < argument.to; base += warps() * kLanes) {
    const u64 place = base + lane();
    bool on = place < argument.to;
    x.moves = x.steps = 0;
    x.failed = x.is_noteworthy = false;
    if (on) {
      u64 state[kStateWords];
      for (u32 i = 0; i < kStateWords; ++i) state[i] = argument.visited.list[place * kStateWords + i];
      load(x, state);
      // A state at which a property does not hold is not expanded.
      if (argument.properties != 0 && !check(x)) {
        flag(argument, place);
        on = false;
      }
    }
// Not unrolled: on an H200, lamport.8 takes 88 ms so and 112 unrolled, anderson.6 14 and 18, mcslock1 31 and 31.
#pragma unroll 1
    for (u32 group = 0; group < kGroups; ++group) {
      if (on) fire(x, group);
      add_queued(argument, queue, queued, false);
    }
    const u32 least = argument.deadlock == 1 ? x.steps : x.moves;
    if (on && (x.failed || x.is_noteworthy || (argument.deadlock != 0 && least == 0))) flag(argument, place);
  }
  add_queued(argument, queue, queued, true);
  for (u32 i = lane(); i < kRulesAtHand && i < kRules; i += kLanes) {
    if (counts[i] != 0) add64(argument.fired + i, counts[i]);
    if (counts[kRulesAtHand + i] != 0) add64(argument.fired + kRules + i, counts[kRulesAtHand + i]);
  }
}
