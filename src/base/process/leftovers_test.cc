#include "base/process/leftovers.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strata {
namespace {

namespace fs = std::filesystem;

class LeftoversTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "strata_leftovers_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string make(const std::string& name) const {
    const fs::path path = fs::path(folder_) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "x";
    return path.string();
  }

  std::string folder_;
};

TEST_F(LeftoversTest, FilesAndFoldersGoAndNothingElse) {
  const Leftover file(make("a.tmp")), absent(folder_ + "/absent"), run(folder_ + "/run");
  make("run/lock");
  make("run/inner/deeper/file");
  for (int i = 0; i < 300; ++i) make("run/a_rather_long_name_for_a_file_" + std::to_string(i));
  const std::string stays = make("stays/file");
  fs::create_directory_symlink(folder_ + "/stays", folder_ + "/run/link");
  { const Leftover forgotten(stays); }
  remove_leftovers_in_signal();
  EXPECT_FALSE(fs::exists(file.path()));
  EXPECT_FALSE(fs::exists(run.path()));
  EXPECT_TRUE(fs::exists(stays));
  EXPECT_EQ(1, std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
}

TEST_F(LeftoversTest, AnOwnerRemovesAFileAFolderOrNothing) {
  const std::string file = make("file");
  make("run/lock");
  make("run/blocks");
  EXPECT_TRUE(remove_leftover(file));
  EXPECT_TRUE(remove_leftover(folder_ + "/run"));
  EXPECT_TRUE(remove_leftover(folder_ + "/absent"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(LeftoversTest, AtTheEndOfTheProcessWhatStaysIsNamed) {
  // Deeper than anything of ours: it is not removed.
  make("run/1/2/3/4/5/file");
  enter_leftover(folder_ + "/run");
  enter_leftover(make("file"));
  EXPECT_FALSE(remove_leftover(folder_ + "/run"));
  static std::string told;
  told.clear();
  remove_last_leftovers([](const char* path, const char*) { told += path; });
  EXPECT_EQ(folder_ + "/run", told);
  EXPECT_FALSE(fs::exists(folder_ + "/file"));
}

}  // namespace
}  // namespace strata
