#include "lsp/features/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace strata::lsp {
namespace {

using lang::SymbolDeclaration;
using lang::SymbolKind;

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

// What a declaration declares, in one line.
std::string described(const SymbolDeclaration& one) {
  switch (one.kind) {
    case SymbolKind::constant: return fmt::format("{}: {} = {}", one.name, one.text, one.value);
    case SymbolKind::type: return fmt::format("type {}", one.name);
    case SymbolKind::function: return one.text;
    case SymbolKind::process:
    case SymbolKind::state:
    case SymbolKind::channel:
    case SymbolKind::expression: return fmt::format("{} {}", one.text, one.name);
    default: return fmt::format("{}: {}", one.name, one.text);
  }
}

}  // namespace

std::optional<size_t> NameQuery::declaration() const {
  if (!map_) return std::nullopt;
  const std::optional<size_t> there = map_->back(offset_);
  if (!there) return std::nullopt;
  return analysis_.symbols->at(analysis_.symbols_file->position(*there));
}

Json NameQuery::range(SourcePosition position, size_t bytes) const {
  const auto name = span(position, bytes);
  if (!name) return nullptr;
  return {{"start", place_json(*document_.file, name->begin)},
          {"end", place_json(*document_.file, name->end)}};
}

Json NameQuery::part(SourcePosition position, size_t bytes, size_t end) const {
  const auto name = span(position, bytes);
  if (!name) return nullptr;
  const size_t there = std::max(name->end, map_->end_there(end));
  return {{"start", place_json(*document_.file, name->begin)}, {"end", place_json(*document_.file, there)}};
}

std::optional<TextMap::Span> NameQuery::span(SourcePosition position, size_t bytes) const {
  if (!map_) return std::nullopt;
  const size_t begin = offset_of(*analysis_.symbols_file, position);
  return map_->there({begin, begin + bytes});
}

Json NameQuery::location(SourcePosition position, size_t bytes) const {
  Json where = range(position, bytes);
  if (where.is_null()) return nullptr;
  return {{"uri", document_.uri}, {"range", std::move(where)}};
}

Json NameQuery::definition() const {
  const auto number = declaration();
  if (!number) return nullptr;
  const SymbolDeclaration& one = analysis_.symbols->declarations()[*number];
  return location(one.position, one.name.size());
}

Json NameQuery::references(bool with_declaration) const {
  const auto number = declaration();
  Json list = Json::array();
  if (!number) return list;
  const SymbolDeclaration& one = analysis_.symbols->declarations()[*number];
  for (const SourcePosition position : analysis_.symbols->places(*number)) {
    if (!with_declaration && position == one.position) continue;
    if (Json place = location(position, one.name.size()); !place.is_null()) list.push_back(std::move(place));
  }
  return list;
}

Json NameQuery::hover() const {
  const auto number = declaration();
  if (!number) return nullptr;
  const SymbolDeclaration& one = analysis_.symbols->declarations()[*number];
  const std::string_view line = trimmed(analysis_.symbols_file->line(one.position.line));
  const std::string text =
      fmt::format("{}\n\n{}, line {}:\n\n    {}\n", described(one), lang::symbol_kind_name(one.kind),
                  one.position.line, line.substr(0, 200));
  return {{"contents", {{"kind", "plaintext"}, {"value", text}}}};
}

Json NameQuery::prepare_rename() const {
  const auto number = declaration();
  if (!number) return nullptr;
  const SymbolDeclaration& one = analysis_.symbols->declarations()[*number];
  for (const SourcePosition position : analysis_.symbols->places(*number)) {
    const Json where = range(position, one.name.size());
    if (where.is_null()) continue;
    const TextMap::Span name = *span(position, one.name.size());
    if (name.begin <= offset_ && offset_ <= name.end) return {{"range", where}, {"placeholder", one.name}};
  }
  return nullptr;
}

}  // namespace strata::lsp
