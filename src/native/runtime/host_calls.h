// The calls of abi.h on the host; compiled into each model as text, behind call_context.h. The generator supplies
// Model, a class of static members (native/emit/host_entries.h):
//
//   Context                              CallContext or TurnContext of the model's State
//   kBytes, kInstances                   the size of a packed state; how many instances all rules have
//   kHasErrorState, in_error_state(state), kErrorStateSite
//   kHasPremises, look_at_premises(ctx)  notes premises of invariants that hold
//   load(ctx, bytes, first)              packed and unpacked, the state becomes the parent
//   check_properties(ctx)                invariants and covers; false when one failed
//   try_rules(ctx)                       appends the successors of the parent
//   try_starts(ctx), kNoStartSite        appends the start states
//   unpack(bytes, words, state), accepting(state)
//                                        if the model has an automaton
//   propositions(state, property, values)
//                                        if it has propositions: a bit for each; `property` is the one being evaluated
#pragma once

// ---- Properties, for check_properties() and look_at_premises()

// `holds` is called with the state and a place for the instance that fails.
template <class Context, class Property>
[[gnu::always_inline]] static inline bool check_invariant(Context& ctx, u32 number, const Property& holds) {
  bool ok = true;
  i64 instance = 0;
  attempt(
      [&] {
        if (holds(ctx.state, instance)) return;
        ok = false;
        report(ctx, {ctx.parent, kStrataNone, kStrataFailureProperty, number, kStrataNone, instance});
      },
      [&](const Fault& fault) {
        ok = false;
        not_evaluated(ctx, number, fault);
      });
  return ok;
}

// False: the cover could not be evaluated.
template <class Context, class Property>
[[gnu::always_inline]] static inline bool note_cover(Context& ctx, u32 number, const Property& holds) {
  bool ok = true;
  i64 instance = 0;
  attempt(
      [&] {
        if (holds(ctx.state, instance)) ctx.call->covered[number] = 1;
      },
      [&](const Fault& fault) {
        ok = false;
        not_evaluated(ctx, number, fault);
      });
  return ok;
}

// The premises first..end-1 are those of one invariant, which notes them. Keeps ctx.premises_open up to date.
template <class Context, class Premises>
static inline void note_premises(Context& ctx, u32 first, u32 end, const Premises& note) {
  u8* const held = ctx.call->premises;
  const auto all_held = [&] {
    for (u32 i = first; i < end; ++i)
      if (!held[i]) return false;
    return true;
  };
  if (all_held()) return;
  attempt([&] { note(ctx.state, held); }, [&](const Fault&) { ctx.undo(); });
  ctx.premises_open |= !all_held();
}

// The properties of the parent; false when one fails.
template <class Model>
static bool check_state(typename Model::Context& ctx) {
  if constexpr (Model::kHasErrorState)
    if (Model::in_error_state(ctx.state)) {
      if (!ctx.call->fail_error_states) return true;
      report(ctx, {ctx.parent, kStrataNone, kStrataFailureRuntime, Model::kErrorStateSite, kStrataNone, 0});
      return false;
    }
  if constexpr (Model::kHasPremises)
    if (__builtin_expect(ctx.premises_open, 0)) {
      ctx.premises_open = false;
      Model::look_at_premises(ctx);
    }
  return Model::check_properties(ctx);
}

// ---- The calls

template <class Model>
static inline void begin_call(typename Model::Context& ctx, StrataCall* call) {
  current_call = call;
  ctx.call = call;
  ctx.out = call->out_states;
  ctx.rules = call->out_rules;
  ctx.parents = call->out_parents;
  ctx.changes = nullptr;
  ctx.counts = call->counts;
  ctx.counted = call->counted;
  ctx.count = 0;
  ctx.self_loops = call->emit_self_loops;
  ctx.premises_open = true;
}

template <class Model>
static void check_states(StrataCall* call) {
  typename Model::Context ctx;
  begin_call<Model>(ctx, call);
  for (u64 i = 0; i < call->n; ++i) {
    Model::load(ctx, call->states + i * Model::kBytes, i == 0);
    ctx.parent = static_cast<u32>(i);
    ctx.firing = false;
    check_state<Model>(ctx);
  }
  call->consumed = call->n;
}

// Expands states while the successors of one more are sure to fit into the output.
template <class Model>
static void expand_states(StrataCall* call) {
  typename Model::Context ctx;
  begin_call<Model>(ctx, call);
  ctx.changes = call->out_changes;
  call->tells_changes = Model::Context::kTellsChanges;
  u64 i = 0, transitions = 0;
  for (; i < call->n && ctx.count + Model::kInstances <= call->capacity; ++i) {
    Model::load(ctx, call->states + i * Model::kBytes, i == 0);
    ctx.parent = static_cast<u32>(i);
    ctx.counted++;
    ctx.steps = 0;
    ctx.failed = ctx.firing = false;
    if (call->check_properties && !check_state<Model>(ctx)) continue;
    Model::try_rules(ctx);
    const bool stuck = call->deadlock == kStrataDeadlockStuck
                           ? steps_of(ctx) == 0
                           : call->deadlock == kStrataDeadlockStuttering && ctx.steps < kOneMove;
    transitions += steps_of(ctx);
    // An error state without successors is not called a deadlock.
    if (stuck && !ctx.failed && !(Model::kHasErrorState && Model::in_error_state(ctx.state)))
      report(ctx, {ctx.parent, kStrataNone, kStrataFailureDeadlock, 0, kStrataNone, 0});
  }
  call->consumed = i;
  call->count = ctx.count;
  call->transitions = transitions;
  call->counted = ctx.counted;
}

template <class Model>
static void initial_states(StrataCall* call) {
  typename Model::Context ctx;
  begin_call<Model>(ctx, call);
  ctx.steps = 0;
  ctx.parent = 0;
  ctx.failed = ctx.firing = false;
  Model::try_starts(ctx);
  if (ctx.steps == 0 && !ctx.failed)
    report(ctx, {0, kStrataNone, kStrataFailureRuntime, Model::kNoStartSite, kStrataNone, 0});
  call->count = ctx.count;
  call->transitions = ctx.steps;
}

template <class Model>
static void accepting_states(const u8* states, u64 n, u8* out) {
  for (u64 i = 0; i < n; ++i) {
    u64 words[Model::Context::kWords + 1];
    typename Model::Context::State state;
    Model::unpack(states + i * Model::kBytes, words, state);
    out[i] = Model::accepting(state) ? 1 : 0;
  }
}

template <class Model>
static void evaluate_propositions(StrataCall* call, u64* values) {
  typename Model::Context ctx;
  begin_call<Model>(ctx, call);
  for (u64 i = 0; i < call->n; ++i) {
    Model::load(ctx, call->states + i * Model::kBytes, i == 0);
    ctx.parent = static_cast<u32>(i);
    ctx.firing = false;
    u32 property = 0;
    u64 found = 0;
    attempt([&] { Model::propositions(ctx.state, property, found); },
            [&](const Fault& fault) { not_evaluated(ctx, property, fault); });
    values[i] = found;
  }
}
