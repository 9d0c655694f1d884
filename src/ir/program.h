// The intermediate program: one typed guarded-command language for every front end, and the input of the one
// back end (native/). A front end delivers a program whose types are checked; what can still go wrong when it
// runs (undefined values, ranges, division by zero ...) is checked by the code that native/ makes from it.
//
// Invariants
//  1. types[kInteger] and types[kBoolean] exist; kInteger is the type of arithmetic and is never stored.
//  2. A scalar value is an int64_t. The values of different enums and scalarsets are disjoint when they can meet
//     in a union; a scalar's domain is its segments, ascending and disjoint.
//  3. Locals are numbered per callable (function, rule, property); iterators and constants are never written.
//  4. Functions may call each other and themselves; a chain of more than kCallLimit calls that begins and
//     ends in the same circle of functions fails.
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

// A contiguous part of a scalar's domain and how its values are written: by `names` (one each), by `prefix`
// followed by 1, 2, ... (scalarsets), or, when both are empty, in decimal.
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
  std::string name;  // as the user wrote it, for `strata info`: "Proc", "0..5", "array [Proc] of boolean"
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
    reference,  // another name of a place: alias or var parameter
    constant,   // a value fixed when bound: value parameter, alias of an expression
    iterator,   // quantifier, loop, choose or rule parameter
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

// What a quantifier, loop or parameter runs over: all values of a scalar type, or from..to by step.
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
  // read or call of a scalar: an undefined one is no error but is passed on. Only where it (or a conditional
  // with it as an alternative) is the whole value of an assignment, a value argument, a result or a bound
  // value, or is compared: undefined equals undefined and nothing else, and is a member of no type.
  bool keep_undefined = false;
};

enum class StmtOp {
  assign,      // place := value (scalar or aggregate; an aggregate is copied with its undefined parts)
  if_then,     // branches: (condition or null for else, block)
  for_loop,    // local over domain, body
  while_loop,  // value, body; at most kWhileLimit rounds
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
  // assign: x := x & a or x := x | a over the rounds of a loop whose order must not matter, so that an error
  // in `a` counts whatever x is. In a loop over values that states are reduced by, all operands are
  // evaluated.
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

// What stands around a rule, from the outside in.
struct Binding {
  enum class Kind { parameter, alias_place, alias_value, choose };
  Kind kind = Kind::parameter;
  uint32_t local = 0;
  Domain domain;                 // parameter: a type, or constant bounds
  std::unique_ptr<Place> place;  // alias_place; choose: the multiset
  ExprPtr value;                 // alias_value
};

struct Rule {
  std::string name;  // without quotes; "Rule 3", "Startstate 1" by its place in the model when it gives none
  bool named = true;
  SourcePosition position;
  std::vector<Binding> bindings;
  std::vector<Local> locals;
  ExprPtr guard;  // null: always
  // Evaluating the guard may change the state. If one guard of a program does, the rules of all are tried in turn
  // (native/emit/instance_order.h): all guards are evaluated, one after the other, before a rule fires.
  bool guard_changes = false;
  Block body;
  bool otherwise = false;  // tried only where no other rule is enabled
  int64_t priority = 0;    // of the enabled rules, those with the least number fire
  // Who moves, by numbers below Program::processes. With a process parameter (a number of `bindings`), there
  // is one number, and the parameter's value number k stands for the k-th process after that.
  std::vector<uint32_t> processes;
  std::optional<uint32_t> process_parameter;
  std::vector<uint32_t> steps;  // that it is made of, by their numbers in Program::steps
};

// A transition of a process, where rules are made of one or several.
struct Step {
  std::string name;
  SourcePosition position;
};

struct Property {
  // A proposition is only evaluated (Program::atoms); it may be false.
  enum class Kind { invariant, assertion, assumption, cover, liveness, proposition };
  Kind kind = Kind::invariant;
  std::string name;        // "Invariant 2" when the model gives none
  std::string parameters;  // of an instance that is a property of its own: ", i:3"
  bool named = true;
  SourcePosition position;
  std::vector<Binding> bindings;  // every instance must hold (cover: some instance)
  std::vector<Local> locals;
  ExprPtr condition;  // null: a cover statement, counted where it stands
};

struct StateVariable {
  std::string name;
  TypeId type = kNoType;
  SourcePosition position;
};

// A set of values whose names do not matter: the program does the same when they are renamed. They are the
// values of one segment of scalar types.
struct Scalarset {
  std::string name;
  int64_t lo = 0;
  int64_t hi = 0;
  SourcePosition position;

  uint64_t size() const { return static_cast<uint64_t>(hi - lo) + 1; }
};
// A place that treats the values of a scalarset differently.
struct Asymmetry {
  enum class Kind {
    breaks,    // for sure
    unproved,  // perhaps: it could not be proved that it does not
    named,  // what is asked names a value: an expression of the command line, which has no position, or a property
  };
  uint32_t scalarset = 0;
  Kind kind = Kind::breaks;
  std::string reason;
  SourcePosition position;
};

// The state behind a run-time error, in languages where that is a state and not the end of the search: what
// the statements make of the state in which the failing rule stopped. States with this value of the variable
// are error states; no property is checked in them.
struct ErrorState {
  uint32_t variable = 0;
  int64_t value = 0;
  std::vector<Local> locals;
  Block body;
};

// What `strata info` lists beside variables and rules: the processes and channels of a model.
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
  std::string path;  // the file it stands in
  SourcePosition position;
};
struct Proposition {
  std::string name;
  ExprPtr condition;
};

struct Program {
  std::string path;
  std::string language;
  std::vector<std::pair<std::string, std::string>> constants;  // name, value; top-level, after -D
  std::vector<Type> types;
  std::vector<StateVariable> state;
  std::vector<Function> functions;
  std::vector<Rule> starts;
  std::vector<Rule> rules;
  std::vector<Step> steps;  // empty: each rule stands for itself
  uint64_t processes = 0;   // the number of movers, whatever the language calls them; for fairness
  std::vector<Property> properties;
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
  bool trusted_symmetry =
      false;         // that it has no effect how the values are called is the author's word, not proved
  std::string note;  // what the user should know of the text; empty: nothing
};

}  // namespace strata::ir
