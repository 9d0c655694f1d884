// Kinds of characters, as every language here has them; ASCII, whatever the locale.
#pragma once

namespace strata {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// What a name begins with, and what it goes on with.
constexpr bool is_name_start(char c) { return is_letter(c) || c == '_'; }
constexpr bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }
constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
// A byte of a UTF-8 character that is not its first.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace strata
