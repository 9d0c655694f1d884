#include "base/text/text_cursor.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace strata {
namespace {

struct Reading {
  explicit Reading(std::string text)
      : file("m", std::move(text)), diagnostics(file), cursor(file, diagnostics) {}
  SourceFile file;
  Diagnostics diagnostics;
  TextCursor cursor;
};

TEST(TextCursor, LooksAheadWithoutEnd) {
  Reading reading("ab1 ");
  TextCursor& cursor = reading.cursor;
  EXPECT_TRUE(cursor.at("ab"));
  EXPECT_FALSE(cursor.at("ab1  "));
  EXPECT_EQ(cursor.peek(2), '1');
  EXPECT_EQ(cursor.peek(4), '\0');
  EXPECT_EQ(cursor.run_length(is_letter), 2u);
  EXPECT_EQ(cursor.run_length(is_digit), 0u);
  EXPECT_EQ(cursor.run_length(is_digit, 2), 1u);
  EXPECT_EQ(cursor.run_length(is_digit, 9), 0u);
}

TEST(TextCursor, EndsWithTheText) {
  Reading reading("ab");
  TextCursor& cursor = reading.cursor;
  EXPECT_FALSE(cursor.at_end());
  cursor.advance(7);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.offset(), 2u);
  EXPECT_EQ(cursor.rest(), "");
  cursor.skip_spaces();
  cursor.skip_to("\n");
  EXPECT_EQ(cursor.offset(), 2u);
}

TEST(TextCursor, SkipsSpacesAndComments) {
  Reading reading(" \t\r\n\v\f/*/ x */-- y\rz/* ");
  TextCursor& cursor = reading.cursor;
  cursor.skip_spaces();
  EXPECT_TRUE(cursor.at("/*/"));
  EXPECT_TRUE(cursor.skip_comment());
  EXPECT_TRUE(cursor.at("--"));
  cursor.skip_to("\r\n");
  EXPECT_EQ(cursor.rest(), "\rz/* ");
  cursor.skip_to("/");
  EXPECT_FALSE(cursor.skip_comment());
  EXPECT_EQ(cursor.rest(), "/* ");
}

TEST(TextCursor, MessagesStandWhereItIs) {
  Reading reading("x\n∀y∃");
  TextCursor& cursor = reading.cursor;
  cursor.advance(2);
  EXPECT_EQ(cursor.character_length(), 3u);
  cursor.advance(3);
  cursor.error("unexpected");
  EXPECT_EQ(reading.diagnostics.render(), "m:2:2: error: unexpected\n  ∀y∃\n   ^\n");
}

TEST(TextCursor, APartOfAText) {
  const SourceFile file("m", "a bc d");
  Diagnostics diagnostics(file);
  TextCursor cursor(file, 2, 4, diagnostics);
  EXPECT_EQ(cursor.rest(), "bc");
  EXPECT_EQ(cursor.position(), (SourcePosition{1, 3}));
  cursor.advance(2);
  EXPECT_TRUE(cursor.at_end());
  EXPECT_EQ(cursor.position(), (SourcePosition{1, 5}));
}

// Byte by byte through texts of any bytes: lines, characters and what is neither.
TEST(TextCursor, PositionsAreThoseOfTheFile) {
  Random random(1);
  constexpr std::string_view kBytes = "a \n\r\xE2\x88\x80\xC3\x80\xFF";
  for (int run = 0; run < 200; ++run) {
    std::string text;
    for (uint64_t i = random.below(60); i > 0; --i) text += kBytes[random.below(kBytes.size())];
    Reading reading(text);
    for (; !reading.cursor.at_end(); reading.cursor.advance(1))
      ASSERT_EQ(reading.cursor.position(), reading.file.position(reading.cursor.offset())) << run;
  }
}

}  // namespace
}  // namespace strata
