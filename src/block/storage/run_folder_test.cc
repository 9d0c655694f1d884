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

TEST(RunFolder, TwoRunsDoNotShareAFolderToKeep) {
  const TemporaryFolder a;
  const std::string folder = a.path() + "/kept";
  {
    const auto run = RunFolder::create_kept(folder);
    ASSERT_TRUE(run.ok());
    const Status second = RunFolder::create_kept(folder).status();
    EXPECT_EQ(StatusCode::usage, second.code());
    EXPECT_EQ("--keep: another run uses the folder '" + folder + "'", second.message());
  }
  EXPECT_TRUE(fs::is_empty(folder));
  // What a run left that was killed before it wrote anything.
  std::ofstream(folder + "/lock") << "";
  EXPECT_TRUE(RunFolder::create_kept(folder).ok());
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

// A folder with a file, and with a lock that no process holds, or without a lock.
void make_folder(const std::string& folder, bool lock) {
  fs::create_directory(folder);
  std::ofstream(folder + "/file") << "x";
  if (lock) std::ofstream(folder + "/lock") << "";
}

TEST(RunFolder, IsLeftBehindWhenNobodyHoldsItsLock) {
  const TemporaryFolder a;
  // Process 1 always lives; that says nothing.
  const std::vector<std::string> left = {"strata-run-1-aBc123", "strata-run-1-aBc12_",
                                         "strata-run-4000000-abcdef", ".strata-run-1-aBc123"};
  for (const std::string& name : left) make_folder(a.path() + "/" + name, true);
  fs::create_directory(a.path() + "/strata-run-1-EMPTY0");
  // One that is not named yet may be in the making, but not for an hour.
  const std::string forgotten = a.path() + "/.strata-run-1-aBc123";
  fs::last_write_time(forgotten, fs::last_write_time(forgotten) - std::chrono::minutes(50));
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  EXPECT_TRUE(fs::exists(forgotten + "/file"));
  fs::last_write_time(forgotten, fs::last_write_time(forgotten) - std::chrono::minutes(50));
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  EXPECT_TRUE(fs::is_empty(a.path()));
}

TEST(RunFolder, LeavesTheFoldersOfOthersAlone) {
  const TemporaryFolder a;
  const std::string run = a.path() + "/strata-run-";
  std::vector<std::string> stay;
  for (const char* name : {"1", "1-abcde", "1-abcdefg", "1x-abcd", "-1-abcdef", "x-abcdef"}) {
    stay.push_back(run + name);
    make_folder(stay.back(), true);
  }
  stay.push_back(run + "1-nolock");
  stay.push_back(run + "4000000-nolock");
  make_folder(run + "1-nolock", false);
  make_folder(run + "4000000-nolock", false);
  std::ofstream(run + "1-a_file") << "x";
  fs::create_directory_symlink(stay.front(), run + "1-a_link");
  // Its process has another number here, as one in another container would have.
  const std::string held = run + "4000000-AAAAAA";
  make_folder(held, false);
  const int lock = ::open((held + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(0, ::flock(lock, LOCK_EX));
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  for (const std::string& folder : stay) EXPECT_TRUE(fs::exists(folder + "/file")) << folder;
  EXPECT_TRUE(fs::exists(held + "/file"));
  EXPECT_TRUE(fs::exists(run + "1-a_file"));
  EXPECT_TRUE(fs::is_symlink(run + "1-a_link"));
  ::close(lock);
  { EXPECT_TRUE(RunFolder::create({a.path()}).ok()); }
  EXPECT_FALSE(fs::exists(held));
}

TEST(RunFolder, IsNeverSeenWithoutItsLock) {
  const TemporaryFolder a;
  std::atomic<bool> done{false};
  std::atomic<int> failed{0};
  std::thread other([&] {
    while (!done) failed += !RunFolder::create({a.path()}).ok();
  });
  for (int i = 0; i < 300; ++i) {
    const auto run = RunFolder::create({a.path()});
    ASSERT_TRUE(run.ok()) << run.status().message();
    ASSERT_TRUE(fs::exists((*run)->folders()[0] + "/lock"));
  }
  done = true;
  other.join();
  EXPECT_EQ(0, failed);
  EXPECT_TRUE(fs::is_empty(a.path()));
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
