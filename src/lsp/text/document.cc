#include "lsp/text/document.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/characters.h"

namespace strata::lsp {
namespace {

// Code units of UTF-16 in the character that begins with this byte; 0 for the other bytes of a character.
uint32_t units(char byte) {
  if (is_continuation(byte)) return 0;
  return static_cast<unsigned char>(byte) >= 0xF0 ? 2 : 1;
}

size_t start_of(const SourceFile& file, uint32_t line) {
  const std::string_view text = file.line(line);
  // The line of a number beyond the last is empty, and a view of nothing.
  return text.data() == nullptr ? file.text().size() : static_cast<size_t>(text.data() - file.text().data());
}

int digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

}  // namespace

size_t offset_of(const SourceFile& file, uint32_t line, uint32_t character) {
  const std::string_view text = file.line(line + 1);
  uint32_t passed = 0;
  size_t at = 0;
  while (at < text.size() && passed < character) {
    passed += units(text[at]);
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
  }
  return start_of(file, line + 1) + at;
}

size_t offset_of(const SourceFile& file, SourcePosition position) {
  if (position.line == 0) return 0;
  const std::string_view text = file.line(position.line);
  size_t at = 0;
  for (uint32_t column = 1; column < position.column && at < text.size(); ++column) {
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
  }
  return start_of(file, position.line) + at;
}

Json place_json(const SourceFile& file, size_t offset) { return place_json(file, file.position(offset)); }

Json place_json(const SourceFile& file, SourcePosition position) {
  if (position.line == 0) return {{"line", 0}, {"character", 0}};
  const std::string_view text = file.line(position.line);
  uint32_t passed = 0, column = 1;
  for (size_t at = 0; at < text.size() && column < position.column; ++column) {
    passed += std::max(1u, units(text[at]));
    ++at;
    while (at < text.size() && is_continuation(text[at])) ++at;
  }
  return {{"line", position.line - 1}, {"character", passed}};
}

Json range_json(const SourceFile& file, SourcePosition position, size_t bytes) {
  return {{"start", place_json(file, position)},
          {"end", place_json(file, std::min(offset_of(file, position) + bytes, file.text().size()))}};
}

bool Document::change(const Json& change) {
  const Json& text = member(change, {"text"});
  if (!text.is_string()) return false;
  if (!change.contains("range")) {
    file = std::make_shared<SourceFile>(path, text.get<std::string>());
    return true;
  }
  size_t ends[2];
  for (const int i : {0, 1}) {
    const char* const name = i == 0 ? "start" : "end";
    const auto line = number_of(change, {"range", name, "line"});
    const auto character = number_of(change, {"range", name, "character"});
    if (!line || !character) return false;
    ends[i] = offset_of(*file, *line, *character);
  }
  if (ends[1] < ends[0]) return false;
  std::string next(file->text());
  next.replace(ends[0], ends[1] - ends[0], text.get<std::string>());
  file = std::make_shared<SourceFile>(path, std::move(next));
  return true;
}

std::string path_of(const std::string& uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return uri;
  const size_t slash = uri.find('/', kFile.size());
  const std::string coded = slash == std::string::npos ? uri.substr(kFile.size()) : uri.substr(slash);
  std::string path;
  for (size_t i = 0; i < coded.size(); ++i) {
    const bool escaped =
        coded[i] == '%' && i + 2 < coded.size() && digit(coded[i + 1]) >= 0 && digit(coded[i + 2]) >= 0;
    if (!escaped) {
      path += coded[i];
      continue;
    }
    path += static_cast<char>(digit(coded[i + 1]) * 16 + digit(coded[i + 2]));
    i += 2;
  }
  return path;
}

TextMap::TextMap(const SourceFile& from, const SourceFile& to)
    : from_(from.text().size()), to_(to.text().size()) {
  const std::string_view a = from.text(), b = to.text();
  before_ = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const size_t most = std::min(a.size(), b.size()) - before_;
  while (behind_ < most && a[a.size() - 1 - behind_] == b[b.size() - 1 - behind_]) ++behind_;
}

std::optional<size_t> TextMap::map(size_t offset, size_t size, size_t other) const {
  if (offset <= before_) return offset;
  if (offset + behind_ >= size && offset <= size) return other - (size - offset);
  return std::nullopt;
}

// What was typed directly before a part does not belong to it.
std::optional<TextMap::Span> TextMap::there(Span span) const {
  if (span.end > from_) return std::nullopt;
  if (span.begin + behind_ >= from_) return Span{to_ - (from_ - span.begin), to_ - (from_ - span.end)};
  if (span.end <= before_) return span;
  return std::nullopt;
}

}  // namespace strata::lsp
