#include "lang/common/symbols.h"

#include <algorithm>

#include "base/characters.h"

namespace strata::lang {
namespace {

// Rules, start states and properties are named by strings, or not at all.
bool is_word(SymbolKind kind) {
  return kind != SymbolKind::rule && kind != SymbolKind::start && kind != SymbolKind::property;
}

// The part of a line from a column on; columns count characters.
std::string_view text_at(const SourceFile& file, SourcePosition position) {
  std::string_view line = file.line(position.line);
  for (uint32_t column = 1; column < position.column && !line.empty(); ++column) {
    line.remove_prefix(1);
    while (!line.empty() && is_continuation(line.front())) line.remove_prefix(1);
  }
  return line;
}

bool stands_at(const SourceFile& file, SourcePosition position, const std::string& name) {
  return position.line != 0 && !name.empty() && text_at(file, position).starts_with(name);
}

}  // namespace

void SymbolTable::declare(SymbolDeclaration declaration) {
  if (declaration.position.line == 0 || !known_.insert(declaration.position).second) return;
  declaration.owner = owner_;
  declarations_.push_back(std::move(declaration));
}

void SymbolTable::describe(SourcePosition declaration, ir::TypeId type, std::string text) {
  for (auto one = declarations_.rbegin(); one != declarations_.rend(); ++one) {
    if (one->position != declaration) continue;
    one->type = type;
    one->text = std::move(text);
    return;
  }
}

void SymbolTable::declare_field(ir::TypeId record, uint32_t number, SymbolDeclaration declaration) {
  field_places_[{record, number}] = {declaration.name, declaration.position};
  declare(std::move(declaration));
}

void SymbolTable::use(const std::string& name, SourcePosition position, SourcePosition declaration) {
  if (position.line != 0 && declaration.line != 0) recorded_[position] = {name, declaration};
}

void SymbolTable::use_field(ir::TypeId record, uint32_t number, SourcePosition position) {
  const auto found = field_places_.find({record, number});
  if (found != field_places_.end()) use(found->second.first, position, found->second.second);
}

void SymbolTable::finish(const SourceFile& file, const std::vector<ir::Type>& types) {
  finished_ = true;
  std::erase_if(declarations_, [&](const SymbolDeclaration& one) {
    return is_word(one.kind) && !stands_at(file, one.position, one.name);
  });
  std::sort(declarations_.begin(), declarations_.end(),
            [](const auto& a, const auto& b) { return a.position < b.position; });
  std::map<SourcePosition, size_t> numbers;
  for (size_t i = 0; i < declarations_.size(); ++i) numbers[declarations_[i].position] = i;
  for (const auto& [position, use] : recorded_) {
    const auto number = numbers.find(use.declaration);
    if (number == numbers.end() || position == use.declaration || !stands_at(file, position, use.name))
      continue;
    uses_.push_back({position, number->second});
  }
  recorded_.clear();
  for (const ir::Type& type : types) {
    Shape shape{type.name, ir::kNoType, {}};
    if (type.array()) shape.element = type.array()->element;
    if (type.multiset()) shape.element = type.multiset()->element;
    if (type.record())
      for (const ir::Field& field : type.record()->fields) shape.fields.emplace_back(field.name, field.type);
    types_.push_back(std::move(shape));
  }
}

std::optional<size_t> SymbolTable::at(SourcePosition position) const {
  const auto covers = [&](SourcePosition begin, size_t declaration) {
    const SymbolDeclaration& one = declarations_[declaration];
    return is_word(one.kind) && begin.line == position.line && begin.column <= position.column &&
           position.column <= begin.column + one.name.size();
  };
  // The last name that begins at the position or before it.
  const auto use = std::upper_bound(uses_.begin(), uses_.end(), position,
                                    [](SourcePosition p, const SymbolUse& u) { return p < u.position; });
  if (use != uses_.begin() && covers((use - 1)->position, (use - 1)->declaration))
    return (use - 1)->declaration;
  const auto declaration =
      std::upper_bound(declarations_.begin(), declarations_.end(), position,
                       [](SourcePosition p, const SymbolDeclaration& d) { return p < d.position; });
  if (declaration == declarations_.begin()) return std::nullopt;
  const auto number = static_cast<size_t>(declaration - declarations_.begin()) - 1;
  return covers(declarations_[number].position, number) ? std::optional(number) : std::nullopt;
}

std::vector<SourcePosition> SymbolTable::places(size_t declaration) const {
  std::vector<SourcePosition> places = {declarations_[declaration].position};
  for (const SymbolUse& use : uses_)
    if (use.declaration == declaration) places.push_back(use.position);
  return places;
}

ir::TypeId SymbolTable::element(ir::TypeId type) const {
  return type < types_.size() ? types_[type].element : ir::kNoType;
}

ir::TypeId SymbolTable::field(ir::TypeId record, const std::string& name) const {
  if (record >= types_.size()) return ir::kNoType;
  for (const auto& [field, type] : types_[record].fields)
    if (field == name) return type;
  return ir::kNoType;
}

std::vector<std::string> SymbolTable::fields(ir::TypeId record) const {
  std::vector<std::string> names;
  if (record < types_.size())
    for (const auto& [field, type] : types_[record].fields) names.push_back(field);
  return names;
}

std::string SymbolTable::type_name(ir::TypeId type) const {
  return type < types_.size() ? types_[type].name : std::string();
}

const char* symbol_kind_name(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant: return "constant";
    case SymbolKind::enum_member: return "member of an enum";
    case SymbolKind::type: return "type";
    case SymbolKind::variable: return "variable";
    case SymbolKind::field: return "field";
    case SymbolKind::local: return "local";
    case SymbolKind::function: return "function";
    case SymbolKind::process: return "process";
    case SymbolKind::state: return "state";
    case SymbolKind::channel: return "channel";
    case SymbolKind::expression: return "expression";
    case SymbolKind::rule: return "rule";
    case SymbolKind::start: return "start state";
    case SymbolKind::property: return "property";
  }
  return "";
}

}  // namespace strata::lang
