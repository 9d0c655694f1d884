// The C ABI between Strata and a compiled model. This file is compiled into Strata and, as text, into every
// generated model, so it uses nothing but the compiler. kAbiVersion is part of the cache key of compiled models.
#pragma once

typedef unsigned char strata_u8;
typedef unsigned short strata_u16;
typedef unsigned int strata_u32;
typedef unsigned long long strata_u64;
typedef long long strata_i64;

enum { kStrataAbiVersion = 8 };

enum { kStrataDeadlockOff = 0, kStrataDeadlockStuck = 1, kStrataDeadlockStuttering = 2 };
enum {
  kStrataFailureProperty = 0,
  kStrataFailureDeadlock = 1,
  kStrataFailureRuntime = 2,
  kStrataFailureGuard = 3,  // at run time, but before the rule was fired
  kStrataErrorState = 4     // no failure: a run-time error that became a state (detail: its site)
};
enum : strata_u32 { kStrataNone = 0xffffffffu };  // no rule, no property

struct StrataFailure {
  strata_u32 state;
  strata_u32 rule;
  strata_u32 kind;
  strata_u32 detail;    // as in model/model.h
  strata_u32 property;  // that was evaluated
  strata_i64 value;     // that did not fit, or the instance of the property
};

// How often a rule fired (model/rule_counts.h).
struct StrataCount {
  strata_u64 fired;
  strata_u64 last;
  strata_u64 states;
};

// One call of expand, check or initial: input, options, output buffer, results.
struct StrataCall {
  const strata_u8* states;  // n packed states, contiguous
  strata_u64 n;
  strata_u32 deadlock;
  strata_u32 check_properties;
  strata_u32 emit_self_loops;
  strata_u32 fail_error_states;  // an error state is a failure by itself

  strata_u8* out_states;  // room for capacity states, and 16 bytes more
  strata_u32* out_rules;
  strata_u32* out_parents;
  strata_u64 capacity;
  // Null, or room for (state_bytes + 255) / 256 words for each successor. If tells_changes is set afterwards, bit i of
  // these tells whether the bytes 4 * i ... 4 * i + 3 of the successor differ from those of its parent.
  strata_u64* out_changes;

  strata_u32 tells_changes;
  strata_u64 count;
  strata_u64 consumed;
  strata_u64 transitions;
  strata_u8* covered;   // one byte a property
  strata_u8* premises;  // one byte a premise of an invariant
  StrataCount* counts;  // one a rule; of a rule that has one instance, `fired` alone
  strata_u64 counted;   // how many states were expanded with these counts; expand goes on from there

  const strata_u8* stack_end;  // recursion must not grow the stack below this

  void* host;
  // Rare events. A put: its number and the packed value; `putting` is the rule instance or start state whose
  // statement it is.
  strata_u32 putting;
  void (*fail)(void* host, const StrataFailure* failure);
  void (*put)(void* host, strata_u32 put, const strata_u64* words);
  // initial has `capacity` states in out_states and another one to come: takes them all. May call the model again.
  void (*full)(void* host);
};

struct StrataSuccessors {
  const strata_u8* parents;
  strata_u64 parent_count;
  strata_u8* states;
  const strata_u32* parent_of;
  strata_u64 count;
  double* orbit_sizes;
};

// What a compiled model exports as `strata_model`.
struct StrataModel {
  strata_u32 abi_version;
  strata_u32 state_bytes;
  void (*initial)(StrataCall*);
  void (*expand)(StrataCall*);
  void (*check)(StrataCall*);
  void (*accepting)(const strata_u8* states, strata_u64 n, strata_u8* out);  // null: no automaton
  // Bit i of values[k]: the value of proposition i in state k of the call. Null: there are no propositions.
  void (*propositions)(StrataCall*, strata_u64* values);
  // Null: states are not reduced by symmetry. A permutation gives each element, by its number among those of
  // all sets, its new number in its set.
  void (*canonical)(strata_u8* states, strata_u64 n);
  // The same for successors of these states, those of each parent one after the other; the sizes of the
  // parents' orbits.
  void (*successors)(StrataSuccessors*);
  void (*permute)(const strata_u8* state, const strata_u8* permutation, strata_u8* out);
};
