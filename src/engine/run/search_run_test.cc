#include "engine/run/search_run.h"

#include <gtest/gtest.h>

#include "engine/ranks/byte_text.h"
#include "model/testing/explicit_graph.h"

namespace strata {
namespace {

class SearchRunTest : public testing::Test {
 protected:
  SearchRunTest() : graph_(one_node()) { options_.memory = 16 << 20; }

  static Graph one_node() {
    Graph graph;
    graph.nodes.resize(1);
    graph.initial = {0};
    return graph;
  }

  const ExplicitGraphModel graph_;
  SearchOptions options_;
  ProgressBoard progress_;
  const std::atomic<bool> stop_{false};
  const SearchContext context_{graph_, options_, progress_, stop_};
};

// A refused charge leaves no trace: asking again is refused again, and nothing counts as drawn.
TEST_F(SearchRunTest, ARefusedChargeDrawsNothing) {
  SearchRun run(context_);
  ASSERT_TRUE(run.start(100).ok());
  const uint64_t drawn = run.plan_input().drawn, used = run.budget.used();
  const uint64_t too_many = options_.memory;
  EXPECT_FALSE(run.charge(run.worker(0), too_many));
  EXPECT_EQ(run.plan_input().drawn, drawn);
  EXPECT_EQ(run.budget.used(), used);
  EXPECT_FALSE(run.charge(run.worker(0), too_many));
  EXPECT_TRUE(run.charge(run.worker(0), 200));
  EXPECT_EQ(run.plan_input().drawn, 2 * drawn);
  EXPECT_EQ(run.budget.used(), 2 * used);
  EXPECT_TRUE(run.charge(run.worker(0), 100));
  EXPECT_EQ(run.budget.used(), 2 * used);
}

// The checkpoint was made after the last expansion, with an error: the resumed search has no level to end.
TEST_F(SearchRunTest, WhatAThreadHasFoundIsInTheResultWithoutTheEndOfALevel) {
  SearchRun run(context_);
  ASSERT_TRUE(run.start(100).ok());
  const uint8_t state[8] = {};
  Failure failure;
  failure.kind = Failure::Kind::deadlock;
  run.worker(0).findings.add(0, failure, state, graph_.info().state_bytes);
  const Result<SearchResult> result = run.finish({1, {}, {}}, nullptr);
  ASSERT_TRUE(result.ok()) << result.status().message();
  EXPECT_EQ(result->verdict, Verdict::deadlock);
  EXPECT_EQ(result->counterexamples.size(), 1u);
}

TEST(ByteTextTest, ReadsWhatWasAppended) {
  std::string text;
  append_value(text, uint64_t{3});
  append_bytes(text, "abc", 3);
  append_value(text, uint32_t{7});
  ByteText reader(text);
  std::string word(reader.count(), ' ');
  reader.read(word.data(), word.size());
  EXPECT_EQ(word, "abc");
  EXPECT_EQ(reader.value<uint32_t>(), 7u);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(reader.value<uint32_t>(), 0u);
}

TEST(ByteTextTest, ATextThatIsTooShortIsAtItsEnd) {
  std::string text;
  append_value(text, uint64_t{100});
  append_bytes(text, "abc", 3);
  ByteText reader(text);
  EXPECT_EQ(reader.count(), 0u);
  EXPECT_TRUE(reader.at_end());
}

}  // namespace
}  // namespace strata
