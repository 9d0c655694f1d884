#include "lang/murphi/syntax/actor_lines.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

#include "base/characters.h"

namespace strata::murphi {
namespace {

constexpr std::string_view kDashes = "--", kActorWord = "actor:";

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// The name behind "-- actor:"; empty: the line has none.
std::string actor_in(std::string_view line) {
  const size_t dashes = line.find(kDashes);
  if (dashes == std::string_view::npos) return "";
  std::string_view rest = without_blanks(line.substr(dashes + kDashes.size()));
  if (!rest.starts_with(kActorWord)) return "";
  rest = without_blanks(rest.substr(kActorWord.size()));
  const auto end = std::find_if(rest.begin(), rest.end(), [](char c) { return is_space(c); });
  return std::string(rest.begin(), end);
}

bool begins_with_word(std::string_view line, std::string_view word) {
  return std::equal(word.begin(), word.end(), line.begin(),
                    line.begin() + static_cast<long>(std::min(word.size(), line.size())),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

// Whether the text that follows the comment of a line begins a rule, or what encloses rules.
bool stands_above_rule(const SourceFile& file, uint32_t line, uint32_t lines) {
  for (uint32_t next = line + 1; next <= lines; ++next) {
    const std::string_view text = without_blanks(file.line(next));
    if (text.empty() || text.starts_with(kDashes)) continue;
    return begins_with_word(text, "rule") || begins_with_word(text, "alias") ||
           begins_with_word(text, "choose");
  }
  return false;
}

}  // namespace

void read_actor_lines(const SourceFile& file, std::vector<ir::Rule>& rules) {
  const uint32_t lines = file.position(file.text().size()).line;
  for (uint32_t line = 1; line <= lines; ++line) {
    const std::string actor = actor_in(file.line(line));
    if (actor.empty()) continue;
    const bool alone = without_blanks(file.line(line)).starts_with(kDashes);
    const bool above = alone && stands_above_rule(file, line, lines);
    // The rules are in the order of the text.
    const auto behind = std::find_if(rules.begin(), rules.end(),
                                     [&](const ir::Rule& rule) { return rule.position.line > line; });
    if (above && behind != rules.end()) behind->actor = actor;
    if (!above && behind != rules.begin()) (behind - 1)->actor = actor;
  }
}

}  // namespace strata::murphi
