#include "tool/output/output_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tool/system/last_words.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "strata_output_XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return folder_ + "/" + name; }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  std::string folder_;
};

TEST_F(OutputFileTest, ReplacesTheContent) {
  std::ofstream(path("a")) << "a long old content";
  Result<OutputFile> file = OutputFile::open("--json", path("a"));
  EXPECT_EQ(content(path("a")), "a long old content");
  EXPECT_TRUE(file->write("short").ok());
  EXPECT_EQ(content(path("a")), "short");
}

TEST_F(OutputFileTest, WhatWasNeverWrittenLeavesNoTrace) {
  std::ofstream(path("old")) << "old";
  {
    const auto created = OutputFile::open("--json", path("new"));
    const auto existing = OutputFile::open("--json", path("old"));
    EXPECT_TRUE(fs::exists(path("new")));
  }
  EXPECT_FALSE(fs::exists(path("new")));
  EXPECT_EQ(content(path("old")), "old");
}

TEST_F(OutputFileTest, SaysThatTheWorkIsNotDone) {
  std::ofstream(path("a")) << "holds";
  fs::permissions(path("a"), fs::perms(0640));
  fs::create_symlink("a", path("link"));
  {
    Result<OutputFile> file = OutputFile::open("--json", path("link"), "running");
    EXPECT_EQ(content(path("a")), "running");
    EXPECT_TRUE(file->is_unfinished());
    EXPECT_TRUE(file->write("done").ok());
    EXPECT_FALSE(file->is_unfinished());
  }
  EXPECT_EQ(content(path("a")), "done");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
  { const auto file = OutputFile::open("--json", path("a"), "running"); }
  EXPECT_FALSE(fs::exists(path("a")));
  fs::remove(path("link"));
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(OutputFileTest, AReaderSeesTheOldFileOrTheNewOne) {
  Result<OutputFile> file = OutputFile::open("--json", path("a"), "running");
  std::ifstream reader(path("a"));
  EXPECT_TRUE(file->write(std::string(100'000, 'x')).ok());
  std::string seen;
  reader >> seen;
  EXPECT_EQ(seen, "running");
}

TEST_F(OutputFileTest, LastWordsReplaceTheFile) {
  Options options;
  options.json = path("a");
  options.model = "m.m";
  {
    Result<Outputs> outputs = open_outputs(options);
    EXPECT_NE(content(path("a")).find("\"running\""), std::string::npos);
    say_last_words_in_signal();
    EXPECT_NE(content(path("a")).find("\"interrupted\""), std::string::npos);
    EXPECT_TRUE(outputs->write_json("{}").ok());
    say_last_words_in_signal();
  }
  say_last_words_in_signal();
  EXPECT_EQ(content(path("a")), "{}");
}

TEST_F(OutputFileTest, DiscardRemovesWhatAnotherRunLeft) {
  std::ofstream(path("old")) << "old";
  OutputFile::open("--trace-file", path("old"))->discard();
  EXPECT_FALSE(fs::exists(path("old")));
}

TEST_F(OutputFileTest, ABadPathIsKnownAtOnce) {
  const auto file = OutputFile::open("--json", path("absent/x.json"));
  EXPECT_EQ(file.status().code(), StatusCode::system);
  EXPECT_EQ(file.status().message(),
            "--json " + path("absent/x.json") + ": cannot write the file: No such file or directory");
  EXPECT_EQ(OutputFile::open("--json", folder_).status().message(),
            "--json " + folder_ + ": cannot write the file: Is a directory");
}

TEST_F(OutputFileTest, AFullDiskIsASystemError) {
  Result<OutputFile> file = OutputFile::open("--json", "/dev/full");
  const Status status = file->write("text");
  EXPECT_EQ(status.code(), StatusCode::system);
  EXPECT_EQ(status.message(), "--json /dev/full: cannot write the file: No space left on device");
}

TEST_F(OutputFileTest, TheModelIsNotOverwritten) {
  std::ofstream(path("model.m")) << "var x: boolean;";
  EXPECT_EQ(refuse_overwriting("--json", folder_ + "/./model.m", path("model.m")).message(),
            "--json " + folder_ + "/./model.m: this is the model itself, and would be overwritten");
  EXPECT_TRUE(refuse_overwriting("--json", path("other"), path("model.m")).ok());
}

}  // namespace
}  // namespace strata
