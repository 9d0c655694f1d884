#include "property/ask/ask.h"

#include <gtest/gtest.h>

#include "property/testing/inquiry.h"

namespace strata {
namespace {

using Kind = Task::Kind;

// Two nodes that lead to each other; proposition 0 holds in the first.
Graph ring() {
  Graph graph;
  connect(graph, 0, {1});
  connect(graph, 1, {0});
  graph.nodes[0].propositions = 1;
  graph.processes = 2;
  return graph;
}

constexpr const char* kAutomaton =
    "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"p\" \"q\"\nAcceptance: 1 Inf(0)\n--BODY--\n"
    "State: 0 {0}\n[0 | 1] 0\n--END--\n";

TEST(AskTest, TheModelsOwnProperties) {
  Inquiry inquiry(ring());
  const Result<Task> task = inquiry.ask();
  ASSERT_TRUE(task.ok());
  EXPECT_EQ(task->kind, Kind::safety);
  EXPECT_TRUE(task->views.empty());
  EXPECT_EQ(&task->searched(), task->model.get());
  EXPECT_EQ(task->property + task->message + task->note, "");
  EXPECT_EQ(task->deadlock(), DeadlockMode::stuttering);
  ASSERT_EQ(inquiry.requests().size(), 1u);
  EXPECT_TRUE(inquiry.requests()[0].goals);
  EXPECT_FALSE(inquiry.requests()[0].fail_error_states);
}

TEST(AskTest, FormulasByTheSearchThatTheyNeed) {
  struct Row {
    const char* text;
    Kind kind;
    const char* note;
  };
  for (const Row& row :
       {Row{"G p", Kind::invariant,
            "the formula is about each state by itself, so it is checked as an invariant"},
        Row{"AG p", Kind::invariant,
            "the formula is about each state by itself, so it is checked as an invariant"},
        Row{"EF p", Kind::reachability, "the formula asks for a state, so it is checked by a safety search"},
        Row{"AG EF p", Kind::recurrence,
            "the formula asks what every state can reach, which has a search of its own"},
        Row{"G F p", Kind::liveness,
            "the model's invariants and deadlocks are not checked, only the formula (--safety checks both)"},
        Row{"p", Kind::liveness,
            "the model's invariants and deadlocks are not checked, only the formula (--safety checks "
            "both)"}}) {
    const Result<Task> task = Inquiry(ring()).formula(row.text).ask();
    ASSERT_TRUE(task.ok()) << row.text;
    EXPECT_EQ(task->kind, row.kind) << row.text;
    EXPECT_EQ(task->note, row.note);
    EXPECT_EQ(task->property, std::string("LTL ") + row.text);
    EXPECT_EQ(task->message, std::string("The formula fails: ") + row.text);
    EXPECT_EQ(task->views.size(), 1u);
    EXPECT_EQ(&task->searched(), &task->views[0]);
    EXPECT_EQ(task->deadlock(), DeadlockMode::off);
    EXPECT_EQ(task->seeks_cycles(), row.kind == Kind::liveness);
  }
}

TEST(AskTest, TheModelIsLoadedWithThePropositionsOfTheFormula) {
  Inquiry inquiry(ring());
  ASSERT_TRUE(inquiry.formula("G (q -> F p)").ask().ok());
  ASSERT_EQ(inquiry.requests().size(), 1u);
  EXPECT_EQ(inquiry.requests()[0].propositions, (std::vector<std::string>{"q", "p"}));
  EXPECT_FALSE(inquiry.requests()[0].goals);
}

TEST(AskTest, AnAutomaton) {
  Inquiry inquiry(ring());
  const Result<Task> task = inquiry.automaton(kAutomaton).ask();
  ASSERT_TRUE(task.ok()) << task.status().message();
  EXPECT_EQ(task->kind, Kind::liveness);
  EXPECT_EQ(task->property, "automaton a.hoa");
  EXPECT_EQ(task->message, "The automaton \"a.hoa\" accepts a path.");
  EXPECT_EQ(
      task->note,
      "the model's invariants and deadlocks are not checked, only the automaton (--safety checks both)");
  EXPECT_EQ(task->formula, nullptr);
  EXPECT_EQ(inquiry.requests()[0].propositions, (std::vector<std::string>{"p", "q"}));
}

TEST(AskTest, APropertyProcess) {
  Graph graph = ring();
  graph.nodes[1].accepting = true;
  const Result<Task> task = Inquiry(graph).ask();
  ASSERT_TRUE(task.ok());
  EXPECT_EQ(task->kind, Kind::own_automaton);
  EXPECT_TRUE(task->seeks_cycles());
  EXPECT_TRUE(task->views.empty());
  EXPECT_EQ(task->property, "the property process");
  EXPECT_EQ(task->message, "The property process accepts a path.");
}

TEST(AskTest, FairnessIsAboutCycles) {
  const Result<Task> safety = Inquiry(ring()).fair().ask();
  EXPECT_EQ(safety.status().code(), StatusCode::usage);
  EXPECT_EQ(
      safety.status().message(),
      "--fairness weak: it is about infinite paths, which only a formula speaks of (--ltl, --automaton, "
      "--property, or a property process)");

  const Result<Task> invariant = Inquiry(ring()).formula("G p").fair().ask();
  ASSERT_TRUE(invariant.ok());
  EXPECT_EQ(invariant->views.size(), 1u);
  EXPECT_EQ(invariant->property, "LTL G p");
  EXPECT_EQ(invariant->fair, nullptr);

  const Result<Task> cycles = Inquiry(ring()).formula("G F p").fair().ask();
  ASSERT_TRUE(cycles.ok());
  ASSERT_EQ(cycles->views.size(), 2u);
  EXPECT_EQ(cycles->fair, &cycles->views[1]);
  EXPECT_EQ(cycles->property, "LTL G F p, with weak fairness");
  EXPECT_EQ(
      cycles->note,
      "the model's invariants and deadlocks are not checked, only the formula (--safety checks both); only "
      "paths that are fair count: weak, to 2 processes");

  Graph graph = ring();
  graph.nodes[1].accepting = true;
  const Result<Task> own = Inquiry(graph).fair().ask();
  ASSERT_TRUE(own.ok());
  EXPECT_EQ(own->note, "only paths that are fair count: weak, to 2 processes");
  EXPECT_EQ(own->property, "the property process, with weak fairness");
}

TEST(AskTest, MistakesAreShownWhereTheyAre) {
  Inquiry formula(ring());
  EXPECT_TRUE(formula.formula("G (p").ask().status().message().starts_with("--ltl:1:"));
  EXPECT_TRUE(formula.requests().empty());
  EXPECT_TRUE(Inquiry(ring()).automaton("HOA: v1\n").ask().status().message().starts_with("a.hoa:"));
  const Result<Task> broken = Inquiry([](const LoadRequest&) -> Result<std::unique_ptr<Model>> {
                                return Status::model("m.m:1:1: unknown name 'p'");
                              })
                                  .formula("F p")
                                  .ask();
  EXPECT_EQ(broken.status().code(), StatusCode::model);
  EXPECT_EQ(broken.status().message(), "m.m:1:1: unknown name 'p'");
}

}  // namespace
}  // namespace strata
