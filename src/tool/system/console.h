// Where text goes, and how a Status ends a command: its message on standard error, its code as the exit code.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

#include "base/status.h"
#include "check/notes.h"
#include "options/options.h"

namespace strata {

// Whether the file is a terminal, and neither NO_COLOR nor TERM=dumb asks for plain text.
bool shows_colours(std::FILE* file);

class Console {
 public:
  // With `--json -` standard output belongs to the JSON object alone.
  explicit Console(const Options& options) : text_(options.json_to_stdout() ? stderr : stdout) {}

  void print(std::string_view text) const { std::fwrite(text.data(), 1, text.size(), text_); }
  bool colour() const { return shows_colours(text_); }
  // A system error when something printed did not reach its destination (a full disk, for example).
  Status flush() const;

  // Receives `put` statements of a model; `context` is a Console.
  static void put(void* context, const char* text, uint64_t length);

 private:
  std::FILE* text_;
};

// Prints to standard error; an empty text is skipped.
void print_note(const std::string& note);
void print_warning(const std::string& warning);
// Both functions, for code that does not print.
Notes console_remarks();

// The text that standard error shows for a failure. A message about a model begins with its file, so that editors find
// the place; any other begins with the program's name.
std::string status_text(const Status& status, bool colour = false);
// Prints that text and returns the exit code.
int fail(const Status& status);

}  // namespace strata
