#include "report/shown/shown_expression.h"

#include <gtest/gtest.h>

#include "report/testing/fake_model.h"

namespace strata {
namespace {

Value state() {
  const Value row = compound(Value::Kind::array, {{"1", symbol("Idle")}, {"2", symbol("Busy")}});
  const Value pair = compound(Value::Kind::record, {{"left", number(3)}, {"row", row}});
  return compound(Value::Kind::record, {{"n", number(7)},
                                        {"on", boolean(true)},
                                        {"Sender->bit", number(1)},
                                        {"process 0", symbol("idle")},
                                        {"pair", pair},
                                        {"none", undefined()},
                                        {"nn", number(8)}});
}

std::vector<std::string> names() {
  std::vector<std::string> names;
  for (const auto& [name, value] : state().members) names.push_back(name);
  return names;
}

// The value as text, or the message of the error.
std::string ask(const std::string& text) {
  const Result<ShownExpression> read = ShownExpression::read(text, names());
  if (!read.ok()) return read.status().message();
  const Result<Value> value = read->evaluate(state());
  return value.ok() ? value->text() : value.status().message();
}

TEST(ShownExpression, Values) {
  const std::pair<const char*, const char*> cases[] = {
      {"n", "7"},
      {"nn", "8"},
      {"n + nn * 2 - 1", "22"},
      {"(n + nn) * 2", "30"},
      {"-n", "-7"},
      {"- -n % 4", "3"},
      {"pair.left", "3"},
      {"pair.row[1]", "Idle"},
      {"pair.row[pair.left - 1]", "Busy"},
      {"Sender->bit + 1", "2"},
      {"process 0", "idle"},
      {"none", "Undefined"},
      {"on", "true"},
      {"n = 7 & on", "true"},
      {"n == 7 && !(nn = 7)", "true"},
      {"n = 8 or on and not on", "false"},
      {"n != 7 | pair.row[2] = Busy", "true"},
      {"n > 7 -> 1 / 0 = 1", "true"},
      {"on implies n <= 7", "true"},
      {"on->on", "true"},
      {"process 0 = idle", "true"},
      {"process 0 != waiting", "true"},
      {"none = Undefined", "true"},
      {"n = Undefined", "false"},
      {"pair.row = pair.row", "true"},
      {"9223372036854775807", "9223372036854775807"},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(ask(text), value) << text;
}

TEST(ShownExpression, ValuesThatDoNotExist) {
  const std::pair<const char*, const char*> cases[] = {
      {"n / 0", "n / 0: division by zero"},
      {"n % 0", "n % 0: division by zero"},
      {"9223372036854775807 + 1", "9223372036854775807 + 1: integer overflow"},
      {"none + 1", "none + 1: none is undefined"},
      {"on + 1", "on + 1: 'on' is not a number"},
      {"n & on", "n & on: 'n' is not a condition"},
      {"n = Idle", "n = Idle: 'n' and 'Idle' are values of different kinds"},
      {"pair.right", "pair.right: pair has no part 'right'"},
      {"pair.row[3]", "pair.row[3]: pair.row has no part '3'"},
  };
  for (const auto& [text, message] : cases) EXPECT_EQ(ask(text), message) << text;
}

TEST(ShownExpression, MistakesAreShown) {
  EXPECT_EQ(ask("n +"),
            "expression:1:4: error: expected an expression, found the end of the text\n  n +\n     ^\n");
  EXPECT_EQ(ask("(n"), "expression:1:3: error: expected ')'\n  (n\n    ^\n");
  EXPECT_EQ(ask("n n"), "expression:1:3: error: expected the end of the expression\n  n n\n    ^\n");
  EXPECT_EQ(ask("other.x"), "expression:1:1: error: the states have no variable 'other'\n  other.x\n  ^\n");
  EXPECT_EQ(ask("#"), "expression:1:1: error: expected an expression, found '#'\n  #\n  ^\n");
  for (const char* text : {"", "pair.", "pair[", "pair[1", "n = = 1", "99999999999999999999", "& n"})
    EXPECT_FALSE(ShownExpression::read(text, names()).ok()) << text;
}

TEST(ShownExpression, DeepNestingIsRefused) {
  for (const char* sign : {"(", "-", "!"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += sign;
    EXPECT_NE(ask(text + "n").find("within each other"), std::string::npos) << sign;
  }
}

TEST(ShownExpression, AConditionIsTrueOrFalse) {
  EXPECT_TRUE(*ShownExpression::read("n = 7", names())->holds(state()));
  EXPECT_FALSE(*ShownExpression::read("n = 8", names())->holds(state()));
  EXPECT_FALSE(ShownExpression::read("n", names())->holds(state()).ok());
}

}  // namespace
}  // namespace strata
