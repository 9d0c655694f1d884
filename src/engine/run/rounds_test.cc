// Rounds of a rank that is alone, and of one whose other rank the test scripts. Rounds of real ranks are tested with
// the searches (property/answer/share_search_test.cc).
#include "engine/run/rounds.h"

#include <gtest/gtest.h>

#include "engine/ranks/joint.h"
#include "engine/run/search_run.h"
#include "engine/run/testing/scripted_ranks.h"
#include "model/testing/explicit_graph.h"
#include "view/share/shared_model.h"

namespace strata {
namespace {

Graph two_nodes() {
  Graph graph;
  graph.nodes.resize(2);
  graph.nodes[0].edges = {{1, 0, false}};
  graph.initial = {0};
  return graph;
}

struct Setting {
  Setting() { options.memory = 16 << 20; }

  const ExplicitGraphModel graph{two_nodes()};
  SearchOptions options;
  ProgressBoard progress;
  std::atomic<bool> stop{false};
  const SearchContext context{graph, options, progress, stop};
};

TEST(RoundsTest, AloneNobodyIsWaitedFor) {
  Setting setting;
  SearchRun run(setting.context);
  ASSERT_TRUE(run.start(100).ok());
  Rounds& rounds = run.rounds();
  EXPECT_FALSE(rounds.receive(run.worker(0)));
  EXPECT_FALSE(rounds.finds_whole_states());
  EXPECT_TRUE(rounds.drain([](SearchWorker&) { return false; }));
  EXPECT_TRUE(rounds.another_level(true));
  EXPECT_EQ(rounds.place(), Rounds::Place::in_level);
  EXPECT_FALSE(rounds.end_round(false));
  EXPECT_EQ(rounds.place(), Rounds::Place::between_levels);
  EXPECT_FALSE(rounds.another_level(false));
  EXPECT_EQ(rounds.place(), Rounds::Place::ended);
  EXPECT_EQ(run.stopped(), StopReason::none);
}

TEST(RoundsTest, AloneASearchThatHasToEndHasNoFurtherLevel) {
  Setting setting;
  SearchRun run(setting.context);
  ASSERT_TRUE(run.start(100).ok());
  run.fail(Status::limit("too small"));
  EXPECT_FALSE(run.rounds().another_level(true));
  run.rounds().end_together();
  EXPECT_EQ(run.trouble().message(), "too small");
}

// A rank of a divided model, with scripted ranks.
class RoundsWithOthersTest : public testing::Test {
 protected:
  RoundsWithOthersTest()
      : transport_(cluster::Transport::alone()),
        exchange_(*transport_),
        shared_(setting_.graph, exchange_, SharedModel::Sizes(), StateOwner(1)),
        context_{shared_, setting_.options, setting_.progress, setting_.stop},
        memory_(setting_.options, shared_.info(), 0),
        budget_(setting_.options.memory),
        limits_(setting_.stop, {}, ranks_),
        saving_(nullptr, limits_, ranks_, setting_.progress),
        result_(context_, ranks_, limits_, memory_, budget_, threads_),
        rounds_(context_, ranks_, limits_, saving_, result_, threads_) {}

  Setting setting_;
  const std::unique_ptr<cluster::Transport> transport_;
  cluster::Exchange exchange_;
  const SharedModel shared_;
  const SearchContext context_;
  ScriptedRanks ranks_;
  const RunMemory memory_;
  const MemoryBudget budget_;
  SearchThreads threads_;
  RunLimits limits_;
  Saving saving_;
  RunResult result_;
  Rounds rounds_;
};

TEST_F(RoundsWithOthersTest, ALevelGoesOnWhereAnotherRankHasStates) {
  EXPECT_TRUE(rounds_.finds_whole_states());
  ranks_.others_largest = {1};
  EXPECT_TRUE(rounds_.another_level(false));
  EXPECT_TRUE(rounds_.end_round(false));
  ranks_.others_largest = {};
  EXPECT_FALSE(rounds_.end_round(false));
  EXPECT_FALSE(rounds_.another_level(false));
}

TEST_F(RoundsWithOthersTest, AllRanksStopForTheFirstTrouble) {
  ranks_.others_largest = {1, static_cast<uint64_t>(StopReason::disk)};
  ranks_.other_text = {static_cast<char>(StatusCode::disk_full), static_cast<char>(Reason::disk_full)};
  ranks_.other_text += "full";
  EXPECT_FALSE(rounds_.another_level(true));
  EXPECT_EQ(limits_.stopped(), StopReason::disk);
  EXPECT_EQ(limits_.trouble().message(), "rank 1: full");
  EXPECT_EQ(limits_.trouble().reason(), Reason::disk_full);
}

TEST_F(RoundsWithOthersTest, ARankThatEndsEarlyKeepsInStep) {
  ASSERT_TRUE(rounds_.another_level(true));
  limits_.fail(Status::system("broken"));
  rounds_.end_together();
  EXPECT_EQ(rounds_.place(), Rounds::Place::ended);
  EXPECT_EQ(limits_.trouble().message(), "rank 0: broken");
}

TEST_F(RoundsWithOthersTest, ARankThatLeavesTooEarlyIsABug) {
  rounds_.end_together();
  EXPECT_EQ(rounds_.place(), Rounds::Place::ended);
  EXPECT_EQ(limits_.trouble().code(), StatusCode::internal);
}

TEST(SoloTest, AgreesWithItself) {
  const std::unique_ptr<SearchRanks> solo = make_ranks(nullptr);
  EXPECT_EQ(solo->count(), 1u);
  uint64_t value = 7;
  solo->sum({&value, 1});
  solo->largest({&value, 1});
  EXPECT_EQ(value, 7u);
  EXPECT_EQ(solo->least(7), 7u);
  EXPECT_TRUE(solo->any(true));
  EXPECT_FALSE(solo->any(false));
  EXPECT_EQ(solo->all("own"), std::vector<std::string>{"own"});
  EXPECT_EQ(solo->named(0, "text"), "text");
  solo->call_end();
  EXPECT_EQ(solo->heard(), SearchRanks::Heard::nothing);
  EXPECT_TRUE(solo->end_round().ok());
}

}  // namespace
}  // namespace strata
