#include "base/system/plain_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace strata {
namespace {

class PlainFileTest : public testing::Test {
 protected:
  PlainFileTest() {
    std::string path = std::filesystem::temp_directory_path().string() + "/strata-plain-XXXXXX";
    folder_ = ::mkdtemp(path.data());
  }
  ~PlainFileTest() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  static std::string error(const std::string& path) { return read_plain(path, 1 << 20).status().message(); }

  std::string folder_;
};

TEST_F(PlainFileTest, APlainFileIsReadAsItIs) {
  std::ofstream(path("a")) << "some text";
  EXPECT_EQ("some text", *read_plain(path("a"), 9));
  std::filesystem::resize_file(path("a"), (2 << 20) + 1);
  EXPECT_EQ(path("a") + ": it is larger than 2 MiB", read_plain(path("a"), 2 << 20).status().message());
}

// Opening the FIFO would wait for ever, and reading the device would find no end.
TEST_F(PlainFileTest, WhatIsNoPlainFileIsRefusedAtOnce) {
  ASSERT_EQ(0, ::mkfifo(path("fifo").c_str(), 0600));
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink("/dev/zero", path("device"));
  std::filesystem::create_symlink(path("fifo"), path("link"));
  EXPECT_EQ(path("fifo") + ": it is a FIFO, not a plain file", error(path("fifo")));
  EXPECT_EQ(path("link") + ": it is a FIFO, not a plain file", error(path("link")));
  EXPECT_EQ(path("folder") + ": it is a folder, not a plain file", error(path("folder")));
  EXPECT_EQ(path("device") + ": it is a device or a socket, not a plain file", error(path("device")));
  EXPECT_EQ(path("absent") + ": opening: No such file or directory", error(path("absent")));
}

TEST_F(PlainFileTest, ANewOneTakesThePlaceOfAnything) {
  ASSERT_EQ(0, ::mkfifo(path("a").c_str(), 0600));
  const int file = make_plain(path("a"));
  ASSERT_GE(file, 0);
  ::close(file);
  EXPECT_TRUE(std::filesystem::is_regular_file(path("a")));
}

}  // namespace
}  // namespace strata
