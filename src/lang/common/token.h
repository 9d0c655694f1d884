// Tokens, and tables of words and symbols. Kind is the language's own enumeration. It must have the members
// end_of_file, invalid (already reported), number, string and identifier, and these functions beside it:
//
//   bool is_name(Kind)                  may be declared: identifiers, and words that are not always reserved
//   bool is_reserved(Kind)              always reserved
//   std::string_view spelling(Kind)     the spelling of a kind that messages use, without quotes
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

// An identifier and its position.
struct Name {
  std::string text;
  SourcePosition position;
};

template <class Kind>
struct Spelling {
  std::string_view text;
  Kind kind;
};

// Looks up a word in a table that is sorted alphabetically.
template <class Kind, size_t N>
std::optional<Kind> find_word(const Spelling<Kind> (&words)[N], std::string_view text) {
  const auto* found = std::ranges::lower_bound(words, text, {}, &Spelling<Kind>::text);
  if (found == std::end(words) || found->text != text) return std::nullopt;
  return found->kind;
}

// The longest symbol with which the text (not empty) begins; null if there is none.
template <class Kind, size_t N>
const Spelling<Kind>* find_symbol(const Spelling<Kind> (&symbols)[N], std::string_view text) {
  const Spelling<Kind>* longest = nullptr;
  for (const Spelling<Kind>& symbol : symbols) {
    if (symbol.text[0] != text[0] || !text.starts_with(symbol.text)) continue;
    if (longest == nullptr || symbol.text.size() > longest->text.size()) longest = &symbol;
  }
  return longest;
}

// The first spelling of a kind; empty if the table has none.
template <class Kind, size_t N>
std::string_view first_spelling(const Spelling<Kind> (&table)[N], Kind kind) {
  const auto* found = std::ranges::find(table, kind, &Spelling<Kind>::kind);
  return found == std::end(table) ? std::string_view() : found->text;
}

}  // namespace strata::lang
