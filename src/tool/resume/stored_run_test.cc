#include "tool/resume/stored_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "store/checkpoint/checkpoints.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

StoredRun a_run() {
  StoredRun run;
  run.version = "1.2.3";
  run.arguments = {"m.m", "-D", "N=3"};
  run.folder = "/somewhere";
  run.sources.emplace_back("/somewhere/m.m", "a\nb\n");
  run.algorithm = "mono";
  run.state_bits = 57;
  run.rules = 6;
  return run;
}

TEST(StoredRun, IsReadAsItWasWritten) {
  StoredRun run = a_run();
  run.sources.emplace_back("/somewhere/latin.m", "-- Gr\xfc\xdf\x65\n");
  run.sources.emplace_back("/somewhere/utf8.m", "-- Grüße\n");
  const StoredRun read = StoredRun::parse("run", run.text()).value();
  EXPECT_EQ(read.version, run.version);
  EXPECT_EQ(read.arguments, run.arguments);
  EXPECT_EQ(read.folder, run.folder);
  ASSERT_EQ(read.sources.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(read.sources[i].name(), run.sources[i].name());
    EXPECT_EQ(read.sources[i].text(), run.sources[i].text());
  }
  EXPECT_EQ(read.algorithm, "mono");
  EXPECT_EQ(read.state_bits, 57u);
  EXPECT_EQ(read.rules, 6u);
}

TEST(StoredRun, DamageIsSeen) {
  std::string text = a_run().text();
  text[text.find("N=3") + 2] = '4';
  EXPECT_EQ(StoredRun::parse("d/run", text).status().message(), "d/run: it is damaged: its hash is wrong");
  EXPECT_EQ(StoredRun::parse("d/run", "").status().message(),
            "d/run: it is damaged: it is not a JSON object");
  EXPECT_EQ(StoredRun::parse("d/run", "{\"format\": 7}").status().message(),
            "d/run: it has the format 7, and this version of Strata reads 1");
}

constexpr const char* kAdvice =
    "\nA resumed run needs the original text, of which 'd/run' has a copy. Undo the change, or check the "
    "model "
    "as it is in a new run.";

TEST(StoredRun, AnotherModelIsRefused) {
  EXPECT_TRUE(check_same(a_run(), a_run(), "d").ok());
  StoredRun other = a_run();
  other.sources.emplace_back("/somewhere/m.ltl", "#property G p\n");
  EXPECT_EQ(
      check_same(a_run(), other, "d").message(),
      std::string("'/somewhere/m.ltl' is read as a part of the model now, but was not when the run began") +
          kAdvice);
  other = a_run();
  other.state_bits = 58;
  other.version = "1.2.4";
  EXPECT_EQ(check_same(a_run(), other, "d").message(),
            "Strata 1.2.4 searches this model with mono, as states of 58 bits with 6 rules; the run in 'd' "
            "was begun "
            "by Strata 1.2.3 with mono, 57 bits and 6 rules, and this version cannot continue it");
}

// A folder with a model and a run of it, and the options of its resume.
class ResumedOptions : public testing::Test {
 protected:
  ResumedOptions() {
    std::string pattern = (fs::temp_directory_path() / "strata-test-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    model_ = folder_ + "/m.m";
    run_ = folder_ + "/run";
    write("a\nb\nc\n");
  }
  ~ResumedOptions() override { fs::remove_all(folder_); }

  void write(const std::string& text) { std::ofstream(model_) << text; }
  void begin(const std::vector<std::string>& arguments) {
    StoredRun run = a_run();
    run.arguments = arguments;
    run.folder = folder_;
    run.sources = {SourceFile::load(model_).value()};
    ASSERT_TRUE(Checkpoints::create({run_, {}, 600}, run.text()).ok());
  }
  Result<Options> resume(std::vector<std::string> arguments = {}) {
    Options options;
    options.checkpoint = run_;
    arguments.push_back(run_);
    options.arguments = arguments;
    return resumed_options(options);
  }
  // What a resume says of the model, without the advice.
  std::string complaint() {
    const std::string text = resume().status().message(),
                      begin = "'" + model_ + "' was changed since the run began: ";
    const size_t end = text.find("\nA resumed run needs");
    return text.starts_with(begin) && end != std::string::npos ? text.substr(begin.size(), end - begin.size())
                                                               : text;
  }

  std::string folder_, model_, run_;
};

TEST_F(ResumedOptions, AreThoseOfTheRun) {
  begin({"m.m", "-D", "N=3", "--json", "r.json", "--memory", "64M"});
  const Options options = resume({"--memory", "32M"}).value();
  EXPECT_TRUE(options.resumes);
  EXPECT_EQ(options.model, model_);
  EXPECT_EQ(options.json, folder_ + "/r.json");
  EXPECT_EQ(options.memory, uint64_t{32} << 20);
  EXPECT_TRUE(options.wants_paths());
  EXPECT_EQ(resume({"--json", "-"})->json, "-");
  EXPECT_TRUE(resume({"--trace", "off"})->wants_paths());
}

TEST_F(ResumedOptions, ARunWithoutPathsHasNone) {
  begin({"m.m", "--trace", "off"});
  EXPECT_FALSE(resume()->wants_paths());
  EXPECT_EQ(
      resume({"--trace", "full"}).status().message(),
      "--trace: the run was begun with --trace off, so it has nothing to find paths by; leave --trace and "
      "--trace-file out");
}

TEST_F(ResumedOptions, AChangedModelIsNamedWithItsFirstChange) {
  begin({"m.m"});
  EXPECT_TRUE(resume().ok());
  write("a\nB\nC\n");
  EXPECT_EQ(complaint(), "line 2 was\n  b\nand is\n  B");
  write("a\nb\nc\nd\n");
  EXPECT_EQ(complaint(), "line 4 was\n  \nand is\n  d");
  write("a\nb\nc\n\ne\n");
  EXPECT_EQ(complaint(), "line 5 was added:\n  e");
  write("a\nb");
  EXPECT_EQ(complaint(), "line 3 was removed:\n  c");
  write("a\r\nb\r\nc\r\n");
  EXPECT_EQ(complaint(), "the ends of its lines");
  write("a\nb\nc\n");
  EXPECT_TRUE(resume().ok());
  fs::remove(model_);
  EXPECT_EQ(resume().status().message(), "'" + model_ +
                                             "' is missing, but the run needs it; restore its text from '" +
                                             run_ + "/run', where it is under \"sources\"");
}

TEST_F(ResumedOptions, AFolderWithoutARun) {
  EXPECT_EQ(
      resume().status().message(),
      "'" + run_ + "' holds no run that can be resumed; `strata check MODEL --checkpoint DIR` makes one");
}

}  // namespace
}  // namespace strata
