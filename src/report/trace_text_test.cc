#include "report/trace_text.h"

#include <gtest/gtest.h>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

TEST(TraceText, DiffShowsTheFirstStateAndThenChanges) {
  EXPECT_EQ(trace_text(FakeModel(), invariant_counterexample(), TraceMode::diff),
            R"(Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Rule "step", i:1 fired.
x:2
p[1]:L2
r.b:true
m{0}:3
m{1}:3
----------

Rule "step", i:2 fired.
x:1
p[1]:L1
r.b:false
m{1}:Undefined
----------

)");
}

TEST(TraceText, FullShowsEveryState) {
  EXPECT_EQ(trace_text(FakeModel(), invariant_counterexample(), TraceMode::full),
            R"(Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Rule "step", i:1 fired.
x:2
p[1]:L2
p[2]:Undefined
r.b:true
m{0}:3
m{1}:3
----------

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
            R"(Startstate 0 fired.
x:0
p[1]:L0
p[2]:Undefined
r.b:false
----------

Rule "step", i:1 fired.
x:1
p[1]:L1
m{0}:3
----------

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
            "Startstate 1 fired.\nfake.m:20:9: Division by zero.\n----------\n\n");
}

TEST(TraceText, ALassoSaysWhereItReturns) {
  Counterexample counterexample = invariant_counterexample();
  counterexample.steps.resize(1);
  counterexample.loop = 0;
  const std::string text = trace_text(FakeModel(), counterexample, TraceMode::diff);
  EXPECT_TRUE(text.ends_with("The path then returns to the state after step 0 and repeats for ever.\n\n"))
      << text;
}

TEST(FailureLine, LeadsRuntimeErrorsWithTheirPlace) {
  const ModelInfo info = FakeModel().info();
  EXPECT_EQ(failure_line(info, invariant_counterexample().text), "Invariant \"mutex\" failed.");
  EXPECT_EQ(failure_line(info, runtime_counterexample().text), "fake.m:20:9: Division by zero.");
}

}  // namespace
}  // namespace strata
