// The abstract interpreter behind round_effects.h: runs a body on abstract values (round_value.h) and records its
// accesses.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "ir/rounds/round_effects.h"
#include "ir/rounds/round_place.h"
#include "ir/rounds/round_value.h"

namespace strata::ir {

class RoundInterpreter {
 public:
  // A part of a cell that some iteration writes.
  using StalePart = std::pair<uint32_t, RoundPath>;

  // `cells`: the types of the locals of the frame's callable and of its callers.
  RoundInterpreter(const Program& program, const RoundFrame& frame, const std::vector<TypeId>& cells,
                   const std::vector<StalePart>& stale);

  void run(const Repetition& repetition);
  bool complete() const { return complete_; }
  std::vector<RoundAccess> take_accesses() { return std::move(accesses_); }

 private:
  using Cells = std::vector<RoundValue>;
  // The state of one callable that is being interpreted.
  struct Activation {
    RoundFrame frame;
    uint32_t function = 0;
    bool outermost = false;
    std::optional<RoundValue> result;
    std::optional<Cells> left;  // the cells at its return statements
  };

  // ---- statements; alive_ becomes false where the next statement is unreachable
  void block(const Block& b);
  void statement(const Stmt& s);
  void assign(const Stmt& s);
  // Records the statement as an accumulation over the iterations; false: it is not one.
  bool accumulate(const Stmt& s);
  void branches(const Stmt& s);
  void loop(const Stmt& s);
  void leave(const Stmt& s);
  void multiset(const Stmt& s);
  // Interprets a loop body until the abstract values no longer change.
  template <class Body>
  void repeat(Body&& body) {
    // Terminates: joining only moves values up, at most three steps for each part of a cell.
    for (;;) {
      const Cells before = cells_;
      perhaps(body);
      if (cells_ == before || !complete_) return;
    }
  }
  // Interprets a body that may or may not run.
  template <class Body>
  void perhaps(Body&& body) {
    const Cells before = cells_;
    body();
    if (alive_)
      join_cells(before);
    else
      cells_ = before;
    alive_ = true;
  }
  void join_cells(const Cells& other) {
    for (size_t i = 0; i < cells_.size(); ++i) cells_[i] = join(cells_[i], other[i]);
  }

  // ---- expressions
  RoundValue eval(const Expr& e);
  RoundValue shortcut(const Expr& e);
  RoundValue conditional(const Expr& e);
  RoundValue operation(const Expr& e);
  RoundValue quantified(const Expr& e);
  RoundValue count(const Expr& e);
  RoundValue call(const Expr& e);
  RoundValue is_undefined(const Expr& e);
  void domain(const Domain& d);
  // The keys of the elements that the condition says are the element of this iteration.
  std::set<std::string> elements_of(const Expr& condition);

  // ---- places
  RoundPlace resolve(const Place& p);
  RoundValue read(const RoundPlace& place, SourcePosition position, const std::string& text);
  void write(const RoundPlace& place, const RoundValue& value, RoundAccess access);
  void note(RoundAccess access);
  bool lasting(const RoundPlace& place) const;
  RoundAccess access(AccessKind kind, SourcePosition position, const std::string& text) const;

  Activation& here() { return activations_.back(); }
  void bind(uint32_t local, RoundValue value) { cells_[here().frame.cell(local)] = std::move(value); }

  const Program& program_;
  const uint32_t outer_;  // cells below belong to the callable with the loop and to its callers
  std::vector<Activation> activations_;
  Cells cells_;
  bool alive_ = true;
  bool quiet_ = false;  // accesses are not recorded
  std::vector<std::string> only_;
  std::vector<RoundAccess> accesses_;
  std::set<std::string> noted_;  // so that each access is recorded once
  uint64_t steps_ = 0;
  bool complete_ = true;
};

}  // namespace strata::ir
