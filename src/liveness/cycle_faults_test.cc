// Every search for accepting cycles, on disks that fail, compared with the reference.
#include <gtest/gtest.h>

#include <string>

#include "liveness/testing/cycle_variants.h"
#include "search/testing/failing_disks.h"

namespace strata {
namespace {

class CycleFaultsTest : public testing::TestWithParam<Variant> {};

TEST_P(CycleFaultsTest, GiveTheRightAnswerOrAnError) {
  const Variant& variant = GetParam();
  FailingDiskTest test;
  test.make_model = [](Random& random) {
    return ExplicitGraphModel(accepting_graph(random.below(1000), true));
  };
  test.adapt_options = [](SearchOptions& options) {
    options.store = {};
    options.trace = true;
  };
  // A cycle may be found before the search for its path ends early.
  const auto expect_true = [](const ReferenceCycles& expected, const SearchResult& actual) {
    if (actual.verdict == Verdict::incomplete) return;
    EXPECT_EQ(Verdict::violated, actual.verdict);
    EXPECT_TRUE(expected.accepting_cycle);
  };
  test.at_end_by_disk = [&](const auto& model, const auto&, const auto& actual) {
    const ReferenceCycles expected = reference_cycles(model);
    EXPECT_LE(actual.states, expected.states);
    expect_true(expected, actual);
  };
  test.at_end_by_memory = [&](const auto& model, const auto&, const auto& actual) {
    expect_true(reference_cycles(model), actual);
  };
  test.at_answer = [&](const auto& model, const auto&, const auto& actual) {
    expect_same_cycles(model, reference_cycles(model), actual, variant);
  };
  // auto and ioemc have found most cycles before they need a disk: see ioemc_test.cc.
  const std::string name = variant.algorithm->name;
  test.seldom_needs_disk = name == "auto" || name == "ioemc";
  FailingDiskRuns(variant, test).run();
}

INSTANTIATE_TEST_SUITE_P(All, CycleFaultsTest, testing::ValuesIn(cycle_variants()),
                         [](const auto& test) { return test_name(test.param); });

}  // namespace
}  // namespace strata
