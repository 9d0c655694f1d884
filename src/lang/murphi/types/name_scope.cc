#include "lang/murphi/types/name_scope.h"

#include <algorithm>
#include <initializer_list>

#include "lang/common/nearest_name.h"

namespace strata::murphi {
Scopes::Names Scopes::take() {
  Names names = std::move(scopes_.back());
  close();
  return names;
}

const Symbol* Scopes::declare(const std::string& name, const Symbol& symbol) {
  auto [place, fresh] = scopes_.back().emplace(name, symbol);
  if (fresh) return nullptr;
  // It is unknown which of the two is meant, so uses of the name are not checked.
  place->second.kind = Symbol::Kind::broken;
  return &place->second;
}

const Symbol* Scopes::find(const std::string& name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
    auto found = scope->find(name);
    if (found != scope->end()) return &found->second;
  }
  return nullptr;
}

std::string Scopes::similar(const std::string& name, std::initializer_list<Symbol::Kind> kinds) const {
  lang::NearestName nearest(name);
  for (const auto& scope : scopes_) {
    for (const auto& [candidate, symbol] : scope) {
      if (std::find(kinds.begin(), kinds.end(), symbol.kind) != kinds.end()) nearest.offer(candidate);
    }
  }
  return nearest.best();
}

}  // namespace strata::murphi
