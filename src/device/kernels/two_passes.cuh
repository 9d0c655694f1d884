// Expands a level in two passes, for large states, whose rules take long and need much memory: the first pass evaluates
// guards and notes for each group of rules the states in which it may fire; the second one gives a warp as many states
// of the same group as it has lanes. In one pass (expand.cuh), few lanes of a warp fire the same rule, and the others wait.
//
//   examine     checks the properties of all states; forgets what was told of other states
//   find        guards: appends the number of a state to the list of each group that may fire
//   arrange     counts the full warps of each group
//   fire_found  effects: fires, and offers the successors to the visited states
//   conclude    flags states
//
// Invariants, between the kernels
//   1. found has a state at most once for each group, and no state that is not expanded.
//   2. sizes[g] is at most the number of states of the level, which is at most `most`.
//
// Compiled after level.cuh, in the place of expand.cuh, if kTwoPasses.
#pragma once

// What is told of a state: these bits; then a bit for each rule with several instances: it has fired.
enum : u32 { kIsOff = 1, kToFlag = 2, kSteps = 4, kMoves = 8, kLeads = 16 };
constexpr u32 kTold = 1 + (kRepeated + 31) / 32;

// Warps wait for memory most of the time, so many of them matter more than registers; with folded states, whose pairs
// are looked up one after the other, still more.
constexpr u32 kLeastBlocks = (kFolds ? 32 : 16) / kWarpsOfBlock;

// Where warps are in step: how many groups of guards a warp evaluates before it waits for the others.
constexpr u32 kGroupsInStep = 4;

struct Stretch {
  u64 from, states;
};

inline Stretch stretch_of(const Level& level) {
  const u64 from = level.course == nullptr ? level.from : level.course->from;
  const u64 to = level.course == nullptr ? level.to : level.course->to;
  return {from, to - from};
}

KERNEL_FOR(examine, Level, kWarpsOfBlock* kLanes, kLeastBlocks) {
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Context x;
  Queue none{nullptr, nullptr};
  begin_context(x, argument, none, counts);
  const Stretch stretch = stretch_of(argument);
  Whole whole;
  const u64 first = warp() * kLanes + lane(), step = warps() * kLanes;
  for (u64 group = first; group < kGroups; group += step) argument.sizes[group] = 0;
  for (u64 i = first; i < stretch.states; i += step) {
    u32 known = 0;
    if (argument.properties != 0) {
      take_state(x, argument.visited, stretch.from + i, whole);
      if (!check(x)) {
        // The state is not expanded.
        flag(argument, stretch.from + i);
        known = kIsOff;
      } else if (x.is_noteworthy) {
        known = kToFlag;
      }
    }
    u32* const told = argument.told + i * kTold;
    told[0] = known;
    for (u32 k = 1; k < kTold; ++k) told[k] = 0;
  }
}

// Where there are more warps than states for them, several warps share the groups of the same states.
KERNEL_FOR(find, Level, kWarpsOfBlock* kLanes, kLeastBlocks) {
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Context x;
  Queue none{nullptr, nullptr};
  begin_context(x, argument, none, counts);
  x.pass = Pass::guards;
  const Stretch stretch = stretch_of(argument);
  Whole whole;
  const u64 batches = (stretch.states + kLanes - 1) / kLanes;
  if (batches == 0) return;
  u64 parts = warps() / batches;
  parts = parts == 0 ? 1 : parts > kGroups ? kGroups : parts;
  for (u64 work = warp(); continues(argument, work < batches * parts); work += warps()) {
    const u64 i = work / parts * kLanes + lane(), part = work % parts;
    const bool on = i < stretch.states && (argument.told[i * kTold] & kIsOff) == 0;
    if (on) take_state(x, argument.visited, stretch.from + i, whole);
    const u32 end = u32(kGroups * (part + 1) / parts);
#pragma unroll 1
    for (u32 group = u32(kGroups * part / parts); group < end; ++group) {
      // Where each warp has all groups.
      if (parts == 1 && group % kGroupsInStep == 0) continues(argument, true);
      x.found = false;
      if (on) fire(x, group);
      const u32 all = vote(on && x.found);
      if (all == 0) continue;
      u64 at = 0;
      if (lane() == first_one(all)) at = add32(argument.sizes + group, ones(all));
      at = from_lane(at, first_one(all)) + ones(all & ((1u << lane()) - 1));
      if (on && x.found) argument.found[group * argument.most + at] = u32(i);
    }
    if (on && (x.failed || x.is_noteworthy)) or32(argument.told + i * kTold, kToFlag);
  }
}

// One warp.
KERNEL(arrange, Level) {
  if (warp() != 0) return;
  u32 all = 0;
  for (u32 base = 0; base <= kGroups; base += kLanes) {
    const u32 group = base + lane();
    u32 mine = group < kGroups ? (argument.sizes[group] + kLanes - 1) / kLanes : 0;
    const u32 own = mine;
    for (u32 distance = 1; distance < kLanes; distance *= 2) {
      const u32 before = u32(from_lane(mine, lane() < distance ? lane() : lane() - distance));
      if (lane() >= distance) mine += before;
    }
    if (group <= kGroups) argument.begins[group] = all + mine - own;
    all += u32(from_lane(mine, kLanes - 1));
  }
}

// The group of a full warp: the last one that begins at it or before.
inline u32 group_of(const u32* begins, u32 number) {
  u32 low = 0, high = kGroups;
  while (high - low > 1) {
    const u32 middle = (low + high) / 2;
    (begins[middle] <= number ? low : high) = middle;
  }
  return low;
}

KERNEL_FOR(fire_found, Level, kWarpsOfBlock* kLanes, kLeastBlocks) {
  WARP_MEMORY(u32, counts, kCounts, kWarpsOfBlock);
  Queue queue{nullptr, nullptr};
  Context x;
  begin_context(x, argument, queue, counts);
  x.pass = Pass::effects;
  const Stretch stretch = stretch_of(argument);
  Whole whole;
  const u32 batches = argument.begins[kGroups];
  [[maybe_unused]] const bool seeks = argument.wanted.marks != nullptr;
  [[maybe_unused]] u64 own[kReduces ? kStateWords : 1];
  for (u64 batch = warp();;) {
    const u32 stage = queue.due(batch >= batches);
    const bool has_work = stage != 0 || batch < batches;
    if (!continues(argument, has_work)) break;
    if (!has_work) continue;
    const u64* state = nullptr;
    u64 i = 0;
    if (stage != 0) {
      const u32 before = queue.waiting_for(stage), after = before < kLanes ? 0 : before - kLanes;
      queue.set_waiting(stage, after);
      if (after + lane() < before) state = queue.states_of(stage) + (after + lane()) * kStateWords;
    } else {
      const u32 group = group_of(argument.begins, u32(batch));
      const u64 at = (batch - argument.begins[group]) * kLanes + lane();
      if (at < argument.sizes[group]) {
        i = argument.found[group * argument.most + at];
        x.told = argument.told + i * kTold;
        take_state(x, argument.visited, stretch.from + i, whole);
        x.successor = nullptr;
        fire(x, group);
        state = x.successor;
        const u32 bits = (x.steps != 0 ? kSteps : 0) | (x.moves != 0 ? kMoves : 0) |
                         (x.failed || x.is_noteworthy ? kToFlag : 0);
        if ((*x.told & bits) != bits) or32(x.told, bits);
      }
      batch += warps();
    }
    bool leads = false;
    if constexpr (kReduces) {
      if (state != nullptr)
        for (u32 k = 0; k < kStateWords; ++k) own[k] = state[k];
      meet();
      // Of a state that waits it would not be known which one leads to it.
      leads =
          queue.offer(argument.visited, argument.wanted, own, state != nullptr, seeks ? kStages - 1 : stage);
    } else {
      leads = queue.offer(argument.visited, argument.wanted, state, state != nullptr, 0);
    }
    if (leads && (or32(x.told, kLeads) & kLeads) == 0) flag(argument, stretch.from + i);
  }
  end_context(argument, queue, counts);
}

KERNEL(conclude, Level) {
  if (argument.wanted.marks != nullptr) return;
  const Stretch stretch = stretch_of(argument);
  const u32 least = argument.deadlock == 1 ? kSteps : kMoves;
  for (u64 i = warp() * kLanes + lane(); i < stretch.states; i += warps() * kLanes) {
    const u32 known = argument.told[i * kTold];
    if ((known & kIsOff) != 0) continue;
    if ((known & kToFlag) != 0 || (argument.deadlock != 0 && (known & least) == 0))
      flag(argument, stretch.from + i);
  }
}
