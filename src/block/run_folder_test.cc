#include "block/run_folder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "block/testing.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST(RunFolder, GoesAwayWithEverythingInIt) {
  const TemporaryFolder a, b;
  std::vector<std::string> folders;
  {
    const auto run = RunFolder::create({a.path(), b.path()});
    ASSERT_TRUE(run.ok());
    folders = (*run)->folders();
    ASSERT_EQ(2u, folders.size());
    EXPECT_EQ(a.path(), fs::path(folders[0]).parent_path().string());
    std::ofstream(folders[1] + "/file") << "x";
    ASSERT_TRUE((*run)->write_manifest("one\n").ok());
  }
  EXPECT_TRUE(fs::is_empty(a.path()));
  EXPECT_TRUE(fs::is_empty(b.path()));
}

TEST(RunFolder, IsKeptOnDemand) {
  const TemporaryFolder a;
  std::string folder;
  {
    const auto run = RunFolder::create({a.path()});
    folder = (*run)->folders()[0];
    ASSERT_TRUE((*run)->write_manifest("one\n").ok());
    ASSERT_TRUE((*run)->write_manifest("two\n").ok());
    (*run)->keep();
  }
  EXPECT_EQ("two\n", *RunFolder::read_manifest(folder));
  EXPECT_FALSE(fs::exists(folder + "/manifest.new"));
}

TEST(RunFolder, ErrorsNameTheFolder) {
  EXPECT_EQ(
      "/nonexistent: making a folder for the run: No such file or directory; name another folder with --disk",
      RunFolder::create({"/nonexistent"}).status().message());
  EXPECT_EQ("/nonexistent/manifest: opening: No such file or directory",
            RunFolder::read_manifest("/nonexistent").status().message());
}

}  // namespace
}  // namespace strata
