#include "ltl/format/read.h"

#include "ltl/automaton/word.h"
#include "ltl/testing/formats.h"

namespace strata::ltl {
namespace {

Automaton hoa(const std::string& text) {
  const SourceFile file("a.hoa", text);
  const Result<Automaton> automaton = read_automaton(file);
  EXPECT_TRUE(automaton.ok()) << automaton.status().message();
  return automaton.ok() ? *automaton : Automaton();
}

std::string error(const std::string& text) {
  const SourceFile file("a.hoa", text);
  const Result<Automaton> automaton = read_automaton(file);
  EXPECT_FALSE(automaton.ok());
  EXPECT_EQ(automaton.status().code(), StatusCode::model);
  return automaton.status().message();
}

// Whether the automaton accepts the word of these letters over {a}, the last one repeated forever.
bool reads(const Automaton& automaton, std::vector<uint64_t> letters) {
  Word word;
  word.letters = std::move(letters);
  word.loop = static_cast<uint32_t>(word.letters.size() - 1);
  return accepts(automaton, word);
}

const std::string kHead = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"a\"\n";

TEST(ReadHoa, StateBasedWithAliasesAndNames) {
  const Automaton automaton =
      hoa("HOA: v1 /* a /* nested */ comment */ name: \"x\" tool: \"t\" \"1\"\n"
          "States: 2 Start: 0 AP: 2 \"a\" \"b \\\"c\\\"\" Alias: @ab 0 & 1 acc-name: Buchi\n"
          "Acceptance: 1 Inf(0) properties: state-acc\n--BODY--\n"
          "State: 0 \"zero\" [@ab | !0] 0 [!@ab & 0] 1 State: [t] 1 \"one\" {0} 1 --END--\n");
  EXPECT_EQ(automaton.propositions, (std::vector<std::string>{"a", "b \"c\""}));
  ASSERT_EQ(automaton.states.size(), 2u);
  EXPECT_EQ(automaton.states[0], (std::vector<Edge>{{{0, 1}, 0, 0}, {{2, 0}, 0, 0}, {{1, 2}, 1, 0}}));
  EXPECT_EQ(automaton.states[1], (std::vector<Edge>{{{}, 1, 1}}));
  EXPECT_TRUE(automaton.is_state_based());
}

TEST(ReadHoa, GeneralizedOnEdgesBecomesStateBased) {
  const Automaton automaton = hoa(kHead +
                                  "Acceptance: 3 (Inf(2)) & Inf(0)\n--BODY--\n"
                                  "State: 0 [0] 0 {0 1} [!0] 0 {2} State: 1 --END--");
  EXPECT_EQ(automaton.sets, 2u);
  EXPECT_EQ(automaton.states[0], (std::vector<Edge>{{{1, 0}, 0, 2}, {{0, 1}, 0, 1}}));
  const Automaton prepared = prepare(automaton);
  EXPECT_TRUE(prepared.is_state_based());
  EXPECT_EQ(prepared.sets, 1u);
  EXPECT_FALSE(reads(prepared, {1, 0}));
  Word both;
  both.letters = {0, 1};
  EXPECT_TRUE(accepts(prepared, both));
}

TEST(ReadHoa, ImplicitLabelsAndSeveralInitialStates) {
  const Automaton automaton =
      hoa("HOA: v1 Start: 0 Start: 1 AP: 1 \"a\" Acceptance: 1 Inf(0)\n--BODY--\n"
          "State: 0 {0} 2 0 State: 1 {0} 1 2 State: 2 2 2 --END--");
  EXPECT_TRUE(reads(automaton, {1}));
  EXPECT_TRUE(reads(automaton, {0}));
  EXPECT_FALSE(reads(automaton, {1, 0}));
  EXPECT_FALSE(reads(automaton, {0, 1}));
}

TEST(ReadHoa, Errors) {
  EXPECT_EQ(error("HOA: v2"), "a.hoa:1:6: error: expected version 'v1', found 'v2'\n  HOA: v2\n       ^\n");
  EXPECT_EQ(error(kHead + "--BODY-- --END--"),
            "a.hoa:5:1: error: the header has no 'Acceptance:'\n  --BODY-- --END--\n  ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Fin(0)\n--BODY--\n--END--"),
            "a.hoa:5:15: error: only Büchi and generalized Büchi acceptance are supported: Inf(0), Inf(0) & "
            "Inf(1), ...\n"
            "  Acceptance: 1 Fin(0)\n"
            "                ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[1] 0\n--END--"),
            "a.hoa:8:2: error: the number of a proposition must be less than 1\n  [1] 0\n   ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0 0\n--END--"),
            "a.hoa:8:4: error: expected ']', found '0'\n  [0 0\n     ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[@b] 0\n--END--"),
            "a.hoa:8:2: error: the alias '@b' is not declared\n  [@b] 0\n   ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 7\n--END--"),
            "a.hoa:8:5: error: the number of a state must be less than 2\n  [0] 7\n      ^\n");
  EXPECT_EQ(error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0&1\n--END--"),
            "a.hoa:8:6: error: alternating automata are not supported\n  [0] 0&1\n       ^\n");
  EXPECT_EQ(
      error(kHead + "Acceptance: 1 Inf(0)\n--BODY--\nState: 0\n[0] 0"),
      "a.hoa:8:6: error: expected 'State:' or '--END--', found the end of the file\n  [0] 0\n       ^\n");
  EXPECT_EQ(error(kHead + "Transitions: 3\n"),
            "a.hoa:5:1: error: the header 'Transitions:' is not supported\n  Transitions: 3\n  ^\n");
}

TEST(ReadHoa, NothingCrashes) {
  const std::string text =
      kHead + "Alias: @x 0|!0 Acceptance: 1 Inf(0)\n--BODY--\nState: 0 {0} [@x] 1\nState: 1 [t] 0\n--END--";
  for (size_t i = 0; i < text.size(); ++i) {
    for (const std::string& broken : {text.substr(0, i), text.substr(0, i) + text.substr(i + 1)}) {
      const SourceFile file("a.hoa", broken);
      const Result<Automaton> automaton = read_hoa(file);
      if (automaton.ok()) (void)prepare(*automaton);
    }
  }
}

TEST(ReadNever, AsSpinWritesThem) {
  const Automaton automaton =
      hoa("never  {    /* p U q */\n"
          "T0_init:\n"
          "\tdo\n"
          "\t:: atomic { ((q)) -> assert(!((q))) }\n"
          "\t:: ((p)) -> goto T0_init\n"
          "\tod;\n"
          "accept_all:\n"
          "\tskip\n"
          "}\n");
  EXPECT_EQ(automaton.propositions, (std::vector<std::string>{"q", "p"}));
  EXPECT_EQ(prepare(automaton).states.size(), 2u);
  EXPECT_TRUE(reads(automaton, {2, 2, 1, 0}));
  EXPECT_FALSE(reads(automaton, {2, 0, 1}));
}

TEST(ReadNever, TheEmptyClaim) {
  const Automaton automaton = hoa("never  {\naccept_init:\nT0_init:\n\tdo\n\t:: false\n\tod;\n}\n");
  EXPECT_TRUE(prepare(automaton).states[0].empty());
}

TEST(ReadNever, AsOtherToolsWriteThem) {
  const Automaton automaton =
      hoa("#define p (x[1] < 3)\n"
          "never claim { // G !p, or so\n"
          "accept_init : /* initial */\n"
          "  if\n"
          "  :: (!p && !(y == 2 || (a) > 1)) -> goto accept_init;\n"
          "  fi;\n"
          "}\n");
  EXPECT_EQ(automaton.propositions, (std::vector<std::string>{"(x[1] < 3)", "y == 2", "(a) > 1"}));
  EXPECT_EQ(automaton.states[0], (std::vector<Edge>{{{0, 7}, 0, 1}}));
}

TEST(ReadNever, Errors) {
  EXPECT_EQ(error("never { T0: if :: (p) -> goto T1 fi }"),
            "a.hoa:1:31: error: there is no label 'T1'\n"
            "  never { T0: if :: (p) -> goto T1 fi }\n"
            "                                ^\n");
  EXPECT_EQ(error("never {\nT0:\n\tif\n\t:: (p -> goto T0\n\tfi\n}"),
            "a.hoa:4:5: error: the parenthesis is not closed\n  \t:: (p -> goto T0\n  \t   ^\n");
  EXPECT_EQ(error("nevr { }"),
            "a.hoa:1:1: error: expected 'never' or 'HOA:', found 'nevr'\n  nevr { }\n  ^\n");
  EXPECT_EQ(error("never { T0: if :: -> goto T0 fi }"),
            "a.hoa:1:19: error: expected a condition, found '-'\n"
            "  never { T0: if :: -> goto T0 fi }\n"
            "                    ^\n");
  EXPECT_EQ(error("never { T0: skip; T0: skip }"),
            "a.hoa:1:19: error: the label 'T0' is defined twice\n  never { T0: skip; T0: skip }\n            "
            "        ^\n");
  EXPECT_EQ(error("never { T0: run x }"),
            "a.hoa:1:13: error: expected a label, 'if', 'do', 'skip' or 'false', found 'run'\n"
            "  never { T0: run x }\n"
            "              ^\n");
}

TEST(ReadNever, NothingCrashes) {
  const std::string text =
      "#define p (x)\nnever { T0_init: do :: atomic { (p && !(q)) -> assert(!(p)) } :: (1) -> goto S od; "
      "accept_S: if :: (q[1] -> p) -> "
      "goto S; fi; skip }";
  for (size_t i = 0; i < text.size(); ++i) {
    for (const std::string& broken : {text.substr(0, i), text.substr(0, i) + text.substr(i + 1)}) {
      const SourceFile file("a.never", broken);
      const Result<Automaton> automaton = read_never(file);
      if (automaton.ok()) (void)prepare(*automaton);
    }
  }
}

}  // namespace
}  // namespace strata::ltl
