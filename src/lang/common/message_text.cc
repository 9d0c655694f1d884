#include "lang/common/message_text.h"

#include <fmt/format.h>

#include "base/characters.h"

namespace strata::lang {

std::string cut(std::string_view text, size_t longest) {
  if (text.size() <= longest) return std::string(text);
  while (longest > 0 && is_continuation(text[longest])) --longest;
  return std::string(text.substr(0, longest)) + "...";
}

std::string did_you_mean(std::string_view similar) {
  return similar.empty() ? "" : fmt::format("; did you mean '{}'?", similar);
}

}  // namespace strata::lang
