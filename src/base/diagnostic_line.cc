#include "base/diagnostic_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace strata {
namespace {

constexpr std::array kSeverities = {Severity::error, Severity::warning, Severity::note};

// Takes ":12" from the end of a text.
bool take_number(std::string_view& text, uint32_t& number) {
  const size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon + 1 == text.size()) return false;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + colon + 1, end, number);
  if (error != std::errc() || rest != end || number == 0) return false;
  text = text.substr(0, colon);
  return true;
}

// The first severity that stands in the line as one: where the place ends, and where the message begins.
struct Mark {
  size_t at = std::string_view::npos;
  size_t behind = 0;
  Severity severity = Severity::error;
};
Mark first_mark(std::string_view line) {
  Mark first;
  for (const Severity severity : kSeverities) {
    const std::string words = fmt::format(": {}: ", severity_name(severity));
    const size_t at = line.find(words);
    if (at < first.at) first = {at, at + words.size(), severity};
  }
  return first;
}

}  // namespace

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note: return "note";
  }
  return "";
}

std::string DiagnosticLine::text() const {
  const std::string place =
      position.line == 0 ? file : fmt::format("{}:{}:{}", file, position.line, position.column);
  return fmt::format("{}: {}: {}", place, severity_name(severity), message);
}

std::optional<DiagnosticLine> DiagnosticLine::read(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  const Mark mark = first_mark(line);
  if (mark.at == std::string_view::npos || mark.at == 0 || line[0] == ' ' || line[0] == '\t') return {};
  DiagnosticLine read;
  read.severity = mark.severity;
  read.message = line.substr(mark.behind);
  std::string_view place = line.substr(0, mark.at);
  std::string_view shorter = place;
  SourcePosition position;
  if (take_number(shorter, position.column) && take_number(shorter, position.line) && !shorter.empty()) {
    read.position = position;
    place = shorter;
  }
  read.file = place;
  return read;
}

std::string note_at(const std::string& file, SourcePosition position, const std::string& text) {
  return position.line == 0 ? text : DiagnosticLine{file, position, Severity::note, text}.text();
}

}  // namespace strata
