// The syntax tree of a Murphi model, before names are resolved and types are checked. The parser (murphi_parser.h)
// makes it, the checker (murphi_check.h) resolves it and lowers it to ir/program.h.
//
// Nodes are plain structs with a kind; the comment beside a kind lists the members that it uses. Identifiers keep their
// case (they are case-sensitive); reserved words do not appear here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"

namespace strata::murphi {

struct Expr;
struct Stmt;
struct TypeExpr;
struct Item;
using ExprPtr = std::unique_ptr<Expr>;
using TypePtr = std::unique_ptr<TypeExpr>;
using Block = std::vector<Stmt>;

// `i : T`, or `i := from to to [by by]`.
struct Quantifier {
  std::string name;
  SourcePosition position;
  TypePtr type;  // null: from, to, by
  ExprPtr from, to, by;
};

struct Expr {
  enum class Kind {
    number,   // value
    boolean,  // value (0, 1): true, false
    name,    // text: variable, constant, enum member, alias, parameter. The text is "undefined" for CMurphi's
             // reserved word (in any case), unless the model declares that name itself; it occurs as a call's
             // argument (`x := undefined` is an undefine statement)
    field,   // args[0] . text
    index,   // args[0] [ args[1] ]
    call,    // text ( args )
    unary,   // op: "-" "+" "!" "~"; args[0]
    binary,  // op: "+" "-" "*" "/" "%" "<<" ">>" "&" "|" "^" "&&" "||" "->" "=" "!=" "<" "<=" ">" ">=";
             // "&" and "|" are logical or bitwise by the types of their operands. "==", "≤", "∧" ... are
             // spelled in the form listed here
    conditional,    // args[0] ? args[1] : args[2]
    for_all,        // quantifier, args[0]
    exists,         // quantifier, args[0]
    is_undefined,   // args[0]
    is_member,      // args[0], type
    multiset_count  // quantifier name over the multiset args[0]; condition args[1]: MultisetCount(i: m, cond)
  };
  Kind kind = Kind::number;
  SourcePosition
      position;  // where the caret is put: the operator of a binary expression, the start of all others
  SourcePosition start;  // of the first character
  SourcePosition name;   // field: of the name of the field
  int64_t value = 0;
  std::string text;
  std::string op;
  std::vector<ExprPtr> args;
  std::unique_ptr<Quantifier> quantifier;
  TypePtr type;
  std::string source;   // the text of the whole expression as written, on one line, for messages (long
                        // ones are cut and end in "...")
  uint32_t height = 1;  // of the tree below; the parser bounds it, so passes may be recursive
};

struct FieldDecl {
  std::string name;
  SourcePosition position;
  std::shared_ptr<TypeExpr> type;  // the names in `a, b : T` share one
};

struct TypeExpr {
  enum class Kind {
    name,        // text (boolean is the name "boolean")
    range,       // low .. high
    enumerated,  // members
    scalarset,   // low = size
    union_of,    // parts
    array,       // index, element
    record,      // fields
    multiset,    // low = capacity, element
    real         // real(a, b): refused by the checker
  };
  Kind kind = Kind::name;
  SourcePosition position;
  std::string text;
  ExprPtr low, high;
  std::vector<std::pair<std::string, SourcePosition>> members;
  std::vector<TypePtr> parts;
  TypePtr index, element;
  std::vector<FieldDecl> fields;
  uint32_t height = 1;  // as in Expr
};

struct ConstDecl {
  std::string name;
  SourcePosition position;
  ExprPtr value;
};
struct TypeDecl {
  std::string name;
  SourcePosition position;
  std::shared_ptr<TypeExpr> type;
};
struct VarDecl {
  std::string name;
  SourcePosition position;
  std::shared_ptr<TypeExpr> type;
};
struct AliasDecl {
  std::string name;
  SourcePosition position;
  ExprPtr value;
};

enum class PropertyKind { invariant, assertion, assumption, cover, liveness };

struct SwitchCase {
  SourcePosition position;
  std::vector<ExprPtr> values;  // empty: else
  Block block;
};

struct Branch {
  SourcePosition position;
  ExprPtr condition;  // null: else
  Block block;
};

struct Stmt {
  enum class Kind {
    assign,      // args[0] := args[1]
    if_then,     // branches
    switch_on,   // args[0], cases
    for_loop,    // quantifier, body
    while_loop,  // args[0], body
    alias,       // aliases, body
    clear,
    undefine,  // args[0]
    put,       // args[0], or text when there is no argument
    return_,   // args[0] or none
    error,     // text
    property,  // property kind, args[0], text (message; may be empty): assert, assume, cover, invariant, liveness
    call,      // text ( args )
    multiset_add,         // MultisetAdd(args[0], args[1] = multiset)
    multiset_remove,      // MultisetRemove(args[0] = slot, args[1] = multiset)
    multiset_remove_pred  // MultisetRemovePred(quantifier name : args[0] = multiset, args[1] = condition)
  };
  Kind kind = Kind::assign;
  SourcePosition position;
  std::vector<ExprPtr> args;
  std::string text;
  PropertyKind property = PropertyKind::assertion;
  std::unique_ptr<Quantifier> quantifier;
  std::vector<AliasDecl> aliases;
  std::vector<Branch> branches;
  std::vector<SwitchCase> cases;
  Block body;
};

struct Parameter {
  std::string name;
  SourcePosition position;
  bool by_reference = false;
  std::shared_ptr<TypeExpr> type;
};

// A declaration before a body or at the top level.
struct Decl {
  enum class Kind { constant, type, variable };
  Kind kind = Kind::constant;
  ConstDecl constant;
  TypeDecl type;
  VarDecl variable;
};

struct Function {
  std::string name;
  SourcePosition position;
  std::vector<Parameter> parameters;
  TypePtr result;  // null: procedure
  std::vector<Decl> decls;
  Block body;
};

// A start state, rule or property, or a group of items: ruleset, alias or choose.
struct Item {
  enum class Kind { start, rule, property, ruleset, alias, choose };
  Kind kind = Kind::rule;
  SourcePosition position;
  SourcePosition end;  // of a rule: of its last word
  bool has_name = false;
  std::string name;  // start, rule, property: the string, without quotes
  std::optional<int64_t>
      priority;   // of a rule: of the enabled rules, only those with the least priority fire
  ExprPtr guard;  // of a rule: null = true; of a property: its condition
  PropertyKind property = PropertyKind::invariant;
  std::vector<Decl> decls;
  Block body;
  std::vector<Quantifier> quantifiers;  // of a ruleset; choose has one, whose `from` is the multiset
  std::vector<AliasDecl> aliases;
  std::vector<Item> items;
};

// The model: declarations, functions and items in the order of the text. CMurphi requires an order of sections, Rumur
// allows any order; a name must be declared before it is used.
struct TopLevel {
  enum class Kind { decl, function, item };
  Kind kind = Kind::decl;
  Decl decl;
  Function function;
  Item item;
};

struct Model {
  std::vector<TopLevel> parts;
};

}  // namespace strata::murphi
