#include "ir/symmetry/slots.h"

namespace strata::ir {
namespace {

bool same_path(const Place& a, const Place& b, size_t depth);

// Whether both read the same place, and change nothing.
bool same_read(const Expr& a, const Expr& b) {
  if (a.op == ExprOp::constant && b.op == ExprOp::constant) return a.value == b.value;
  if (a.op != ExprOp::read || b.op != ExprOp::read) return false;
  return same_path(*a.place, *b.place, b.place->path.size()) && a.place->path.size() == b.place->path.size();
}

bool same_path(const Place& a, const Place& b, size_t depth) {
  if (a.root != b.root || a.root == Place::Root::value || a.id != b.id) return false;
  if (a.path.size() < depth || b.path.size() != depth) return false;
  for (size_t i = 0; i < depth; ++i) {
    const Selector &x = a.path[i], &y = b.path[i];
    if ((x.index == nullptr) != (y.index == nullptr)) return false;
    if (x.index ? !same_read(*x.index, *y.index) : x.field != y.field) return false;
  }
  return true;
}

const Place* multiset_of(const RoundFrame& frame, const Expr& e) {
  if (e.op != ExprOp::read || e.place->root != Place::Root::local || !e.place->path.empty()) return nullptr;
  return frame.multisets[e.place->id];
}

}  // namespace

bool is_slot(const RoundFrame& frame, const Expr& e) { return multiset_of(frame, e) != nullptr; }

bool is_slot_of(const RoundFrame& frame, const Expr& e, const Place& place, size_t depth) {
  const Place* multiset = multiset_of(frame, e);
  return multiset != nullptr && same_path(place, *multiset, depth);
}

bool compares_slots(const RoundFrame& frame, const Expr& e) {
  if (e.op != ExprOp::equal && e.op != ExprOp::not_equal) return false;
  const Place *a = multiset_of(frame, *e.args[0]), *b = multiset_of(frame, *e.args[1]);
  return a != nullptr && b != nullptr && same_path(*a, *b, b->path.size()) &&
         a->path.size() == b->path.size();
}

}  // namespace strata::ir
