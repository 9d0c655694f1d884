#include "report/trace/trace_text.h"

#include <gtest/gtest.h>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

TEST(TraceText, DiffShowsTheFirstStateAndThenChanges) {
  EXPECT_EQ(trace_text(FakeModel(), invariant_counterexample(), TraceMode::diff),
            R"(Step 0
Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Step 1
Rule "step", i:1 fired.
x:2
p[1]:L2
r.b:true
m{0}:3
m{1}:3
m gains 3
m gains 3
----------

Step 2
Rule "step", i:2 fired.
x:1
p[1]:L1
r.b:false
m{1}:Undefined
m loses 3
----------

)");
}

TEST(TraceText, FullShowsEveryState) {
  EXPECT_EQ(trace_text(FakeModel(), invariant_counterexample(), TraceMode::full),
            R"(Step 0
Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Step 1
Rule "step", i:1 fired.
x:2
p[1]:L2
p[2]:Undefined
r.b:true
m{0}:3
m{1}:3
----------

Step 2
Rule "step", i:2 fired.
x:1
p[1]:L1
p[2]:Undefined
r.b:false
m{0}:3
----------

)");
}

TEST(TraceText, OffShowsNothing) {
  EXPECT_EQ(trace_text(FakeModel(), invariant_counterexample(), TraceMode::off), "");
}

TEST(TraceText, AFailingRuleStandsWithItsMessage) {
  EXPECT_EQ(trace_text(FakeModel(), runtime_counterexample(), TraceMode::diff),
            R"(Step 0
Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Step 1
Rule "step", i:1 fired.
x:1
p[1]:L1
m{0}:3
m gains 3
----------

Step 2
Rule "step", i:7 fired.
fake.m:20:9: Division by zero.
----------

)");
}

TEST(TraceText, AFailingStartStateHasNoStateAtAll) {
  Counterexample counterexample = runtime_counterexample();
  counterexample.steps.clear();
  counterexample.failure.rule = 1;
  EXPECT_EQ(trace_text(FakeModel(), counterexample, TraceMode::diff),
            "Step 0\nStartstate 1 fired.\nfake.m:20:9: Division by zero.\n----------\n\n");
}

TEST(TraceText, AGuardIsEvaluatedAndNotFired) {
  Counterexample counterexample = runtime_counterexample();
  counterexample.failure.in_guard = true;
  EXPECT_TRUE(trace_text(FakeModel(), counterexample, TraceMode::diff)
                  .ends_with("Step 2\nThe guard of Rule \"step\", i:7 was evaluated.\n"
                             "fake.m:20:9: Division by zero.\n----------\n\n"));
}

TEST(TraceText, ALassoSaysWhereItsLoopBeginsAndWhereItReturns) {
  Counterexample counterexample = invariant_counterexample();
  counterexample.loop = 1;
  counterexample.loop_rule = 5;
  const std::string text = trace_text(FakeModel(), counterexample, TraceMode::diff);
  EXPECT_NE(text.find("\nStep 1, after which the loop begins\nRule \"step\", i:1 fired.\n"),
            std::string::npos);
  EXPECT_NE(text.find("\nStep 2\n"), std::string::npos);
  EXPECT_TRUE(
      text.ends_with("\nStep 3\nRule \"step\", i:5 fired.\n"
                     "The path then returns to the state after step 1 and repeats for ever.\n\n"))
      << text;
}

// Two multisets: one gains what the other loses, so the number of scalars stays the same. Each rule puts its number.
class TwoBags final : public FakeModel {
 public:
  TwoBags() { info_.has_puts = true; }

  void starts(Expansion& out, const Full&) const override { say(out, 0, "start\nx:9\n"); }
  void expand(const uint8_t*, uint64_t, Expansion& out) const override {
    say(out, 6, "six");
    say(out, 1, "one");
  }
  Value describe(const uint8_t* state) const override {
    const Value message = compound(Value::Kind::record, {{"from", number(1)}, {"data", symbol("D")}});
    const Value other = compound(Value::Kind::record, {{"from", number(2)}, {"data", symbol("D")}});
    const Value none = compound(Value::Kind::multiset, {});
    const Value full = compound(Value::Kind::multiset, {{"0", message}, {"1", other}});
    const Value rest = compound(Value::Kind::multiset, {{"0", other}});
    const Value one = compound(Value::Kind::multiset, {{"0", message}});
    return state[0] == 0 ? compound(Value::Kind::record, {{"in", none}, {"out", full}})
                         : compound(Value::Kind::record, {{"in", one}, {"out", rest}});
  }

 private:
  static void say(Expansion& out, uint32_t rule, const std::string& text) {
    if (out.put_rule != nullptr) *out.put_rule = rule;
    if (out.put != nullptr) out.put(out.put_context, text.data(), text.size());
  }
};

TEST(TraceText, AMemberThatMovesToAnotherMultisetIsShown) {
  Counterexample counterexample;
  counterexample.steps = {{0, {0}}, {1, {1}}};
  EXPECT_EQ(trace_text(TwoBags(), counterexample, TraceMode::diff), R"(Step 0
Startstate 0 fired.
put> start
put> x:9
out{0}.from:1
out{0}.data:D
out{1}.from:2
out{1}.data:D
----------

Step 1
Rule "step", i:1 fired.
put> one
in{0}.from:1
in{0}.data:D
out{0}.from:2
out{1}.from:Undefined
out{1}.data:Undefined
in gains {from:1, data:D}
out loses {from:1, data:D}
----------

)");
}

TEST(FailureLine, LeadsRuntimeErrorsWithTheirPlace) {
  const ModelInfo info = FakeModel().info();
  EXPECT_EQ(failure_line(info, invariant_counterexample().text), "Invariant \"mutex\" failed.");
  EXPECT_EQ(failure_line(info, runtime_counterexample().text), "fake.m:20:9: Division by zero.");
}

}  // namespace
}  // namespace strata
