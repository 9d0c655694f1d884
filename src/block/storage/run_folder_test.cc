#include "block/storage/run_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "block/testing/storages.h"

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

TEST(RunFolder, IsTheFolderToKeepItself) {
  const TemporaryFolder a;
  const std::string folder = a.path() + "/kept";
  {
    const auto run = RunFolder::create_kept(folder);
    ASSERT_TRUE(run.ok());
    EXPECT_EQ(std::vector<std::string>{folder}, (*run)->folders());
    ASSERT_TRUE((*run)->write_manifest("one\n").ok());
    ASSERT_TRUE((*run)->write_manifest("two\n").ok());
  }
  EXPECT_EQ("two\n", *RunFolder::read_manifest(folder));
  EXPECT_FALSE(fs::exists(folder + "/manifest.new"));
  // What a run left is not written over.
  const Status again = RunFolder::create_kept(folder).status();
  EXPECT_EQ(StatusCode::usage, again.code());
  EXPECT_EQ("--keep: '" + folder + "' is not an empty folder", again.message());
  EXPECT_EQ(StatusCode::usage, RunFolder::create_kept(folder + "/manifest").status().code());
  // An empty folder is as good as a new one.
  fs::remove(folder + "/manifest");
  EXPECT_TRUE(RunFolder::create_kept(folder).ok());
}

// The number of a process that lived and is gone.
pid_t dead_process() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

TEST(RunFolder, RemovesWhatAKilledRunLeft) {
  const TemporaryFolder a, b;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto run = RunFolder::create({a.path(), b.path()});
    std::ofstream((*run)->folders()[0] + "/file") << "x";
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(fs::is_empty(a.path()));
  EXPECT_FALSE(fs::is_empty(b.path()));
  { EXPECT_TRUE(RunFolder::create({a.path(), b.path()}).ok()); }
  EXPECT_TRUE(fs::is_empty(a.path()));
  EXPECT_TRUE(fs::is_empty(b.path()));
}

TEST(RunFolder, LeavesTheFoldersOfOthersAlone) {
  const TemporaryFolder a;
  const std::string dead = a.path() + "/strata-run-" + std::to_string(dead_process());
  const std::string alive = a.path() + "/strata-run-" + std::to_string(::getppid()) + "-abcdef";
  const std::vector<std::string> stay = {alive,           dead,
                                         dead + "-abcde", dead + "-abcdefg",
                                         dead + "x-abcd", a.path() + "/strata-run--1-abcdef",
                                         dead + "-AAAAAA"};
  for (const std::string& folder : stay) {
    fs::create_directory(folder);
    std::ofstream(folder + "/file") << "x";
  }
  std::ofstream(dead + "-a_file") << "x";
  fs::create_directory_symlink(alive, dead + "-a_link");
  fs::create_directory(dead + "-aBc123");
  std::ofstream(dead + "-aBc123/file") << "x";
  // Its process has another number here, as one in another container would have.
  const int lock = ::open((dead + "-AAAAAA/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(0, ::flock(lock, LOCK_EX));
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  for (const std::string& folder : stay) EXPECT_TRUE(fs::exists(folder + "/file")) << folder;
  EXPECT_TRUE(fs::exists(dead + "-a_file"));
  EXPECT_TRUE(fs::is_symlink(dead + "-a_link"));
  EXPECT_FALSE(fs::exists(dead + "-aBc123"));
  ::close(lock);
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  EXPECT_FALSE(fs::exists(dead + "-AAAAAA"));
}

void end_at_once(int) {
  RunFolder::remove_all_in_signal();
  ::_exit(130);
}

// In a process of its own, because the signal ends it.
void run_until_signal(const std::string& disk, const std::string& other, const std::string& kept) {
  ::signal(SIGTERM, end_at_once);
  const auto run = RunFolder::create({disk, other});
  const auto second = RunFolder::create({disk});
  const auto stays = RunFolder::create_kept(kept);
  { const auto gone = RunFolder::create({disk}); }
  // More names than one call to the system gives.
  for (int i = 0; i < 1000; ++i)
    std::ofstream((*run)->folders()[0] + "/a_rather_long_name_" + std::to_string(i)) << "x";
  std::ofstream((*stays)->folders()[0] + "/file") << "x";
  std::atomic<bool> writing{false};
  std::thread writer([&] {
    for (uint64_t i = 0;; ++i, writing = true)
      std::ofstream((*second)->folders()[0] + "/" + std::to_string(i)) << "x";
  });
  while (!writing) std::this_thread::yield();
  ::kill(::getpid(), SIGTERM);
  writer.join();
}

TEST(RunFolder, ASignalHandlerRemovesAllButTheKept) {
  const TemporaryFolder a, b, c;
  const pid_t child = ::fork();
  if (child == 0) {
    run_until_signal(a.path(), b.path(), c.path() + "/kept");
    ::_exit(1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << status;
  EXPECT_TRUE(fs::is_empty(a.path()));
  EXPECT_TRUE(fs::is_empty(b.path()));
  EXPECT_TRUE(fs::exists(c.path() + "/kept/file"));
}

TEST(RunFolder, ErrorsNameTheFolder) {
  EXPECT_EQ(
      "/nonexistent: making a folder for the run: No such file or directory; name another folder with --disk",
      RunFolder::create({"/nonexistent"}).status().message());
  EXPECT_EQ("/nonexistent/manifest: opening: No such file or directory",
            RunFolder::read_manifest("/nonexistent").status().message());
  EXPECT_EQ("/nonexistent/kept: making the folder of --keep: No such file or directory",
            RunFolder::create_kept("/nonexistent/kept").status().message());
}

}  // namespace
}  // namespace strata
