// The parser's place in the token list, its error messages, and how it finds its way again after an error.
//
// After an error the cursor panics: until a recovery function ends the panic, every look at the tokens shows the end
// of the file. So the grammar functions need no error checks of their own: each loop ends, each expectation fails,
// without a further message, and control returns to a place that knows how to go on (a statement, a declaration, a
// rule).
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lang/murphi/syntax/lexer.h"

namespace strata::murphi {

// Expressions, types, statements and rules may be nested this deep, so that the parser and every later pass can
// be recursive.
constexpr uint32_t kMaximumNesting = 1000;

class TokenCursor {
 protected:
  struct Name {
    std::string text;
    SourcePosition position;
  };

  // Counts one level of nesting while it lives.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor);
    ~Nesting() { --cursor_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    // False: too deep, and reported.
    bool ok() const { return ok_; }

   private:
    TokenCursor& cursor_;
    bool ok_;
  };

  TokenCursor(const SourceFile& file, Diagnostics& diagnostics);

  const Token& peek(size_t ahead = 0) const;
  bool at(TokenKind kind) const { return peek().kind == kind; }
  bool at_any(std::initializer_list<TokenKind> kinds, size_t ahead = 0) const;
  bool at_end() const { return at(TokenKind::end_of_file); }
  // A soft word in its role as a word of the language: not declared as a name by this model.
  bool at_word(TokenKind kind) const { return at(kind) && !is_declared(peek()); }
  const Token& next();
  bool accept(TokenKind kind);
  // `where` completes the message: expected ';' <where>, found 'x'.
  bool expect(TokenKind kind, std::string_view where);
  bool expect_do(std::string_view where);
  // A name that is declared or used here; `what` as in "the name of a variable".
  Name name(std::string_view what);
  // The same where a name is declared: a soft word then loses its special meaning.
  Name declared_name(std::string_view what);

  size_t index() const { return index_; }
  void rewind(size_t index) { index_ = index; }
  const Token& token(size_t index) const { return tokens_[index]; }
  std::string_view text(const Token& token) const;
  std::string string_text(const Token& token) const { return string_value(file_, token); }
  // Tokens [first, end) on one line without comments; long texts are cut.
  std::string text_between(size_t first, size_t end) const;

  bool panicking() const { return panic_; }
  void fail(std::string message);
  void fail_at(SourcePosition position, std::string message);
  // "expected <what>, found <token>", and a hint where the mistake is a common one.
  void fail_expected(std::string_view what);
  // The same message, but no panic.
  void report_expected(std::string_view what);

  // Remembers that a construct is open, and closes it: with `end` or its own word.
  void open(TokenKind own_end) { open_ends_.push_back(own_end); }
  void close(std::string_view what, SourcePosition opened);
  bool at_block_end() const;

  // Whether the rest of a header (of a rule, a loop, ...) contains this token.
  bool leads_to(TokenKind target) const;

  // Each of these does something only in panic. resume_at ends it at one of the targets if the rest of a header
  // leads there.
  bool resume_at(std::initializer_list<TokenKind> targets);
  // To the ';' or the end of the enclosing block. Panic goes on where a rule or a declaration begins: the enclosing
  // statements are broken as well then.
  void recover_statement(size_t start);
  // To the ';', the next declaration or the end of the section, but at least behind the first token.
  void recover_declaration(size_t start);
  void recover_item(size_t start);

 private:
  bool is_declared(const Token& token) const;
  bool is_block_end(size_t index) const;
  size_t find_in_header(std::initializer_list<TokenKind> targets) const;
  size_t find_statement_end(size_t start) const;
  std::string found() const;
  std::string hint(std::string_view expected) const;
  // Reads no further: the panic lasts. For mistakes after which more messages would not help.
  void give_up();
  bool must_recover();

  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  bool panic_ = false;
  bool given_up_ = false;
  uint32_t nesting_ = 0;
  std::vector<TokenKind> open_ends_;
  std::set<std::string, std::less<>> declared_soft_words_;
};

}  // namespace strata::murphi
