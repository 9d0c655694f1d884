#include "ir/symmetry/slots.h"

#include <algorithm>
#include <vector>

#include "ir/walker.h"

namespace strata::ir {
namespace {

// Whether both expressions always have the same value: constants, or locals that are never written.
bool same_value(const RoundFrame& frame, const Expr& a, const Expr& b) {
  if (a.op == ExprOp::constant && b.op == ExprOp::constant) return a.value == b.value;
  if (a.op != ExprOp::read || b.op != ExprOp::read) return false;
  const Place &x = *a.place, &y = *b.place;
  if (x.root != Place::Root::local || y.root != Place::Root::local || x.id != y.id) return false;
  const Local::Kind kind = (*frame.locals)[x.id].kind;
  return x.path.empty() && y.path.empty() && (kind == Local::Kind::iterator || kind == Local::Kind::constant);
}

bool same_path(const RoundFrame& frame, const Place& a, const Place& b, size_t depth) {
  if (a.root != b.root || a.root == Place::Root::value || a.id != b.id) return false;
  if (a.path.size() < depth || b.path.size() != depth) return false;
  for (size_t i = 0; i < depth; ++i) {
    const Selector &x = a.path[i], &y = b.path[i];
    if ((x.index == nullptr) != (y.index == nullptr)) return false;
    if (x.index ? !same_value(frame, *x.index, *y.index) : x.field != y.field) return false;
  }
  return true;
}

const Place* multiset_of(const RoundFrame& frame, const Expr& e) {
  if (e.op != ExprOp::read || e.place->root != Place::Root::local || !e.place->path.empty()) return nullptr;
  return frame.multisets[e.place->id];
}

// Interprets the statements of a rule in order, and the body of a loop twice.
class ReuseFinder {
 public:
  ReuseFinder(const Program& program, const std::vector<bool>& slots) : program_(program), slots_(slots) {}

  void block(const Block& b) {
    for (const Stmt& s : b) statement(s);
  }
  std::optional<SourcePosition> found() const { return found_; }

 private:
  void statement(const Stmt& s) {
    if (so_far_.adds && !found_ && uses_slot(s)) found_ = s.position;
    Changes own;
    collect_own(s, own);
    note(own);
    const bool repeated = s.op == StmtOp::for_loop || s.op == StmtOp::while_loop;
    for (int round = 0; round < (repeated ? 2 : 1); ++round) block(s.body);
    const Changes before = so_far_;
    Changes after = before;
    for (const Branch& b : s.branches) {
      so_far_ = before;
      block(b.block);
      after.removes = after.removes || so_far_.removes;
      after.adds = after.adds || so_far_.adds;
    }
    so_far_ = after;
  }
  struct Changes {
    bool removes = false, adds = false;
  };
  void note(const Changes& changes) {
    so_far_.adds = so_far_.adds || (changes.adds && (so_far_.removes || changes.removes));
    so_far_.removes = so_far_.removes || changes.removes;
  }
  // The effects of the statement itself and of the functions that it calls, without its nested statements.
  void collect_own(const Stmt& s, Changes& changes) const {
    change(s, changes);
    Walker walker = follower(changes, 0);
    if (s.place) walker.place(*s.place);
    if (s.value) walker.expr(*s.value);
    walker.domain(s.domain);
    for (const Branch& b : s.branches)
      if (b.condition) walker.expr(*b.condition);
  }
  void change(const Stmt& s, Changes& changes) const {
    const bool writes = s.op == StmtOp::assign || s.op == StmtOp::undefine || s.op == StmtOp::clear;
    const bool whole = writes && has_multiset(s.place->type);
    changes.adds = changes.adds || s.op == StmtOp::multiset_add || (whole && s.op == StmtOp::assign);
    changes.removes =
        changes.removes || s.op == StmtOp::multiset_remove || s.op == StmtOp::multiset_remove_where || whole;
  }
  Walker follower(Changes& changes, uint32_t calls) const {
    Walker walker;
    walker.on_stmt = [this, &changes](const Stmt& inner) { change(inner, changes); };
    walker.on_expr = [this, &changes, calls](const Expr& e) {
      constexpr uint32_t kDeepest = 20;
      if (e.op != ExprOp::call || (changes.adds && changes.removes)) return;
      if (calls == kDeepest)
        changes = {true, true};
      else
        follower(changes, calls + 1).block(program_.functions[e.function].body);
    };
    return walker;
  }
  bool has_multiset(TypeId id) const {
    const Type& type = program_.types[id];
    if (type.multiset() != nullptr) return true;
    if (const ArrayType* array = type.array()) return has_multiset(array->element);
    const RecordType* record = type.record();
    return record != nullptr && std::any_of(record->fields.begin(), record->fields.end(),
                                            [&](const Field& f) { return has_multiset(f.type); });
  }
  bool uses_slot(const Stmt& s) const {
    bool uses = false;
    Walker walker;
    walker.on_expr = [&](const Expr& e) {
      uses = uses || (e.place && e.place->root == Place::Root::local && slots_[e.place->id]);
    };
    walker.stmt(s);
    return uses;
  }

  const Program& program_;
  const std::vector<bool>& slots_;
  // Changes::adds is set only by an addition after a removal.
  Changes so_far_;
  std::optional<SourcePosition> found_;
};

}  // namespace

std::optional<SourcePosition> slot_used_again(const Program& program, const Rule& rule) {
  std::vector<bool> slots(rule.locals.size());
  for (const Binding& b : rule.bindings)
    if (b.kind == Binding::Kind::choose) slots[b.local] = true;
  ReuseFinder finder(program, slots);
  finder.block(rule.body);
  return finder.found();
}

bool is_slot(const RoundFrame& frame, const Expr& e) { return multiset_of(frame, e) != nullptr; }

bool is_slot_of(const RoundFrame& frame, const Expr& e, const Place& place, size_t depth) {
  const Place* multiset = multiset_of(frame, e);
  return multiset != nullptr && same_path(frame, place, *multiset, depth);
}

bool compares_slots(const RoundFrame& frame, const Expr& e) {
  if (e.op != ExprOp::equal && e.op != ExprOp::not_equal) return false;
  const Place *a = multiset_of(frame, *e.args[0]), *b = multiset_of(frame, *e.args[1]);
  return a != nullptr && b != nullptr && same_path(frame, *a, *b, b->path.size()) &&
         a->path.size() == b->path.size();
}

}  // namespace strata::ir
