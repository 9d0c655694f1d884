#include "report/saved/rule_words.h"

#include <algorithm>
#include <utility>

#include "base/text/is_number.h"

namespace strata {

InstanceName split_rule(const std::string& text) {
  // From the end: ", name:value" with no blank behind the colon is a parameter.
  size_t end = text.size();
  for (size_t comma = text.rfind(", "); comma != std::string::npos && comma > 0;
       comma = text.rfind(", ", comma - 1)) {
    const size_t colon = text.find(':', comma);
    const bool parameter = colon != std::string::npos && colon < end && colon > comma + 2 &&
                           colon + 1 < end && text[colon + 1] != ' ' && text.find(' ', comma + 2) > colon;
    if (!parameter) break;
    end = comma;
  }
  // The names that Strata gives to rules without one.
  std::string name = text.substr(0, end);
  const size_t words = name.find_last_not_of("0123456789") + 1;
  const std::string head = words < name.size() ? name.substr(0, words) : "";
  const bool named = head != "Rule " && head != "Startstate " && name != kStartName && name != kStepName;
  return {std::move(name), text.substr(end), named};
}

std::vector<std::string> steps_of(const std::string& text) {
  std::vector<std::string> found;
  for (size_t begin = 0, end = 0; end != std::string::npos; begin = end + 2) {
    end = text.find(", ", begin);
    const std::string step = text.substr(begin, end == std::string::npos ? end : end - begin);
    const size_t colon = step.find(": "), arrow = step.find(" -> ");
    if (colon == std::string::npos || arrow == std::string::npos || colon > arrow) return {};
    found.push_back(step);
  }
  return found;
}

std::string first_value(const InstanceName& name) {
  const size_t colon = name.parameters.find(':');
  if (colon == std::string::npos) return name.name;
  const size_t end = std::min(name.parameters.find(", ", colon), name.parameters.size());
  const std::string value = name.parameters.substr(colon + 1, end - colon - 1);
  return is_integer(value) ? name.parameters.substr(2, end - 2) : value;
}

}  // namespace strata
