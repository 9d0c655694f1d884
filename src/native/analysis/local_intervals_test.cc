#include "native/analysis/local_intervals.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

constexpr ir::TypeId kDigit = 2;

ir::Program program_with_digits() {
  ir::Program p;
  p.types.resize(3);
  p.types[kDigit].shape = ir::ScalarType{{{0, 9, {}, ""}}, true};
  return p;
}

ir::Expr local_read(uint32_t local) {
  ir::Expr e;
  e.op = ir::ExprOp::read;
  e.type = kDigit;
  e.place = std::make_unique<ir::Place>();
  e.place->root = ir::Place::Root::local;
  e.place->id = local;
  e.place->type = kDigit;
  return e;
}

TEST(Scope, ParametersOfAFunctionHoldCodesAndOtherConstantsValues) {
  const ir::Program program = program_with_digits();
  const std::vector<ir::Local> locals = {{ir::Local::Kind::constant, "parameter", kDigit},
                                         {ir::Local::Kind::constant, "alias", kDigit},
                                         {ir::Local::Kind::iterator, "i", kDigit},
                                         {ir::Local::Kind::variable, "v", kDigit}};
  const Scope scope(program, locals, 1);
  EXPECT_FALSE(scope.holds_value(*local_read(0).place));
  EXPECT_TRUE(scope.holds_value(*local_read(1).place));
  EXPECT_TRUE(scope.holds_value(*local_read(2).place));
  EXPECT_FALSE(scope.holds_value(*local_read(3).place));
}

TEST(Scope, ABoundLocalLiesWhereItWasBound) {
  const ir::Program program = program_with_digits();
  const std::vector<ir::Local> locals = {{ir::Local::Kind::iterator, "i", kDigit}};
  Scope scope(program, locals);
  EXPECT_EQ(scope.interval(local_read(0)), (Interval{0, 9}));
  scope.bind(0, {3, 4});
  EXPECT_EQ(scope.interval(local_read(0)), (Interval{3, 4}));
  scope.bind_slot(0, 6);
  EXPECT_EQ(scope.interval(local_read(0)), (Interval{0, 5}));
}

TEST(Scope, ADomainSpansBothBoundsWhicheverIsLarger) {
  const ir::Program program = program_with_digits();
  const std::vector<ir::Local> none;
  ir::Domain down;
  down.from = std::make_unique<ir::Expr>();
  down.from->value = 7;
  down.to = std::make_unique<ir::Expr>();
  down.to->value = 2;
  EXPECT_EQ(Scope(program, none).interval(down), (Interval{2, 7}));
}

}  // namespace
}  // namespace strata::native
