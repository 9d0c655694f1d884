#include "ltl/format/write.h"

#include <algorithm>

#include "ltl/automaton/word.h"
#include "ltl/format/read.h"
#include "ltl/testing/formats.h"
#include "ltl/testing/random_formula.h"

namespace strata::ltl {
namespace {

TEST(WriteHoa, IsToTheLetter) {
  EXPECT_EQ(write_hoa(automaton_of("G (p -> F \"x < 3\")"), "G (p -> F \"x < 3\")"),
            R"hoa(HOA: v1
name: "G (p -> F \"x < 3\")"
tool: "strata"
States: 2
Start: 0
AP: 2 "p" "x < 3"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc deterministic
--BODY--
State: 0 {0}
[!0 | 1] 0
[0&!1] 1
State: 1
[1] 0
[!1] 1
--END--
)hoa");
}

TEST(WriteHoa, GeneralizedAcceptanceOnEdges) {
  Automaton automaton;
  automaton.propositions = {"a"};
  automaton.sets = 2;
  automaton.states = {{{{1, 0}, 0, 1}, {{0, 1}, 0, 2}, {{}, 0, 0}}};
  EXPECT_EQ(write_hoa(automaton, ""),
            R"(HOA: v1
tool: "strata"
States: 1
Start: 0
AP: 1 "a"
acc-name: generalized-Buchi 2
Acceptance: 2 Inf(0)&Inf(1)
properties: trans-labels explicit-labels trans-acc
--BODY--
State: 0
[t] 0
[0] 0 {0}
[!0] 0 {1}
--END--
)");
}

TEST(WriteNever, IsToTheLetter) {
  EXPECT_EQ(write_never(automaton_of("F (p && \"x < 3\") /\\ G !r"), "a */ b"),
            "never { /* a * / b */\n"
            "T0_init:\n"
            "\tif\n"
            "\t:: ((!p && !r) || (!(x < 3) && !r)) -> goto T0_init\n"
            "\t:: (p && (x < 3) && !r) -> goto accept_S1\n"
            "\tfi;\n"
            "accept_S1:\n"
            "\tif\n"
            "\t:: (!r) -> goto accept_S1\n"
            "\tfi;\n"
            "}\n");
  EXPECT_EQ(write_never(automaton_of("false"), ""), "never {\nT0_init:\n\tfalse;\n}\n");
}

TEST(WriteDot, IsToTheLetter) {
  EXPECT_EQ(write_dot(automaton_of("p U (q && !r)"), "p U (q && !r)"),
            R"dot(digraph automaton {
  rankdir=LR
  label="p U (q && !r)"
  node [shape=circle]
  start [label="", style=invis, width=0]
  start -> 0
  0
  0 -> 0 [label="(p & !q) | (p & r)"]
  0 -> 1 [label="q & !r"]
  1 [peripheries=2]
  1 -> 1 [label="true"]
}
)dot");
}

TEST(WriteAndRead, KeepTheAutomaton) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    Random random(seed);
    RandomFormulaOptions options;
    options.operators = static_cast<uint32_t>(random.below(10));
    const Automaton automaton = automaton_of(TestFormula::random(random, options).text());
    const SourceFile hoa("a.hoa", write_hoa(automaton, "seed"));
    const SourceFile never("a.never", write_never(automaton, "seed"));
    const Result<Automaton> from_hoa = read_automaton(hoa), from_never = read_automaton(never);
    ASSERT_TRUE(from_hoa.ok()) << from_hoa.status().message();
    ASSERT_TRUE(from_never.ok()) << from_never.status().message();
    EXPECT_EQ(from_hoa->propositions, automaton.propositions);
    EXPECT_EQ(from_hoa->states.size(), automaton.states.size());
    EXPECT_EQ(prepare(*from_hoa).states.size(), automaton.states.size());
    // A never claim lists only the propositions in its guards, in their order.
    Automaton renamed = *from_never;
    for (auto& edges : renamed.states) {
      for (Edge& edge : edges) {
        Cube label;
        for (size_t i = 0; i < from_never->propositions.size(); ++i) {
          const auto& all = automaton.propositions;
          const auto number = std::find(all.begin(), all.end(), from_never->propositions[i]) - all.begin();
          label.positive |= (edge.label.positive >> i & 1) << number;
          label.negative |= (edge.label.negative >> i & 1) << number;
        }
        edge.label = label;
      }
    }
    for (int i = 0; i < 40; ++i) {
      const Word word = random_word(random, 3);
      ASSERT_EQ(accepts(*from_hoa, word), accepts(automaton, word)) << "seed " << seed;
      ASSERT_EQ(accepts(renamed, word), accepts(automaton, word)) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace strata::ltl
