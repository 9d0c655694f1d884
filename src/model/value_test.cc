#include "model/value.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

Value integer(int64_t number) {
  Value value;
  value.kind = Value::Kind::integer;
  value.number = number;
  return value;
}

Value composed(Value::Kind kind, std::vector<std::pair<std::string, Value>> members) {
  Value value;
  value.kind = kind;
  value.members = std::move(members);
  return value;
}

TEST(ValueTest, TextOfScalars) {
  EXPECT_EQ("Undefined", Value().text());
  EXPECT_EQ("-3", integer(-3).text());
  Value value;
  value.kind = Value::Kind::boolean;
  EXPECT_EQ("false", value.text());
  value.number = 1;
  EXPECT_EQ("true", value.text());
  value.kind = Value::Kind::symbol;
  value.symbol = "Proc_1";
  EXPECT_EQ("Proc_1", value.text());
}

TEST(ValueTest, LeavesHaveMurphiPaths) {
  const Value cell = composed(Value::Kind::record, {{"state", integer(1)}, {"data", Value()}});
  const Value cache = composed(Value::Kind::array, {{"Proc_1", cell}});
  const Value bag =
      composed(Value::Kind::multiset, {{"0", composed(Value::Kind::record, {{"x", integer(7)}})}});
  const Value state = composed(Value::Kind::record, {{"cache", cache}, {"m", bag}, {"n", integer(2)}});
  std::string text;
  for (const Leaf& leaf : leaves(state)) text += leaf.path + ":" + leaf.text + "\n";
  EXPECT_EQ("cache[Proc_1].state:1\ncache[Proc_1].data:Undefined\nm{0}.x:7\nn:2\n", text);
}

}  // namespace
}  // namespace strata
