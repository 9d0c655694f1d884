#include "tool/step/step_session.h"

#include <gtest/gtest.h>

#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

// 0 -> 1, 2; 1 -> 2; 2 has no successors and breaks an invariant; 3 is a second start state.
Graph graph(bool several_starts) {
  Graph graph;
  graph.nodes.resize(4);
  graph.nodes[0].edges = {{1, 0, false}, {2, 1, false}};
  graph.nodes[1].edges = {{2, 0, false}, {0, 1, true}};
  graph.nodes[2].violates = true;
  graph.initial = several_starts ? std::vector<uint32_t>{0, 3} : std::vector<uint32_t>{0};
  return graph;
}

class StepSessionTest : public testing::Test {
 protected:
  explicit StepSessionTest(bool several_starts = false)
      : model_(graph(several_starts)),
        questions_(object()),
        session_(model_, DeadlockMode::off, 1, questions_) {
    session_.print_with([this](std::string_view text) { printed_ += text; });
    session_.save_with([this](const std::string&, const Counterexample& walk) {
      saved_ = walk;
      return Status();
    });
    session_.open_with([this](const std::string&) -> Result<std::vector<Value>> { return to_open_; });
    questions_.show_values_of(model_);
    EXPECT_TRUE(session_.begin().ok());
  }

  static Questions object() {
    Options options;
    options.model = "graph.so";
    return std::move(*Questions::about(options));
  }
  // What the command printed, or its error.
  std::string run(const std::string& line) {
    printed_.clear();
    const Status status = session_.run(line);
    return status.ok() ? printed_ : status.message();
  }
  uint32_t node() const { return model_.decode(session_.walk().state()); }
  size_t length() const { return session_.walk().path().size(); }

  ExplicitGraphModel model_;
  Questions questions_;
  StepSession session_;
  std::string printed_;
  Counterexample saved_;
  std::vector<Value> to_open_;
};

class SeveralStartsTest : public StepSessionTest {
 protected:
  SeveralStartsTest() : StepSessionTest(true) {}
};

TEST_F(StepSessionTest, TakesMovesAndGoesBack) {
  EXPECT_EQ(node(), 0u);
  run("1");
  EXPECT_EQ(node(), 1u);
  run("1");
  EXPECT_EQ(node(), 2u);
  EXPECT_NE(run("show").find(":"), std::string::npos);
  run("b");
  EXPECT_EQ(node(), 1u);
  run("1");
  run("to 0");
  EXPECT_EQ(node(), 0u);
  EXPECT_EQ(length(), 1u);
  run("2");
  EXPECT_EQ(node(), 2u);
}

TEST_F(StepSessionTest, ShowsWhatFails) {
  run("1");
  EXPECT_NE(printed_.find("! "), std::string::npos)
      << printed_;  // the rule that fails is reported here instead of being listed as a move
  EXPECT_EQ(session_.walk().moves().size(), 1u);
  run("1");
  EXPECT_NE(printed_.find("! "), std::string::npos) << printed_;
}

TEST_F(StepSessionTest, ARefusedCommandChangesNothing) {
  run("1");
  for (const char* line :
       {"9", "0", "1 2", "99999999999999999999999", "back 2", "back x", "to 2", "nonsense", "show it",
        "eval (", "watch (", "until (", "disabled", "save", "open", "unwatch 1", "random 0"}) {
    EXPECT_FALSE(session_.run(line).ok()) << line;
    EXPECT_EQ(node(), 1u) << line;
    EXPECT_EQ(length(), 2u) << line;
  }
}

TEST_F(StepSessionTest, BlankLinesAndCommentsAreNoCommands) {
  for (const char* line : {"", "  \t", "# 1"}) EXPECT_EQ(run(line), "") << line;
}

TEST_F(StepSessionTest, RandomStepsEndWhereSomethingFails) {
  run("random 100");
  EXPECT_TRUE(!session_.walk().failures().empty() || session_.walk().moves().empty());
}

TEST_F(StepSessionTest, ASavedPathSaysWhatFails) {
  EXPECT_EQ(run("save f"), "saved 0 steps in f\n");
  EXPECT_FALSE(saved_.failed);
  run("2");
  run("save f");
  EXPECT_TRUE(saved_.failed);
  EXPECT_EQ(saved_.steps.size(), 2u);
  EXPECT_EQ(saved_.failure.kind, Failure::Kind::property);
}

TEST_F(StepSessionTest, FollowsATrace) {
  run("1");
  for (const uint32_t number : {0u, 1u, 2u}) {
    std::vector<uint8_t> state(model_.info().state_bytes);
    model_.encode(number, state.data());
    to_open_.push_back(model_.describe(state.data()));
  }
  run("open f");
  EXPECT_EQ(length(), 3u);
  EXPECT_EQ(node(), 2u);
  run("back");
  std::swap(to_open_[1], to_open_[2]);  // no rule leads from 2 to 1
  EXPECT_NE(run("open f").find("no rule of the model gives state 2"), std::string::npos);
  EXPECT_EQ(length(), 2u);
  EXPECT_EQ(node(), 1u);
}

TEST_F(StepSessionTest, EndsWhenAsked) {
  EXPECT_FALSE(session_.ended());
  run("quit");
  EXPECT_TRUE(session_.ended());
}

TEST_F(StepSessionTest, HelpNamesEachCommandThatExists) {
  const std::string help = run("help");
  for (const StepCommand& command : step_commands())
    EXPECT_NE(help.find(std::string("  ") + command.name), std::string::npos) << command.name;
}

TEST_F(SeveralStartsTest, BeginsWithAChoice) {
  EXPECT_EQ(length(), 0u);
  for (const char* line : {"show", "back", "to 0", "save f"})
    EXPECT_EQ(run(line), "choose a start state first: its number") << line;
  run("2");
  EXPECT_EQ(node(), 3u);
  EXPECT_NE(printed_.find("no rule is enabled"), std::string::npos) << printed_;
  run("restart");
  EXPECT_EQ(length(), 0u);
}

}  // namespace
}  // namespace strata
