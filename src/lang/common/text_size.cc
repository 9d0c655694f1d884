#include "lang/common/text_size.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/text/units.h"

namespace strata::lang {

namespace {

// Measured on the densest texts: a Murphi token takes 200 bytes.
constexpr uint64_t kBytesEachToken = 224, kBytesEachByte = 3;

bool in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// The end of a comment that begins at `i`, in either language; 0: no comment begins there.
size_t comment_end(std::string_view text, size_t i) {
  const std::string_view two = text.substr(i, 2);
  const bool line = two == "--" || two == "//";
  if (!line && two != "/*") return 0;
  const size_t end = line ? text.find('\n', i) : text.find("*/", i + 2);
  return end == std::string_view::npos ? text.size() : end + (line ? 1 : 2);
}

// Counts words, and each character that is not part of a word. A symbol of two characters therefore counts twice.
uint64_t count_tokens(std::string_view text) {
  uint64_t tokens = 0;
  for (size_t i = 0; i < text.size();) {
    if (const size_t end = comment_end(text, i); end != 0) {
      i = end;
      continue;
    }
    const bool word = in_word(text[i]);
    if (!is_blank(text[i])) ++tokens;
    do ++i;
    while (word && i < text.size() && in_word(text[i]));
  }
  return tokens;
}

Status too_long(const std::string& path, uint64_t text, uint64_t needed, uint64_t memory) {
  return Status::limit(
      fmt::format("{}: --memory {} is too small to read this text of {:.1f} MB; raise it to {}", path,
                  mebibytes_text(memory), static_cast<double>(text) / 1e6, whole_mebibytes_text(needed)));
}

}  // namespace

uint64_t bytes_to_read(std::string_view text) {
  return text.size() * kBytesEachByte + count_tokens(text) * kBytesEachToken;
}

Status check_text_size(const std::string& path, std::string_view text, uint64_t memory) {
  // Fits even if every byte is a token.
  if (text.size() <= memory / (kBytesEachToken + kBytesEachByte)) return {};
  const uint64_t needed = bytes_to_read(text);
  return needed <= memory ? Status() : too_long(path, text.size(), needed, memory);
}

Status check_file_size(const std::string& path, uint64_t memory) {
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(path, error);
  // Few texts have more than one token for every two bytes.
  const uint64_t likely = size / 2 * kBytesEachToken;
  return error || size <= memory / kBytesEachByte ? Status() : too_long(path, size, likely, memory);
}

std::shared_ptr<const SourceFile> text_to_keep(const SourceFile& file) {
  constexpr size_t kMostBytes = size_t{4} << 20;
  return file.text().size() > kMostBytes ? nullptr : std::make_shared<const SourceFile>(file);
}

}  // namespace strata::lang
