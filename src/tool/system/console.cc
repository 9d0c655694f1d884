#include "tool/system/console.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/diagnostic_line.h"
#include "base/system/terminal.h"
#include "base/text/colour.h"
#include "report/result.h"

namespace strata {

Status Console::flush() const {
  if (std::fflush(text_) == 0 && std::ferror(text_) == 0) return {};
  return Status::system(std::string("cannot write the output: ") + std::strerror(errno));
}

void Console::put(void* context, const char* text, uint64_t length) {
  std::fwrite(text, 1, length, static_cast<const Console*>(context)->text_);
}

bool shows_colours(std::FILE* file) {
  const char* plain = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (plain != nullptr && *plain != '\0') return false;
  if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0) return false;
  return is_terminal(file);
}

namespace {

// The place in bold, the severity in its colour, up to the message.
std::string coloured_head(const DiagnosticLine& line) {
  const Colour colour = line.severity == Severity::error ? Colour::bad : Colour::warning;
  const std::string head = DiagnosticLine{line.file, line.position, line.severity, ""}.text();
  const std::string severity = std::string(severity_name(line.severity)) + ": ";
  const std::string place = head.substr(0, head.size() - severity.size() - 1);
  return coloured(true, Colour::emphasis, place) + " " +
         coloured(true, colour, severity.substr(0, severity.size() - 1)) + " ";
}

// The head of each message, and the mark below the line that it is about.
std::string coloured_diagnostics(const std::string& text) {
  std::string out;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    const std::optional<DiagnosticLine> head = DiagnosticLine::read(line);
    if (line.find_first_not_of(" \t") == line.find('^') && line.ends_with('^'))
      out += coloured(true, Colour::good, line);
    else if (head)
      out += coloured_head(*head) + head->message;
    else
      out += line;
    out += '\n';
    begin = end + 1;
  }
  return out;
}

void print_remark(const char* kind, const std::string& text) {
  if (text.empty()) return;
  // A remark that has its place begins with it, as an error does.
  if (DiagnosticLine::read(text)) {
    std::fputs((shows_colours(stderr) ? coloured_diagnostics(text) : text + "\n").c_str(), stderr);
    return;
  }
  const std::string head = coloured(shows_colours(stderr), Colour::warning, kind);
  std::fputs(("strata: " + head + " " + text + "\n").c_str(), stderr);
}

}  // namespace

void print_note(const std::string& note) { print_remark("note:", note); }

void print_warning(const std::string& warning) { print_remark("warning:", warning); }

Notes console_remarks() { return {print_note, print_warning}; }

std::string status_text(const Status& status, bool colour) {
  std::string text = status.message();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  // Messages about a text begin with their place, whatever was to be done with the text.
  const std::optional<DiagnosticLine> placed = DiagnosticLine::read(text);
  if (status.code() == StatusCode::model || (placed && placed->position.line != 0))
    return colour ? coloured_diagnostics(text) : text + "\n";
  const std::string name = coloured(colour, Colour::bad, "strata:") + " ";
  if (status.code() == StatusCode::internal) {
    return name + text +
           "\nThis is a bug in Strata, not in your model: please report it, with the model and the "
           "command.\n";
  }
  return name + text + "\n";
}

int fail(const Status& status) {
  std::fflush(stdout);
  const std::string text = status_text(status, shows_colours(stderr));
  std::fwrite(text.data(), 1, text.size(), stderr);
  return status_exit_code(status.code());
}

}  // namespace strata
