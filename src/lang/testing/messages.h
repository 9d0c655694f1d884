// Helpers for tests of messages.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/diagnostic_line.h"

namespace strata::lang {

// The errors in these files, without file names, source lines and carets. Each is one line:
// "2:7: unknown type 'Prc'\n"; without a position " the model has ...\n".
inline std::string messages_of(std::string_view rendered, std::initializer_list<std::string_view> files) {
  std::string messages;
  while (!rendered.empty()) {
    const std::string_view line = rendered.substr(0, rendered.find('\n'));
    if (const auto read = DiagnosticLine::read(line)) {
      const SourcePosition at = read->position;
      const std::string place = at.line == 0 ? "" : fmt::format("{}:{}:", at.line, at.column);
      if (std::find(files.begin(), files.end(), read->file) != files.end())
        messages += place + " " + read->message + "\n";
    }
    rendered.remove_prefix(std::min(line.size() + 1, rendered.size()));
  }
  return messages;
}

}  // namespace strata::lang
