#include "native/compile/cache_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace strata::native {
namespace {

namespace fs = std::filesystem;

class CacheFolderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/strata-cache-test-XXXXXX";
    folder_ = ::mkdtemp(pattern);
    for (const char* name : {"XDG_CACHE_HOME", "HOME", "TMPDIR"})
      if (const char* value = std::getenv(name)) saved_.emplace_back(name, value);
  }
  void TearDown() override {
    for (const char* name : {"XDG_CACHE_HOME", "HOME", "TMPDIR"}) ::unsetenv(name);
    for (const auto& [name, value] : saved_) ::setenv(name.c_str(), value.c_str(), 1);
    fs::remove_all(folder_);
  }
  static unsigned rights(const std::string& path) {
    struct stat found {};
    return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
  }
  // An old file of 1000 bytes; the later the number, the later it was used.
  void make(const std::string& name, int time) const {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << std::string(1000, 'x');
    const struct timespec times[2] = {{1000 + time, 0}, {1000 + time, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
  }
  bool exists(const std::string& name) const { return fs::exists(folder_ + "/" + name); }

  std::string folder_;
  std::vector<std::pair<std::string, std::string>> saved_;
};

TEST_F(CacheFolderTest, BelongsToTheUserAloneWhateverTheUmask) {
  for (const mode_t mask : {mode_t{0}, mode_t{0077}, mode_t{0777}}) {
    const std::string cache = folder_ + "/" + std::to_string(mask) + "/cache/strata";
    const mode_t old = ::umask(mask);
    const Status status = prepare_cache(cache);
    ::umask(old);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(rights(cache), 0700u);
    EXPECT_EQ(rights(fs::path(cache).parent_path()), 0700u);
  }
}

TEST_F(CacheFolderTest, IsRefusedWhenOthersMayWriteOrItIsALink) {
  const std::string cache = folder_ + "/strata", link = folder_ + "/link";
  ASSERT_TRUE(prepare_cache(cache).ok());
  for (const mode_t mode : {mode_t{0770}, mode_t{0702}}) {
    ::chmod(cache.c_str(), mode);
    EXPECT_EQ(prepare_cache(cache).code(), StatusCode::usage);
    EXPECT_NE(prepare_cache(cache).message().find("others may write to it"), std::string::npos);
  }
  ::chmod(cache.c_str(), 0755);
  EXPECT_TRUE(prepare_cache(cache).ok());
  fs::create_directory_symlink(cache, link);
  EXPECT_EQ(prepare_cache(link).message(), "the cache of compiled models '" + link +
                                               "' is not safe to use: it is a link; what lies in it is run, "
                                               "so remove it, or set XDG_CACHE_HOME to "
                                               "a folder of your own");
  ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  ::chmod(cache.c_str(), 0777);
  EXPECT_EQ(open_cache().status().code(), StatusCode::system);
}

TEST_F(CacheFolderTest, AnotherOneIsUsedWhereItCannotBeMade) {
  std::ofstream(folder_ + "/file") << "x";
  ::setenv("TMPDIR", folder_.c_str(), 1);
  ::unsetenv("XDG_CACHE_HOME");
  ::setenv("HOME", (folder_ + "/file").c_str(), 1);
  const Result<CacheFolder> cache = open_cache();
  ASSERT_TRUE(cache.ok()) << cache.status().message();
  const std::string other = folder_ + "/strata-cache-" + std::to_string(::geteuid());
  EXPECT_EQ(cache->path, other);
  EXPECT_EQ(cache->note, "cannot make the cache of compiled models '" + folder_ +
                             "/file/.cache/strata': Not a directory; this run uses '" + other + "'");
  EXPECT_EQ(rights(other), 0700u);
  // A variable that names no absolute path counts as not set.
  ::setenv("HOME", "somewhere", 1);
  EXPECT_EQ(open_cache()->path, other);
  EXPECT_EQ(open_cache()->note, "");
}

const std::string kKey = "0123456789abcdef0123456789abcde";

TEST_F(CacheFolderTest, TrimRemovesTheOldestFirst) {
  for (int i = 0; i < 4; ++i) make(kKey + std::to_string(i) + ".so", i);
  trim_cache(folder_, 2500, folder_ + "/" + kKey + "0.so");
  EXPECT_TRUE(exists(kKey + "0.so"));  // the one in use
  EXPECT_FALSE(exists(kKey + "1.so"));
  EXPECT_FALSE(exists(kKey + "2.so"));
  EXPECT_TRUE(exists(kKey + "3.so"));
}

TEST_F(CacheFolderTest, TrimRemovesOnlyNamesOfOurOwn) {
  const std::vector<std::string> stay = {"libm.so",     "main.cc", kKey + ".so",      kKey + "00.so",
                                         kKey + "x.so", "a.tmp",   kKey + "0.so.old", kKey + "0.work"};
  for (const std::string& name : stay) make(name, 1);
  make(kKey + "0.so", 1);
  make(kKey + "0.cc", 1);
  fs::create_directory(folder_ + "/" + kKey + "1.so");
  fs::create_symlink("/nowhere", folder_ + "/" + kKey + "2.so");
  trim_cache(folder_, 0, "");
  for (const std::string& name : stay) EXPECT_TRUE(exists(name)) << name;
  EXPECT_FALSE(exists(kKey + "0.so"));
  EXPECT_FALSE(exists(kKey + "0.cc"));
  EXPECT_TRUE(exists(kKey + "1.so"));
  EXPECT_TRUE(fs::is_symlink(folder_ + "/" + kKey + "2.so"));
}

}  // namespace
}  // namespace strata::native
