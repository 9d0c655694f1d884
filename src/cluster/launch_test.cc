#include "cluster/launch.h"

#include <gtest/gtest.h>

#include <map>

namespace strata::cluster {
namespace {

Launch launched(const std::map<std::string, std::string>& variables) {
  return detect_launch([&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(LaunchTest, TheEnvironmentTells) {
  EXPECT_EQ(launched({}).ranks, 1);
  EXPECT_EQ(launched({}).launcher, "");
  EXPECT_EQ(launched({{"OMPI_COMM_WORLD_SIZE", "16"}}).ranks, 16);
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}, {"PMI_RANK", "2"}}).launcher, "PMI_SIZE");
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}, {"PMI_RANK", "2"}}).rank, 2);
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}, {"PMI_RANK", "0"}}).rank, 0);
  EXPECT_EQ(launched({{"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_NTASKS", "64"}}).ranks, 8);
  // In the script of a Slurm job, without srun.
  EXPECT_EQ(launched({{"SLURM_NTASKS", "64"}, {"SLURM_PROCID", "0"}}).ranks, 1);
  // mpirun within a Slurm step: the inner one counts.
  EXPECT_EQ(launched({{"SLURM_STEP_NUM_TASKS", "2"}, {"OMPI_COMM_WORLD_SIZE", "16"}}).ranks, 16);
  EXPECT_EQ(launched({{"PMI_SIZE", "no number"}}).ranks, 1);
  EXPECT_EQ(launched({{"PMI_SIZE", "-3"}}).ranks, 1);
}

TEST(LaunchTest, SearchesOfTheirOwn) {
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}, {"STRATA_ALONE", "1"}}).ranks, 1);
  EXPECT_EQ(launched({{"PMI_SIZE", "4"}, {"STRATA_ALONE", "0"}}).ranks, 4);
}

TEST(LaunchTest, OneRankNeedsNoMpi) {
  const Result<std::unique_ptr<Transport>> transport = join({.ranks = 1, .launcher = "PMI_SIZE"});
  ASSERT_TRUE(transport.ok());
  EXPECT_STREQ((*transport)->name(), "alone");
}

}  // namespace
}  // namespace strata::cluster
