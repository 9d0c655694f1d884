#include "lang/murphi/expressions/context.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "lang/common/message_text.h"
#include "lang/common/nearest_name.h"

namespace strata::murphi {
namespace {

constexpr std::array<std::string_view, 3> kValueWords = {"true", "false", "undefined"};

std::string similar_name(const Context& context, const std::string& name, const char* what) {
  // Searching takes time, and past the limit of messages the hint is never shown.
  if (context.diagnostics->full()) return {};
  using Found = Symbol::Kind;
  if (std::strcmp(what, "type") == 0)
    return name == "bool" ? kBooleanName : context.scopes.similar(name, {Found::type});
  if (std::strcmp(what, "function") == 0) return context.scopes.similar(name, {Found::function});
  const std::string known = context.scopes.similar(name, {Found::constant, Found::state, Found::local});
  return known.empty() ? lang::NearestName(name).offer_all(kValueWords).best() : known;
}

// Names of integer types without a range in other languages.
bool is_integer_word(std::string name) {
  for (char& c : name) c = static_cast<char>(c | 0x20);
  return name == "integer" || name == "int" || name == "nat" || name == "natural" || name == "byte";
}

// What the user may have meant by an undeclared name.
std::string advice(const Context& context, const std::string& name, const char* what) {
  const std::string similar = similar_name(context, name, what);
  if (similar.empty() && std::strcmp(what, "type") == 0 && is_integer_word(name))
    return "; integers are declared by their range, for example 0..255";
  return lang::did_you_mean(similar);
}

}  // namespace

uint32_t Callable::add(ir::Local local, LocalInfo info) {
  locals.push_back(std::move(local));
  infos.push_back(info);
  return static_cast<uint32_t>(locals.size() - 1);
}

void Context::record(const std::string& name, const Symbol& symbol) {
  if (symbols == nullptr) return;
  lang::SymbolDeclaration one{lang::SymbolKind::local, name, symbol.position, symbol.type};
  one.global = symbol.kind != Symbol::Kind::local;
  switch (symbol.kind) {
    case Symbol::Kind::constant: {
      const bool member = types.kind(symbol.type) == TypeKind::enumerated;
      one.kind = member && types.value_text(symbol.type, symbol.value) == name ? lang::SymbolKind::enum_member
                                                                               : lang::SymbolKind::constant;
      one.value = types.value_text(symbol.type, symbol.value);
      break;
    }
    case Symbol::Kind::type: one.kind = lang::SymbolKind::type; break;
    case Symbol::Kind::state: one.kind = lang::SymbolKind::variable; break;
    case Symbol::Kind::function: one.kind = lang::SymbolKind::function; break;
    case Symbol::Kind::broken:
    case Symbol::Kind::local: break;
  }
  one.text = types.name(symbol.type);
  symbols->declare(std::move(one));
}

void Context::declare(const std::string& name, Symbol symbol) {
  record(name, symbol);
  if (name == kBooleanName) return error(symbol.position, fmt::format("'{}' cannot be declared again", name));
  if (const Symbol* earlier = scopes.declare(name, symbol)) {
    error(symbol.position, fmt::format("'{}' is already declared in line {}", name, earlier->position.line));
  }
}

const Symbol* Context::find(const std::string& name, SourcePosition position, const char* what) {
  const Symbol* symbol = scopes.find(name);
  if (symbol == nullptr) symbol = find_element(name);
  if (symbol != nullptr && symbols != nullptr) symbols->use(name, position, symbol->position);
  if (symbol == nullptr) {
    error(position, fmt::format("unknown {} '{}'{}", what, name, advice(*this, name, what)));
  }
  return symbol;
}

const Symbol* Context::find_element(const std::string& name) {
  for (ir::TypeId id = 0; element_names && id < program.types.size(); ++id) {
    if (types.kind(id) != TypeKind::scalarset) continue;
    const ir::Segment& values = types[id].scalar()->segments.front();
    if (!name.starts_with(values.prefix)) continue;
    const int64_t value = values.lo - 1 + std::atoll(name.c_str() + values.prefix.size());
    if (value < values.lo || value > values.hi || types.value_text(id, value) != name) continue;
    Symbol symbol;
    symbol.kind = Symbol::Kind::constant;
    symbol.type = id;
    symbol.value = value;
    scopes.declare(name, symbol);
    return scopes.find(name);
  }
  return nullptr;
}

void Context::note_write(const ir::Place& place, SourcePosition position) {
  if (place.root == ir::Place::Root::state) {
    note_state_write(position);
  } else if (place.root == ir::Place::Root::local) {
    const LocalInfo& info = callable.infos[place.id];
    if (info.root == LocalInfo::Root::state) note_state_write(position);
    if (info.root == LocalInfo::Root::formal && callable.function != nullptr) {
      callable.function->formals[info.formal].written = true;
    }
  }
}

void Context::note_state_write(SourcePosition position) {
  if (callable.function != nullptr) callable.function->writes_state = true;
  if (guard_writes != nullptr) guard_writes->push_back(position);
  if (pure != nullptr) error(position, fmt::format("{} must not change the state, but this call does", pure));
}

void Context::note_argument(const ir::Place& place, uint32_t callee, uint32_t formal,
                            SourcePosition position) {
  if (callee < settled_functions) {
    if (functions[callee].formals[formal].written) note_write(place, position);
    return;
  }
  DeferredWrite write{callee, formal, std::nullopt};
  if (place.root == ir::Place::Root::local) {
    const LocalInfo& info = callable.infos[place.id];
    if (info.root == LocalInfo::Root::itself) return;
    if (info.root == LocalInfo::Root::formal) write.formal = info.formal;
  }
  callable.function->deferred.push_back(write);
}

void Context::note_call(uint32_t callee, SourcePosition position) {
  if (callee >= settled_functions)
    callable.function->deferred.push_back({callee, std::nullopt, std::nullopt});
  else if (functions[callee].writes_state)
    note_state_write(position);
}

void Context::settle_functions() {
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = settled_functions; i < functions.size(); ++i) {
      FunctionInfo& caller = functions[i];
      for (const DeferredWrite& write : caller.deferred) {
        const FunctionInfo& callee = functions[write.callee];
        const bool writes = write.through ? callee.formals[*write.through].written : callee.writes_state;
        bool& target = write.formal ? caller.formals[*write.formal].written : caller.writes_state;
        changed |= writes && !target;
        target |= writes;
      }
    }
  }
  settled_functions = functions.size();
}

}  // namespace strata::murphi
