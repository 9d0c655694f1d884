// What one call works on, and what becomes of the steps and failures of rules; compiled into each model as text, behind
// state_bytes.h.
#pragma once

template <class ModelState, u64 Words>
struct ContextOfCall {
  using State = ModelState;
  static constexpr u64 kWords = Words;

  u64 packed[Words + 1];  // the parent, and a word of zeros behind it
  State state;            // what rules work on: the parent, except while a rule fires
  StrataCall* call;
  u8* out;  // where the next successor goes, with its rule and its parent
  u32 *rules, *parents;
  u64* changes;  // where expand tells them, or null
  StrataCount* counts;
  u64 count, counted;
  u32 parent;  // its number in the call
  bool self_loops, premises_open, failed, firing;
  u64 steps;  // rules that fired in the parent, in multiples of kOneStep and, if they changed it, of kOneMove
};

template <class UnpackedState, u64 Words>
struct CallContext : ContextOfCall<UnpackedState, Words> {
  static constexpr bool kTellsChanges = false;

  UnpackedState saved;  // the parent

  // Makes the state the parent again.
  void undo() { this->state = saved; }
  // Makes both the undefined state.
  void begin_start() { this->state = saved = UnpackedState{}; }
};
// In the packed form (packed_places.h).
template <class PackedState, u64 Words>
struct PackedContext : ContextOfCall<PackedState, Words> {
  static constexpr bool kTellsChanges = true;

  void undo() { this->state.undo(this->packed); }
  void begin_start() {
    for (u64& word : this->packed) word = 0;
    this->state.load(this->packed);
  }
};
enum : u64 { kOneStep = 1, kOneMove = 1ull << 32 };

// Where guards change the state (native/rules/instance_order.h): `original` is the parent, and `saved` what the guards
// made of it.
template <class UnpackedState, u64 Words, u64 Instances>
struct TurnContext : CallContext<UnpackedState, Words> {
  UnpackedState original;
  i64 lowest;  // priority number of an enabled instance
  u64 enabled[Instances / 64 + 1];

  void begin_guards() {
    __builtin_memset(enabled, 0, sizeof enabled);
    lowest = 0x7fffffffffffffffll;
  }
  void enable(u64 instance, i64 priority) {
    enabled[instance / 64] |= 1ull << instance % 64;
    if (lowest > priority) lowest = priority;
  }
  bool is_enabled(u64 instance) const { return (enabled[instance / 64] >> instance % 64 & 1) != 0; }
  void end_guards() {
    original = this->saved;
    this->saved = this->state;
  }
  void end_turn() { this->state = this->saved = original; }
};

template <class Context>
static inline u32 steps_of(const Context& ctx) {
  return static_cast<u32>(ctx.steps);
}

// ---- Failures

template <class Context>
[[gnu::cold, gnu::noinline]] static void report(Context& ctx, const StrataFailure& failure) {
  ctx.failed = true;
  ctx.call->fail(ctx.call->host, &failure);
}

// An instance of a rule failed: in its guard, or while it was firing.
template <class Context>
[[gnu::cold, gnu::noinline]] static void rule_failed(Context& ctx, u32 rule, const Fault& fault,
                                                     bool firing) {
  const u32 kind = firing ? kStrataFailureRuntime : kStrataFailureGuard;
  ctx.undo();
  ctx.firing = false;
  if (fault.site != kDiscard) report(ctx, {ctx.parent, rule, kind, fault.site, kStrataNone, fault.value});
}

// A property could not be evaluated.
template <class Context>
[[gnu::cold, gnu::noinline]] static void not_evaluated(Context& ctx, u32 property, const Fault& fault) {
  ctx.undo();
  if (fault.site != kDiscard)
    report(ctx, {ctx.parent, kStrataNone, kStrataFailureRuntime, fault.site, property, fault.value});
}

// ---- Steps

// A rule with several instances fires in the state of this number.
static inline void count_firing(StrataCount& rule, u64 state) {
  rule.fired++;
  rule.states += rule.last != state;
  rule.last = state;
}

// Counts a step to a successor that is the `same` state as the parent, or not. Whether the successor is wanted.
template <class Context>
[[gnu::always_inline]] static inline bool count_step(Context& ctx, bool same) {
  ctx.steps += kOneStep + static_cast<u64>(!same) * kOneMove;
  return !same || ctx.self_loops;
}

// Appends a successor of Bytes bytes to the output if it is to be kept. `write` puts the packed state, whole words of
// it, to an address. There is no branch on `keep`, which is hard to predict: the next successor overwrites one that is
// not kept. Where to write is read first: for all that the compiler knows, writing changes it.
template <u64 Bytes, class Context, class Write>
[[gnu::always_inline]] static inline void append_written(Context& ctx, u32 rule, bool keep,
                                                         const Write& write) {
  u8* const to = ctx.out;
  const u64 at = ctx.count;
  u32 *const rules = ctx.rules, *const parents = ctx.parents;
  write(to);
  rules[at] = rule;
  parents[at] = ctx.parent;
  ctx.out = to + (keep ? Bytes : 0);
  ctx.count = at + keep;
}
// The successor is these words, or is at ctx.out already and there are no words.
template <u64 Bytes, class Context, class... Words>
[[gnu::always_inline]] static inline void append(Context& ctx, u32 rule, bool keep, Words... words) {
  append_written<Bytes>(ctx, rule, keep,
                        [&]([[maybe_unused]] u8* to) { ((__builtin_memcpy(to, &words, 8), to += 8), ...); });
}
template <u64 Bytes, class Context>
[[gnu::always_inline]] static inline void append_words(Context& ctx, u32 rule, bool keep, const u64* words) {
  append_written<Bytes>(ctx, rule, keep, [&](u8* to) { copy_words<(Bytes + 7) / 8>(words, to); });
}

// Of the next successor.
template <class Context>
[[gnu::always_inline]] static inline void tell_changes(Context& ctx, const u64* halves) {
  constexpr u64 n = Context::State::kHalves;
  if (ctx.changes != nullptr) __builtin_memcpy(ctx.changes + ctx.count * n, halves, n * 8);
}

// In the packed form, what follows an effect: appends the state if it is another one than the parent, or wanted
// nevertheless, and if the assumptions `hold`.
template <u64 Bytes, class Context, class Assumptions>
[[gnu::always_inline]] static inline void append_state(Context& ctx, u32 rule, const Assumptions& hold) {
  u64 halves[Context::State::kHalves];
  const bool same = !ctx.state.differs(ctx.packed, halves);
  bool keep = count_step(ctx, same);
  if (keep && !same) keep = hold(ctx.state);
  tell_changes(ctx, halves);
  append_words<Bytes>(ctx, rule, keep, ctx.state.words());
  ctx.undo();
}

// A rule failed in a language where that leads to an error state, which `enter` makes of ctx.state. False: the rule
// does not fire.
template <u64 Bytes, class Context, class Enter, class Pack>
static inline bool step_to_error(Context& ctx, u32 rule, const Fault& fault, const Enter& enter,
                                 const Pack& pack) {
  if (fault.site == kDiscard) {
    ctx.undo();
    return false;
  }
  const StrataFailure failure = {ctx.parent, rule, kStrataErrorState, fault.site, kStrataNone, fault.value};
  ctx.call->fail(ctx.call->host, &failure);
  enter(ctx.state);
  if constexpr (Context::kTellsChanges) {
    append_state<Bytes>(ctx, rule, [](typename Context::State&) { return true; });
    return true;
  }
  u64 words[Context::kWords + 1];
  pack(ctx.state, words);
  ctx.undo();
  const bool same = !differ(words, ctx.packed, Context::kWords * 8);
  append_words<Bytes>(ctx, rule, count_step(ctx, same), words);
  return true;
}

// Appends a start state. Where the output is full, the caller takes what is there and may call the model again.
template <u64 Bytes, class Context>
static inline void append_start(Context& ctx, u32 start, const u64* words) {
  StrataCall& call = *ctx.call;
  if (ctx.count == call.capacity) {
    call.full(call.host);
    current_call = &call;
    ctx.out = call.out_states;
    ctx.count = 0;
  }
  append_words<Bytes>(ctx, start, true, words);
  ctx.steps += kOneStep;
}
