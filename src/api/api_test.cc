// The library as its users see it: through strata.h alone.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <latch>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "api/strata.h"

namespace strata::api {
namespace {

// Counts from 0 to `most`; the invariant fails there if it is said to.
Model counter(int most, int allowed) {
  return Model::text("var n: 0.." + std::to_string(most) +
                         "; on: boolean;\n"
                         "startstate \"zero\" n := 0; on := false; endstartstate;\n"
                         "rule \"up\" n < " +
                         std::to_string(most) +
                         " ==> n := n + 1; on := !on; endrule;\n"
                         "rule \"down\" n > 0 ==> n := n - 1; on := !on; endrule;\n"
                         "invariant \"small\" n <= " +
                         std::to_string(allowed) + ";\n",
                     "murphi", "counter.m");
}

// 101^6 states.
Model endless() {
  return Model::text(
      "var x: array [0..5] of 0..100;\n"
      "startstate for i: 0..5 do x[i] := 0; endfor; endstartstate;\n"
      "ruleset i: 0..5 do rule \"up\" x[i] < 100 ==> x[i] := x[i] + 1; endrule; endruleset;\n",
      "murphi", "endless.m");
}

Options small() { return Options().set("memory", "256M").set("threads", "1"); }

std::string error_of(const Result& result) { return result.error() ? result.error()->text : "none"; }

TEST(Api, AModelThatHolds) {
  const Result result = Check(counter(9, 9), small()).run();
  ASSERT_EQ(error_of(result), "none");
  EXPECT_EQ(result.verdict(), Verdict::holds);
  EXPECT_STREQ(name(result.verdict()), "holds");
  EXPECT_EQ(result.message(), "No error found.");
  EXPECT_EQ(result.exit_code(), 0);
  EXPECT_EQ(result.states(), 10u);
  EXPECT_EQ(result.transitions(), 18u);
  EXPECT_EQ(result.depth(), 9u);
  EXPECT_EQ(result.levels(), std::vector<uint64_t>(10, 1));
  EXPECT_EQ(result.stop(), Stop::none);
  EXPECT_TRUE(result.exact());
  EXPECT_EQ(result.algorithm(), "auto");
  EXPECT_TRUE(result.counterexamples().empty());
  EXPECT_FALSE(result.witness());
  ASSERT_EQ(result.properties().size(), 1u);
  EXPECT_EQ(result.properties()[0].kind, "invariant");
  EXPECT_EQ(result.properties()[0].name, "small");
  EXPECT_EQ(result.properties()[0].position.line, 5u);
  EXPECT_EQ(result.properties()[0].outcome, Property::Outcome::holds);
  ASSERT_EQ(result.rules().size(), 2u);
  EXPECT_EQ(result.rules()[1].name, "down");
  EXPECT_EQ(result.rules()[1].fired, 9u);
  EXPECT_NE(result.json().find("\"states\": 10"), std::string::npos);
  EXPECT_NE(result.text().find("No error found."), std::string::npos);
}

TEST(Api, ACounterexampleStateByState) {
  std::vector<Counterexample> found;
  {
    Check check(counter(9, 3), small());
    const Result result = check.run();
    ASSERT_EQ(error_of(result), "none");
    EXPECT_EQ(result.verdict(), Verdict::violated);
    EXPECT_EQ(result.exit_code(), 12);
    EXPECT_EQ(result.properties()[0].outcome, Property::Outcome::violated);
    found = result.counterexamples();
  }
  // They outlive the check and its result.
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].message(), "Invariant \"small\" failed.");
  EXPECT_EQ(found[0].position().file, "counter.m");
  EXPECT_EQ(found[0].position().line, 5u);
  ASSERT_EQ(found[0].size(), 5u);
  EXPECT_EQ(found[0].length(), 4u);
  EXPECT_EQ(found[0].step(0).rule, "zero");
  EXPECT_EQ(found[0].step(4).rule, "up");
  EXPECT_EQ(found[0].step(found[0].size()).rule, "");
  EXPECT_TRUE(found[0].step(UINT64_MAX).state.members.empty());
  EXPECT_FALSE(found[0].has_loop());
  EXPECT_EQ(found[0].failing_rule(), "");
  const Value state = found[0].step(3).state;
  EXPECT_EQ(state.kind, Value::Kind::record);
  ASSERT_NE(state.find("n"), nullptr);
  EXPECT_EQ(state.find("n")->number, 3);
  EXPECT_EQ(state.find("on")->kind, Value::Kind::boolean);
  EXPECT_EQ(state.find("on")->text(), "true");
  EXPECT_EQ(state.find("off"), nullptr);
  EXPECT_EQ(state.scalars().front(), (std::pair<std::string, std::string>("n", "3")));
  EXPECT_NE(found[0].text().find("Rule \"up\" fired."), std::string::npos);
  EXPECT_NE(found[0].itf().find("\"#meta\""), std::string::npos);
}

TEST(Api, AFormulaItsLassoAndItsWitness) {
  const Result violated = Check(counter(3, 3), small().set("ltl", "F \"n = 3\"")).run();
  ASSERT_EQ(error_of(violated), "none");
  EXPECT_EQ(violated.exit_code(), 13);
  ASSERT_EQ(violated.counterexamples().size(), 1u);
  EXPECT_TRUE(violated.counterexamples()[0].has_loop());
  EXPECT_EQ(violated.properties()[0].outcome, Property::Outcome::unknown);
  const Result reached = Check(counter(3, 3), small().set("ltl", "EF \"n = 2\"")).run();
  ASSERT_EQ(error_of(reached), "none");
  EXPECT_EQ(reached.verdict(), Verdict::holds);
  ASSERT_TRUE(reached.witness());
  EXPECT_EQ(reached.witness()->step(2).state.find("n")->number, 2);
}

TEST(Api, ErrorsHavePlaces) {
  const Result result =
      Check(Model::text("var n: Nat;\nstartstate n := 0; end;\nrule true ==> m := 1; end;", "murphi"),
            small())
          .run();
  ASSERT_NE(result.error(), nullptr);
  EXPECT_EQ(result.error()->kind, Error::Kind::model);
  EXPECT_EQ(result.error()->exit_code, 150);
  EXPECT_EQ(result.exit_code(), 150);
  ASSERT_GE(result.error()->messages.size(), 2u);
  EXPECT_EQ(result.error()->messages[0].position.file, "model");
  EXPECT_EQ(result.error()->messages[0].position.line, 1u);
  EXPECT_EQ(result.error()->messages[0].position.column, 8u);
  EXPECT_NE(result.error()->messages[0].text.find("Nat"), std::string::npos);
  EXPECT_EQ(result.error()->messages.back().position.line, 3u);
  // Everything else is empty.
  EXPECT_EQ(result.states(), 0u);
  EXPECT_EQ(result.json(), "");
  EXPECT_TRUE(result.model().variables.empty());
  EXPECT_TRUE(result.properties().empty());
  EXPECT_TRUE(result.rules().empty());
  EXPECT_TRUE(result.levels().empty());
}

TEST(Api, WrongOptions) {
  const auto says = [](Model model, const Options& options) {
    const Result result = Check(std::move(model), options).run();
    if (result.error() == nullptr) return std::string("accepted");
    EXPECT_EQ(result.error()->kind, Error::Kind::usage);
    return result.error()->text;
  };
  EXPECT_EQ(says(counter(1, 1), Options().set("memory", "much")).substr(0, 8), "memory: ");
  EXPECT_TRUE(says(counter(1, 1), Options().set("json", "f"))
                  .starts_with("there is no option 'json'; the options are language, undefined, "));
  const std::string one =
      "a check through the library has one property, and ltl, property, automaton and safety name one each: "
      "start a "
      "check for each";
  EXPECT_EQ(says(counter(1, 1), small().set("ltl", "G true").set("automaton", "a.hoa")), one);
  EXPECT_EQ(says(counter(1, 1), small().set("ltl", "G true").set("ltl", "F true")), one);
  EXPECT_EQ(says(Model::text("", ""), small()),
            "a model that is given as text needs a language: murphi, dve, mdve");
  EXPECT_EQ(says(Model::text("", "promela"), small()), "language: 'promela' is not one of murphi, dve, mdve");
  EXPECT_EQ(says(Model::file("-"), small()), "'-' is not a file: give the text of the model itself");
  EXPECT_EQ(says(counter(9, 9), small().set("time-limit", "60").set("max_errors", "2")), "accepted");
  const Result missing = Check(Model::file("/nowhere/model.m"), small()).run();
  EXPECT_NE(error_of(missing).find("/nowhere/model.m"), std::string::npos);
}

TEST(Api, OptionsAreThoseOfTheTable) {
  const std::vector<std::string> names = Options::names();
  const std::set<std::string> all(names.begin(), names.end());
  for (const char* wanted : {"define", "memory", "threads", "ltl", "proposition", "time_limit", "set"})
    EXPECT_TRUE(all.count(wanted)) << wanted;
  for (const char* output : {"json", "progress", "report", "checkpoint", "help"})
    EXPECT_FALSE(all.count(output)) << output;
}

TEST(Api, LoadsBeforeItRuns) {
  Check check(counter(9, 9), small());
  EXPECT_TRUE(check.model().variables.empty());
  ASSERT_FALSE(check.load());
  const ModelInfo model = check.model();
  EXPECT_EQ(model.name, "counter.m");
  EXPECT_EQ(model.language, "murphi");
  ASSERT_EQ(model.variables.size(), 2u);
  EXPECT_EQ(model.variables[0].name, "n");
  ASSERT_EQ(model.rules.size(), 2u);
  EXPECT_EQ(model.rules[0].name, "up");
  EXPECT_EQ(check.run().states(), 10u);
  EXPECT_EQ(check.run().states(), 10u);  // again
  const std::optional<Error> error = Check(Model::text("nonsense", "murphi"), small()).load();
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, Error::Kind::model);
}

// One run leaves nothing to the next.
TEST(Api, OneAfterTheOther) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(Check(counter(9, 3), small().set("algorithm", "ram")).run().exit_code(), 12);
    const Result disk = Check(counter(9, 9), small().set("algorithm", "part")).run();
    EXPECT_EQ(disk.states(), 10u);
    EXPECT_EQ(disk.algorithm(), "part");
    EXPECT_EQ(Check(Model::text("x", "murphi"), small()).run().exit_code(), 150);
    const Result bounded = Check(counter(9, 9), small().set("bound", "4")).run();
    EXPECT_EQ(bounded.stop(), Stop::bound);
    EXPECT_EQ(bounded.verdict(), Verdict::incomplete);
    EXPECT_EQ(Check(counter(9, 9), small()).run().states(), 10u);
  }
}

TEST(Api, ProgressOnTheCallersThread) {
  Check check(endless(), small());
  const std::thread::id caller = std::this_thread::get_id();
  uint64_t calls = 0, states = 0;
  std::set<std::string> phases;
  check.on_progress(
      [&](const Progress& progress) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        EXPECT_GE(progress.states, states);
        states = progress.states;
        phases.insert(progress.phase);
        EXPECT_GT(progress.memory, 0u);
        return ++calls < 1000 && states < 10'000;
      },
      0.005);
  const Result result = check.run();
  ASSERT_EQ(error_of(result), "none");
  EXPECT_EQ(result.verdict(), Verdict::incomplete);
  EXPECT_EQ(result.stop(), Stop::cancelled);
  EXPECT_EQ(result.exit_code(), 130);
  EXPECT_GE(result.states(), 10'000u);
  EXPECT_FALSE(phases.count(""));
}

TEST(Api, CancelledFromAnotherThread) {
  Check check(endless(), small());
  ASSERT_FALSE(check.load());
  std::latch searching(1);
  check.on_progress(
      [&, counted = false](const Progress& progress) mutable {
        if (progress.states > 0 && !std::exchange(counted, true)) searching.count_down();
        return true;
      },
      0.005);
  std::thread other([&] {
    searching.wait();
    check.cancel();
  });
  const Result result = check.run();
  other.join();
  EXPECT_EQ(result.stop(), Stop::cancelled);
  // It stays so; others are not concerned.
  const Result again = check.run();
  ASSERT_NE(again.error(), nullptr);
  EXPECT_EQ(again.error()->kind, Error::Kind::interrupted);
  EXPECT_EQ(Check(counter(9, 9), small()).run().states(), 10u);
}

// A compiler that takes its time is ended, too.
TEST(Api, CancelledWhileItCompiles) {
  char script[] = "/tmp/strata-compiler-XXXXXX";
  const int file = mkstemp(script);
  ASSERT_GE(file, 0);
  const std::string text = "#!/bin/sh\nsleep 60\n";
  ASSERT_EQ(write(file, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  ASSERT_EQ(fchmod(file, 0700), 0);
  close(file);
  const char* before = std::getenv("CXX");
  const std::string compiler = before == nullptr ? "" : before;
  setenv("CXX", script, 1);
  Check check(counter(11, 11), small());
  std::set<std::string> phases;
  check.on_progress(
      [&](const Progress& progress) {
        phases.insert(progress.phase);
        return progress.seconds < 0.2;
      },
      0.05);
  const auto start = std::chrono::steady_clock::now();
  const Result result = check.run();
  if (before == nullptr)
    unsetenv("CXX");
  else
    setenv("CXX", compiler.c_str(), 1);
  unlink(script);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(phases, std::set<std::string>{"loading the model"});
  ASSERT_NE(result.error(), nullptr);
  EXPECT_EQ(result.error()->kind, Error::Kind::interrupted);
  EXPECT_EQ(Check(counter(9, 9), small()).run().states(), 10u);
}

TEST(Api, AnExceptionOfTheCallback) {
  Check check(endless(), small());
  check.on_progress([](const Progress&) -> bool { throw std::runtime_error("enough"); }, 0.005);
  EXPECT_THROW(check.run(), std::runtime_error);
  EXPECT_EQ(Check(counter(9, 9), small()).run().states(), 10u);
}

TEST(Api, TwoAtOnceAreRefused) {
  Check first(endless(), small());
  std::atomic<bool> searching{false};
  first.on_progress(
      [&](const Progress& progress) {
        if (progress.states > 0) searching = true;
        return true;
      },
      0.005);
  Verdict verdict = Verdict::holds;
  std::thread other([&] { verdict = first.run().verdict(); });
  while (!searching) std::this_thread::yield();
  const Result second = Check(counter(9, 9), small()).run();
  ASSERT_NE(second.error(), nullptr);
  EXPECT_EQ(second.error()->kind, Error::Kind::busy);
  EXPECT_EQ(second.error()->text, "another check is running in this process; run them one after the other");
  EXPECT_TRUE(second.notes().empty());
  first.cancel();
  other.join();
  EXPECT_EQ(verdict, Verdict::incomplete);
}

TEST(Api, PrintsNothingAndTakesNoSignal) {
  struct sigaction before[32], after[32];
  for (int i = 1; i < 32; ++i) sigaction(i, nullptr, &before[i]);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  Check check(Model::text("var n: 0..3; startstate n := 0; end;\n"
                          "rule n < 3 ==> put \"up\\n\"; n := n + 1; end;\n"
                          "rule n = 3 ==> for i: 0..2 do put i; end; n := 0; end;",
                          "murphi"),
              small());
  uint64_t different = 0;
  check.on_progress(
      [&](const Progress&) {
        for (int i = 1; i < 32; ++i) {
          sigaction(i, nullptr, &after[i]);
          different += after[i].sa_handler != before[i].sa_handler;
        }
        return true;
      },
      0.001);
  const Result result = check.run();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(result.states(), 4u);
  EXPECT_EQ(different, 0u);
}

TEST(Api, Dve) {
  const Result result = Check(Model::text("byte n = 0;\nprocess P { state a; init a;\n"
                                          "trans a -> a { guard n < 5; effect n = n + 1; }; }\nsystem async;",
                                          "dve"),
                              small().set("deadlock", "off"))
                            .run();
  ASSERT_EQ(error_of(result), "none");
  EXPECT_EQ(result.states(), 6u);
  EXPECT_EQ(result.model().language, "dve");
}

}  // namespace
}  // namespace strata::api
