// What the text of a model needs from a kernel, and what a kernel needs from the text of a model
// (model/device_code.h).
//
// Before this text stand constants with the values of DeviceCode: kStateWords, kGroups, kMostOfGroup, kRules, kNotes,
// kReduces, kTwoPasses; and of the launch: kWarpsOfBlock; kRulesAtHand: counts of so many rules are in the warp's memory, those of the others in
// the device's; and kQueuesInMemory: whether queues are in the device's memory, not in the warp's.
// Bits of a state beyond the state's own are 0. The text of a model continues with
//
//   Context : Firing                   a state while its rules fire
//   load(Context&, const u64* state)   begins with a state
//   bool check(Context&)               whether all properties hold; false where one cannot be evaluated
//   fire(Context&, u32 group)          fires the rules of a group whose guards hold: for each, count() and, where the
//                                      successor is another state, push(). Groups are fired in order
//
// and where states are reduced by symmetry (kReduces)
//
//   double representative(u64* state)  makes of a state the representative of its orbit. The result is the number of
//                                      states in the orbit
//   double quick_representative(u64* state), slow_representative(u64* state)
//                                      the same, or 0 and an unchanged state where it would take long; the slow one
//                                      does it more often
//
// Where the text is made for two passes (kTwoPasses), a group gives at most one successor, and fire() looks at
// Firing::pass:
//
//   whole    as above
//   guards   sets `found` if a rule of the group may fire, and does nothing else, but for a guard that fails
//   effects  as above; a state that is pushed stays where it is until the next load()
//
// A rule that fails, or whose guard does, sets `failed` and pushes nothing. Whatever else the host has to see once, such
// as a cover that holds, is a note: note() makes the kernel flag the first state at which it is met, and the host
// finds out by itself what is to be seen there.
#pragma once

enum class Pass : u32 { whole, guards, effects };

struct Firing {
  u64* queue;
  u32* queued;
  u32* counts;         // of the first kRulesAtHand rules: how often they fired, then in how many states; those of
                       // one launch, which ends long before they overflow
  u64* fired;          // the same for all rules, in the device's memory: kRules numbers, then kRules numbers
  u32* noted;          // a bit for each note
  const u64* data;     // DeviceCode::data
  u32 steps, moves;    // rules that fired, and those that led to another state
  bool failed;         // a rule or guard failed
  bool is_noteworthy;  // a note was met for the first time
  // In two passes:
  Pass pass;
  bool found;
  const u64* successor;  // that was pushed; null: none was
  u32* told;             // two_passes.cuh: what is known of the state; or null

  // A rule fired. `first`: it is the first instance of the rule that fires in this state, and the rule has several; for
  // rules with one instance, states are not counted.
  void count(u32 rule, bool first) {
    ++steps;
    if (rule < kRulesAtHand) {
      add_shared(counts + rule, 1);
      if (first) add_shared(counts + kRulesAtHand + rule, 1);
    } else {
      add64(fired + rule, 1);
      if (first) add64(fired + kRules + rule, 1);
    }
  }
  // A successor that is not the state itself.
  void push(const u64* state) {
    ++moves;
    if (kTwoPasses && pass == Pass::effects) {
      successor = state;
      return;
    }
    u64* const to = queue + add_shared(queued, 1) * kStateWords;
    for (u32 i = 0; i < kStateWords; ++i) to[i] = state[i];
  }
  void note(u32 number) {
    const u32 bit = 1u << number % 32;
    u32* const word = noted + number / 32;
    if ((*word & bit) == 0 && (or32(word, bit) & bit) == 0) is_noteworthy = true;
  }
};
