// What the user should know that is no result: whoever runs a check decides where it is shown.
#pragma once

#include <functional>
#include <string>

namespace strata {

// An empty text says nothing. Both may be left out.
struct Notes {
  std::function<void(const std::string&)> note_to, warning_to;

  void note(const std::string& text) const { tell(note_to, text); }
  void warning(const std::string& text) const { tell(warning_to, text); }

 private:
  static void tell(const std::function<void(const std::string&)>& to, const std::string& text) {
    if (to && !text.empty()) to(text);
  }
};

}  // namespace strata
