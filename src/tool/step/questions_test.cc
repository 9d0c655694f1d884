#include "tool/step/questions.h"

#include <gtest/gtest.h>

#include "ir/layout.h"
#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

// What the functions compute does not depend on the state, in which all is undefined or zero.
constexpr const char* kModel = R"(
const N: 3;
type Small: 0..7; Colour: enum { Red, Green, Blue }; Id: scalarset(3); Any: union { Id, Colour };
  Pair: record left: Small; right: Colour; end; Row: array [Colour] of Small;
var x: Small; pair: Pair; row: Row; bag: multiset [4] of Small;
function sum(n: Small): 0..100; var total: 0..100;
begin total := 0; for i := 1 to n do total := total + i; end; return total; end;
function down(n: Small): 0..100; var k: Small; rounds: 0..100;
begin k := n; rounds := 0; while k > 0 do k := k - 1; rounds := rounds + 1; end; return rounds; end;
function nothing(n: Small): Small; begin if n = 0 then return 1; end; end;
function deep(n: Small): Small; begin return n = 0 ? 0 : deep(n - 1) + 1; end;
function made(n: Small): Pair; var p: Pair; begin p.left := n; p.right := Blue; return p; end;
function sorted(): Row; var r: Row; begin for c: Colour do r[c] := 2; end; r[Green] := 5; return r; end;
function named(n: Small): Small; var p: Pair;
begin alias place: p.left; value: n + 1 do place := value; end; return p.left; end;
function chosen(n: Small): Colour;
begin switch n case 0: return Red; case 1, 2: return Green; else return Blue; end; end;
function cleared(): Pair; var p: Pair; begin clear p; return p; end;
function many(): 0..100; var m: multiset [3] of Small;
begin for i: 0..2 do multisetadd(2 - i, m); end; multisetremovepred(k: m, m[k] = 1);
  return multisetcount(k: m, true) * 10 + multisetcount(k: m, m[k] > 1); end;
function full(): Small; var m: multiset [1] of Small;
begin multisetadd(1, m); multisetadd(1, m); return 0; end;
startstate x := 0; end;
rule "grow" x < 7 & !isundefined(x) ==> x := x + 1; end;
)";

class QuestionsTest : public testing::Test {
 protected:
  QuestionsTest() {
    options_.model = "questions.m";
    options_.input = SourceFile("questions.m", kModel);
    Result<Questions> made = Questions::about(options_);
    EXPECT_TRUE(made.ok()) << made.status().message();
    questions_ = std::make_unique<Questions>(std::move(*made));
    state_.resize((ir::state_bits(*questions_->program()) + 7) / 8 + 16);
  }

  // The value as text, with its parts, or the message of the error.
  std::string ask(const std::string& expression) {
    const Result<Value> value = questions_->evaluate(expression, state_.data());
    if (!value.ok()) return value.status().message();
    std::string text;
    for (const Leaf& leaf : leaves(*value))
      text += (text.empty() ? "" : " ") + (leaf.path.empty() ? "" : leaf.path + ":") + leaf.text;
    return text;
  }

  Options options_;
  std::unique_ptr<Questions> questions_;
  std::vector<uint8_t> state_;
};

TEST_F(QuestionsTest, Operators) {
  const std::pair<const char*, const char*> cases[] = {
      {"1 + 2 * 3", "7"},
      {"-7 / 2", "-3"},
      {"-7 % 2", "-1"},
      {"2 - 5", "-3"},
      {"1 / 0", "division by zero"},
      {"9223372036854775807 + 1", "integer overflow"},
      {"1 < 2 & 2 <= 2 & 3 > 2 & 2 >= 2", "true"},
      {"1 = 2 | 1 != 2", "true"},
      {"false -> 1 / 0 = 1", "true"},
      {"true ? Red : Blue", "Red"},
      {"forall c: Colour do c = Red | c != Red end", "true"},
      {"exists i: 1..3 do i * i = 9 end", "true"},
      {"exists i := 1 to 9 by 2 do i = 4 end", "false"},
      {"ismember(Red, Colour)", "true"},
      {"!(1 = 1)", "false"},
  };
  for (const auto& [expression, value] : cases) EXPECT_EQ(ask(expression), value) << expression;
}

TEST_F(QuestionsTest, UndefinedParts) {
  EXPECT_EQ(ask("x + 1"), "x is read but undefined");
  EXPECT_EQ(ask("isundefined(x)"), "true");
  EXPECT_EQ(ask("pair"), "left:Undefined right:Undefined");
  EXPECT_EQ(ask("row"), "[Red]:Undefined [Green]:Undefined [Blue]:Undefined");
  EXPECT_EQ(ask("bag"), "");
  EXPECT_EQ(ask("multisetcount(k: bag, true)"), "0");
}

TEST_F(QuestionsTest, Functions) {
  const std::pair<const char*, const char*> cases[] = {
      {"sum(4)", "10"},
      {"down(5)", "5"},
      {"deep(6)", "6"},
      {"nothing(0)", "1"},
      {"nothing(1)", "function nothing ended without returning a value"},
      {"sum(8)", "8 is not in 0..7 for n"},
      {"made(3)", "left:3 right:Blue"},
      {"made(3) = made(3)", "true"},
      {"made(3) = made(4)", "false"},
      {"sorted()", "[Red]:2 [Green]:5 [Blue]:2"},
      {"named(6)", "7"},
      {"named(7)", "8 is not in 0..7 for place"},
      {"chosen(0)", "Red"},
      {"chosen(2)", "Green"},
      {"chosen(7)", "Blue"},
      {"cleared()", "left:0 right:Red"},
      {"many()", "21"},
      {"full()", "multiset m is full"},
  };
  for (const auto& [expression, value] : cases) EXPECT_EQ(ask(expression), value) << expression;
}

TEST_F(QuestionsTest, MistakesAreShown) {
  EXPECT_EQ(ask("1 +"),
            "expression:1:4: error: expected an expression, found the end of the file\n  1 +\n     ^\n");
  EXPECT_FALSE(questions_->understand("unknown").ok());
  EXPECT_TRUE(questions_->understand("x = 1").ok());
  EXPECT_EQ(questions_->holds("Red", state_.data()).status().message(), "'Red' is not a condition");
}

TEST_F(QuestionsTest, APartOfAGuardThatCannotBeEvaluatedSaysWhy) {
  const std::vector<ir::GuardPart> parts = questions_->guard(0, 0, state_.data());
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].text, "x < 7");
  EXPECT_FALSE(parts[0].holds);
  EXPECT_EQ(parts[0].failure, "x is read but undefined");
  EXPECT_EQ(parts[1].holds, false);
}

TEST(Questions, ExpressionsAboutASharedObjectAreOverItsShownValues) {
  Options options;
  options.model = "model.so";
  Result<Questions> questions = Questions::about(options);
  ASSERT_TRUE(questions.ok());
  Graph graph;
  graph.nodes.resize(2);
  graph.initial = {0};
  const ExplicitGraphModel model(graph);
  questions->show_values_of(model);
  std::vector<uint8_t> state(model.info().state_bytes);
  model.encode(1, state.data());
  const std::string variable = model.info().variables.front().name;
  EXPECT_EQ(questions->evaluate(variable + " + 1", state.data())->number, 2);
  EXPECT_TRUE(*questions->holds(variable + " = 1", state.data()));
  EXPECT_FALSE(questions->understand("nosuch.x").ok());
  EXPECT_EQ(questions->program(), nullptr);
}

}  // namespace
}  // namespace strata
