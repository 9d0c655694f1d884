#include "lang/common/token_cursor.h"

#include <gtest/gtest.h>

#include "lang/testing/messages.h"
#include "lang/testing/toy.h"

namespace strata::lang {
namespace {

using toy::Kind;

// text = { "let" name sum ";" }; sum = part { "+" part }; part = name | number | "(" sum ")".
// After an error it resumes after the next ';'. The value of a sum is the sum of its numbers.
class ToyParser : private TokenCursor<Kind> {
 public:
  ToyParser(const SourceFile& file, Diagnostics& diagnostics)
      : TokenCursor(file, toy::Scanner(file, diagnostics).run(), diagnostics) {}

  std::string run() {
    while (!at_end()) {
      definition();
      if (given_up()) break;
      if (panicking()) recover();
    }
    return result_;
  }

 private:
  void definition() {
    expect(Kind::word_let, "before a name");
    const Name declared = name("the name of a sum");
    const size_t first = index();
    const uint64_t value = sum();
    if (expect(Kind::semicolon, "after the sum"))
      result_ += fmt::format("{}@{}: {} = {}\n", declared.text, declared.position.column,
                             text_between(first, index() - 1), value);
  }

  uint64_t sum() {
    const Nesting nesting(*this);
    if (!nesting.ok()) return 0;
    uint64_t value = part();
    while (accept(Kind::plus)) value += part();
    return value;
  }

  uint64_t part() {
    if (at_any({Kind::number, Kind::identifier})) return next().value;
    if (!accept(Kind::left_parenthesis)) {
      fail_expected("a sum");
      return 0;
    }
    const uint64_t value = sum();
    expect(Kind::right_parenthesis, "after the sum");
    return value;
  }

  void recover() {
    size_t i = index();
    while (i < last() && token(i).kind != Kind::semicolon) ++i;
    resume(std::min(i + 1, last()));
  }

  std::string found() const override { return at_end() ? "the end" : "'" + short_text() + "'"; }
  std::string hint(std::string_view expected) const override {
    return at(Kind::minus) && expected.starts_with("';'") ? did_you_mean("+") : "";
  }

  std::string result_;
};

struct Parsed {
  explicit Parsed(std::string text)
      : file("m", std::move(text)),
        diagnostics(file),
        result(ToyParser(file, diagnostics).run()),
        errors(messages_of(diagnostics.render(), {"m"})) {}
  SourceFile file;
  Diagnostics diagnostics;
  std::string result;
  std::string errors;
};

std::string errors(const std::string& text) { return Parsed(text).errors; }

TEST(TokenCursor, ReadsWhatIsRight) {
  const Parsed parsed("let x 1 + (2\n  plus y); let y x;");
  EXPECT_EQ(parsed.errors, "");
  EXPECT_EQ(parsed.result, "x@5: 1 + (2 plus y) = 3\ny@16: x = 0\n");
}

TEST(TokenCursor, OneMistakeIsOneMessage) {
  EXPECT_EQ(errors("let x 1 + ; let y 2;"), "1:11: expected a sum, found ';'\n");
  EXPECT_EQ(errors("let x (1 + (2; let y (3;"),
            "1:14: expected ')' after the sum, found ';'\n"
            "1:24: expected ')' after the sum, found ';'\n");
  EXPECT_EQ(errors("let x 1"), "1:8: expected ';' after the sum, found the end\n");
}

TEST(TokenCursor, WhatTheLexerReportedIsNotReportedAgain) {
  EXPECT_EQ(errors("let x ∀; let y -;"),
            "1:7: no token\n"
            "1:16: expected a sum, found '-'\n");
}

TEST(TokenCursor, ReservedWordsAreNoNames) {
  EXPECT_EQ(errors("let end 1;"), "1:5: expected the name of a sum, found the reserved word 'end'\n");
  EXPECT_EQ(errors("let plus 1;"), "1:5: expected the name of a sum, found the reserved word 'plus'\n");
  EXPECT_EQ(errors("let + 1;"), "1:5: expected the name of a sum, found '+'\n");
}

TEST(TokenCursor, CommonMistakesHaveAHint) {
  EXPECT_EQ(errors("let x 1 - 2;"), "1:9: expected ';' after the sum, found '-'; did you mean '+'?\n");
}

TEST(TokenCursor, LongTextsAreCut) {
  EXPECT_EQ(errors("x" + std::string(60, 'y') + ";"),
            "1:1: expected 'let' before a name, found 'x" + std::string(39, 'y') + "...'\n");
  const Parsed parsed("let x 1" + std::string(300, '0') + ";");
  EXPECT_EQ(parsed.result, "x@5: 1" + std::string(199, '0') + "... = 1\n");
}

TEST(TokenCursor, NestingHasALimit) {
  const auto nested = [](size_t depth) {
    return errors("let x " + std::string(depth, '(') + "1" + std::string(depth, ')') + "; let y ;");
  };
  EXPECT_EQ(nested(999), "1:2014: expected a sum, found ';'\n");
  // Nothing behind it is read.
  EXPECT_EQ(nested(1000), "1:1007: nested too deeply: more than 1000 levels\n");
}

}  // namespace
}  // namespace strata::lang
