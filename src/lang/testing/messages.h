// Helpers for tests of messages.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>

namespace strata::lang {

// The messages about these files, without file names, source lines and carets. Each is one line:
// "2:7: unknown type 'Prc'\n".
inline std::string messages_of(std::string_view rendered, std::initializer_list<std::string_view> files) {
  std::string messages;
  while (!rendered.empty()) {
    const std::string_view line = rendered.substr(0, rendered.find('\n'));
    for (const std::string_view file : files)
      if (line.starts_with(file) && line.substr(file.size()).starts_with(':'))
        messages += std::string(line.substr(file.size() + 1)) + "\n";
    rendered.remove_prefix(std::min(line.size() + 1, rendered.size()));
  }
  return messages;
}

}  // namespace strata::lang
