#include "ltl/format/never_cursor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"

namespace strata::ltl {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

std::string_view first_word(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && is_name_part(text[length])) ++length;
  return text.substr(0, length);
}

std::string trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
}

// Whether the text begins with a token that ends an atomic proposition outside of parentheses.
bool ends_atom(std::string_view text) {
  for (const std::string_view end : {"&&", "||", "->", "::", ")", ";", "}", "\n"}) {
    if (text.starts_with(end)) return true;
  }
  return text.empty();
}

}  // namespace

NeverCursor::NeverCursor(const SourceFile& file, Diagnostics& diagnostics)
    : file_(file), diagnostics_(diagnostics), text_(file.text()) {
  skip_blanks();
}

void NeverCursor::skip_blanks() {
  while (!at_end() && ok()) {
    const size_t begin = offset_;
    offset_ = std::min(text_.find_first_not_of(kBlanks, offset_), text_.size());
    if (at("//")) offset_ = std::min(text_.find('\n', offset_), text_.size());
    if (at("/*")) {
      const size_t close = text_.find("*/", offset_ + 2);
      if (close == std::string_view::npos)
        return fail_at(offset_, "the comment is not closed: expected '*/'");
      offset_ = close + 2;
    }
    if (at("#")) read_define();
    if (offset_ == begin) return;
  }
}

void NeverCursor::read_define() {
  const size_t end = std::min(text_.find('\n', offset_), text_.size());
  std::string_view line = text_.substr(offset_, end - offset_);
  constexpr std::string_view kDefine = "#define";
  if (!line.starts_with(kDefine)) return fail_at(offset_, "only '#define NAME EXPRESSION' is supported");
  const std::string rest = trimmed(line.substr(kDefine.size()));
  const std::string_view name = first_word(rest);
  const std::string value = trimmed(std::string_view(rest).substr(name.size()));
  if (name.empty() || value.empty()) return fail_at(offset_, "expected '#define NAME EXPRESSION'");
  defines_[std::string(name)] = value;
  offset_ = end;
}

std::string_view NeverCursor::word() const { return ok() ? first_word(rest()) : std::string_view(); }

std::string_view NeverCursor::label() const {
  const std::string_view name = word();
  const std::string_view behind = rest().substr(name.size());
  const size_t colon = behind.find_first_not_of(kBlanks);
  const bool labels =
      colon != std::string_view::npos && behind[colon] == ':' && !behind.substr(colon).starts_with("::");
  return labels ? name : std::string_view();
}

bool NeverCursor::accept(std::string_view symbol) {
  if (!at(symbol)) return false;
  offset_ += symbol.size();
  skip_blanks();
  return true;
}

bool NeverCursor::accept_word(std::string_view expected) { return word() == expected && accept(expected); }

std::string NeverCursor::take_word(std::string_view what) {
  const std::string taken(word());
  if (taken.empty()) fail_expected(what);
  accept(taken);
  return taken;
}

void NeverCursor::expect(std::string_view symbol) {
  if (!accept(symbol)) fail_expected(fmt::format("'{}'", symbol));
}

void NeverCursor::fail_at(size_t offset, std::string message) {
  if (ok()) diagnostics_.error(file_.position(offset), std::move(message));
}

void NeverCursor::fail_expected(std::string_view what) {
  const std::string_view found = word().empty() ? rest().substr(0, 1) : word();
  const std::string shown = at_end() ? "the end of the file" : fmt::format("'{}'", found);
  fail_at(offset_, fmt::format("expected {}, found {}", what, shown));
}

// The offset of the parenthesis that matches the one here; the end of the text if there is none.
size_t NeverCursor::matching_parenthesis() const {
  size_t depth = 0;
  for (size_t i = offset_; i < text_.size(); ++i) {
    if (text_[i] == '(') ++depth;
    if (text_[i] == ')' && --depth == 0) return i;
  }
  return text_.size();
}

void NeverCursor::skip_parenthesised() {
  if (!at("(")) return fail_expected("'('");
  const size_t close = matching_parenthesis();
  if (close == text_.size()) return fail_at(offset_, "the parenthesis is not closed");
  offset_ = close;
  expect(")");
}

// Whether the parenthesis here encloses a condition; the one of (a + b) < 3 does not.
bool NeverCursor::groups() const {
  const size_t close = matching_parenthesis();
  if (close == text_.size()) return true;
  const size_t behind = std::min(text_.find_first_not_of(kBlanks, close + 1), text_.size());
  return ends_atom(text_.substr(behind));
}

Formula NeverCursor::condition() { return disjunction(); }

Formula NeverCursor::implication() {
  Formula left = disjunction();
  while (accept("->")) left = pool_.implies(left, disjunction());
  return left;
}

Formula NeverCursor::disjunction() {
  Formula left = conjunction();
  while (accept("||")) left = pool_.disjunction({left, conjunction()});
  return left;
}

Formula NeverCursor::conjunction() {
  Formula left = unary();
  while (accept("&&")) left = pool_.conjunction({left, unary()});
  return left;
}

Formula NeverCursor::unary() {
  if (nesting_ > 1000) fail_at(offset_, "the condition is nested deeper than 1000");
  if (!ok()) return pool_.constant(false);
  ++nesting_;
  Formula result;
  if (at("(") && matching_parenthesis() == text_.size()) fail_at(offset_, "the parenthesis is not closed");
  if (accept("!")) {
    result = pool_.negation(unary());
  } else if (at("(") && groups()) {
    accept("(");
    result = implication();
    expect(")");
  } else {
    result = atom();
  }
  --nesting_;
  return result;
}

Formula NeverCursor::atom() {
  const size_t begin = offset_;
  size_t depth = 0, end = offset_;
  for (; end < text_.size() && (depth > 0 || !ends_atom(text_.substr(end))); ++end) {
    if (text_[end] == '(' || text_[end] == '[') ++depth;
    if (depth > 0 && (text_[end] == ')' || text_[end] == ']')) --depth;
  }
  std::string text = trimmed(text_.substr(begin, end - begin));
  if (text.empty()) {
    fail_expected("a condition");
    return pool_.constant(false);
  }
  offset_ = end;
  skip_blanks();
  if (text == "true" || text == "1" || text == "skip") return pool_.constant(true);
  if (text == "false" || text == "0") return pool_.constant(false);
  if (const auto define = defines_.find(text); define != defines_.end()) text = define->second;
  const std::optional<uint8_t> number = pool_.proposition(text);
  if (!number) fail_at(begin, "more than 64 atomic propositions are not supported");
  return number ? pool_.literal(*number) : pool_.constant(false);
}

}  // namespace strata::ltl
