// Notes and warnings for the user; the caller of a check decides where they are shown.
#pragma once

#include <functional>
#include <string>

namespace strata {

// Empty texts are skipped. Both functions may be empty.
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
