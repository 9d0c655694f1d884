// The syntax tree of a DVE model. Names are not resolved, process templates not instantiated.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"
#include "lang/common/token.h"

namespace strata::dve {

struct Expr;
using ExprPtr = std::unique_ptr<Expr>;

using lang::Name;

enum class Op {
  imply,
  logical_or,
  logical_and,
  bit_or,
  bit_xor,
  bit_and,
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  shift_left,
  shift_right,
  subtract,
  add,
  divide,
  multiply,
  modulo,
  negate,
  bit_not,
  logical_not,
};

struct Expr {
  enum class Kind {
    number,    // value
    name,      // x, or x[index] with index in args
    state,     // process.name
    variable,  // process->name, or process->name[index]
    unary,     // op, args[0]
    binary,    // op, args[0], args[1]
  };
  Kind kind = Kind::number;
  SourcePosition position;  // of the operator, or of the first token
  SourcePosition start;     // of the first token
  int64_t value = 0;
  Op op = Op::add;
  std::string name;
  SourcePosition name_position;
  std::string process;        // state, variable
  bool keyed = false;         // process(key, ...)
  std::vector<ExprPtr> keys;  // the values that select an instance of the process
  std::vector<ExprPtr> args;
  std::string text;    // a name, state or variable as written, for messages
  uint32_t depth = 1;  // of the tree
};

struct VariableDecl {
  Name name;
  bool byte = false;      // else int
  bool constant = false;  // const or input
  ExprPtr size;           // null: not an array
  std::vector<ExprPtr> values;
  bool braced = false;  // the values are a list in braces
};

struct ChannelDecl {
  Name name;
  bool typed = false;
  std::vector<bool> bytes;  // the type of each value: byte, else int
  ExprPtr size;             // null: no buffer
};

struct Declaration {
  enum class Kind { variable, channel };
  Kind kind = Kind::variable;
  VariableDecl variable;
  ChannelDecl channel;
};

struct Sync {
  bool send = false;
  std::string process;  // process->channel; empty: a name in scope
  bool keyed = false;
  std::vector<ExprPtr> keys;
  Name channel;
  std::vector<ExprPtr> values;  // the values to send, or the variables that receive
};

struct Assignment {
  ExprPtr target;
  ExprPtr value;
  SourcePosition position;
};

struct Transition {
  SourcePosition position;
  Name from;
  Name to;
  ExprPtr guard;
  std::unique_ptr<Sync> sync;
  std::vector<Assignment> effects;
};

struct Assertion {
  Name state;
  ExprPtr condition;
};

struct Process {
  Name name;
  bool is_template = false;
  struct Formal {
    Name name;
    bool key = false;
  };
  std::vector<Formal> formals;
  std::vector<Declaration> declarations;
  std::vector<Name> states;
  std::vector<Name> initial;  // a correct model has exactly one
  std::vector<Name> accepting;
  std::vector<Name> committed;
  std::vector<Assertion> assertions;
  std::vector<Transition> transitions;
};

// `process a(1, 2);`, or `for (x : from .. to) { process a(x); }`
struct Instance {
  Name name;
  std::vector<ExprPtr> values;
  Name loop;  // empty: no loop
  ExprPtr from, to;
};

// `expression name() { ... }`
struct NamedExpression {
  Name name;
  ExprPtr value;
};

// `property ltl name "formula"`
struct Formula {
  Name name;
  std::string text;
};

struct Model {
  struct Item {
    enum class Kind { declaration, process, instance };
    Kind kind = Kind::declaration;
    size_t index = 0;  // in the list for its kind
  };
  std::vector<Item> items;  // in the order of the text
  std::vector<Declaration> declarations;
  std::vector<Process> processes;
  std::vector<Instance> instances;
  std::vector<NamedExpression> expressions;
  std::vector<Formula> formulas;
  bool has_system = false;
  bool synchronous = false;
  Name property;  // of the system, or the last `property process`; empty: none
};

}  // namespace strata::dve
