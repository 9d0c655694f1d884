#include "property/answer/error_states.h"

#include <gtest/gtest.h>

#include "property/testing/error_state_model.h"
#include "property/testing/inquiry.h"

namespace strata {
namespace {

// 0 -> 1 -> 2, the error state, and back.
Graph line() {
  Graph graph;
  connect(graph, 0, {1});
  connect(graph, 1, {0, 2});
  connect(graph, 2, {0});
  return graph;
}

Counterexample path_to(const std::vector<uint32_t>& nodes) {
  const ExplicitGraphModel model(line());
  Counterexample path;
  for (const uint32_t node : nodes) {
    std::vector<uint8_t> state(model.info().state_bytes);
    model.encode(node, state.data());
    path.steps.push_back({node, state});
  }
  path.failure = {0, kNoRule, Failure::Kind::runtime, 0};
  path.text.message = "The error state was reached.";
  return path;
}

TEST(ErrorStatesTest, TheRuleThatFailedIsTold) {
  const ErrorStateModel model(line(), 2, true);
  Counterexample path = path_to({0, 1, 2});
  explain_error_state(model, path);
  EXPECT_EQ(path.text.message, "Division by zero.");
}

TEST(ErrorStatesTest, OtherFailuresStayAsTheyAre) {
  const ErrorStateModel model(line(), 2, true);
  Counterexample start = path_to({2});
  explain_error_state(model, start);
  EXPECT_EQ(start.text.message, "The error state was reached.");

  Counterexample rule = path_to({0, 1});
  rule.failure.rule = 2;
  rule.text.message = "An index is out of range.";
  explain_error_state(model, rule);
  EXPECT_EQ(rule.text.message, "An index is out of range.");

  Counterexample invariant = path_to({0, 1, 2});
  invariant.failure.kind = Failure::Kind::property;
  invariant.text.message = "Invariant \"first\" failed.";
  explain_error_state(model, invariant);
  EXPECT_EQ(invariant.text.message, "Invariant \"first\" failed.");
}

TEST(ErrorStatesTest, AModelThatCannotBeLoadedAgainIsAnError) {
  Inquiry inquiry([](const LoadRequest& request) -> Result<std::unique_ptr<Model>> {
    if (request.fail_error_states) return Status::system("the compiler is gone");
    return std::unique_ptr<Model>(std::make_unique<ErrorStateModel>(line(), 2, false));
  });
  EXPECT_EQ(inquiry.algorithm("ram").answer().status().message(), "the compiler is gone");
}

// The second search may end before it has found the path, for lack of time or memory. The error is known all the same.
TEST(ErrorStatesTest, WithoutAPathTheErrorIsReported) {
  const ErrorStateModel model(line(), 2, false);
  const SearchOptions options;
  ProgressBoard progress;
  const std::atomic<bool> stop{false};
  SearchResult result;
  result.seconds.search = 1;
  const ModelLoader load = [](const LoadRequest&) -> Result<std::unique_ptr<Model>> {
    return std::unique_ptr<Model>(std::make_unique<ErrorStateModel>(line(), 2, true));
  };
  const Runner run = [](const Algorithm&, const SearchContext&) -> Result<SearchResult> {
    SearchResult found;
    found.verdict = Verdict::incomplete;
    found.stop_message = "the time is over";
    found.seconds.search = 2;
    return found;
  };
  ASSERT_TRUE(add_error_state(load, run, Algorithm(), {model, options, progress, stop}, result).ok());
  EXPECT_EQ(result.verdict, Verdict::error);
  ASSERT_EQ(result.counterexamples.size(), 1u);
  EXPECT_FALSE(result.counterexamples[0].has_path());
  EXPECT_EQ(result.counterexamples[0].text.verdict, FailureText::Verdict::error);
  EXPECT_EQ(
      result.counterexamples[0].text.message,
      "A run-time error leads to an error state. The search for a path to it did not end: the time is over");
  EXPECT_DOUBLE_EQ(result.seconds.search, 3);
}

}  // namespace
}  // namespace strata
