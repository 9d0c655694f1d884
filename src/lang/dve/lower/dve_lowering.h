// The parts of the checker and their shared context. Each function checks a piece of the syntax tree, reports its
// errors and returns its lowered form.
//
//   constants.cc        constant expressions                  dve_declarations.cc  types, variables, channels
//   dve_expressions.cc  expressions                           places.cc            names, elements, other processes
//   transitions.cc      guards, effects, channels of a step   system.cc            which steps form rules
//   processes.cc        processes and their instances         start.cc             the start state, the error state
//   properties.cc       assertions, propositions, accepting states
//
// A null expression means that an error was reported. Functions that receive one report nothing more.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/source.h"
#include "ir/nodes.h"
#include "ir/program.h"
#include "lang/common/defines.h"
#include "lang/common/message_text.h"
#include "lang/common/nearest_name.h"
#include "lang/common/symbols.h"
#include "lang/dve/syntax/dve_ast.h"

namespace strata::dve {

struct Symbol {
  enum class Kind { constant, variable, channel };
  Kind kind = Kind::constant;
  int64_t value = 0;          // of a constant
  uint32_t index = 0;         // in Context::variables or Context::channels
  SourcePosition position{};  // of its declaration
};
using Scope = std::unordered_map<std::string, Symbol>;

struct VariableInfo {
  uint32_t state = 0;  // its index in Program::state
  ir::TypeId element = ir::kNoType;
  std::optional<uint64_t> size;  // of an array
  bool constant = false;         // a constant array
};

struct ChannelInfo {
  std::string name;
  bool typed = false;
  std::vector<ir::TypeId> types;  // the types of its values, if typed
  uint64_t capacity = 0;          // of the buffer; 0: a rendezvous
  uint32_t state = 0;             // index of the buffer in Program::state
  std::optional<size_t> values;   // of an untyped channel: the number of values of its first use
};

struct ProcessInfo {
  const Process* tree = nullptr;
  std::string name;           // "P", or "P(1)" for an instance
  std::vector<int64_t> keys;  // the parameter values of an instance
  Scope scope;
  std::unordered_map<std::string, uint32_t> states;
  std::vector<bool> accepting, committed;  // by state
  uint32_t initial = 0;
  uint32_t location = 0;  // the state variable that holds the process's current state
  bool commits() const {
    for (const bool flag : committed)
      if (flag) return true;
    return false;
  }
};

struct Context {
  Context(const Model& tree, lang::Defines values, Diagnostics& messages)
      : model(&tree), diagnostics(&messages), defines(std::move(values)) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const Model* model;
  Diagnostics* diagnostics;
  bool wrap = false;  // --overflow wrap
  ir::Program program;
  // The types of variables, and the type of values passed through an untyped channel.
  ir::TypeId byte = ir::kNoType, integer = ir::kNoType, value = ir::kNoType;
  Scope globals;
  std::vector<VariableInfo> variables;
  std::vector<ChannelInfo> channels;
  std::vector<ProcessInfo> processes;
  std::unordered_map<std::string, std::vector<size_t>>
      process_numbers;                                       // by the name in the text, without the keys
  std::unordered_map<std::string, const Expr*> expressions;  // named expressions
  std::string property_name;                                 // of the property process; empty: none
  bool leave_out_property = false;                           // --property none
  std::optional<size_t> property;                            // the property process
  const ProcessInfo* process = nullptr;                      // the process whose names are in scope
  std::vector<const Expr*> expanding;                        // named expressions that are being lowered
  uint64_t expansions = 0;                                   // of named expressions, in total
  lang::Defines defines;
  lang::SymbolTable* symbols = nullptr;  // for editors; null: nobody asks for them
  std::map<std::pair<uint64_t, ir::TypeId>, ir::TypeId> array_types;

  void error(SourcePosition position, std::string message) {
    diagnostics->error(position, std::move(message));
  }
};

// For editors: that a name is declared, or used, here.
void record_declaration(const Context& context, const Name& name, const Symbol& symbol, ir::TypeId type);
void record_use(const Context& context, const std::string& name, SourcePosition position,
                SourcePosition declaration);
void record_process(const Context& context, const Process& process);

// Constants. Returns nothing and reports "... must be known before the model runs" if the value is unknown.
std::optional<int64_t> constant_value(Context& context, const Expr& expression, const char* what);

// Declarations: types, global names, processes with their names. Then the start state.
void declare_model(Context& context);
void declare_item(Context& context, Scope& scope, const Declaration& declared, const ProcessInfo* process);
void declare_name(Context& context, Scope& scope, const Name& name, Symbol symbol, ir::TypeId type);
void add_process(Context& context, const Process& tree, const std::vector<int64_t>& values,
                 SourcePosition position);
void add_instances(Context& context, const Instance& instance);
ir::TypeId add_scalar(Context& context, std::string name, int64_t lo, int64_t hi,
                      std::vector<std::string> names = {});
uint32_t add_state(Context& context, std::string name, ir::TypeId type, SourcePosition position);
std::optional<uint32_t> find_state(Context& context, const ProcessInfo& process, const Name& name);
void lower_start(Context& context);
void lower_error_state(Context& context);

// Expressions.
struct Operator {
  ir::ExprOp op;
  ir::TypeId type;  // of the result
};
Operator operator_of(Op op);
ir::ExprPtr lower_expression(Context& context, const Expr& expression);
ir::ExprPtr lower_condition(Context& context, const Expr& expression);
// The position of the result is that of its left operand.
ir::ExprPtr make_binary(ir::ExprOp op, ir::TypeId type, ir::ExprPtr left, ir::ExprPtr right);
// The conjunction; a null condition means true.
ir::ExprPtr make_and(ir::ExprPtr left, ir::ExprPtr right);
// Converts a value for a variable of the type: with --overflow wrap, keeps the lowest bits.
ir::ExprPtr fit(const Context& context, ir::ExprPtr value, ir::TypeId type);

// Places.
struct ProcessReference {
  const std::string& name;
  bool keyed;
  const std::vector<ExprPtr>& keys;
  SourcePosition position;
};
const ProcessInfo* find_process(Context& context, const ProcessReference& reference);
const Symbol* find_symbol(const Context& context, const std::string& name);
// The same for the name at a position, which is recorded as a use.
const Symbol* find_symbol(const Context& context, const std::string& name, SourcePosition position);
// "; did you mean 'x'?" for a similar name among those given, or else among those in scope; empty: none is similar.
std::string similar_symbol(const Context& context, const std::string& name);
template <class Names>
std::string similar_of(const std::string& name, const Names& names) {
  return lang::did_you_mean(lang::NearestName(name).offer_all(names).best());
}
ir::ExprPtr lower_reference(Context& context, const Expr& expression);
// A place that may be written. Otherwise null, after a message.
std::unique_ptr<ir::Place> lower_target(Context& context, const Expr& expression, const char* action);
// The condition that the process is in this state.
ir::ExprPtr in_state(const Context& context, const ProcessInfo& process, uint32_t state,
                     SourcePosition position);

// One transition of one process.
struct Step {
  const ProcessInfo* process = nullptr;
  const Transition* transition = nullptr;
  uint32_t from = 0, to = 0;
  const ChannelInfo* channel = nullptr;  // null: no synchronisation
};
// The steps of a process. Reports the errors of all of them.
std::vector<Step> lower_steps(Context& context, const ProcessInfo& process);
ir::ExprPtr source_test(const Context& context, const Step& step);
ir::ExprPtr guard_of(Context& context,
                     const Step& step);  // null: always enabled; includes the test of a buffer
ir::Stmt move_to_target(const Context& context, const Step& step);
// Appends the move of the process and its effects; append_effects only the effects.
void append_effects(Context& context, const Step& step, ir::Block& block);
void append_assignments(Context& context, const Step& step, ir::Block& block);
void append_buffer_access(Context& context, const Step& step, ir::Block& block);
// Makes a buffer empty; unused messages are zero.
void append_empty_buffer(const Context& context, const ChannelInfo& channel, ir::Block& block);
// Passes the values from the sender to the receiver; through locals if the channel is typed.
void append_rendezvous(Context& context, const Step& sender, const Step& receiver, ir::Rule& rule);

void lower_system(Context& context);

// Properties.
void lower_assertions(Context& context);
void lower_accepting(Context& context);
void add_proposition(Context& context, const NamedExpression& named);

}  // namespace strata::dve
