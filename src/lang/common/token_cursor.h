// A parser's position in the token list, and its error messages. A parser derives from TokenCursor and adds its grammar
// and its error recovery.
//
// After an error the cursor panics: until the parser resumes, every look at the tokens shows the end of the file. The
// grammar functions therefore need no error checks. Every loop ends and every expectation fails silently, and control
// returns to a function that can recover (for a statement, a declaration, a rule).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"
#include "base/source.h"
#include "lang/common/limits.h"
#include "lang/common/message_text.h"
#include "lang/common/nearest_name.h"
#include "lang/common/token.h"

namespace strata::lang {

template <class Kind>
bool is_one_of(Kind kind, std::initializer_list<Kind> kinds) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

template <class Kind>
class TokenCursor {
 protected:
  using Token = lang::Token<Kind>;

  // Counts one level of nesting during its lifetime.
  class Nesting {
   public:
    explicit Nesting(TokenCursor& cursor) : cursor_(cursor), ok_(++cursor.nesting_ <= kMaximumNesting) {
      if (!ok_) cursor_.fail_too_deep(cursor_.peek().position);
    }
    ~Nesting() { --cursor_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    // False: nested too deeply, and already reported.
    bool ok() const { return ok_; }

   private:
    TokenCursor& cursor_;
    bool ok_;
  };

  // The last token is the end of the file.
  TokenCursor(const SourceFile& file, std::vector<Token> tokens, Diagnostics& diagnostics)
      : file_(file), diagnostics_(diagnostics), tokens_(std::move(tokens)) {}
  ~TokenCursor() = default;
  TokenCursor(const TokenCursor&) = delete;
  TokenCursor& operator=(const TokenCursor&) = delete;

  // ---- Looking ahead and advancing

  const Token& peek(size_t ahead = 0) const {
    return panic_ ? tokens_.back() : tokens_[std::min(index_ + ahead, last())];
  }
  bool at(Kind kind, size_t ahead = 0) const { return peek(ahead).kind == kind; }
  bool at_any(std::initializer_list<Kind> kinds, size_t ahead = 0) const {
    return is_one_of(peek(ahead).kind, kinds);
  }
  bool at_end() const { return at(Kind::end_of_file); }

  const Token& next() {
    const Token& token = peek();
    if (!panic_ && index_ < last()) ++index_;
    return token;
  }

  bool accept(Kind kind) {
    if (!at(kind)) return false;
    next();
    return true;
  }

  // `where` completes the message: expected ';' <where>, found 'x'.
  bool expect(Kind kind, std::string_view where) {
    if (accept(kind)) return true;
    fail_expected(fmt::format("'{}' {}", spelling(kind), where));
    return false;
  }

  // A name that is declared or used here; `what` as in "the name of a variable".
  Name name(std::string_view what) {
    if (is_name(peek().kind)) {
      const Token& token = next();
      return {std::string(text(token)), token.position};
    }
    // Some operators are spelt as words.
    const std::string_view shown = text(peek());
    if (is_reserved(peek().kind) || (!shown.empty() && is_name_start(shown[0]))) {
      fail(fmt::format("expected {}, found the reserved word {}", what, found()));
    } else {
      fail_expected(what);
    }
    return {};
  }

  // ---- Tokens by index

  size_t index() const { return index_; }
  size_t last() const { return tokens_.size() - 1; }
  void rewind(size_t index) { index_ = index; }
  const Token& token(size_t index) const { return tokens_[index]; }
  std::string_view text(const Token& token) const { return file_.text().substr(token.offset, token.length); }

  // The text of tokens [first, end) on one line, without comments; long texts are cut.
  std::string text_between(size_t first, size_t end) const {
    constexpr size_t kLongest = 200;
    std::string out;
    for (size_t i = first; i < end && out.size() <= kLongest; ++i) {
      const bool apart = i > first && tokens_[i].offset > tokens_[i - 1].offset + tokens_[i - 1].length;
      if (apart) out += ' ';
      out += text(tokens_[i]);
    }
    return cut(out, kLongest);
  }

  // ---- Messages. Invalid tokens were already reported by the lexer.

  void fail(std::string message) { fail_at(peek().position, std::move(message)); }

  void fail_at(SourcePosition position, std::string message) {
    if (panic_) return;
    if (!at(Kind::invalid)) diagnostics_.error(position, std::move(message));
    panic_ = true;
  }

  // "expected <what>, found <token>", with a hint for common mistakes.
  void fail_expected(std::string_view what) {
    report_expected(what);
    panic_ = true;
  }

  // The same message without a panic.
  void report_expected(std::string_view what) {
    if (panic_ || at(Kind::invalid)) return;
    diagnostics_.error(place_of_mistake(what),
                       fmt::format("expected {}, found {}{}", what, found(), hint(what)));
  }

  // The position for "expected ...": usually that of the current token. A ';' missing at the end of a line is reported
  // there and not on the next line.
  virtual SourcePosition place_of_mistake(std::string_view expected) const {
    if (index_ == 0 || !expected.starts_with("';'")) return peek().position;
    const Token& before = tokens_[index_ - 1];
    if (before.position.line == peek().position.line) return peek().position;
    return file_.position(before.offset + before.length);
  }

  // The word that the user may have meant by `text`: one of `words`, or of the quoted words in `expected`. Empty: none.
  static std::string near_word(std::string_view text, std::string_view expected,
                               std::initializer_list<std::string_view> words = {}) {
    NearestName nearest(text);
    nearest.offer_all(words);
    for (size_t open = expected.find('\''); open != std::string_view::npos;) {
      const size_t close = expected.find('\'', open + 1);
      if (close == std::string_view::npos) break;
      const std::string_view word = expected.substr(open + 1, close - open - 1);
      if (!word.empty() && is_name_start(word[0]) && word != text) nearest.offer(word);
      open = expected.find('\'', close + 1);
    }
    return nearest.best();
  }

  void fail_too_deep(SourcePosition position) {
    fail_at(position, fmt::format("nested too deeply: more than {} levels", kMaximumNesting));
    give_up();
  }

  // The current token, as messages show it.
  virtual std::string found() const = 0;
  virtual std::string hint(std::string_view) const { return ""; }
  std::string short_text() const {
    constexpr size_t kLongest = 40;
    return cut(text(peek()), kLongest);
  }

  // ---- Panic

  bool panicking() const { return panic_; }
  bool given_up() const { return given_up_; }
  // Ends the panic at a token.
  void resume(size_t index) {
    index_ = index;
    panic_ = false;
  }
  // Stops reading. For errors after which further messages would not help.
  void give_up() {
    panic_ = given_up_ = true;
    index_ = last();
  }

  const SourceFile& file() const { return file_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  const SourceFile& file_;
  Diagnostics& diagnostics_;
  std::vector<Token> tokens_;
  size_t index_ = 0;
  bool panic_ = false;
  bool given_up_ = false;
  uint32_t nesting_ = 0;
};

}  // namespace strata::lang
