#include "lang/dve/template.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "lang/dve/includes.h"

namespace strata::dve {
namespace {

namespace fs = std::filesystem;

class TemplateTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "strata_template_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    fs::create_directory(folder_ + "/models");
    write("secret", "SECRET\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  SourceFile model(const std::string& text) const { return SourceFile(folder_ + "/models/m.mdve", text); }
  std::string included(const std::string& text) const {
    const Result<std::string> result = expand_includes(model(text));
    return result.ok() ? *result : result.status().message();
  }
  // The expanded text, or the message.
  std::string expanded(const std::string& text) const {
    const Result<SourceFile> result = expand_template(model(text), {});
    return result.ok() ? std::string(result->text()) : result.status().message();
  }

  std::string folder_;
};

TEST_F(TemplateTest, IncludesFilesOfItsFolder) {
  write("models/a", "first\n  include(`b')dnl\n");
  write("models/b", "second\n");
  fs::create_symlink("b", folder_ + "/models/link");
  EXPECT_EQ(included("x\ninclude(`a') y\n"), "x\nfirst\nsecond\ndnl\n y\n");
  EXPECT_EQ(included("include(link)\n"), "second\n\n");
  EXPECT_EQ(included("sinclude(`absent')\n"), "\n");
  EXPECT_EQ(included("my_include(`a')\ninclude(NAME($1))\n"), "my_include(`a')\ninclude(NAME($1))\n");
}

TEST_F(TemplateTest, IncludesNothingElse) {
  const std::string only = ": a template may include only files in the folder of the model";
  const std::string name = folder_ + "/models/m.mdve:2:1: error: ";
  fs::create_symlink("../secret", folder_ + "/models/link");
  fs::create_directory_symlink("..", folder_ + "/models/up");
  for (const std::string& file : {std::string("../secret"), folder_ + "/secret", std::string("link"),
                                  std::string("up/secret"), std::string("."), std::string("/dev/zero")})
    EXPECT_EQ(included("\ninclude(`" + file + "')\n"), name + "include '" + file + "'" + only);
  EXPECT_EQ(included("\ninclude(`absent')\n"), name + "include 'absent': No such file or directory");
  write("models/loop", "include(`loop')\n");
  EXPECT_NE(included("include(`loop')\n").find("includes nested 50 deep"), std::string::npos);
}

TEST_F(TemplateTest, RunsNoProgramsAndReachesNoFiles) {
  if (std::system("m4 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no m4";
  const std::string made = folder_ + "/made", secret = folder_ + "/secret";
  const std::string touch = "(`touch " + made + "')";
  const std::vector<std::string> attacks = {
      "syscmd" + touch,
      "esyscmd" + touch,
      "builtin(`syscmd', `touch " + made + "')",
      "indir(`syscmd', `touch " + made + "')",
      "indir(`builtin', `syscmd', `touch " + made + "')",
      "define(`x', defn(`syscmd'))x" + touch,
      "popdef(`syscmd')undefine(`syscmd')syscmd" + touch,
      "popdef(`builtin')builtin(`esyscmd', `touch " + made + "')",
      "changequote([,])syscmd([touch " + made + "])",
      "m4wrap(`syscmd" + touch + "')",
      "define(`f', `sys')define(`g', f`'cmd)g" + touch,
      "debugfile(`" + made + "')traceon(`len')len(`x')",
      "maketemp(`" + made + "XXXXXX')",
      "mkstemp(`" + made + "XXXXXX')",
      " x include(`" + secret + "')",
      "define(`n', `" + secret + "')include(n)",
      "indir(`include', `" + secret + "')",
      "sinclude(n`'" + secret + ")",
      "undivert(`" + secret + "')",
      "indir(`undivert', `" + secret + "')",
  };
  for (const std::string& attack : attacks) {
    const std::string result = expanded(attack + "\n");
    EXPECT_EQ(result.find("SECRET"), std::string::npos) << attack;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2) << attack;
  }
  EXPECT_EQ(expanded("syscmd(`true')\n"),
            folder_ + "/models/m.mdve: m4 failed:\na template may not use syscmd: it runs programs\n");
  EXPECT_EQ(expanded("byte include, syscmd;\n"), "byte include, syscmd;\n");
}

TEST_F(TemplateTest, LimitsEndIt) {
  if (std::system("m4 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "there is no m4";
  const std::string large = "define(`big', format(`%1000000d', 1))forloop(`i', 1, 20, `big')\n";
  EXPECT_EQ(expanded(large), folder_ + "/models/m.mdve: the expanded text is larger than 16 MiB");
}

}  // namespace
}  // namespace strata::dve
