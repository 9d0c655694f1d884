// What evaluates, behind interpreter.h: a state, and the locals of the callables that are running.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/program.h"
#include "model/cause.h"
#include "model/value.h"

namespace strata::ir {

// Thrown where the program fails; Interpreter makes a Status of it.
struct Failed {
  std::string message;
};

// The value of a scalar; none: undefined.
using Scalar = std::optional<int64_t>;
// The bits of a value, laid out as in a state (ir/layout.h), with room behind them.
using Bits = std::vector<uint8_t>;

// A place: where the bits of a value are.
struct Spot {
  Bits* bits = nullptr;
  uint64_t offset = 0;
  TypeId type = kNoType;
};

class Evaluator {
 public:
  // Runs with the locals of one callable; changes `state`.
  Evaluator(const Program& program, Bits& state, const std::vector<Local>& locals);

  // Gives the parameters and aliases of a rule the values they have in an instance. False: it chooses an element that
  // does not exist.
  bool bind(const std::vector<Binding>& bindings, uint64_t instance);

  bool truth(const Expr& e) { return defined(e) != 0; }
  Value value(const Expr& e);
  // Adds why the condition has its value. A quantifier that holds for all values has no value that decides; then
  // everything that it reads does.
  void explain(const Expr& condition, FailureCause& cause);

 private:
  using Cell = std::variant<Scalar, Bits, Spot>;
  struct Frame {
    const std::vector<Local>* locals;
    std::vector<Cell> cells;
    const Function* function = nullptr;
    Cell result;
  };
  enum class Flow { next, returned };

  // ---- evaluator.cc: locals and places
  Frame new_frame(const std::vector<Local>& locals) const;
  bool is_aggregate(TypeId type) const { return program_.types[type].scalar() == nullptr; }
  const ScalarType& scalar_type(TypeId type) const { return *program_.types[type].scalar(); }
  Bits zeros(TypeId type) const;
  // The scalar of a local that is not a place: of a parameter, an iterator or a named value.
  const Scalar* named_scalar(const Place& p) const;
  Spot spot(const Place& p);
  Spot root(const Place& p);
  Spot select(Spot from, const Selector& selector, const Place& p);
  Scalar load(const Spot& at) const;
  Bits load_bits(const Spot& at) const;
  void store(const Spot& at, Scalar value, const std::string& target);
  void store_bits(const Spot& at, const Bits& value);
  void clear(const Spot& at);
  std::string value_text(int64_t value, TypeId like) const;
  std::string domain_text(TypeId type) const;
  [[noreturn]] void fail_range(int64_t value, TypeId type, const std::string& target) const;

  // ---- multisets
  uint64_t used(const Spot& multiset) const;
  void set_used(const Spot& multiset, uint64_t count);
  Spot element(const Spot& multiset, uint64_t slot) const;
  int compare(const Spot& a, const Spot& b) const;
  void add_element(const Spot& multiset, const Stmt& s);
  void remove_element(const Spot& multiset, uint64_t slot);

  // ---- evaluator_expressions.cc
  Scalar scalar(const Expr& e);
  int64_t defined(const Expr& e);
  Bits aggregate(const Expr& e);
  Scalar read(const Expr& e);
  Scalar result_of_call(const Expr& e);
  int64_t arithmetic(const Expr& e);
  bool compares(const Expr& e);
  bool quantified(const Expr& e);
  int64_t count(const Expr& e);
  Cell call(const Expr& e);
  void pass(const Argument& argument, const Local& parameter, Cell& cell);
  // Calls body(value) for the values of a domain until it returns false.
  void each_value(const Domain& domain, const std::function<bool(int64_t)>& body);

  // ---- evaluator_cause.cc
  std::string state_path(uint64_t offset, TypeId part) const;
  void note_read(const Spot& at) const;

  // ---- evaluator_statements.cc
  Flow block(const Block& b);
  Flow statement(const Stmt& s);
  Flow branches(const Stmt& s);
  Flow loop(const Stmt& s);
  Flow bound(const Stmt& s);
  Flow leave(const Stmt& s);
  void assign(const Stmt& s);
  void remove_where(const Stmt& s);

  const Program& program_;
  Bits& state_;
  std::deque<Frame> frames_;
  std::deque<Bits> temporaries_;   // values that a place was selected from
  std::vector<uint64_t> offsets_;  // of the state's variables
  FailureCause* cause_ = nullptr;  // gets the parts of the state that are read; null: nothing does
};

}  // namespace strata::ir
