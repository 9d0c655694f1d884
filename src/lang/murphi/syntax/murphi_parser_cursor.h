// What the grammar of Murphi adds to a place in the token list: words that some models use as names, constructs that
// `end` or a word of their own closes, and how the parser finds its way again after an error.
#pragma once

#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "lang/common/token_cursor.h"
#include "lang/murphi/syntax/murphi_lexer.h"

namespace strata::murphi {

class ParserCursor : protected lang::TokenCursor<TokenKind> {
 protected:
  ParserCursor(const SourceFile& file, Diagnostics& diagnostics)
      : TokenCursor(file, tokenize(file, diagnostics), diagnostics) {}

  // A soft word in its role as a word of the language: not declared as a name by this model.
  bool at_word(TokenKind kind) const { return at(kind) && !is_declared(peek()); }
  bool expect_do(std::string_view where);
  // A name that is declared here: a soft word then loses its special meaning.
  lang::Name declared_name(std::string_view what);
  std::string string_text(const Token& token) const { return string_value(file(), token); }

  // Remembers that a construct is open, and closes it: with `end` or its own word.
  void open(TokenKind own_end) { open_.push_back({own_end, index(), {}}); }
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
  std::string found() const override;
  std::string hint(std::string_view expected) const override;
  SourcePosition place_of_mistake(std::string_view expected) const override;
  bool at_short_arrow() const;
  std::string meant_word(std::string_view expected) const;
  std::string meant_operator() const;
  bool must_recover();

  // What an `end` closed within a construct that is open, for the case that this one's `end` is missing.
  struct Closed {
    std::string what;
    uint32_t line = 0, end_line = 0;  // 0: nothing
    bool outdented = false;           // the `end` stands further left than the line that it closes
  };
  struct Open {
    TokenKind own_end;
    size_t index;
    Closed inner;
  };
  bool is_outdented(const Open& construct, uint32_t line) const;
  void note_closed(const Open& construct, std::string_view what, SourcePosition opened);

  std::vector<Open> open_;
  std::set<std::string, std::less<>> declared_soft_words_;
};

}  // namespace strata::murphi
