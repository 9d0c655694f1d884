#include <algorithm>
#include <utility>
#include <vector>

#include "lsp/features/names.h"

namespace strata::lsp {
namespace {

using lang::SymbolDeclaration;
using lang::SymbolKind;

// The numbers of SymbolKind in the protocol.
int kind_number(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::constant: return 14;
    case SymbolKind::enum_member: return 22;
    case SymbolKind::type: return 23;
    case SymbolKind::variable: return 13;
    case SymbolKind::field: return 8;
    case SymbolKind::local: return 13;
    case SymbolKind::function: return 12;
    case SymbolKind::process: return 2;
    case SymbolKind::state: return 22;
    case SymbolKind::channel: return 11;
    case SymbolKind::expression: return 12;
    case SymbolKind::rule: return 24;
    case SymbolKind::start: return 9;
    case SymbolKind::property: return 7;
  }
  return 13;
}

// Whether the declaration is a line of its own, rather than a part of the one before it or of a process.
bool is_outer(const SymbolDeclaration& one) {
  if (one.kind == SymbolKind::field || one.kind == SymbolKind::enum_member || one.kind == SymbolKind::local)
    return false;
  const bool item =
      one.kind == SymbolKind::rule || one.kind == SymbolKind::start || one.kind == SymbolKind::property;
  return item || one.owner.line == 0;
}

std::string shown_name(const SymbolDeclaration& one) {
  return one.name.empty() ? lang::symbol_kind_name(one.kind) : one.name;
}

class Outline {
 public:
  Outline(const Document& document, const Analysis& analysis)
      : symbols_(*analysis.symbols), query_(document, analysis, 0) {}

  Json make() const {
    Json list = Json::array();
    const auto& all = symbols_.declarations();
    bool shown = false;  // the last line; without it, its members are not shown either
    for (size_t i = 0; i < all.size(); ++i) {
      if (is_outer(all[i])) {
        shown = add(list, all[i], end_of(i));
      } else if (all[i].kind != SymbolKind::local && shown) {
        Json& children = list.back()["children"];
        if (!children.is_array()) children = Json::array();
        add(children, all[i],
            offset_of(*query_.analysis().symbols_file, all[i].position) + all[i].name.size());
      }
    }
    return list;
  }

 private:
  // Where the next line of the outline begins, as an offset of the text that was read.
  size_t end_of(size_t number) const {
    const auto& all = symbols_.declarations();
    for (size_t i = number + 1; i < all.size(); ++i)
      if (is_outer(all[i])) return offset_of(*query_.analysis().symbols_file, all[i].position);
    return query_.analysis().symbols_file->text().size();
  }
  // False: its name was edited.
  bool add(Json& list, const SymbolDeclaration& one, size_t end) const {
    const size_t bytes = std::max<size_t>(1, one.kind == SymbolKind::rule ? 4 : one.name.size());
    const size_t begin = offset_of(*query_.analysis().symbols_file, one.position);
    // A selection lies within its range, and a range is never empty.
    const size_t selected = std::min(bytes, std::max(begin + 1, end) - begin);
    const Json name = query_.range(one.position, selected);
    const Json whole = query_.part(one.position, selected, end);
    if (name.is_null() || whole.is_null()) return false;
    list.push_back({{"name", shown_name(one)},
                    {"detail", one.text},
                    {"kind", kind_number(one.kind)},
                    {"range", whole},
                    {"selectionRange", name}});
    return true;
  }

  const lang::SymbolTable& symbols_;
  NameQuery query_;
};

}  // namespace

Json outline(const Document& document, const Analysis& analysis) {
  return analysis.symbols ? Outline(document, analysis).make() : Json::array();
}

}  // namespace strata::lsp
