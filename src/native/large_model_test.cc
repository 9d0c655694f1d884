// A model whose text is compiled in parts, by every compiler that is installed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "native/emit/emit.h"
#include "native/native.h"

namespace strata::native {
namespace {

constexpr int64_t kCells = 50, kValues = 3;
constexpr ir::TypeId kIndex = 2, kValue = 3, kRow = 4;

ir::ExprPtr constant(int64_t value) {
  auto e = std::make_unique<ir::Expr>();
  e->value = value;
  e->type = ir::kInteger;
  return e;
}

std::unique_ptr<ir::Place> cell(int64_t index) {
  auto place = std::make_unique<ir::Place>();
  place->type = kValue;
  place->path.push_back({0, constant(index)});
  return place;
}

ir::ExprPtr cell_is(int64_t index, int64_t value) {
  auto read = std::make_unique<ir::Expr>();
  read->op = ir::ExprOp::read;
  read->type = kValue;
  read->place = cell(index);
  auto e = std::make_unique<ir::Expr>();
  e->op = ir::ExprOp::equal;
  e->type = ir::kBoolean;
  e->args.push_back(std::move(read));
  e->args.push_back(constant(value));
  return e;
}

// row: array [0..49] of 0..2; for each cell and value a rule that raises the cell from the value, and one
// that lowers it.
ir::Program wide_program() {
  ir::Program p;
  p.types.resize(5);
  p.types[ir::kBoolean].shape = ir::ScalarType{{{0, 1, {}, ""}}, false};
  p.types[kIndex].shape = ir::ScalarType{{{0, kCells - 1, {}, ""}}, false};
  p.types[kValue].shape = ir::ScalarType{{{0, kValues - 1, {}, ""}}, false};
  p.types[kRow].shape = ir::ArrayType{kIndex, kValue};
  p.state.push_back({"row", kRow, {}});
  for (int64_t i = 0; i < kCells * (kValues - 1) * 2; ++i) {
    const int64_t index = i % kCells, low = i / kCells % (kValues - 1), lowers = i / kCells / (kValues - 1);
    ir::Rule rule;
    rule.guard = cell_is(index, low + lowers);
    ir::Stmt assign;
    assign.op = ir::StmtOp::assign;
    assign.place = cell(index);
    assign.value = constant(low + 1 - lowers);
    rule.body.push_back(std::move(assign));
    p.rules.push_back(std::move(rule));
  }
  p.starts.resize(1);
  return p;
}

class LargeModel : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/strata-large-model-XXXXXX";
    folder_ = ::mkdtemp(pattern);
    if (const char* cxx = std::getenv("CXX")) saved_ = cxx;
    ::setenv("CXX", GetParam(), 1);
  }
  void TearDown() override {
    std::filesystem::remove_all(folder_);
    if (saved_.empty())
      ::unsetenv("CXX");
    else
      ::setenv("CXX", saved_.c_str(), 1);
  }
  std::string folder_, saved_;
};

TEST_P(LargeModel, IsCompiledInPartsAndExpands) {
  if (std::system((std::string("command -v ") + GetParam() + " >/dev/null").c_str()) != 0)
    GTEST_SKIP() << GetParam() << " is not installed";
  ASSERT_GT(emit(wide_program()).parts, 1u);
  LoadOptions options;
  options.cache_dir = folder_;
  const auto model = load(wide_program(), options);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const ModelInfo& info = (*model)->info();
  Expansion out(info, info.max_successors);
  (*model)->starts(out, [] {});
  ASSERT_EQ(out.count, 1u);
  std::vector<uint8_t> state(out.successor(0), out.successor(0) + out.state_bytes);
  out.reset();
  (*model)->expand(state.data(), 1, out);
  EXPECT_EQ(out.count, static_cast<uint64_t>(kCells));
  state.assign(out.successor(0), out.successor(0) + out.state_bytes);
  out.reset();
  (*model)->expand(state.data(), 1, out);
  EXPECT_EQ(out.count, static_cast<uint64_t>(kCells + 1));  // one cell can go both ways
  EXPECT_TRUE(out.failures.empty());
}

INSTANTIATE_TEST_SUITE_P(Compilers, LargeModel, ::testing::Values("g++", "clang++-14"),
                         [](const auto& compiler) {
                           return std::string(compiler.param).substr(0, 3) == "g++" ? "gcc" : "clang";
                         });

}  // namespace
}  // namespace strata::native
