#include "lang/murphi/syntax/ltl_lines.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace strata::murphi {
namespace {

// Each formula as "NAME@LINE: TEXT", then the messages.
std::string read(const std::string& text) {
  const SourceFile file("m.m", text);
  Diagnostics diagnostics(file);
  std::string out;
  for (const ir::Formula& formula : read_ltl_lines(file, diagnostics))
    out += formula.name + "@" + std::to_string(formula.position.line) + ": " + formula.text + "\n";
  std::istringstream messages(diagnostics.render());
  for (std::string line; std::getline(messages, line);) {
    // m.m:LINE:COLUMN: MESSAGE; other lines show the text.
    if (!line.starts_with("m.m:")) continue;
    const size_t column = line.find(':', 4), message = line.find(':', column + 1);
    out += line.substr(4, column - 4) + line.substr(message) + "\n";
  }
  return out;
}

TEST(LtlLines, AreFormulasInComments) {
  EXPECT_EQ(read("var x: boolean;\n--@ ltl \"live\" G F \"x\";\n  --@ ltl \"two lines\"\n  --@   G "
                 "(\"x\"\n--@ -> F y) ;\n"),
            "live@2: G F \"x\"\ntwo lines@3: G (\"x\" -> F y)\n");
  EXPECT_EQ(read("--@ ltl \"a\" F \"x;y\";\r\n--@\r\n--@ ltl \"b\" F z;"), "a@1: F \"x;y\"\nb@3: F z\n");
}

TEST(LtlLines, AreNoPartOfOtherComments) {
  EXPECT_EQ(read("/* --@ ltl \"a\" F x;\n--@ ltl \"b\" F x;\n*/ x --@ ltl \"c\" F x;\n-- --@ ltl\n"), "");
  EXPECT_EQ(read("-- /* no comment opens here\n--@ ltl \"a\" F x;\n\"/*\"\n--@ ltl \"b\" F x;\n"),
            "a@2: F x\nb@4: F x\n");
}

TEST(LtlLines, SaysWhatIsWrong) {
  const std::string expected = "1: error: expected --@ ltl \"NAME\" FORMULA; after --@\n";
  EXPECT_EQ(read("--@ see the wiki\n--@ltlish\n--@\n"), "");
  EXPECT_EQ(read("--@ ltl F x;"), expected);
  EXPECT_EQ(read("--@ ltl \"\" F x;"), expected);
  EXPECT_EQ(read("--@ ltl \"a F x;"), expected);
  EXPECT_EQ(read("--@ ltl \"a\" F x\nvar"),
            "1: error: the formula \"a\" does not end: expected ';' at the end of its last line\n");
  EXPECT_EQ(read("--@ ltl \"a\" F x"),
            "1: error: the formula \"a\" does not end: expected ';' at the end of its last line\n");
  EXPECT_EQ(read("--@ ltl \"a\";"), "a@1: \n1: error: the formula \"a\" is empty\n");
  EXPECT_EQ(read("--@ ltl \"a\" F x;\n--@ ltl \"a\" F y;"),
            "a@1: F x\n2: error: a second formula is called \"a\"\n");
  EXPECT_EQ(read("--@ ltl \"none\" F x;"),
            "1: error: a formula cannot be called \"none\", which --property understands as no property\n");
}

}  // namespace
}  // namespace strata::murphi
