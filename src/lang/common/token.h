// Tokens, and the tables of words and symbols that they are found in. Kind is the language's own enumeration; it has
// the kinds end_of_file, invalid (already reported), number, string and identifier, and beside it stand
//
//   bool is_name(Kind)                  what may be declared: identifiers, and words that are not always reserved
//   bool is_reserved(Kind)              the words that are
//   std::string_view spelling(Kind)     the one way Strata writes a kind, without quotes
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"

namespace strata::lang {

template <class Kind>
struct Token {
  Kind kind = Kind::end_of_file;
  uint32_t offset = 0;  // bytes; a source has at most 1 GiB
  uint32_t length = 0;
  SourcePosition position;
  uint64_t value = 0;  // of a number
};

// An identifier, where it stands.
struct Name {
  std::string text;
  SourcePosition position;
};

template <class Kind>
struct Spelling {
  std::string_view text;
  Kind kind;
};

// In a table in the order of the alphabet.
template <class Kind, size_t N>
std::optional<Kind> find_word(const Spelling<Kind> (&words)[N], std::string_view text) {
  const auto* found = std::ranges::lower_bound(words, text, {}, &Spelling<Kind>::text);
  if (found == std::end(words) || found->text != text) return std::nullopt;
  return found->kind;
}

// The longest symbol that the text, which is not empty, begins with; null when there is none.
template <class Kind, size_t N>
const Spelling<Kind>* find_symbol(const Spelling<Kind> (&symbols)[N], std::string_view text) {
  const Spelling<Kind>* longest = nullptr;
  for (const Spelling<Kind>& symbol : symbols) {
    if (symbol.text[0] != text[0] || !text.starts_with(symbol.text)) continue;
    if (longest == nullptr || symbol.text.size() > longest->text.size()) longest = &symbol;
  }
  return longest;
}

// The first spelling of a kind; empty when the table has none.
template <class Kind, size_t N>
std::string_view first_spelling(const Spelling<Kind> (&table)[N], Kind kind) {
  const auto* found = std::ranges::find(table, kind, &Spelling<Kind>::kind);
  return found == std::end(table) ? std::string_view() : found->text;
}

}  // namespace strata::lang
