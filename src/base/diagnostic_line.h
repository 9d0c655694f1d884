// The first line of a message about a text, in the form that problem matchers of editors and of continuous integration
// read:
//
//   line     = file ":" [line ":" column ":"] " " severity ": " message
//   severity = "error" | "warning" | "note"
//
//   model.m:12:7: error: unknown type 'Prc'
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/source.h"

namespace strata {

enum class Severity { error, warning, note };

const char* severity_name(Severity severity);

struct DiagnosticLine {
  std::string file;
  SourcePosition position;  // of line 0: the message is about the whole file
  Severity severity = Severity::error;
  std::string message;

  std::string text() const;
  // Nothing if the text is not such a line; of several lines, the first is read.
  static std::optional<DiagnosticLine> read(std::string_view text);
};

// A note of the user's model: with a position a line as above, without one the text alone.
std::string note_at(const std::string& file, SourcePosition position, const std::string& text);

}  // namespace strata
