// The cache of compiled models: hits, concurrent runs, damage, limits, missing compilers.
#include "native/compiler.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

namespace strata::native {
namespace {

namespace fs = std::filesystem;

class CompilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/strata-compiler-test-XXXXXX";
    folder_ = ::mkdtemp(pattern);
    if (const char* cxx = std::getenv("CXX")) saved_ = cxx;
  }
  void TearDown() override {
    fs::remove_all(folder_);
    if (saved_.empty())
      ::unsetenv("CXX");
    else
      ::setenv("CXX", saved_.c_str(), 1);
  }
  size_t files_with(const std::string& extension) const {
    size_t count = 0;
    for (const auto& file : fs::directory_iterator(folder_)) count += file.path().extension() == extension;
    return count;
  }
  std::string folder_, saved_;
};

const char* const kSource = "extern \"C\" int answer() { return 42; }\n";

TEST_F(CompilerTest, SecondCallComesFromTheCache) {
  const auto first = compile(kSource, folder_);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_FALSE(first->from_cache);
  const auto second = compile(kSource, folder_);
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(first->path, second->path);
  EXPECT_EQ(files_with(".so"), 1u);
  EXPECT_EQ(files_with(".tmp"), 0u);
}

TEST_F(CompilerTest, ManyRunsAtOnceCompileOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> compiled{0}, failed{0};
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      const auto object = compile(kSource, folder_);
      if (!object.ok())
        ++failed;
      else if (!object->from_cache)
        ++compiled;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(compiled, 1);
  EXPECT_EQ(files_with(".so"), 1u);
}

TEST_F(CompilerTest, FreshIgnoresTheCache) {
  const auto first = compile(kSource, folder_);
  ASSERT_TRUE(first.ok());
  fs::resize_file(first->path, 10);
  const auto again = compile(kSource, folder_, true);
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(again->from_cache);
  EXPECT_GT(fs::file_size(again->path), 1000u);
}

TEST_F(CompilerTest, MissingCompilerIsNamed) {
  ::setenv("CXX", "no-such-compiler -O9", 1);
  const auto object = compile(kSource, folder_);
  ASSERT_FALSE(object.ok());
  EXPECT_EQ(object.status().code(), StatusCode::system);
  EXPECT_EQ(object.status().message(),
            "cannot compile the model: there is no C++ compiler 'no-such-compiler'; install one (Debian: "
            "apt-get install "
            "g++) or name yours in the environment variable CXX");
}

TEST_F(CompilerTest, CompilerErrorsAreShownAndLeaveNothingBehind) {
  const auto object = compile("this is not C++\n", folder_);
  ASSERT_FALSE(object.ok());
  EXPECT_NE(object.status().message().find("could not compile the generated model"), std::string::npos);
  EXPECT_EQ(files_with(".so"), 0u);
  EXPECT_EQ(files_with(".tmp"), 0u);
  EXPECT_EQ(files_with(".log"), 0u);
}

TEST_F(CompilerTest, UnwritableCacheIsAnError) {
  const auto object = compile(kSource, "/proc/strata-cache");
  ASSERT_FALSE(object.ok());
  EXPECT_NE(object.status().message().find("/proc/strata-cache"), std::string::npos);
}

TEST_F(CompilerTest, TrimRemovesTheOldestFirst) {
  for (int i = 0; i < 4; ++i) {
    const std::string path = folder_ + "/" + std::to_string(i) + ".so";
    std::ofstream(path) << std::string(1000, 'x');
    const struct timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
    ::utimensat(AT_FDCWD, path.c_str(), times, 0);
  }
  trim_cache(folder_, 2500, folder_ + "/0.so");
  EXPECT_TRUE(fs::exists(folder_ + "/0.so"));  // the one in use
  EXPECT_FALSE(fs::exists(folder_ + "/1.so"));
  EXPECT_FALSE(fs::exists(folder_ + "/2.so"));
  EXPECT_TRUE(fs::exists(folder_ + "/3.so"));
}

}  // namespace
}  // namespace strata::native
