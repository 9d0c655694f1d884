#include "property/answer/conclude.h"

#include <gtest/gtest.h>

#include "property/testing/inquiry.h"

namespace strata {
namespace {

// Process 0 can stay in node 0, where process 1 leads to node 1; proposition 0 holds in node 1.
Graph two_nodes() {
  Graph graph;
  connect(graph, 0, {0, 1});
  connect(graph, 1, {0});
  graph.nodes[1].propositions = 1;
  graph.processes = 2;
  return graph;
}

// A result that says that the initial state repeats itself forever.
SearchResult stays_at_start(const Model& model) {
  Expansion out(model.info(), 1);
  model.initial(out);
  Counterexample lasso;
  lasso.steps = {{0, {out.successor(0), out.successor(0) + out.state_bytes}}};
  lasso.loop = 0;
  lasso.loop_rule = 0;
  SearchResult result;
  result.verdict = Verdict::violated;
  result.counterexamples = {lasso};
  return result;
}

TEST(ConcludeTest, ALassoOnWhichTheFormulaFails) {
  const Result<Task> task = Inquiry(two_nodes()).formula("G F p").ask();
  ASSERT_TRUE(task.ok());
  SearchResult result = stays_at_start(task->searched());
  ASSERT_TRUE(conclude(*task, result).ok());
  EXPECT_TRUE(result.formula);
  EXPECT_EQ(result.counterexamples[0].text.message, "The formula fails: G F p");
}

TEST(ConcludeTest, ALassoOnWhichTheFormulaHoldsIsABug) {
  const Result<Task> task = Inquiry(two_nodes()).formula("F G !p").ask();
  ASSERT_TRUE(task.ok());
  SearchResult result = stays_at_start(task->searched());
  const Status status = conclude(*task, result);
  EXPECT_EQ(status.code(), StatusCode::internal);
  EXPECT_EQ(
      status.message(),
      "the counterexample does not replay: the formula holds on it; please report this as a bug of strata");
}

TEST(ConcludeTest, ALassoThatIsNotFairIsABug) {
  const Result<Task> task = Inquiry(two_nodes()).formula("G F p").fair().ask();
  ASSERT_TRUE(task.ok());
  SearchResult result = stays_at_start(task->searched());
  const Status status = conclude(*task, result);
  EXPECT_EQ(status.code(), StatusCode::internal);
  EXPECT_EQ(
      status.message(),
      "the counterexample does not replay: it is not fair to every process; please report this as a bug "
      "of strata");
}

TEST(ConcludeTest, ACycleWithoutAPathHasItsMessage) {
  const Result<Task> task = Inquiry(two_nodes()).formula("F G !p").ask();
  ASSERT_TRUE(task.ok());
  SearchResult result = stays_at_start(task->searched());
  result.counterexamples[0].steps.clear();
  ASSERT_TRUE(conclude(*task, result).ok());
  EXPECT_EQ(result.counterexamples[0].text.message, "The formula fails: F G !p");
}

TEST(ConcludeTest, TheModelsOwnPropertiesSpeakForThemselves) {
  const Result<Task> task = Inquiry(two_nodes()).ask();
  ASSERT_TRUE(task.ok());
  SearchResult result;
  ASSERT_TRUE(conclude(*task, result).ok());
  EXPECT_EQ(result.verdict, Verdict::holds);
  EXPECT_FALSE(result.formula);
}

// EF p was not decided, so there is nothing to turn round.
TEST(ConcludeTest, AnIncompleteSearchForAStateStaysIncomplete) {
  const Result<Task> task = Inquiry(two_nodes()).formula("EF p").ask();
  ASSERT_TRUE(task.ok());
  SearchResult result;
  result.verdict = Verdict::incomplete;
  ASSERT_TRUE(conclude(*task, result).ok());
  EXPECT_EQ(result.verdict, Verdict::incomplete);
  EXPECT_TRUE(result.counterexamples.empty());
}

}  // namespace
}  // namespace strata
