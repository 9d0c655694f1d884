// The intermediate program: one typed guarded-command language for all front ends, and the input of the back end
// (native/). The types of a program are already checked. Run-time errors (undefined values, ranges, division by
// zero ...) are detected by the code that native/ generates.
//
// Invariants
//  1. types[kInteger] and types[kBoolean] exist; kInteger is the type of arithmetic and is never stored.
//  2. A scalar value is an int64_t. Enums and scalarsets that occur in one union have disjoint values; a scalar's
//     domain is its segments, ascending and disjoint.
//  3. Locals are numbered per callable (function, rule, property); iterators and constants are never written.
//  4. Functions may be recursive. A chain of more than kCallLimit calls that begins and ends in the same cycle of
//     the call graph fails.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/source.h"
#include "model/model.h"

namespace strata::ir {

using TypeId = uint32_t;
constexpr TypeId kInteger = 0;
constexpr TypeId kBoolean = 1;
constexpr TypeId kNoType = 0xffffffffu;

// A contiguous part of a scalar's domain. Its values are written by `names` (one each), by `prefix` followed by 1, 2,
// ... (scalarsets), or, when both are empty, in decimal.
struct Segment {
  int64_t lo = 0;
  int64_t hi = 0;
  std::vector<std::string> names;
  std::string prefix;
};

struct ScalarType {
  std::vector<Segment> segments;  // one, except for unions
  bool optional = true;           // has the value "undefined"
};
struct ArrayType {
  TypeId index = kNoType;  // a scalar
  TypeId element = kNoType;
};
struct Field {
  std::string name;
  TypeId type = kNoType;
};
struct RecordType {
  std::vector<Field> fields;
};
struct MultisetType {
  uint64_t capacity = 0;
  TypeId element = kNoType;
};

struct Type {
  std::string name;  // as the model writes it, for `strata info`: "Proc", "0..5", "array [Proc] of boolean"
  std::variant<ScalarType, ArrayType, RecordType, MultisetType> shape;

  const ScalarType* scalar() const { return std::get_if<ScalarType>(&shape); }
  const ArrayType* array() const { return std::get_if<ArrayType>(&shape); }
  const RecordType* record() const { return std::get_if<RecordType>(&shape); }
  const MultisetType* multiset() const { return std::get_if<MultisetType>(&shape); }
};

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using Block = std::vector<Stmt>;

struct Local {
  enum class Kind {
    variable,   // starts undefined; scalar or aggregate
    reference,  // another name of a place: an alias or a var parameter
    constant,   // a value fixed when bound: a value parameter or the alias of an expression
    iterator,   // a parameter of a quantifier, loop, choose or rule
  };
  Kind kind = Kind::variable;
  std::string name;
  TypeId type = kNoType;
};

// One selection within a place: a field, or an element of an array or multiset (by the index type's value; for a
// multiset the slot number 0..capacity-1).
struct Selector {
  uint32_t field = 0;
  ExprPtr index;  // null: field
};

struct Place {
  enum class Root { state, local, value };
  Root root = Root::state;
  uint32_t id = 0;  // state variable or local
  ExprPtr value;    // Root::value: an aggregate-valued expression (a call, a conditional)
  std::vector<Selector> path;
  TypeId type = kNoType;  // type of the place itself, after the path
  std::string text;       // as written in the model, for messages
  SourcePosition position;
};

// The range of a quantifier, loop or parameter: all values of a scalar type, or from..to by step.
struct Domain {
  TypeId type = kNoType;
  ExprPtr from, to, by;  // when type is kNoType; `by` may be null (1, or -1 never: a step must be explicit)
};

struct Argument {
  ExprPtr value;                 // value parameter (scalar or aggregate)
  std::unique_ptr<Place> place;  // var parameter
};

enum class ExprOp {
  constant,      // value
  read,          // place; a scalar must be defined
  is_undefined,  // place (scalar)
  negate,
  logical_not,
  bit_not,
  add,
  subtract,
  multiply,
  divide,
  modulo,
  shift_left,
  shift_right,
  bit_and,
  bit_or,
  bit_xor,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,  // scalars
  logical_and,
  logical_or,
  implies,      // short-circuit, left to right
  same,         // args[0] and args[1] are equal aggregates of the same shape
  conditional,  // args[0] ? args[1] : args[2]
  for_all,
  exists,          // local runs over domain; args[0]
  call,            // function, arguments
  in_type,         // args[0] is a value of member_type (ismember)
  multiset_count,  // how many used slots (iterator `local`) of `place` satisfy args[0]
  undefined,       // the undefined value of `type`; only as a value argument
};

struct Expr {
  ExprOp op = ExprOp::constant;
  TypeId type = kInteger;
  SourcePosition position;
  int64_t value = 0;
  std::vector<ExprPtr> args;
  std::unique_ptr<Place> place;
  uint32_t local = 0;
  Domain domain;
  uint32_t function = 0;
  std::vector<Argument> arguments;
  TypeId member_type = kNoType;
  // For a read or call of a scalar: an undefined value is passed on and is not an error. Set only where the read (or
  // a conditional with it as an alternative) is the whole value of an assignment, a value argument, a result or a
  // bound value, or is compared. Undefined equals only undefined, and belongs to no type.
  bool keep_undefined = false;
};

enum class StmtOp {
  assign,      // place := value (scalar or aggregate; an aggregate is copied with its undefined parts)
  if_then,     // branches: (condition or null for else, block)
  for_loop,    // local over domain, body
  while_loop,  // value, body; at most kWhileLimit iterations
  bind_place,  // local (reference) := place, body
  bind_value,  // local (constant) := value, body
  clear,
  undefine,               // place
  put,                    // text and/or value
  return_,                // value or null
  error,                  // text
  assert_,                // value, text
  assume,                 // value: when false the transition does not exist
  cover,                  // value; property: the number of the cover in Program::properties
  call,                   // value (an ExprOp::call, result dropped)
  multiset_add,           // value (scalar or aggregate), place
  multiset_remove,        // slot index = value, place
  multiset_remove_where,  // iterator local, place, value = condition
};

constexpr uint64_t kWhileLimit = 1000;
constexpr uint64_t kCallLimit = 1000;

struct Branch {
  ExprPtr condition;
  Block block;
};

struct Stmt {
  StmtOp op = StmtOp::assign;
  SourcePosition position;
  std::unique_ptr<Place> place;
  ExprPtr value;
  std::string text;
  uint32_t local = 0;
  uint32_t property = 0;
  Domain domain;
  Block body;
  std::vector<Branch> branches;
  std::vector<std::unique_ptr<Place>> put_places;  // put of a whole variable
  // assign: the statement is x := x & a or x := x | a in a loop whose result must not depend on the order of its
  // iterations: an error in `a` must be found whatever x is. If the loop runs over reduced scalarset values, all
  // operands are therefore evaluated.
  bool gathers = false;
};

struct Function {
  std::string name;
  SourcePosition position;
  uint32_t parameters = 0;  // the first locals: reference (var) or constant (value; aggregates by value too)
  TypeId result = kNoType;  // kNoType: a procedure
  bool may_return_undefined = false;
  std::vector<Local> locals;
  Block body;
};

// A construct that encloses a rule: a parameter, an alias or a choice; the outermost comes first.
struct Binding {
  enum class Kind { parameter, alias_place, alias_value, choose };
  Kind kind = Kind::parameter;
  uint32_t local = 0;
  Domain domain;                 // parameter: a type, or constant bounds
  std::unique_ptr<Place> place;  // alias_place; choose: the multiset
  ExprPtr value;                 // alias_value
};

struct Rule {
  std::string
      name;  // without quotes; an unnamed rule is named after its place in the model: "Rule 3", "Startstate 1"
  bool named = true;
  SourcePosition position;
  std::vector<Binding> bindings;
  std::vector<Local> locals;
  ExprPtr guard;  // null: always
  // Evaluating the guard may change the state. If any guard of the program does, all guards are evaluated in turn
  // before a rule fires (native/rules/instance_order.h).
  bool guard_changes = false;
  Block body;
  bool otherwise = false;  // tried only where no other rule is enabled
  int64_t priority = 0;    // of the enabled rules, those with the least number fire
  // The processes that move, as numbers below Program::processes. With a process parameter (an index of `bindings`),
  // there is one number, and the k-th value of the parameter is the k-th process after that number.
  std::vector<uint32_t> processes;
  std::optional<uint32_t> process_parameter;
  std::vector<uint32_t> steps;  // the steps that the rule consists of, as indices of Program::steps
  std::string actor;  // who acts, as the author says it: a parameter or a name; empty: nothing is said
};

// A transition of one process; a rule consists of one or several.
struct Step {
  std::string name;
  SourcePosition position;
};

struct Property {
  // A proposition (Program::atoms) is only evaluated; a false one is not an error.
  enum class Kind { invariant, assertion, assumption, cover, liveness, proposition };
  Kind kind = Kind::invariant;
  std::string name;        // "Invariant 2" when the model gives none
  std::string parameters;  // if each instance is a property of its own, its parameters: ", i:3"
  bool named = true;
  SourcePosition position;
  std::vector<Binding> bindings;  // every instance must hold (cover: some instance)
  std::vector<Local> locals;
  ExprPtr condition;  // null: a cover statement, counted where it occurs
};

struct StateVariable {
  std::string name;
  TypeId type = kNoType;
  SourcePosition position;
};

// A set of values that may be renamed without changing the behaviour of the program: the values of one segment of
// scalar types.
struct Scalarset {
  std::string name;
  int64_t lo = 0;
  int64_t hi = 0;
  SourcePosition position;

  uint64_t size() const { return static_cast<uint64_t>(hi - lo) + 1; }
};
// A part of a program that treats the values of a scalarset differently.
struct Asymmetry {
  enum class Kind {
    breaks,    // certainly
    unproved,  // possibly: the proof failed
    named,     // only a property names a value: one of the command line (no position) or of liveness
  };
  uint32_t scalarset = 0;
  Kind kind = Kind::breaks;
  std::string reason;
  SourcePosition position;
};

// The error state of languages in which a run-time error leads to a state and does not end the search. The statements
// make it from the state in which the failing rule stopped. States in which the variable has this value are error
// states; properties are not checked in them.
struct ErrorState {
  uint32_t variable = 0;
  int64_t value = 0;
  std::vector<Local> locals;
  Block body;
};

// A process or channel of a model, listed by `strata info` beside variables and rules.
struct Component {
  std::string kind;  // "process", "channel"
  std::string name;
  std::string detail;  // "5 states, 6 transitions"
  SourcePosition position;
};

// An LTL formula over named conditions of a state.
struct Formula {
  std::string name;
  std::string text;
  std::string path;  // the file that contains it
  SourcePosition position;
  bool checked = false;  // by every check of the model that names no properties
};
struct Proposition {
  std::string name;
  ExprPtr condition;
};

// An expression that a user typed, to be evaluated in single states (ir/interpret).
struct TypedValue {
  std::string text;
  std::vector<Local> locals;
  ExprPtr value;
};

struct Program {
  std::string path;
  std::shared_ptr<const SourceFile>
      source;  // the text that positions refer to; null: it is too large to be kept
  std::string language;
  std::vector<std::pair<std::string, std::string>> constants;  // name, value; top-level, after -D
  std::vector<Type> types;
  std::vector<StateVariable> state;
  std::vector<Function> functions;
  std::vector<Rule> starts;
  std::vector<Rule> rules;
  std::vector<Step> steps;  // empty: each rule is one step
  uint64_t processes = 0;   // whatever the language calls them; for fairness
  std::vector<Property> properties;
  std::vector<TypedValue> typed_values;
  std::vector<Component> components;
  std::vector<Formula> formulas;
  std::vector<Proposition> propositions;
  std::optional<uint32_t> formula;  // the one to be checked
  // The atomic propositions that the program was compiled with: bit i is the value of the property atoms[i].
  std::vector<uint32_t> atoms;
  std::optional<ErrorState> error_state;
  ExprPtr accepting;  // of a Büchi automaton that is part of the model; null: none
  DeadlockMode deadlock = DeadlockMode::stuttering;  // what the language calls a deadlock
  std::vector<Scalarset> scalarsets;
  std::vector<Asymmetry> asymmetries;
  std::vector<uint32_t> reduced;  // the scalarsets by which states are reduced
  bool trusted_symmetry = false;  // the symmetry is claimed by the author of the model and not proved
  std::string note;               // notes on the text for the user, one a line; empty: none
};

}  // namespace strata::ir
