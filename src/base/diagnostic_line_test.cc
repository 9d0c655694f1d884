#include "base/diagnostic_line.h"

#include <gtest/gtest.h>

namespace strata {
namespace {

TEST(DiagnosticLine, IsReadAsItIsWritten) {
  for (const Severity severity : {Severity::error, Severity::warning, Severity::note}) {
    for (const SourcePosition position : {SourcePosition{}, SourcePosition{12, 7}}) {
      const DiagnosticLine line{"a: b/m.m", position, severity, "no 'x': 1:2: error: why"};
      const std::optional<DiagnosticLine> read = DiagnosticLine::read(line.text() + "\n  x\n  ^\n");
      ASSERT_TRUE(read.has_value()) << line.text();
      EXPECT_EQ(read->file, line.file);
      EXPECT_EQ(read->position, position);
      EXPECT_EQ(read->severity, severity);
      EXPECT_EQ(read->message, line.message);
    }
  }
}

TEST(DiagnosticLine, ToTheLetter) {
  EXPECT_EQ((DiagnosticLine{"m.m", {12, 7}, Severity::error, "oops"}.text()), "m.m:12:7: error: oops");
  EXPECT_EQ((DiagnosticLine{"m.m", {}, Severity::warning, "oops"}.text()), "m.m: warning: oops");
  EXPECT_EQ(note_at("m.m", {3, 4}, "so"), "m.m:3:4: note: so");
  EXPECT_EQ(note_at("m.m", {}, "so"), "so");
}

TEST(DiagnosticLine, OtherLinesAreNone) {
  for (const char* text : {"", "m.m:1:2: no", "  m.m:1:2: error: shown", "\tm.m: error: x", ": error: x",
                           "error: x", "m.m:1:2: errors: x"})
    EXPECT_FALSE(DiagnosticLine::read(text).has_value()) << text;
  // Words between colons that are not numbers belong to the name of the file.
  EXPECT_EQ(DiagnosticLine::read("m.m:x:2: error: y")->file, "m.m:x:2");
  EXPECT_EQ(DiagnosticLine::read("m.m:0:2: error: y")->file, "m.m:0:2");
}

}  // namespace
}  // namespace strata
