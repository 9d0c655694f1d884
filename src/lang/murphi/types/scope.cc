#include "lang/murphi/types/scope.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace strata::murphi {
namespace {

bool equal_but_for_case(std::string_view a, std::string_view b) {
  auto same = [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

// Short names are all alike, so they must be closer to count as a slip of the pen.
size_t allowed_distance(size_t length) { return length < 3 ? 0 : length < 5 ? 1 : 2; }

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

Scopes::Names Scopes::take() {
  Names names = std::move(scopes_.back());
  close();
  return names;
}

const Symbol* Scopes::declare(const std::string& name, const Symbol& symbol) {
  auto [place, fresh] = scopes_.back().emplace(name, symbol);
  if (fresh) return nullptr;
  // Which of the two is meant is anyone's guess, so uses of the name are not judged.
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
  NearestName nearest(name);
  for (const auto& scope : scopes_) {
    for (const auto& [candidate, symbol] : scope) {
      if (std::find(kinds.begin(), kinds.end(), symbol.kind) != kinds.end()) nearest.offer(candidate);
    }
  }
  return nearest.best();
}

NearestName::NearestName(std::string_view wanted)
    : wanted_(wanted), best_distance_(allowed_distance(wanted.size()) + 1) {}

void NearestName::offer(const std::string& candidate) {
  size_t longer = std::max(candidate.size(), wanted_.size());
  if (longer - std::min(candidate.size(), wanted_.size()) > 2) return;
  size_t distance = equal_but_for_case(candidate, wanted_) ? 0 : edit_distance(candidate, wanted_);
  // Of equally near names the alphabetically first, so that the message does not depend on hashing.
  bool better =
      distance < best_distance_ || (distance == best_distance_ && !best_.empty() && candidate < best_);
  if (!better) return;
  best_ = candidate;
  best_distance_ = distance;
}

}  // namespace strata::murphi
