#include "lang/murphi/syntax/murphi_lexer.h"

#include <gtest/gtest.h>

namespace strata::murphi {
namespace {

using Kind = TokenKind;

struct Lexed {
  explicit Lexed(std::string text)
      : file("m", std::move(text)), diagnostics(file), tokens(tokenize(file, diagnostics)) {}

  // The canonical spelling of each token; "N" for numbers, "S" for strings, "I" for names, "?" for invalid ones.
  std::string kinds() const {
    std::string out;
    for (const Token& token : tokens) {
      if (token.kind == Kind::end_of_file) break;
      if (!out.empty()) out += ' ';
      out += token.kind == Kind::number       ? "N"
             : token.kind == Kind::string     ? "S"
             : token.kind == Kind::identifier ? "I"
             : token.kind == Kind::invalid    ? "?"
                                              : std::string(spelling(token.kind));
    }
    return out;
  }

  SourceFile file;
  Diagnostics diagnostics;
  std::vector<Token> tokens;
};

std::string kinds(const std::string& text) {
  const Lexed lexed(text);
  EXPECT_EQ(lexed.diagnostics.render(), "") << text;
  return lexed.kinds();
}

uint64_t number(const std::string& text) {
  const Lexed lexed(text);
  EXPECT_EQ(lexed.diagnostics.render(), "") << text;
  EXPECT_EQ(lexed.tokens.size(), 2u) << text;
  return lexed.tokens[0].value;
}

std::string error(const std::string& text) { return Lexed(text).diagnostics.render(); }

std::string string_of(const std::string& text) {
  const Lexed lexed(text);
  EXPECT_EQ(lexed.diagnostics.render(), "") << text;
  EXPECT_EQ(lexed.kinds(), "S") << text;
  return string_value(lexed.file, lexed.tokens[0]);
}

TEST(Lexer, AnEmptyTextIsItsEnd) {
  const Lexed lexed("");
  ASSERT_EQ(lexed.tokens.size(), 1u);
  EXPECT_EQ(lexed.tokens[0].kind, Kind::end_of_file);
  EXPECT_EQ(lexed.tokens[0].position, (SourcePosition{1, 1}));
}

TEST(Lexer, TheEndStandsBehindTheLastToken) {
  EXPECT_EQ(Lexed("end\n\n  -- bye\n").tokens.back().position, (SourcePosition{1, 4}));
}

TEST(Lexer, ReservedWordsInAnyCase) {
  EXPECT_EQ(kinds("rule RULE RuLe endRule EndFunction TRUE False Boolean"),
            "rule rule rule endrule endfunction true false boolean");
}

TEST(Lexer, NamesAreNotReserved) {
  EXPECT_EQ(kinds("rules x_1 priority process program in end1 A"), "I I I I I I I I");
}

TEST(Lexer, WordsOfOneToolAreSoft) {
  const Lexed lexed("choose MultiSet undefined cover assume liveness endchoose interleaved");
  for (const Token& token : lexed.tokens) {
    if (token.kind == Kind::end_of_file) continue;
    EXPECT_TRUE(is_soft(token.kind) && is_name(token.kind));
  }
  EXPECT_FALSE(is_soft(Kind::word_alias));
  EXPECT_TRUE(is_reserved(Kind::word_alias) && is_reserved(Kind::word_while));
  EXPECT_FALSE(is_reserved(Kind::ampersand));
}

TEST(Lexer, Operators) {
  EXPECT_EQ(kinds("= == ==> := : .. . -> - >= > >> <= < << != ! & && | || ^ ~ + * / % ? ; , ( ) [ ] { }"),
            "= = ==> := : .. . -> - >= > >> <= < << != ! & && | || ^ ~ + * / % ? ; , ( ) [ ] { }");
  EXPECT_EQ(kinds("a==>b==c:=d..e->f<-g"), "I ==> I = I := I .. I -> I < - I");
}

TEST(Lexer, UnicodeOperatorsBecomeTheirAsciiForms) {
  EXPECT_EQ(kinds("≤ ≥ ≠ ∧ ∨ ¬ → ⇒ ≔ ÷ ∕ × − ∀ ∃"), "<= >= != && || ! -> ==> := / / * - forall exists");
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(number("0"), 0u);
  EXPECT_EQ(number("42"), 42u);
  EXPECT_EQ(number("010"), 8u);
  EXPECT_EQ(number("0x1F"), 31u);
  EXPECT_EQ(number("0Xff"), 255u);
  EXPECT_EQ(number("9223372036854775807"), 9223372036854775807u);
  EXPECT_EQ(number("9223372036854775808"), 9223372036854775808u);  // for -2^63
  EXPECT_EQ(kinds("0..5 1to 2"), "N .. N N to N");
}

TEST(Lexer, WrongNumbers) {
  EXPECT_EQ(error("x 09"), "m:1:3: error: '09' is not a valid octal number\n  x 09\n    ^\n");
  const std::string large = "the number is too large: the largest is 9223372036854775807";
  EXPECT_EQ(error("9223372036854775809"), "m:1:1: error: " + large + "\n  9223372036854775809\n  ^\n");
  EXPECT_EQ(error("0xfffffffffffffffe"), "m:1:1: error: " + large + "\n  0xfffffffffffffffe\n  ^\n");
}

TEST(Lexer, RealNumbersAreRefusedOnce) {
  EXPECT_EQ(error("a: 1.5; b: .5;"),
            "m:1:4: error: real numbers are not supported\n  a: 1.5; b: .5;\n     ^\n");
  EXPECT_EQ(Lexed("r.5").kinds(), "I . N");
}

TEST(Lexer, Comments) {
  EXPECT_EQ(kinds("a -- b\nc /* d\n * ** e */ f --"), "I I I");
  EXPECT_EQ(kinds("a--b\rc"), "I I");
  EXPECT_EQ(kinds("/**/a/***/"), "I");
  EXPECT_EQ(
      error("a\n  /* b"),
      "m:2:3: error: the comment is not closed: expected '*/' before the end of the file\n    /* b\n    ^\n");
}

TEST(Lexer, Strings) {
  EXPECT_EQ(string_of("\"\""), "");
  EXPECT_EQ(string_of("\"a b -- /*\""), "a b -- /*");
  EXPECT_EQ(string_of("“foo”"), "foo");
  EXPECT_EQ(string_of("“foo\""), "foo");
  EXPECT_EQ(string_of("\"“foo”\""), "“foo”");
  EXPECT_EQ(string_of(R"("\"a\" \\ \n\t\q")"), "\"a\" \\ \n\t\\q");
  EXPECT_EQ(string_of("“a\\”b”"), "a”b");
}

TEST(Lexer, AStringEndsOnItsLine) {
  const std::string message = "the string is not closed: expected '\"' before the end of the line";
  EXPECT_EQ(error("rule \"a\nend"), "m:1:6: error: " + message + "\n  rule \"a\n       ^\n");
  EXPECT_EQ(error("rule \"a\\\" begin\nend"),
            "m:1:6: error: " + message + "\n  rule \"a\\\" begin\n       ^\n");
  EXPECT_EQ(Lexed("error \"a\\\n end").kinds(), "error ? end");
}

TEST(Lexer, UnknownCharacters) {
  EXPECT_EQ(error("x @@# y"), "m:1:3: error: unexpected character '@'\n  x @@# y\n    ^\n");
  EXPECT_EQ(error("x € y"), "m:1:3: error: unexpected character '€'\n  x € y\n    ^\n");
  EXPECT_EQ(error(std::string("x \0 y", 5)),
            "m:1:3: error: unexpected control character 0x00\n  x � y\n    ^\n");
  EXPECT_EQ(error("_x"), "m:1:1: error: a name cannot begin with '_'\n  _x\n  ^\n");
  EXPECT_EQ(Lexed("x @@ y $z").kinds(), "I ? I ? I");
}

TEST(Lexer, PositionsAgreeWithTheSourceFile) {
  const Lexed lexed("∀ x\r\n\t“é” y\rz ≤\n\xFF\xBF q \x80 r\n\x80w");
  for (const Token& token : lexed.tokens) {
    if (token.kind == Kind::end_of_file) continue;
    EXPECT_EQ(token.position, lexed.file.position(token.offset)) << token.offset;
  }
}

TEST(Lexer, SkipsAByteOrderMark) { EXPECT_EQ(kinds("\xEF\xBB\xBFvar x"), "var I"); }

}  // namespace
}  // namespace strata::murphi
