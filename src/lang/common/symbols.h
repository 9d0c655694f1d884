// What a front end tells editors about the names of a model: where each is declared and used, and what it means. The
// checkers record this while they resolve names, so an editor and a check agree about every name.
//
// Invariants
//  1. A declaration is known by the position of its name, which is unique within a text. A template whose instances are
//     checked one by one is recorded once.
//  2. After finish(), declarations and uses are sorted by position, and each stands where the text has its name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "ir/program.h"

namespace strata::lang {

enum class SymbolKind {
  constant,
  enum_member,
  type,
  variable,
  field,
  local,  // a parameter, alias, iterator or local variable
  function,
  process,
  state,  // of a process
  channel,
  expression,  // a named expression of DVE
  rule,
  start,
  property,
};

struct SymbolDeclaration {
  SymbolKind kind = SymbolKind::constant;
  std::string name;
  SourcePosition position;        // of the name; of a rule, start state or property: of its first word
  ir::TypeId type = ir::kNoType;  // of its value; of a function: of its result
  std::string text{};             // the type in words, or what a declaration without a type is
  std::string value{};            // of a constant
  // A member of the part of the model that begins here (a process, a function, a rule): known only there.
  SourcePosition owner{};
  bool global = true;  // known everywhere behind its declaration, or in the whole text
};

struct SymbolUse {
  SourcePosition position;
  size_t declaration = 0;
};

class SymbolTable {
 public:
  // ---- For checkers

  // The part of the model to which the next declarations belong; line 0: none.
  void enter(SourcePosition owner) { owner_ = owner; }
  SourcePosition owner() const { return owner_; }
  void declare(SymbolDeclaration declaration);
  // What else is known of a declaration: of a function, its head.
  void describe(SourcePosition declaration, ir::TypeId type, std::string text);
  void declare_field(ir::TypeId record, uint32_t number, SymbolDeclaration declaration);
  void use(const std::string& name, SourcePosition position, SourcePosition declaration);
  void use_field(ir::TypeId record, uint32_t number, SourcePosition position);
  // Takes the types over, and drops what does not stand where the text has the name.
  void finish(const SourceFile& file, const std::vector<ir::Type>& types);
  // False: the text could not be parsed, so nothing was recorded.
  bool is_finished() const { return finished_; }

  // ---- For editors

  const std::vector<SymbolDeclaration>& declarations() const { return declarations_; }
  const std::vector<SymbolUse>& uses() const { return uses_; }
  // The declaration of the name that stands at a position or ends there: declared or used.
  std::optional<size_t> at(SourcePosition position) const;
  // All places of the name, the declaration first.
  std::vector<SourcePosition> places(size_t declaration) const;
  // The type of the elements of an array or multiset, and of a field; kNoType: it has none.
  ir::TypeId element(ir::TypeId type) const;
  ir::TypeId field(ir::TypeId record, const std::string& name) const;
  std::vector<std::string> fields(ir::TypeId record) const;
  std::string type_name(ir::TypeId type) const;

 private:
  // The parts of a type that names lead into.
  struct Shape {
    std::string name;
    ir::TypeId element = ir::kNoType;
    std::vector<std::pair<std::string, ir::TypeId>> fields;
  };
  struct Use {
    std::string name;
    SourcePosition declaration;
  };

  bool finished_ = false;
  SourcePosition owner_;
  std::vector<SymbolDeclaration> declarations_;
  std::vector<SymbolUse> uses_;
  std::vector<Shape> types_;
  std::set<SourcePosition> known_;
  std::map<SourcePosition, Use> recorded_;
  std::map<std::pair<ir::TypeId, uint32_t>, std::pair<std::string, SourcePosition>> field_places_;
};

const char* symbol_kind_name(SymbolKind kind);

}  // namespace strata::lang
