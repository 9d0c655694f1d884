// The run-time support on a model made by hand: no generator and no compiler have a part in it.
// clang-format off
#include "native/abi.h"
#include "native/runtime/failing.h"
#include "native/runtime/checked_values.h"
#include "native/runtime/state_bits.h"
#include "native/runtime/words_on_host.h"
#include "native/runtime/state_bytes.h"
#include "native/runtime/call_context.h"
#include "native/runtime/host_calls.h"
// clang-format on

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace {

// A counter of one byte. Rule 0 adds 1 below 5, at 3 it stays, and it fails at 7; rule 1 goes from 0 to 7; at
// 9 its guard fails. Property 0 is an invariant: not 4, and it cannot be evaluated at 8; property 1 is a
// cover: 2; property 2 an invariant with the premise "5". State 6 is an error state. The start states are 0,
// 1 and 2.
struct Counter {
  struct State {
    u8 value;
  };
  using Context = CallContext<State, 1>;
  static constexpr u64 kBytes = 1, kInstances = 2;
  static constexpr bool kHasErrorState = true, kHasPremises = true;
  static constexpr u32 kErrorStateSite = 20, kNoStartSite = 21;
  static inline u64 starts = 3;
  static inline u64 premises_seen = 0;

  static bool in_error_state(const State& state) { return state.value == 6; }
  static void unpack(const u8* from, u64* words, State& state) {
    load_words<1>(from, words);
    state.value = static_cast<u8>(words[0]);
  }
  static void load(Context& ctx, const u8* from, bool) {
    unpack(from, ctx.packed, ctx.state);
    ctx.saved = ctx.state;
  }
  static bool not_four(State& state, i64& instance) {
    if (state.value == 8) fail(30, 8);
    instance = 1;
    return state.value != 4;
  }
  static bool is_two(State& state, i64&) { return state.value == 2; }
  static void premises(State& state, u8* held) {
    ++premises_seen;
    if (state.value == 5) held[0] = 1;
  }
  static void look_at_premises(Context& ctx) { note_premises(ctx, 0, 1, premises); }
  static bool check_properties(Context& ctx) {
    bool ok = check_invariant(ctx, 0, not_four);
    ok &= note_cover(ctx, 1, is_two);
    return ok;
  }
  static void step(Context& ctx, u32 rule) {
    count_firing(ctx.counts[rule], ctx.counted);
    const u64 word = ctx.state.value;
    const bool keep = count_step(ctx, word == ctx.packed[0]);
    ctx.state = ctx.saved;
    append<1>(ctx, rule, keep, word);
  }
  static void enter_error(State& state) { state.value = 6; }
  static void pack(const State& state, u64* words) { words[0] = state.value, words[1] = 0; }
  static void try_rules(Context& ctx) {
    attempt(
        [&] {
          if (ctx.state.value == 7) fail(31);
          if (ctx.state.value == 11) fail(kDiscard);
          if (ctx.state.value >= 5) return;
          ctx.state.value = static_cast<u8>(ctx.state.value + (ctx.state.value == 3 ? 0 : 1));
          step(ctx, 0);
        },
        [&](const Fault& fault) { step_to_error<1>(ctx, 0, fault, enter_error, pack); });
    attempt(
        [&] {
          if (ctx.state.value == 9) fail(32, 9);
          if (ctx.state.value != 0) return;
          ctx.state.value = 7;
          step(ctx, 1);
        },
        [&](const Fault& fault) { rule_failed(ctx, 1, fault, false); });
  }
  static void try_starts(Context& ctx) {
    for (u64 i = 0; i < starts; ++i) {
      const u64 words[2] = {i, 0};
      append_start<1>(ctx, static_cast<u32>(i), words);
    }
  }
  static bool accepting(const State& state) { return state.value % 2 == 1; }
  static void propositions(State& state, u32& property, u64& values) {
    i64 instance = 0;
    property = 1;
    values |= static_cast<u64>(is_two(state, instance)) << 0;
    property = 0;
    values |= static_cast<u64>(not_four(state, instance)) << 1;
  }
};

class HostCalls : public ::testing::Test {
 protected:
  HostCalls() {
    call_.deadlock = kStrataDeadlockStuck;
    call_.check_properties = 1;
    call_.out_states = out_;
    call_.out_rules = rules_;
    call_.out_parents = parents_;
    call_.capacity = 8;
    call_.covered = covered_;
    call_.premises = held_;
    call_.counts = counts_;
    call_.host = this;
    call_.fail = [](void* host, const StrataFailure* f) {
      static_cast<HostCalls*>(host)->failures_.push_back(*f);
    };
    call_.full = [](void* host) { static_cast<HostCalls*>(host)->take(); };
    Counter::starts = 3;
    Counter::premises_seen = 0;
  }
  void take() {
    taken_.insert(taken_.end(), out_, out_ + call_.capacity);
    current_call = nullptr;  // as if the model had been called
  }
  void run(void (*function)(StrataCall*), std::vector<u8> states) {
    states_ = std::move(states);
    call_.states = states_.data();
    call_.n = states_.size();
    failures_.clear();
    function(&call_);
  }
  std::vector<int> successors() const { return {out_, out_ + call_.count}; }

  StrataCall call_{};
  std::vector<u8> states_;
  std::vector<StrataFailure> failures_;
  std::vector<int> taken_;
  u8 out_[8 + 16] = {};
  u32 rules_[10] = {}, parents_[10] = {};
  u8 covered_[3] = {}, held_[1] = {};
  StrataCount counts_[2] = {};
};

TEST_F(HostCalls, ExpandAppendsSuccessorsWithTheirRulesAndParents) {
  run(expand_states<Counter>, {0, 1});
  EXPECT_EQ(successors(), (std::vector<int>{1, 7, 2}));
  EXPECT_EQ(std::vector<int>(rules_, rules_ + 3), (std::vector<int>{0, 1, 0}));
  EXPECT_EQ(std::vector<int>(parents_, parents_ + 3), (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(call_.consumed, 2u);
  EXPECT_EQ(call_.transitions, 3u);
  EXPECT_EQ(call_.counted, 2u);
  EXPECT_EQ(counts_[0].fired, 2u);
  EXPECT_EQ(counts_[0].states, 2u);
  EXPECT_EQ(counts_[1].fired, 1u);
  EXPECT_TRUE(failures_.empty());
}

TEST_F(HostCalls, ExpandEndsWhereTheSuccessorsOfOneMoreMightNotFit) {
  call_.capacity = 3;
  run(expand_states<Counter>, {1, 1, 1, 1});
  EXPECT_EQ(call_.consumed, 2u);
  EXPECT_EQ(call_.count, 2u);
}

TEST_F(HostCalls, AStepToTheSameStateIsAStepButKeptOnlyIfWanted) {
  run(expand_states<Counter>, {3});
  EXPECT_EQ(call_.transitions, 1u);
  EXPECT_TRUE(successors().empty());
  EXPECT_TRUE(failures_.empty());  // not stuck
  call_.deadlock = kStrataDeadlockStuttering;
  call_.emit_self_loops = 1;
  run(expand_states<Counter>, {3});
  EXPECT_EQ(successors(), std::vector<int>{3});
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0].kind, kStrataFailureDeadlock);
}

TEST_F(HostCalls, AStateWithoutSuccessorsIsADeadlockUnlessItFailedOrIsAnError) {
  run(expand_states<Counter>, {5, 9, 6});
  ASSERT_EQ(failures_.size(), 2u);
  EXPECT_EQ(failures_[0].kind, kStrataFailureDeadlock);
  EXPECT_EQ(failures_[0].state, 0u);
  EXPECT_EQ(failures_[1].kind, kStrataFailureGuard);
  EXPECT_EQ(failures_[1].state, 1u);
  EXPECT_EQ(failures_[1].rule, 1u);
  EXPECT_EQ(failures_[1].detail, 32u);
  EXPECT_EQ(failures_[1].value, 9);
  call_.deadlock = kStrataDeadlockOff;
  run(expand_states<Counter>, {5});
  EXPECT_TRUE(failures_.empty());
}

TEST_F(HostCalls, AFailureWhereTheLanguageHasErrorStatesIsAStep) {
  run(expand_states<Counter>, {7, 11});
  EXPECT_EQ(successors(), std::vector<int>{6});
  ASSERT_EQ(failures_.size(), 2u);
  EXPECT_EQ(failures_[0].kind, kStrataErrorState);
  EXPECT_EQ(failures_[0].detail, 31u);
  EXPECT_EQ(failures_[1].kind, kStrataFailureDeadlock);  // the discarded transition does not exist
  EXPECT_EQ(failures_[1].state, 1u);
}

TEST_F(HostCalls, CheckReportsInvariantsAndNotesCovers) {
  run(check_states<Counter>, {1, 4, 8, 2});
  EXPECT_EQ(call_.consumed, 4u);
  ASSERT_EQ(failures_.size(), 2u);
  EXPECT_EQ(failures_[0].kind, kStrataFailureProperty);
  EXPECT_EQ(failures_[0].state, 1u);
  EXPECT_EQ(failures_[0].detail, 0u);
  EXPECT_EQ(failures_[0].value, 1);
  EXPECT_EQ(failures_[1].kind, kStrataFailureRuntime);
  EXPECT_EQ(failures_[1].state, 2u);
  EXPECT_EQ(failures_[1].detail, 30u);
  EXPECT_EQ(failures_[1].property, 0u);
  EXPECT_EQ(covered_[1], 1);
}

TEST_F(HostCalls, AStateThatFailsItsPropertiesIsNotExpanded) {
  run(expand_states<Counter>, {4});
  EXPECT_TRUE(successors().empty());
  EXPECT_EQ(failures_.size(), 1u);
  call_.check_properties = 0;
  run(expand_states<Counter>, {4});
  EXPECT_EQ(successors(), std::vector<int>{5});
}

TEST_F(HostCalls, AnErrorStateIsAFailureWhereTheCallSaysSo) {
  run(check_states<Counter>, {6});
  EXPECT_TRUE(failures_.empty());
  call_.fail_error_states = 1;
  run(check_states<Counter>, {6});
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0].detail, Counter::kErrorStateSite);
}

TEST_F(HostCalls, PremisesAreLookedAtUntilAllHaveHeld) {
  run(check_states<Counter>, {1, 5, 1, 1});
  EXPECT_EQ(held_[0], 1);
  EXPECT_EQ(Counter::premises_seen, 2u);
}

TEST_F(HostCalls, InitialHandsOverAFullOutput) {
  call_.capacity = 2;
  run(initial_states<Counter>, {});
  EXPECT_EQ(taken_, (std::vector<int>{0, 1}));
  EXPECT_EQ(successors(), std::vector<int>{2});
  EXPECT_EQ(rules_[0], 2u);
  EXPECT_EQ(call_.transitions, 3u);
  EXPECT_EQ(current_call, &call_);
  Counter::starts = 0;
  run(initial_states<Counter>, {});
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0].detail, Counter::kNoStartSite);
}

TEST_F(HostCalls, AcceptingAndPropositionsAreAValueForEachState) {
  const u8 states[] = {1, 2, 3};
  u8 accepts[3] = {};
  accepting_states<Counter>(states, 3, accepts);
  EXPECT_EQ(std::vector<int>(accepts, accepts + 3), (std::vector<int>{1, 0, 1}));
  u64 values[3] = {};
  states_ = {2, 4, 8};
  call_.states = states_.data();
  call_.n = 3;
  evaluate_propositions<Counter>(&call_, values);
  EXPECT_EQ(std::vector<u64>(values, values + 3), (std::vector<u64>{3, 0, 0}));
  ASSERT_EQ(failures_.size(), 1u);
  EXPECT_EQ(failures_[0].property, 0u);
}

TEST(TurnContext, GuardsEnableInstancesAndTheParentComesBack) {
  TurnContext<int, 1, 100> ctx;
  ctx.state = ctx.saved = 3;
  ctx.begin_guards();
  ctx.state = 4;
  ctx.enable(70, 5);
  ctx.enable(2, 7);
  ctx.end_guards();
  EXPECT_TRUE(ctx.is_enabled(70) && ctx.is_enabled(2));
  EXPECT_FALSE(ctx.is_enabled(71));
  EXPECT_EQ(ctx.lowest, 5);
  EXPECT_EQ(ctx.original, 3);
  EXPECT_EQ(ctx.saved, 4);
  ctx.state = 9;
  ctx.end_turn();
  EXPECT_EQ(ctx.state, 3);
  EXPECT_EQ(ctx.saved, 3);
}

}  // namespace
