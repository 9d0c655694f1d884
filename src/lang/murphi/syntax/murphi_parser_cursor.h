// The token cursor of the Murphi parser, which adds words that some models use as names, constructs that are closed by
// `end` or by their own word, and error recovery.
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

  // At a soft word in its special meaning: the model has not declared it as a name.
  bool at_word(TokenKind kind) const { return at(kind) && !is_declared(peek()); }
  bool expect_do(std::string_view where);
  // A name that is declared here. A soft word thereby loses its special meaning.
  lang::Name declared_name(std::string_view what);
  std::string string_text(const Token& token) const { return string_value(file(), token); }

  // open() records an open construct; close() expects its `end` or its own word.
  void open(TokenKind own_end) { open_.push_back({own_end, index(), {}}); }
  void close(std::string_view what, SourcePosition opened);
  bool at_block_end() const;

  // Whether the rest of a header (of a rule, a loop, ...) contains this token.
  bool leads_to(TokenKind target) const;

  // These functions do something only in a panic. resume_at ends the panic at one of the targets if it is in the rest
  // of a header.
  bool resume_at(std::initializer_list<TokenKind> targets);
  // Skips to the ';' or the end of the enclosing block. If a rule or declaration begins before, the panic continues,
  // because then the enclosing statements are broken too.
  void recover_statement(size_t start);
  // Skips to the ';', the next declaration or the end of the section, but at least past the first token.
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

  // The construct that the last `end` inside an open construct closed: explains the error if that `end` was misplaced.
  struct Closed {
    std::string what;
    uint32_t line = 0, end_line = 0;  // 0: nothing
    bool outdented = false;           // the `end` is further left than the line that it closes
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
