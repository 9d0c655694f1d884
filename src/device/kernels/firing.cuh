// What the text of a model needs from a kernel, and what a kernel needs from the text of a model.
//
// The text of a model begins with the constants
//
//   kStateWords    64-bit words of a state; bits beyond the state's own are 0
//   kMostOfGroup   the most successors of a state by one group of rules
//   kRules         the number of rules that are counted
//
// and continues after this text with
//
//   Slots                              the form of the visited states (visited.cuh)
//   kGroups                            groups of rules, which a warp fires one after another
//   Context : Firing                   a state while its rules fire
//   load(Context&, const u64* state)   begins with a state
//   bool check(Context&)               whether all properties hold; false where one cannot be evaluated
//   fire(Context&, u32 group)          fires the rules of a group whose guards hold: count() and push() for each
//
// A rule that fails, or whose guard does, sets `failed` and pushes nothing.
#pragma once

// Counts of this many rules are in the warp's memory, those of the others in the device's.
constexpr u32 kRulesAtHand = 32;

struct Firing {
  u64* queue;
  u32* queued;
  u32* counts;  // of the first kRulesAtHand rules
  u64* fired;
  u32 steps, moves;  // rules that fired, and those that led to another state
  bool failed;

  void count(u32 rule) {
    ++steps;
    if (rule < kRulesAtHand)
      add_shared(counts + rule, 1);
    else
      add64(fired + rule, 1);
  }
  // A successor that is not the state itself.
  void push(const u64* state) {
    ++moves;
    u64* const to = queue + add_shared(queued, 1) * kStateWords;
    for (u32 i = 0; i < kStateWords; ++i) to[i] = state[i];
  }
};
