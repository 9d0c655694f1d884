// Completion: the fields of the record before a dot, the states and variables of the process before `.` or `->`, else
// the names that are known here, those of the compared enum first. The text before the place is read backwards, because
// a text that is being typed seldom parses; types are those of the last text that did.
#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters.h"
#include "lsp/features/names.h"

namespace strata::lsp {
namespace {

using lang::SymbolDeclaration;
using lang::SymbolKind;

constexpr size_t kMostItems = 500;
constexpr size_t kMostSteps = 64;

// The numbers of completion items in the protocol.
int item_kind(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant: return 21;
    case SymbolKind::enum_member:
    case SymbolKind::state: return 20;
    case SymbolKind::type: return 22;
    case SymbolKind::field: return 5;
    case SymbolKind::function:
    case SymbolKind::expression: return 3;
    case SymbolKind::process: return 7;
    default: return 6;
  }
}

// Reads a designator backwards from its end: a name with fields and indices.
class BackwardReader {
 public:
  explicit BackwardReader(std::string_view text) : text_(text) {}

  std::string word() {
    size_t begin = text_.size();
    while (begin > 0 && is_name_part(text_[begin - 1])) --begin;
    std::string found(text_.substr(begin));
    text_ = text_.substr(0, begin);
    return found;
  }
  void blanks() {
    while (!text_.empty() && is_space(text_.back())) text_.remove_suffix(1);
  }
  bool take(std::string_view end) {
    if (!text_.ends_with(end)) return false;
    text_.remove_suffix(end.size());
    return true;
  }
  // Takes "[...]" with nested brackets.
  bool index() {
    if (!text_.ends_with(']')) return false;
    size_t depth = 0;
    for (size_t i = text_.size(); i-- > 0;) {
      depth += text_[i] == ']' ? 1 : 0;
      if (text_[i] == '[' && --depth == 0) {
        text_ = text_.substr(0, i);
        return true;
      }
    }
    return false;
  }

 private:
  std::string_view text_;
};

// "cache[p].line" as cache, [], line.
std::vector<std::string> read_designator(BackwardReader& reader) {
  std::vector<std::string> steps;
  while (steps.size() < kMostSteps) {
    reader.blanks();
    while (reader.index()) {
      steps.emplace_back("[]");
      reader.blanks();
    }
    std::string name = reader.word();
    if (name.empty()) return {};
    steps.push_back(std::move(name));
    reader.blanks();
    if (!reader.take(".")) break;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

class Completer {
 public:
  // `place`: in the text that was read; where the text was edited, the end of what is the same.
  Completer(const lang::SymbolTable& symbols, SourcePosition place) : symbols_(symbols) {
    for (const SymbolDeclaration& one : symbols.declarations())
      if (one.owner.line != 0 && one.owner <= place && one.owner > owner_) owner_ = one.owner;
  }

  Json complete(std::string_view text) {
    BackwardReader reader(text);
    prefix_ = reader.word();
    if (reader.take("->")) return members_of_process(reader, SymbolKind::variable);
    if (reader.take(".")) return members(reader);
    names(compared_type(reader));
    return list();
  }

 private:
  bool is_known(const SymbolDeclaration& one) const {
    return one.kind != SymbolKind::field && !one.name.empty() && one.kind != SymbolKind::rule &&
           one.kind != SymbolKind::start && one.kind != SymbolKind::property &&
           (one.global || one.owner == owner_);
  }
  // The innermost meaning of a name: the last one that is known here, preferably a local.
  const SymbolDeclaration* find(const std::string& name) const {
    const SymbolDeclaration* found = nullptr;
    for (const SymbolDeclaration& one : symbols_.declarations())
      if (one.name == name && is_known(one) && (found == nullptr || !one.global || found->global))
        found = &one;
    return found;
  }
  ir::TypeId type_of(const std::vector<std::string>& steps) const {
    const SymbolDeclaration* root = steps.empty() ? nullptr : find(steps[0]);
    if (root == nullptr) return ir::kNoType;
    ir::TypeId type = root->type;
    for (size_t i = 1; i < steps.size(); ++i)
      type = steps[i] == "[]" ? symbols_.element(type) : symbols_.field(type, steps[i]);
    return type;
  }

  // The type of the designator before a comparison or an assignment.
  ir::TypeId compared_type(BackwardReader reader) const {
    reader.blanks();
    bool compares = false;
    for (const char* sign : {":=", "!=", "==", "="}) compares = compares || reader.take(sign);
    return compares ? type_of(read_designator(reader)) : ir::kNoType;
  }

  Json members(BackwardReader reader) {
    const std::vector<std::string> steps = read_designator(reader);
    const ir::TypeId type = type_of(steps);
    for (const std::string& name : symbols_.fields(type))
      add(name, SymbolKind::field, symbols_.type_name(symbols_.field(type, name)), "0");
    if (items_.empty() && steps.size() == 1) add_members(steps[0], SymbolKind::state);
    return list();
  }
  Json members_of_process(BackwardReader reader, SymbolKind kind) {
    add_members(reader.word(), kind);
    return list();
  }
  void add_members(const std::string& process, SymbolKind kind) {
    const SymbolDeclaration* owner = find(process);
    if (owner == nullptr || owner->kind != SymbolKind::process) return;
    for (const SymbolDeclaration& one : symbols_.declarations())
      if (one.owner == owner->position && one.kind == kind) add(one.name, one.kind, one.text, "0");
  }

  void names(ir::TypeId wanted) {
    for (const SymbolDeclaration& one : symbols_.declarations()) {
      if (!is_known(one)) continue;
      const bool fits = one.kind == SymbolKind::enum_member && wanted != ir::kNoType && one.type == wanted;
      add(one.name, one.kind, one.value.empty() || one.value == one.name ? one.text : "= " + one.value,
          fits         ? "0"
          : one.global ? "2"
                       : "1");
    }
  }

  void add(const std::string& name, SymbolKind kind, const std::string& detail, const char* rank) {
    const bool fits =
        name.size() >= prefix_.size() &&
        std::equal(prefix_.begin(), prefix_.end(), name.begin(), [](char a, char b) {
          return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
        });
    if (!fits || !known_.insert(name).second) return;
    cut_ = cut_ || items_.size() == kMostItems;
    if (!cut_)
      items_.push_back(
          {{"label", name}, {"kind", item_kind(kind)}, {"detail", detail}, {"sortText", rank + name}});
  }
  Json list() { return {{"isIncomplete", cut_}, {"items", std::move(items_)}}; }

  const lang::SymbolTable& symbols_;
  SourcePosition owner_;  // of the part of the model in which the place is
  std::string prefix_;
  std::set<std::string> known_;
  Json items_ = Json::array();
  bool cut_ = false;
};

}  // namespace

Json NameQuery::completion() const {
  if (!map_) return {{"isIncomplete", false}, {"items", Json::array()}};
  // A place within the edited part is looked up as the beginning of that part.
  size_t offset = offset_;
  while (offset > 0 && !map_->back(offset)) --offset;
  const SourcePosition place = analysis_.symbols_file->position(map_->back(offset).value_or(0));
  return Completer(*analysis_.symbols, place).complete(document_.file->text().substr(0, offset_));
}

}  // namespace strata::lsp
