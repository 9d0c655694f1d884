#include "tool/resume/run_checkpoints.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "liveness/cycle_algorithms.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST(CheckResumable, NamesTheSearchesThatCan) {
  Options options;
  const std::vector<Algorithm> rows = {{"one", "", "", trait::resumable, {}, nullptr, ""},
                                       {"two", "", "", trait::on_disk, {}, nullptr, ""},
                                       {"three", "", "", trait::resumable, {}, nullptr, ""},
                                       {"four", "", "", trait::cycles, {}, nullptr, ""}};
  EXPECT_TRUE(check_resumable(options, rows[1], rows).ok());
  options.checkpoint = "d";
  EXPECT_TRUE(check_resumable(options, rows[0], rows).ok());
  EXPECT_EQ(
      check_resumable(options, rows[1], rows).message(),
      "--checkpoint: the algorithm two cannot be resumed; choose one that can with --algorithm: one, three");
  EXPECT_EQ(check_resumable(options, rows[3], rows).message(),
            "--checkpoint: the algorithm four cannot be resumed; no search for cycles of this version can");
}

class RunCheckpointsTest : public testing::Test {
 protected:
  RunCheckpointsTest() {
    std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    options_.checkpoint = folder_ + "/a run";
  }
  ~RunCheckpointsTest() override { fs::remove_all(folder_); }

  SearchOptions open(RunCheckpoints& checkpoints) const {
    SearchOptions search;
    EXPECT_EQ(checkpoints.open(all_algorithms().front(), ModelInfo(), {}, search).message(), "");
    return search;
  }
  static SearchResult ended(StopReason stop, uint64_t states) {
    SearchResult result;
    result.stop = stop;
    result.states = states;
    return result;
  }
  std::string command() const { return "\nResume with: strata resume '" + options_.checkpoint + "'\n"; }
  bool is_empty() const { return fs::is_empty(folder_); }

  std::string folder_;
  Options options_;
};

TEST_F(RunCheckpointsTest, AreNoneUnlessAskedFor) {
  options_.checkpoint.clear();
  RunCheckpoints checkpoints(options_);
  open(checkpoints);
  EXPECT_EQ(checkpoints.get(), nullptr);
  RunInfo run;
  checkpoints.describe(ended(StopReason::time, 7), run);
  EXPECT_FALSE(run.checkpoint.has_value());
  EXPECT_EQ(checkpoints.end(ended(StopReason::time, 7)), "");
}

TEST_F(RunCheckpointsTest, ARunThatIsOverLeavesNothing) {
  for (const StopReason stop : {StopReason::none, StopReason::bound}) {
    RunCheckpoints checkpoints(options_);
    EXPECT_EQ(open(checkpoints).disk.disks, std::vector<std::string>{options_.checkpoint + "/files"});
    EXPECT_FALSE(is_empty());
    EXPECT_EQ(checkpoints.end(ended(stop, 7)), "");
    EXPECT_TRUE(is_empty());
  }
}

TEST_F(RunCheckpointsTest, ARunThatHadNoRoomToBeginLeavesNothing) {
  RunCheckpoints checkpoints(options_);
  open(checkpoints);
  EXPECT_EQ(checkpoints.end(ended(StopReason::memory, 0)), "");
  EXPECT_TRUE(is_empty());
}

TEST_F(RunCheckpointsTest, ARunThatCouldNotBeginLeavesNothing) {
  RunCheckpoints checkpoints(options_);
  open(checkpoints);
  EXPECT_EQ(checkpoints.end(Status::usage("no")), "");
  EXPECT_TRUE(is_empty());
}

TEST_F(RunCheckpointsTest, ARunAtALimitSaysHowToGoOn) {
  {
    RunCheckpoints checkpoints(options_);
    open(checkpoints);
    EXPECT_EQ(checkpoints.start_line(), "");
    EXPECT_EQ(checkpoints.end(ended(StopReason::time, 7)),
              "\nNo checkpoint was made: a resumed run starts from the beginning." + command());
    checkpoints.get()->note(1.25, 7);
    ASSERT_TRUE(checkpoints.get()->make().ok());
    EXPECT_EQ(checkpoints.end(ended(StopReason::interrupted, 9)),
              "\nThe last checkpoint has 7 states, after 1.2 s." + command());
  }
  options_.resumes = true;
  RunCheckpoints resumed(options_);
  open(resumed);
  EXPECT_EQ(resumed.start_line(), "Resumed from 7 states after 1.2 s\n");
  RunInfo run;
  resumed.describe(ended(StopReason::disk, 9), run);
  ASSERT_EQ(run.resumptions.size(), 1u);
  EXPECT_EQ(run.resumptions.front().states, 7u);
  EXPECT_TRUE(run.checkpoint->stands);
  EXPECT_EQ(run.checkpoint->states, 7u);
  EXPECT_EQ(run.checkpoint->folder, options_.checkpoint);
  EXPECT_EQ(resumed.end(Status::system("gone")),
            "\nThe last checkpoint has 7 states, after 1.2 s." + command());
  resumed.describe(ended(StopReason::none, 9), run);
  EXPECT_FALSE(run.checkpoint->stands);
  EXPECT_EQ(resumed.end(ended(StopReason::none, 9)), "");
  EXPECT_TRUE(is_empty());
}

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("/tmp/a-b_c.d"), "/tmp/a-b_c.d");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("~x"), "'~x'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace strata
