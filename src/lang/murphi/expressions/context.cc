#include "lang/murphi/expressions/context.h"

#include <fmt/format.h>

#include <cstring>

#include "lang/common/message_text.h"

namespace strata::murphi {
namespace {

std::string similar_name(const Context& context, const std::string& name, const char* what) {
  // Searching is not free, and past the limit nobody sees the hint.
  if (context.diagnostics->full()) return {};
  using Kind = Symbol::Kind;
  if (std::strcmp(what, "type") == 0) return context.scopes.similar(name, {Kind::type});
  if (std::strcmp(what, "function") == 0) return context.scopes.similar(name, {Kind::function});
  return context.scopes.similar(name, {Kind::constant, Kind::state, Kind::local});
}

}  // namespace

uint32_t Callable::add(ir::Local local, LocalInfo info) {
  locals.push_back(std::move(local));
  infos.push_back(info);
  return static_cast<uint32_t>(locals.size() - 1);
}

void Context::declare(const std::string& name, Symbol symbol) {
  if (name == kBooleanName) return error(symbol.position, fmt::format("'{}' cannot be declared again", name));
  if (const Symbol* earlier = scopes.declare(name, symbol)) {
    error(symbol.position, fmt::format("'{}' is already declared in line {}", name, earlier->position.line));
  }
}

const Symbol* Context::find(const std::string& name, SourcePosition position, const char* what) {
  const Symbol* symbol = scopes.find(name);
  if (symbol == nullptr) {
    error(position,
          fmt::format("unknown {} '{}'{}", what, name, lang::did_you_mean(similar_name(*this, name, what))));
  }
  return symbol;
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
  if (pure != nullptr) error(position, fmt::format("{} must not change the state, but this call does", pure));
}

}  // namespace strata::murphi
