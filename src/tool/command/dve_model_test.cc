// DVE models, from text to states: what only the whole way shows.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>

#include "lang/dve/dve.h"
#include "native/native.h"

namespace strata {
namespace {

std::unique_ptr<Model> load(const std::string& text, const LanguageOptions& options = {},
                            bool fail_error_states = false) {
  Result<ir::Program> program = dve::compile(SourceFile("m.dve", text), options);
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok()) return nullptr;
  native::LoadOptions load;
  load.fail_error_states = fail_error_states;
  Result<std::unique_ptr<Model>> model = native::load(std::move(*program), load);
  EXPECT_TRUE(model.ok()) << model.status().message();
  return model.ok() ? std::move(*model) : nullptr;
}

struct Counts {
  uint64_t states = 0, transitions = 0, accepting = 0, failures = 0;
  friend bool operator==(const Counts&, const Counts&) = default;
};

Counts explore(const Model& model) {
  using State = std::vector<uint8_t>;
  Counts counts;
  std::set<State> seen;
  std::deque<State> queue;
  const auto add = [&](const Expansion& out) {
    for (uint64_t i = 0; i < out.count; ++i) {
      State state(out.successor(i), out.successor(i) + out.state_bytes);
      if (seen.insert(state).second) queue.push_back(std::move(state));
    }
  };
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_successors, 1));
  out.deadlock = DeadlockMode::off;
  model.initial(out);
  add(out);
  while (!queue.empty()) {
    const State state = std::move(queue.front());
    queue.pop_front();
    uint8_t accepting = 0;
    model.accepting(state.data(), 1, &accepting);
    counts.accepting += accepting;
    out.reset();
    model.expand(state.data(), 1, out);
    counts.transitions += out.transitions;
    counts.failures += out.failures.size();
    add(out);
  }
  counts.states = seen.size();
  return counts;
}

TEST(DveModel, TheProductWithAPropertyProcess) {
  // Two processes of two states each, and a property automaton that alternates after its first step.
  const std::string process = " { state a, b; init a; trans a -> b {}, b -> b {}; } ";
  const auto model =
      load("process P" + process + "process Q" + process +
           "process R { state x, y, z; init x; accept y; trans x -> y {}, y -> z {}, z -> y {}; }"
           "system async property R;");
  ASSERT_NE(model, nullptr);
  EXPECT_TRUE(model->info().has_accepting);
  EXPECT_EQ(explore(*model), (Counts{7, 14, 3, 0}));
}

TEST(DveModel, ThePropertyMovesAloneWhenTheSystemCannot) {
  const auto model = load(
      "process P { byte x; state a; init a; trans a -> a { guard x < 2; effect x = x + 1; }; }"
      "process R { state q; init q; accept q; trans q -> q { guard P->x < 9; }; } system async property R;");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model), (Counts{3, 3, 3, 0}));
}

constexpr const char* kOverflow =
    "byte g; process P { byte x = 254; state a; init a; trans a -> a { guard g == 0; effect x = x + 1; },"
    "a -> a { guard g < 2; effect g = g + 1; }; } system async;";

TEST(DveModel, AnErrorIsAState) {
  const auto model = load(kOverflow);
  ASSERT_NE(model, nullptr);
  // x is 254 or 255 and g 0, 1 or 2; x grows where g is 0.
  EXPECT_EQ(explore(*model), (Counts{7, 6, 0, 0}));
  EXPECT_TRUE(reached_error_state(*model));
}

// Q could not move from its initial state. Behind the error it is in its first one, all variables are 0, and
// it makes a step.
TEST(DveModel, AnErrorStateHasZerosAndGoesOn) {
  const auto model = load(
      "int g = 7; byte a[2] = {1, 2}; const int c[2] = {5, 6}; channel {int} buffer[1];"
      "process P { byte x = 255; state s, t; init s; trans s -> t { effect g = 9, x = x + 1; }; }"
      "process Q { int y = 4; state u, v, w; init w; trans u -> v { guard g == 0 && a[1] == 0 && c[1] == 6 "
      "&& "
      "y == 0 && not P.s && not P.t && P->x == 0; sync buffer!3; }; } system async;");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model), (Counts{3, 2, 0, 0}));
  EXPECT_TRUE(reached_error_state(*model));
}

// However different the states are in which something fails.
TEST(DveModel, ThereIsOneErrorStateAtFirst) {
  const auto model = load(
      "byte g; byte a[2]; process P { byte x; state s; init s; trans s -> s { guard g < 4; effect g = g + 1, "
      "a[g % 2] = g; }, s -> s { effect x = g / (g - g); }; } system async;");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model), (Counts{6, 9, 0, 0}));
}

TEST(DveModel, ThePropertyProcessMakesItsStepIntoTheErrorState) {
  const auto model = load(
      "process P { byte x = 255; state s; init s; trans s -> s { effect x = x + 1; }; }"
      "process R { byte n = 1; state q, r; init q; accept r; trans q -> r {}, r -> r { guard n == 1; }; }"
      "system async property R;");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model), (Counts{2, 2, 1, 0}));
}

TEST(DveModel, AnErrorStateIsAFailureWhereThatIsWanted) {
  const auto model = load(kOverflow, {}, true);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model).failures, 1u);
}

TEST(DveModel, WithWrapThereIsNoErrorState) {
  LanguageOptions options;
  options.own["overflow"] = "wrap";
  const auto model = load(kOverflow, options);
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model).states, 768u);
  EXPECT_FALSE(reached_error_state(*model));
}

TEST(DveModel, CommittedStates) {
  // While P is in b, Q must wait; and a committed process does not meet one that is not.
  const auto model = load(
      "channel c; process P { state a, b; init a; commit b; trans a -> b {}, b -> a {}, b -> a { sync c!; }; "
      "}"
      "process Q { state a, b; init a; trans a -> b {}, b -> a { sync c?; }; } system async;");
  ASSERT_NE(model, nullptr);
  EXPECT_EQ(explore(*model), (Counts{4, 5, 0, 0}));
}

TEST(DveModel, AcceptingStatesOfDivinesOwnModels) {
  const std::string folder = std::string(STRATA_SOURCE_DIR) + "/../shared/models/dve-small/";
  const std::pair<const char*, Counts> expected[] = {{"test1", {7, 14, 3, 0}}, {"test1-prop", {7, 14, 3, 0}},
                                                     {"test2", {3, 2, 2, 0}},  {"test3", {6, 12, 2, 0}},
                                                     {"test4", {5, 5, 1, 0}},  {"test5", {5, 5, 1, 0}},
                                                     {"test6", {6, 6, 2, 0}},  {"B.prop1", {14, 18, 14, 0}}};
  for (const auto& [name, counts] : expected) {
    const Result<SourceFile> file = SourceFile::load(folder + name + ".dve");
    if (!file.ok()) GTEST_SKIP() << file.status().message();
    const auto model = load(std::string(file->text()));
    ASSERT_NE(model, nullptr) << name;
    EXPECT_EQ(explore(*model), counts) << name;
  }
}

}  // namespace
}  // namespace strata
