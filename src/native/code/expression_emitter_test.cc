#include "native/code/expression_emitter.h"

#include <gtest/gtest.h>

namespace strata::native {
namespace {

constexpr ir::TypeId kSix = 2, kTen = 3, kRow = 4, kCells = 5;

// var x: 1..6; row: array [1..6] of 0..9; a function that returns a multiset of 0..9
class ExpressionEmitterTest : public ::testing::Test {
 protected:
  static ir::Program make_program() {
    ir::Program p;
    p.types.resize(6);
    p.types[ir::kBoolean].shape = ir::ScalarType{{{0, 1, {}, ""}}, true};
    p.types[kSix].shape = ir::ScalarType{{{1, 6, {}, ""}}, true};
    p.types[kTen].shape = ir::ScalarType{{{0, 9, {}, ""}}, false};
    p.types[kRow].shape = ir::ArrayType{kSix, kTen};
    p.types[kCells].shape = ir::MultisetType{3, kTen};
    p.state = {{"x", kSix, {}}, {"row", kRow, {}}};
    p.functions.resize(1);
    p.functions[0].result = kCells;
    return p;
  }
  static ir::ExprPtr constant(int64_t value) {
    auto e = std::make_unique<ir::Expr>();
    e->value = value;
    return e;
  }
  static ir::ExprPtr read(ir::Place place) {
    auto e = std::make_unique<ir::Expr>();
    e->op = ir::ExprOp::read;
    e->type = place.type;
    e->place = std::make_unique<ir::Place>(std::move(place));
    return e;
  }
  static ir::ExprPtr x() {
    ir::Place place;
    place.type = kSix;
    place.text = "x";
    return read(std::move(place));
  }
  static ir::ExprPtr row_at(ir::ExprPtr index) {
    ir::Place place;
    place.id = 1;
    place.type = kTen;
    place.text = "row[]";
    place.path.push_back({0, std::move(index)});
    return read(std::move(place));
  }
  static ir::ExprPtr add(ir::ExprPtr a, ir::ExprPtr b) {
    auto e = std::make_unique<ir::Expr>();
    e->op = ir::ExprOp::add;
    e->args.push_back(std::move(a));
    e->args.push_back(std::move(b));
    return e;
  }

  const ir::Program program_ = make_program();
  const CppTypes types_{program_};
  const std::vector<ir::Local> locals_ = {{ir::Local::Kind::iterator, "i", kTen}};
  Scope scope_{program_, locals_};
  Output out_, packed_out_{Target(), PlaceForm(PlaceForm::Kind::packed)};
  FailureSites& sites_ = out_.sites;
  ExpressionEmitter emitter_{program_, types_, scope_, out_};
  ExpressionEmitter packed_{program_, types_, scope_, packed_out_};
};

TEST_F(ExpressionEmitterTest, AVariableThatMayBeUndefinedIsChecked) {
  EXPECT_EQ(emitter_.expression(*x()), "read(state.v0_x, 0ll, 0)");
  const std::vector<Site> sites = sites_.take();
  ASSERT_EQ(sites.size(), 1u);
  EXPECT_EQ(sites[0].kind, Site::Kind::undefined);
  EXPECT_EQ(sites[0].text, "x");
}

TEST_F(ExpressionEmitterTest, AnIndexIsCheckedOnlyWhereItMayLieOutside) {
  EXPECT_EQ(emitter_.expression(*row_at(constant(6))), "(i64)state.v1_row.e[6ll - 1ll]");
  EXPECT_EQ(sites_.size(), 0u);
  EXPECT_EQ(emitter_.expression(*row_at(constant(7))), "(i64)state.v1_row.e[index_of(7ll, 1ll, 6, 0)]");
  EXPECT_EQ(sites_.size(), 1u);
}

TEST_F(ExpressionEmitterTest, InThePackedFormPartsArePlaces) {
  EXPECT_EQ(packed_.expression(*x()), "read(state.v0_x(), 0ll, 0)");
  EXPECT_EQ(packed_.expression(*row_at(constant(6))), "(i64)state.v1_row().e(6ll - 1ll)");
}

TEST_F(ExpressionEmitterTest, WhatIsKnownOfAnIteratorSavesTheCheck) {
  ir::Place i;
  i.root = ir::Place::Root::local;
  i.type = kTen;
  const ir::ExprPtr cell = row_at(read(std::move(i)));
  EXPECT_EQ(emitter_.expression(*cell), "(i64)state.v1_row.e[index_of(l0, 1ll, 6, 0)]");
  scope_.bind(0, {2, 3});
  EXPECT_EQ(emitter_.expression(*cell), "(i64)state.v1_row.e[l0 - 1ll]");
}

TEST_F(ExpressionEmitterTest, AnAssignedValueIsCheckedOnlyWhereItMayLieOutside) {
  EXPECT_EQ(emitter_.encode(kSix, *constant(3), "x", {}), "(t1)(3ll + 0ll)");
  EXPECT_EQ(sites_.size(), 0u);
  EXPECT_EQ(emitter_.encode(kSix, *add(constant(6), constant(1)), "x", {}),
            "(t1)encode((6ll + 1ll), 1ll, 6ll, 1, 0)");
}

TEST_F(ExpressionEmitterTest, OverflowIsCheckedOnlyWhereItIsPossible) {
  EXPECT_EQ(emitter_.expression(*add(constant(INT64_MAX), constant(0))), "(9223372036854775807ll + 0ll)");
  EXPECT_EQ(emitter_.expression(*add(constant(INT64_MAX), constant(1))),
            "add(9223372036854775807ll, 1ll, 0)");
}

TEST_F(ExpressionEmitterTest, AnElementOfWhatAFunctionReturnsIsCopied) {
  ir::Place place;
  place.root = ir::Place::Root::value;
  place.value = std::make_unique<ir::Expr>();
  place.value->op = ir::ExprOp::call;
  place.value->type = kCells;
  place.type = kTen;
  place.path.push_back({0, constant(2)});
  EXPECT_EQ(emitter_.expression(*read(std::move(place))),
            "(i64)({ auto m0 = function0(state); m0.e[used_slot(m0.used, 2ll, 3, 0)]; })");
}

}  // namespace
}  // namespace strata::native
