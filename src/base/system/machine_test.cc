#include "base/system/machine.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace strata {
namespace {

// A folder in place of the machine's /proc and /sys.
class MachineTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "strata_machine_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    file("/proc/meminfo", "MemTotal:        1000 kB\nMemFree:  5 kB\n");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void file(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  std::string root_;
};

TEST_F(MachineTest, WithoutCgroupIsTheMachines) { EXPECT_EQ(machine_memory(root_), 1'024'000u); }

TEST_F(MachineTest, CgroupTwoLimitsOfTheGroupAndThoseAround) {
  file("/proc/self/cgroup", "0::/user/job\n");
  file("/sys/fs/cgroup/user/job/memory.max", "max\n");
  file("/sys/fs/cgroup/user/memory.max", "300000\n");
  EXPECT_EQ(machine_memory(root_), 300'000u);
  file("/sys/fs/cgroup/user/job/memory.max", "200000\n");
  EXPECT_EQ(machine_memory(root_), 200'000u);
}

TEST_F(MachineTest, InAContainerTheOutermostFolderCounts) {
  file("/proc/self/cgroup", "0::/docker/0123\n");
  file("/sys/fs/cgroup/memory.max", "250000\n");
  EXPECT_EQ(machine_memory(root_), 250'000u);
}

TEST_F(MachineTest, CgroupOne) {
  file("/proc/self/cgroup", "12:cpu,cpuacct:/x\n4:memory:/job\n0::/\n");
  file("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "400000\n");
  file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(machine_memory(root_), 400'000u);
}

TEST_F(MachineTest, ALimitAboveTheMachineIsNone) {
  file("/proc/self/cgroup", "0::/\n");
  file("/sys/fs/cgroup/memory.max", "99999999999\n");
  EXPECT_EQ(machine_memory(root_), 1'024'000u);
}

TEST_F(MachineTest, NothingKnownIsZero) { EXPECT_EQ(machine_memory(root_ + "/absent"), 0u); }

TEST(Machine, ThisOneHasMemoryAndCores) {
  EXPECT_GT(machine_memory(), uint64_t{16} << 20);
  EXPECT_GE(usable_cores(), 1u);
}

}  // namespace
}  // namespace strata
