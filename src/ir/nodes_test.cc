#include "ir/nodes.h"

#include <gtest/gtest.h>

#include "ir/dump.h"

namespace strata::ir {
namespace {

Program tables() {
  Program program;
  program.types.push_back({"integer", ScalarType{{{INT64_MIN, INT64_MAX, {}, {}}}, false}});
  program.types.push_back({"boolean", ScalarType{{{0, 1, {"false", "true"}, {}}}, true}});
  program.types.push_back({"row", ArrayType{kBoolean, kInteger}});
  program.types.push_back({"table", RecordType{{{"size", kInteger}, {"rows", 2}}}});
  program.state.push_back({"t", 3, {}});
  return program;
}

TEST(Nodes, PlacesHaveTheTypeOfTheirLastPart) {
  const Program program = tables();
  auto place = state_place(program, 0, {4, 2});
  EXPECT_EQ(place->type, 3u);
  EXPECT_EQ(place->text, "t");
  select_field(*place, 1, 2);
  EXPECT_EQ(place->type, 2u);
  select_element(*place, make_constant(1, kBoolean, {}), kInteger);
  const ExprPtr read = read_place(std::move(place));
  EXPECT_EQ(read->type, kInteger);
  EXPECT_EQ(read->position, (SourcePosition{4, 2}));
  ASSERT_EQ(read->place->path.size(), 2u);
  EXPECT_EQ(read->place->path[0].index, nullptr);
  EXPECT_EQ(read->place->path[1].index->value, 1);
}

TEST(Nodes, LocalsAreNumberedByTheCaller) {
  const Local local{Local::Kind::iterator, "i", kBoolean};
  const auto place = local_place(7, local, {});
  EXPECT_EQ(place->root, Place::Root::local);
  EXPECT_EQ(place->id, 7u);
  EXPECT_EQ(place->type, kBoolean);
  EXPECT_EQ(place->text, "i");
}

TEST(Nodes, AnAssignmentAsText) {
  Program program = tables();
  program.state.push_back({"n", kInteger, {}});
  Rule start;
  start.name = "s";
  ExprPtr sum = make_binary(ExprOp::add, kInteger, read_place(state_place(program, 1, {})),
                            make_constant(2, kInteger, {}), {});
  start.body.push_back(make_assignment(state_place(program, 1, {}), std::move(sum), {}));
  program.starts.push_back(std::move(start));
  EXPECT_NE(dump(program).find("n := (n + 2)"), std::string::npos) << dump(program);
}

}  // namespace
}  // namespace strata::ir
