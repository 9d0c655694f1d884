// Names and their meaning. Scopes nest. An inner declaration hides outer ones of any kind, so a variable also hides a
// type of the same name.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::murphi {

struct Symbol {
  enum class Kind {
    broken,    // its declaration is in error, so uses are not reported
    constant,  // value: a constant or an enum member
    type,
    state,     // id: state variable
    local,     // id: local of the current callable
    function,  // id: function
  };
  Kind kind = Kind::broken;
  SourcePosition position;
  ir::TypeId type = ir::kNoType;
  int64_t value = 0;
  uint32_t id = 0;
};

class Scopes {
 public:
  using Names = std::unordered_map<std::string, Symbol>;

  Scopes() { open(); }
  void open(Names names = {}) { scopes_.push_back(std::move(names)); }
  void close() { scopes_.pop_back(); }
  // Closes the innermost scope and returns its names, so that it can be opened again.
  Names take();

  // Returns the earlier declaration if this scope already has the name; the name is then broken.
  const Symbol* declare(const std::string& name, const Symbol& symbol);
  const Symbol* find(const std::string& name) const;
  // A visible name of one of these kinds that is similar to what the user wrote; empty: there is none.
  std::string similar(const std::string& name, std::initializer_list<Symbol::Kind> kinds) const;

 private:
  std::vector<Names> scopes_;
};

// Opens a scope and closes it at the end of its lifetime.
class ScopeGuard {
 public:
  explicit ScopeGuard(Scopes& scopes, Scopes::Names names = {}) : scopes_(&scopes) {
    scopes_->open(std::move(names));
  }
  ~ScopeGuard() { scopes_->close(); }
  ScopeGuard(const ScopeGuard&) = delete;
  ScopeGuard& operator=(const ScopeGuard&) = delete;

 private:
  Scopes* scopes_;
};

}  // namespace strata::murphi
