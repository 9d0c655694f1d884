#include "store/checkpoint/rank_sets.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "block/testing/storages.h"
#include "store/checkpoint/checkpoints.h"

namespace strata {
namespace {

using Folders = std::vector<RankFolder>;

TEST(RankSetsTest, FindsTheFoldersOfAllParts) {
  const TemporaryFolder folder(true);
  const std::string run = folder.path() + "/run";
  EXPECT_TRUE(find_rank_folders(run).empty());
  for (uint64_t rank = 0; rank < 2; ++rank) {
    const std::string own = rank_folder(run, 3, rank, 2);
    std::filesystem::create_directories(own);
    ASSERT_TRUE(
        Checkpoints::create({own, {}, 600, CheckpointFolder::From::last, "00000000000000ab"}, "a run").ok());
  }
  std::filesystem::create_directories(rank_folder(run, 4, 0, 1));  // nothing was made in it yet
  const Folders found = parse_rank_folders(rank_folders_text(find_rank_folders(run)));
  ASSERT_EQ(3u, found.size());
  const SavedSet set = choose_saved(run, {found}, false).value();
  EXPECT_EQ(3u, set.part);
  EXPECT_EQ(2u, set.ranks);
  EXPECT_EQ(0u, set.number);
  EXPECT_EQ(4u, set.newest_part);
  EXPECT_EQ("00000000000000ab", set.id);
  ASSERT_EQ(1u, set.others.size());
  EXPECT_TRUE(set.others.front().folder.remains);
  EXPECT_TRUE(CheckpointFolder::discard(path_of(run, set.others.front().folder)).ok());
  EXPECT_EQ(2u, find_rank_folders(run).size());
}

// A part of which all ranks have a checkpoint, with numbers from `last` down.
Folders part(uint64_t number, uint64_t ranks, uint64_t last, uint64_t previous) {
  Folders folders;
  for (uint64_t i = 0; i < ranks; ++i) folders.push_back({number, i, ranks, last, previous});
  return folders;
}

Folders both(const Folders& one, const Folders& other) {
  Folders all = one;
  all.insert(all.end(), other.begin(), other.end());
  return all;
}

TEST(RankSetsTest, TheHighestPartThatIsCompleteCounts) {
  const Folders old = part(1, 3, 8, 7);
  Folders fresh = part(2, 2, 1, 0);
  EXPECT_EQ(2u, choose_saved("run", {both(old, fresh)}, false)->part);
  fresh.back().last = 0;
  SavedSet set = choose_saved("run", {both(old, fresh)}, false).value();
  EXPECT_EQ(1u, set.part);
  EXPECT_EQ(8u, set.number);
  EXPECT_EQ(2u, set.others.size());
  fresh.pop_back();
  EXPECT_EQ(1u, choose_saved("run", {both(old, fresh)}, false)->part);
}

TEST(RankSetsTest, FoldersOfTwoRunsAreRefused) {
  Folders folders = part(1, 2, 8, 7);
  folders[0].id = "00000000000000ab";
  folders[1].id = "00000000000000cd";
  EXPECT_EQ(
      "'run/part.1/rank.0.of.2' and 'run/part.1/rank.1.of.2' are folders of two different runs (ids "
      "00000000000000ab and 00000000000000cd), and a run goes on from folders of its own alone; put those of "
      "one run back together, and the others elsewhere",
      choose_saved("run", {{folders[0]}, {folders[1]}}, false).status().message());
  folders[1].id = "?";  // damaged: whoever opens it says so
  EXPECT_TRUE(choose_saved("run", {{folders[0]}, {folders[1]}}, false).ok());
}

TEST(RankSetsTest, TheNewestCheckpointOfAllRanksCounts) {
  Folders folders = part(1, 3, 8, 7);
  folders[1] = {1, 1, 3, 7, 6};
  EXPECT_EQ(7u, choose_saved("run", {folders}, false)->number);
  EXPECT_EQ(7u, choose_saved("run", {folders}, true)->number);
  folders[2] = {1, 2, 3, 9, 8};
  EXPECT_EQ(0u, choose_saved("run", {folders}, false)->number);
  EXPECT_EQ("--previous: there is no checkpoint before the last one that all ranks have",
            choose_saved("run", {folders}, true).status().message());
}

TEST(RankSetsTest, AFolderThatNobodySeesIsNamed) {
  Folders folders = part(2, 3, 8, 7);
  folders.erase(folders.begin() + 1);
  EXPECT_EQ(
      "the run in 'run' is that of 3 processes, and not all of their folders can be seen from here: "
      "'run/part.2/rank.1.of.3' is missing. Resume it where all of them are reachable",
      choose_saved("run", {folders}, false).status().message());
}

TEST(RankSetsTest, EveryFolderHasAReaderThatSeesIt) {
  Folders all = part(1, 5, 8, 7);
  const SavedSet everywhere = choose_saved("run", {all, all}, false).value();
  EXPECT_EQ((std::vector<uint64_t>{0, 1, 0, 1, 0}), everywhere.readers(2));
  // Three hosts, each of which sees its own.
  const SavedSet apart = choose_saved("run", {{all[0], all[3]}, {all[1]}, {all[2], all[4]}}, false).value();
  EXPECT_EQ((std::vector<uint64_t>{0, 1, 2, 0, 2}), apart.readers(3));
}

}  // namespace
}  // namespace strata
