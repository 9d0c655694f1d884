#include "property/ask/fit_algorithm.h"

#include <gtest/gtest.h>

#include "liveness/cycle_algorithms.h"
#include "liveness/recurrence/recurrence.h"
#include "property/testing/inquiry.h"

namespace strata {
namespace {

Graph plain_ring() {
  Graph graph;
  connect(graph, 0, {1});
  connect(graph, 1, {0});
  return graph;
}

Graph accepting_ring() {
  Graph graph = plain_ring();
  graph.nodes[0].accepting = true;
  return graph;
}

std::string refusal(Inquiry& inquiry) {
  const Result<const Algorithm*> fitting = inquiry.fit();
  if (fitting.ok()) return std::string("takes ") + (*fitting)->name;
  EXPECT_EQ(fitting.status().code(), StatusCode::usage);
  return fitting.status().message();
}

TEST(FitAlgorithmTest, StatesAreLookedAtByTheSafetySearches) {
  for (const char* formula : {"", "G p", "EF p"}) {
    Inquiry inquiry(plain_ring());
    if (*formula != '\0') inquiry.formula(formula);
    EXPECT_EQ(refusal(inquiry), "takes auto") << formula;
    EXPECT_FALSE((*inquiry.fit())->has(trait::cycles));
    EXPECT_EQ(refusal(inquiry.algorithm("part")), "takes part") << formula;
    EXPECT_EQ(refusal(inquiry.algorithm("ndfs")),
              "--algorithm ndfs: it looks for cycles, which only a formula asks for (--ltl, --automaton, "
              "--property, or a property process); for other errors choose another one");
  }
}

TEST(FitAlgorithmTest, CyclesByTheSearchesForCycles) {
  Inquiry inquiry(plain_ring());
  inquiry.formula("G F p");
  EXPECT_EQ(*inquiry.fit(), &automatic_cycles());
  EXPECT_EQ(refusal(inquiry.algorithm("owcty")), "takes owcty");
  EXPECT_EQ(
      refusal(inquiry.algorithm("ram")),
      "--algorithm ram: it looks for errors of states and rules, not for cycles; choose one that does, for "
      "example ndfs or owcty, or leave --algorithm out");
}

TEST(FitAlgorithmTest, ThePropertyProcessIsLeftOutByASafetySearch) {
  Inquiry inquiry(accepting_ring());
  EXPECT_EQ(*inquiry.fit(), &automatic_cycles());
  EXPECT_EQ(inquiry.task().kind, Task::Kind::own_automaton);
  EXPECT_EQ(refusal(inquiry.algorithm("ram")), "takes ram");
  EXPECT_EQ(inquiry.task().kind, Task::Kind::safety);
  EXPECT_EQ(inquiry.task().property, "");
  EXPECT_EQ(
      inquiry.task().note,
      "whether the property process accepts a path is not checked: ram looks for errors of states and rules");
}

TEST(FitAlgorithmTest, RecurrenceHasASearchOfItsOwn) {
  Inquiry inquiry(plain_ring());
  inquiry.formula("AG EF p");
  EXPECT_EQ(*inquiry.fit(), &recurrence_algorithm());
  EXPECT_EQ(refusal(inquiry.algorithm("ram")), "takes recurrence");
  EXPECT_EQ(*inquiry.fit(), &recurrence_in_ram());
  EXPECT_EQ(
      refusal(inquiry.algorithm("part")),
      "--algorithm part: AG EF has a search of its own, in RAM and then on disk; leave --algorithm out, or "
      "take ram for RAM alone");
  inquiry.algorithm("ram").options.store.signature_bits = 40;
  EXPECT_EQ(
      refusal(inquiry),
      "--store signatures: the algorithm recurrence keeps states exactly; choose another one, for example "
      "--algorithm part");
}

TEST(FitAlgorithmTest, WhatASearchForCyclesCannotDo) {
  Inquiry deadlocks(plain_ring());
  deadlocks.formula("F p").deadlock = DeadlockMode::stuck;
  EXPECT_EQ(
      refusal(deadlocks),
      "--deadlock: a search for cycles looks for no deadlocks; --finite says what the end of a path means");
  deadlocks.deadlock = DeadlockMode::off;
  EXPECT_EQ(refusal(deadlocks), "takes auto");

  Inquiry bound(plain_ring());
  bound.formula("F p").options.bound = 7;
  EXPECT_EQ(refusal(bound), "--bound: a search for cycles cannot be bounded in depth");

  Inquiry errors(plain_ring());
  errors.formula("F p").options.max_errors = 2;
  EXPECT_EQ(refusal(errors), "--max-errors: a search for cycles ends with its first counterexample");

  Inquiry signatures(plain_ring());
  signatures.formula("F p").options.store.signature_bits = 40;
  EXPECT_EQ(
      refusal(signatures),
      "--store signatures: the algorithm auto keeps states exactly; so does every search for cycles of this "
      "version");

  Inquiry parameters(plain_ring());
  parameters.formula("F p").options.parameters = {{"nonsense", "1"}};
  EXPECT_EQ(refusal(parameters),
            "--set nonsense=1: the algorithm auto has no such parameter\nTry 'strata algorithms'.");
}

}  // namespace
}  // namespace strata
