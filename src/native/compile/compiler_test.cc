// The cache of compiled models: hits, concurrent runs, damage, limits, missing compilers.
#include "native/compile/compiler.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
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
  const auto first = compile({kSource}, folder_);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_FALSE(first->from_cache);
  const auto second = compile({kSource}, folder_);
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->from_cache);
  EXPECT_EQ(first->path, second->path);
  EXPECT_EQ(files_with(".so"), 1u);
  EXPECT_EQ(files_with(".work-"), 0u);
}

TEST_F(CompilerTest, ManyRunsAtOnceCompileOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> compiled{0}, failed{0};
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      const auto object = compile({kSource}, folder_);
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

TEST_F(CompilerTest, DamagedObjectsAreMadeAnew) {
  const auto first = compile({kSource}, folder_);
  ASSERT_TRUE(first.ok());
  const uint64_t size = fs::file_size(first->path);
  fs::resize_file(first->path, size / 2);
  EXPECT_FALSE(compile({kSource}, folder_)->from_cache);
  EXPECT_EQ(fs::file_size(first->path), size);
  std::fstream(first->path, std::ios::in | std::ios::out)
      .seekp(static_cast<std::streamoff>(size / 3))
      .put('?');
  EXPECT_FALSE(compile({kSource}, folder_)->from_cache);
  EXPECT_TRUE(compile({kSource}, folder_)->from_cache);
  EXPECT_FALSE(compile({kSource}, folder_, true)->from_cache);
}

TEST_F(CompilerTest, MissingCompilerIsNamed) {
  ::setenv("CXX", "no-such-compiler -O9", 1);
  const auto object = compile({kSource}, folder_);
  ASSERT_FALSE(object.ok());
  EXPECT_EQ(object.status().code(), StatusCode::system);
  EXPECT_EQ(object.status().message(),
            "cannot compile the model: there is no C++ compiler 'no-such-compiler'; install one (Debian: "
            "apt-get install "
            "g++) or name yours in the environment variable CXX");
}

TEST_F(CompilerTest, CompilerErrorsAreShownAndLeaveNothingBehind) {
  const auto object = compile({"this is not C++\n"}, folder_);
  ASSERT_FALSE(object.ok());
  EXPECT_NE(object.status().message().find("could not compile the generated model"), std::string::npos);
  EXPECT_EQ(files_with(".so"), 0u);
  EXPECT_EQ(files_with(".work-"), 0u);
  EXPECT_EQ(files_with(".lock"), 0u);
}

TEST_F(CompilerTest, UnwritableCacheIsAnError) {
  const auto object = compile({kSource}, "/proc/strata-cache");
  ASSERT_FALSE(object.ok());
  EXPECT_NE(object.status().message().find("/proc/strata-cache"), std::string::npos);
}

TEST_F(CompilerTest, WhatAKilledRunLeftGoes) {
  const auto first = compile({kSource}, folder_);
  ASSERT_TRUE(first.ok());
  const std::string stem = first->path.substr(0, first->path.size() - 3);
  const std::string other = folder_ + "/0123456789abcdef0123456789abcdef";
  for (const std::string& work : {stem + ".work-", other + ".work-", other + ".work_"}) {
    fs::create_directory(work);
    std::ofstream(work + "/cc123.s") << "x";
  }
  ASSERT_TRUE(compile({kSource}, folder_, true).ok());
  size_t files = 0;
  for ([[maybe_unused]] const auto& file : fs::directory_iterator(folder_)) ++files;
  EXPECT_EQ(files, 2u);  // the object and its source
}

}  // namespace
}  // namespace strata::native
