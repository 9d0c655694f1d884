// What editors are told about names (lang/common/symbols.h).
#include "lang/dve/lower/dve_lowering.h"

namespace strata::dve {

void record_declaration(const Context& context, const Name& name, const Symbol& symbol, ir::TypeId type) {
  if (context.symbols == nullptr) return;
  lang::SymbolDeclaration one{lang::SymbolKind::variable, name.text, name.position, type};
  if (symbol.kind == Symbol::Kind::constant) {
    one.kind = lang::SymbolKind::constant;
    one.value = std::to_string(symbol.value);
  }
  if (symbol.kind == Symbol::Kind::channel) {
    one.kind = lang::SymbolKind::channel;
    one.text = context.channels[symbol.index].capacity == 0 ? "channel" : "channel with a buffer";
  } else {
    one.text = context.program.types[type].name;
  }
  one.global = context.symbols->owner().line == 0;
  context.symbols->declare(std::move(one));
}

void record_use(const Context& context, const std::string& name, SourcePosition position,
                SourcePosition declaration) {
  if (context.symbols != nullptr) context.symbols->use(name, position, declaration);
}

// The process and its states. Later declarations are those of the process.
void record_process(const Context& context, const Process& process) {
  if (context.symbols == nullptr) return;
  context.symbols->enter({});
  context.symbols->declare(
      {lang::SymbolKind::process, process.name.text, process.name.position, ir::kNoType, "process"});
  context.symbols->enter(process.name.position);
  for (const Name& state : process.states) {
    lang::SymbolDeclaration one{lang::SymbolKind::state, state.text, state.position, ir::kNoType, "state"};
    one.global = false;
    context.symbols->declare(std::move(one));
  }
}

}  // namespace strata::dve
