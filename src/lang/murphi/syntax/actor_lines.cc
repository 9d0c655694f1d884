#include "lang/murphi/syntax/actor_lines.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/characters.h"
#include "base/diagnostic_line.h"
#include "lang/murphi/syntax/murphi_lexer.h"

namespace strata::murphi {
namespace {

constexpr std::string_view kDashes = "--", kActorWord = "actor:";

struct ActorComment {
  SourcePosition position;
  std::string actor;
  SourcePosition next;  // of the token that follows; line 0: there is none
};

// A rule of the text. With the groups that begin with it, it begins at `outer`.
struct RulePlace {
  SourcePosition outer, begin, end;
};

std::string_view without_blanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// The name in a comment "-- actor: NAME"; empty: it is another comment.
std::string actor_in(std::string_view comment) {
  std::string_view rest = without_blanks(comment.substr(kDashes.size()));
  if (!rest.starts_with(kActorWord)) return "";
  rest = without_blanks(rest.substr(kActorWord.size()));
  const auto end = std::find_if(rest.begin(), rest.end(), [](char c) { return is_space(c); });
  return std::string(rest.begin(), end);
}

// The comments between two tokens: the text from one offset to another.
void comments_between(const SourceFile& file, size_t at, size_t end, SourcePosition next,
                      std::vector<ActorComment>& out) {
  const std::string_view text = file.text().substr(0, end);
  while (at < end) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("/*")) {
      at = std::min(text.find("*/", at + 2), end - 2) + 2;
    } else if (rest.starts_with(kDashes)) {
      const std::string_view comment = rest.substr(0, rest.find('\n'));
      if (std::string actor = actor_in(comment); !actor.empty())
        out.push_back({file.position(at), std::move(actor), next});
      at += comment.size();
    } else {
      ++at;
    }
  }
}

std::vector<ActorComment> actor_comments(const SourceFile& file) {
  std::vector<ActorComment> comments;
  const std::string_view text = file.text();
  if (text.find(kActorWord) == std::string_view::npos) return comments;
  Diagnostics known(file);  // the parser has reported them
  size_t behind = 0;
  for (const Token& token : tokenize(file, known)) {
    const bool last = token.kind == TokenKind::end_of_file;
    comments_between(file, behind, last ? text.size() : token.offset,
                     last ? SourcePosition() : token.position, comments);
    behind = token.offset + token.length;
  }
  return comments;
}

void add_places(const Item& item, SourcePosition outer, std::vector<RulePlace>& places) {
  if (item.kind == Item::Kind::rule) places.push_back({outer, item.position, item.end});
  for (const Item& inner : item.items)
    add_places(inner, &inner == &item.items.front() ? outer : inner.position, places);
}

// The rule that a comment belongs to; null: none. The places are in the order of the text.
const RulePlace* rule_of(const ActorComment& comment, const std::vector<RulePlace>& places) {
  const auto behind = std::partition_point(
      places.begin(), places.end(), [&](const RulePlace& rule) { return rule.begin < comment.position; });
  if (behind != places.begin() && comment.position.line <= (behind - 1)->end.line) return &*(behind - 1);
  const bool above = behind != places.end() && behind->outer <= comment.next && comment.next <= behind->begin;
  return above ? &*behind : nullptr;
}

}  // namespace

std::string read_actor_lines(const SourceFile& file, const Model& model, std::vector<ir::Rule>& rules) {
  std::vector<RulePlace> places;
  for (const TopLevel& part : model.parts)
    if (part.kind == TopLevel::Kind::item) add_places(part.item, part.item.position, places);
  std::string warnings;
  for (const ActorComment& comment : actor_comments(file)) {
    const RulePlace* const place = rule_of(comment, places);
    if (place == nullptr) {
      const DiagnosticLine line{
          file.name(), comment.position, Severity::warning,
          "this comment belongs to no rule; '-- actor: NAME' stands in a rule or directly above it"};
      warnings += (warnings.empty() ? "" : "\n") + line.text();
      continue;
    }
    // These, too, are in the order of the text.
    const auto rule = std::partition_point(rules.begin(), rules.end(),
                                           [&](const ir::Rule& one) { return one.position < place->begin; });
    if (rule != rules.end() && rule->position == place->begin) rule->actor = comment.actor;
  }
  return warnings;
}

}  // namespace strata::murphi
