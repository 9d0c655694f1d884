#include "property/answer/answer.h"

#include <gtest/gtest.h>

#include "property/testing/error_state_model.h"
#include "property/testing/inquiry.h"

namespace strata {
namespace {

using Names = std::vector<std::string>;

// 0 -> 1 <-> 2. Proposition 0 holds in node 0, proposition 1 in node 2.
Graph three_nodes() {
  Graph graph;
  connect(graph, 0, {1});
  connect(graph, 1, {2});
  connect(graph, 2, {1});
  graph.nodes[0].propositions = 1;
  graph.nodes[2].propositions = 2;
  return graph;
}

TEST(AnswerTest, TheModelsOwnProperties) {
  Graph graph = three_nodes();
  Inquiry holds(graph);
  const Result<Answer> good = holds.answer();
  ASSERT_TRUE(good.ok()) << good.status().message();
  EXPECT_EQ(good->result.verdict, Verdict::holds);
  EXPECT_EQ(good->result.states, 3u);
  EXPECT_FALSE(good->result.formula);
  EXPECT_EQ(good->note, "");
  EXPECT_EQ(holds.runs(), Names{"auto"});

  graph.nodes[2].violates = true;
  const Result<Answer> bad = Inquiry(graph).algorithm("ram").answer();
  ASSERT_TRUE(bad.ok());
  EXPECT_EQ(bad->result.verdict, Verdict::violated);
  EXPECT_EQ(bad->result.counterexamples.at(0).length(), 2u);
  EXPECT_EQ(bad->result.counterexamples[0].text.message, "Invariant \"first\" failed.");
}

TEST(AnswerTest, FormulasAboutPaths) {
  for (const char* text : {"G F !p", "F G !p", "X G !p"}) {
    const Result<Answer> answer = Inquiry(three_nodes()).formula(text).answer();
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer->result.verdict, Verdict::holds) << text;
    EXPECT_TRUE(answer->result.formula);
  }
  for (const char* algorithm : {"auto", "ndfs", "owcty"}) {
    const Result<Answer> answer =
        Inquiry(three_nodes()).formula("F G (p || q)").algorithm(algorithm).answer();
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer->result.verdict, Verdict::violated) << algorithm;
    const Counterexample& lasso = answer->result.counterexamples.at(0);
    EXPECT_TRUE(lasso.loop.has_value());
    EXPECT_EQ(lasso.text.message, "The formula fails: F G (p || q)");
  }
}

TEST(AnswerTest, AFormulaAboutStatesIsAnInvariant) {
  const Result<Answer> answer = Inquiry(three_nodes()).formula("G p").answer();
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->result.verdict, Verdict::violated);
  EXPECT_TRUE(answer->result.formula);
  EXPECT_EQ(answer->result.counterexamples.at(0).length(), 1u);
  EXPECT_EQ(answer->result.counterexamples[0].text.message, "The formula fails: G p");
}

TEST(AnswerTest, AStateThatIsAskedForIsAWitness) {
  const Result<Answer> found = Inquiry(three_nodes()).formula("EF (!p && q)").answer();
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->result.verdict, Verdict::holds);
  EXPECT_TRUE(found->result.counterexamples.empty());
  ASSERT_TRUE(found->result.witness);
  EXPECT_EQ(found->result.witness->length(), 2u);
  EXPECT_EQ(found->result.details.back().first, "witness_length");
  EXPECT_EQ(std::get<uint64_t>(found->result.details.back().second), 2u);

  const Result<Answer> missing = Inquiry(three_nodes()).formula("EF (p && q)").answer();
  ASSERT_TRUE(missing.ok());
  EXPECT_EQ(missing->result.verdict, Verdict::violated);
  EXPECT_FALSE(missing->result.witness);
  EXPECT_FALSE(missing->result.counterexamples.at(0).has_path());
  EXPECT_EQ(missing->result.counterexamples[0].text.message, "The formula fails: EF (p && q)");
}

TEST(AnswerTest, WhatEveryStateCanReach) {
  Inquiry holds(three_nodes());
  EXPECT_EQ(holds.formula("AG EF (!p && q)").answer()->result.verdict, Verdict::holds);
  EXPECT_EQ(holds.runs(), Names{"recurrence"});
  const Result<Answer> fails = Inquiry(three_nodes()).formula("AG EF p").answer();
  ASSERT_TRUE(fails.ok());
  EXPECT_EQ(fails->result.verdict, Verdict::violated);
  EXPECT_EQ(fails->result.counterexamples.at(0).length(), 1u);
  EXPECT_EQ(fails->result.counterexamples[0].text.message, "The formula fails: AG EF p");
}

TEST(AnswerTest, APropertyProcess) {
  Graph graph = three_nodes();
  graph.nodes[2].accepting = true;
  const Result<Answer> cycle = Inquiry(graph).answer();
  ASSERT_TRUE(cycle.ok());
  EXPECT_EQ(cycle->result.verdict, Verdict::violated);
  EXPECT_FALSE(cycle->result.formula);
  EXPECT_EQ(cycle->result.counterexamples.at(0).text.message, "The property process accepts a path.");
  // Without its automaton the model has no error.
  const Result<Answer> safety = Inquiry(graph).algorithm("ram").answer();
  ASSERT_TRUE(safety.ok());
  EXPECT_EQ(safety->result.verdict, Verdict::holds);
}

// Process 0 can stay in node 0 forever; process 1, which is enabled there, leaves it.
TEST(AnswerTest, OnlyFairPathsCount) {
  Graph graph;
  connect(graph, 0, {0, 1});
  connect(graph, 1, {0});
  graph.nodes[1].propositions = 1;
  graph.processes = 2;
  EXPECT_EQ(Inquiry(graph).formula("G F p").answer()->result.verdict, Verdict::violated);
  EXPECT_EQ(Inquiry(graph).formula("G F p").fair().answer()->result.verdict, Verdict::holds);
  const Result<Answer> fair = Inquiry(graph).formula("F G !p").fair().answer();
  ASSERT_TRUE(fair.ok()) << fair.status().message();
  EXPECT_EQ(fair->result.verdict, Verdict::violated);
  EXPECT_GE(fair->result.counterexamples.at(0).steps.size(), 2u);
}

TEST(AnswerTest, GoalsAreLookedAtWhenThereIsNoOtherError) {
  Graph graph = three_nodes();
  graph.goals = 1;
  Inquiry lost(graph);
  const Result<Answer> answer = lost.answer();
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(lost.runs(), (Names{"auto", "recurrence"}));
  EXPECT_EQ(answer->result.verdict, Verdict::violated);
  EXPECT_TRUE(answer->result.formula);
  EXPECT_EQ(answer->result.counterexamples.at(0).text.message, "Invariant \"goal 0\" failed.");
  EXPECT_EQ(answer->result.states, 3u);

  graph.nodes[1].propositions = 1;
  Inquiry kept(graph);
  EXPECT_EQ(kept.answer()->result.verdict, Verdict::holds);
  EXPECT_EQ(kept.runs(), (Names{"auto", "recurrence"}));

  graph.nodes[1].violates = true;
  Inquiry violated(graph);
  EXPECT_EQ(violated.answer()->result.verdict, Verdict::violated);
  EXPECT_EQ(violated.runs(), Names{"auto"});

  Inquiry formula(graph);
  EXPECT_EQ(formula.formula("F p").answer()->result.verdict, Verdict::holds);
  EXPECT_EQ(formula.runs(), Names{"auto"});
}

// Node 2 of the graph is an error state.
ModelLoader with_error_state() {
  return [](const LoadRequest& request) -> Result<std::unique_ptr<Model>> {
    return std::unique_ptr<Model>(
        std::make_unique<ErrorStateModel>(three_nodes(), 2, request.fail_error_states));
  };
}

TEST(AnswerTest, TheWayToAnErrorStateTakesASecondSearch) {
  Inquiry inquiry(with_error_state());
  const Result<Answer> answer = inquiry.algorithm("ram").answer();
  ASSERT_TRUE(answer.ok()) << answer.status().message();
  EXPECT_EQ(inquiry.runs(), (Names{"ram", "ram"}));
  ASSERT_EQ(inquiry.requests().size(), 2u);
  EXPECT_TRUE(inquiry.requests()[1].fail_error_states);
  EXPECT_FALSE(inquiry.requests()[1].goals);
  EXPECT_EQ(answer->result.verdict, Verdict::error);
  EXPECT_EQ(answer->result.states, 3u);
  EXPECT_EQ(answer->result.counterexamples.at(0).length(), 2u);
  EXPECT_EQ(answer->result.counterexamples[0].text.message, "Division by zero.");
}

TEST(AnswerTest, AnErrorStateIsNoAnswerToAFormula) {
  for (const char* text : {"F q", "EF q"}) {
    Inquiry inquiry(with_error_state());
    const Result<Answer> answer = inquiry.formula(text).answer();
    ASSERT_TRUE(answer.ok()) << answer.status().message();
    EXPECT_EQ(answer->result.verdict, Verdict::holds);
    EXPECT_EQ(answer->note, "the model has run-time errors; without the formula, check shows one");
    EXPECT_EQ(inquiry.runs(), Names{"auto"});
  }
}

TEST(AnswerTest, NoSecondSearchAfterAnInterruption) {
  Inquiry inquiry(with_error_state());
  inquiry.stop = true;
  const Result<Answer> answer = inquiry.algorithm("ram").answer();
  ASSERT_TRUE(answer.ok());
  // The model says that it has reached an error state, so the error is reported, without a path.
  EXPECT_EQ(answer->result.verdict, Verdict::error);
  EXPECT_EQ(answer->result.stop, StopReason::interrupted);
  EXPECT_EQ(inquiry.runs(), Names{"ram"});
}

}  // namespace
}  // namespace strata
