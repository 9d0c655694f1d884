#include "ir/rounds/round_interpreter.h"

#include <algorithm>

namespace strata::ir {
namespace {

constexpr uint64_t kMostSteps = 400'000;

RoundValue all_stale(RoundValue value) {
  value.kind = ValueKind::stale;
  value.key.clear();
  for (RoundValue& field : value.fields) field = all_stale(std::move(field));
  return value;
}

}  // namespace

RoundInterpreter::RoundInterpreter(const Program& program, const RoundFrame& frame,
                                   const std::vector<TypeId>& cells, const std::vector<StalePart>& stale)
    : program_(program), outer_(static_cast<uint32_t>(cells.size())) {
  activations_.push_back({frame, UINT32_MAX, true, std::nullopt, std::nullopt});
  for (uint32_t cell = 0; cell < outer_; ++cell)
    cells_.push_back(filled(program_, cells[cell], ValueKind::invariant, "cell" + std::to_string(cell)));
  for (const auto& [cell, path] : stale) {
    const RoundValue part = part_of(cells_[cell], path);
    replace_part(cells_[cell], path,
                 part.fields.empty() ? RoundValue{ValueKind::stale, "", {}} : all_stale(part));
  }
}

void RoundInterpreter::run(const Repetition& repetition) {
  if (repetition.local) bind(*repetition.local, RoundValue::own());
  if (repetition.body != nullptr) block(*repetition.body);
  if (repetition.condition != nullptr) eval(*repetition.condition);
  if (!repetition.removes) return;
  RoundPlace slot = resolve(*repetition.multiset);
  slot.path.push_back({false, 0, RoundValue::own()});
  write(slot, RoundValue::varying(),
        access(AccessKind::write, repetition.position, repetition.multiset->text));
}

// ---- Statements

void RoundInterpreter::block(const Block& b) {
  for (const Stmt& s : b) {
    if (!alive_) return;
    statement(s);
  }
}

void RoundInterpreter::statement(const Stmt& s) {
  if (++steps_ > kMostSteps) complete_ = false;
  if (!complete_) {
    alive_ = false;
    return;
  }
  switch (s.op) {
    case StmtOp::assign: return assign(s);
    case StmtOp::if_then: return branches(s);
    case StmtOp::for_loop:
    case StmtOp::while_loop: return loop(s);
    case StmtOp::bind_place: {
      here().frame.references[s.local] = resolve(*s.place);
      return block(s.body);
    }
    case StmtOp::bind_value: {
      bind(s.local, eval(*s.value));
      return block(s.body);
    }
    case StmtOp::clear:
    case StmtOp::undefine: {
      const bool clears = s.op == StmtOp::clear;
      const RoundValue value =
          filled(program_, s.place->type, clears ? ValueKind::invariant : ValueKind::undefined,
                 "clear" + std::to_string(s.place->type));
      return write(resolve(*s.place), value, access(AccessKind::write, s.position, s.place->text));
    }
    case StmtOp::put:
      if (s.value) eval(*s.value);
      return;
    case StmtOp::return_: return leave(s);
    case StmtOp::error: alive_ = false; return;
    case StmtOp::assume: eval(*s.value); return note(access(AccessKind::discard, s.position, ""));
    case StmtOp::assert_:
    case StmtOp::cover:
    case StmtOp::call: eval(*s.value); return;
    case StmtOp::multiset_add:
    case StmtOp::multiset_remove:
    case StmtOp::multiset_remove_where: return multiset(s);
  }
}

void RoundInterpreter::assign(const Stmt& s) {
  if (accumulate(s)) return;
  const RoundValue value = eval(*s.value);
  write(resolve(*s.place), value, access(AccessKind::write, s.position, s.place->text));
}

bool RoundInterpreter::accumulate(const Stmt& s) {
  const Accumulation adds = accumulation(program_, s);
  if (adds.amounts.empty()) return false;
  const RoundPlace place = resolve(*s.place);
  // Adding to a value that the iteration itself has set is not an accumulation over the iterations.
  const bool shared = place.root == RoundPlace::Root::state ||
                      (lasting(place) && part_of(cells_[place.id], place.path).has_stale());
  if (!shared || has_own_step(place.path)) return false;
  // In a conjunction or disjunction all operands are then evaluated, so they must have no effects, and the analysis
  // must know that at the statement itself, not only for one of its callers.
  const bool logical = adds.kind == AccessKind::all_of || adds.kind == AccessKind::any_of;
  if (logical && activations_.size() > 1) return false;
  const size_t before = accesses_.size();
  for (const Expr* amount : adds.amounts) eval(*amount);
  const auto reads = [](const RoundAccess& a) { return a.kind == AccessKind::read; };
  if (logical && !std::all_of(accesses_.begin() + static_cast<int64_t>(before), accesses_.end(), reads))
    return false;
  RoundAccess sum = access(adds.kind, s.position, s.place->text);
  sum.key = std::to_string(static_cast<int>(adds.op));
  if (logical) sum.statement = &s;
  write(place, {ValueKind::stale, "", {}}, std::move(sum));
  return true;
}

void RoundInterpreter::branches(const Stmt& s) {
  std::vector<Cells> ends;
  bool reached = true;  // whether the next condition is evaluated
  for (const Branch& b : s.branches) {
    if (!reached) break;
    const RoundValue condition = b.condition ? eval(*b.condition) : RoundValue::constant(1);
    if (condition.is_constant(0)) continue;
    reached = !condition.is_constant(1);
    const Cells before = cells_;
    const std::set<std::string> elements = b.condition ? elements_of(*b.condition) : std::set<std::string>();
    only_.insert(only_.end(), elements.begin(), elements.end());
    block(b.block);
    only_.resize(only_.size() - elements.size());
    if (alive_) ends.push_back(cells_);
    alive_ = true;
    cells_ = before;
  }
  if (reached) ends.push_back(cells_);
  alive_ = !ends.empty();
  if (!alive_) return;
  cells_ = ends[0];
  for (const Cells& end : ends) join_cells(end);
}

void RoundInterpreter::loop(const Stmt& s) {
  domain(s.domain);
  repeat([&] {
    if (s.op == StmtOp::while_loop)
      eval(*s.value);
    else
      bind(s.local, RoundValue::varying());
    block(s.body);
  });
}

void RoundInterpreter::leave(const Stmt& s) {
  const RoundValue value = s.value ? eval(*s.value) : RoundValue::constant(0);
  Activation& own = here();
  if (own.outermost) {
    RoundAccess leaving = access(AccessKind::leave, s.position, "");
    if (value.fixed()) leaving.key = value.text();
    note(std::move(leaving));
  }
  own.result = own.result ? join(*own.result, value) : value;
  if (own.left) join_cells(*own.left);
  own.left = cells_;
  alive_ = false;
}

void RoundInterpreter::multiset(const Stmt& s) {
  const RoundPlace place = resolve(*s.place);
  if (s.op == StmtOp::multiset_remove_where) {
    repeat([&] {
      bind(s.local, RoundValue::varying());
      eval(*s.value);
    });
  } else {
    eval(*s.value);
  }
  const bool adds = s.op == StmtOp::multiset_add;
  if (!adds) read(place, s.position, s.place->text);
  const bool stale = lasting(place) && place.root == RoundPlace::Root::cell &&
                     part_of(cells_[place.id], place.path).has_stale();
  write(place, stale ? RoundValue{ValueKind::stale, "", {}} : RoundValue::varying(),
        access(adds ? AccessKind::add : AccessKind::write, s.position, s.place->text));
}

// ---- Places

// Places that outlive the iteration: the state, and the locals of the callable with the loop and of its callers.
bool RoundInterpreter::lasting(const RoundPlace& place) const {
  return place.root == RoundPlace::Root::state || (place.root == RoundPlace::Root::cell && place.id < outer_);
}

RoundAccess RoundInterpreter::access(AccessKind kind, SourcePosition position,
                                     const std::string& text) const {
  return {kind, {}, "", std::set<std::string>(only_.begin(), only_.end()), position, text};
}

void RoundInterpreter::note(RoundAccess access) {
  if (quiet_) return;
  std::string name = std::to_string(static_cast<int>(access.kind)) + "/" +
                     std::to_string(static_cast<int>(access.place.root)) + "/" +
                     std::to_string(access.place.id) + "/" + std::to_string(access.position.line) + ":" +
                     std::to_string(access.position.column) + "/" + access.key;
  for (const RoundStep& step : access.place.path)
    name += step.is_field ? "." + std::to_string(step.field) : "[" + step.index.text() + "]";
  for (const std::string& key : access.only) name += "=" + key;
  if (noted_.insert(std::move(name)).second) accesses_.push_back(std::move(access));
}

RoundPlace RoundInterpreter::resolve(const Place& p) {
  RoundPlace place;
  if (p.root == Place::Root::value) {
    place.root = RoundPlace::Root::temporary;
    place.value = eval(*p.value);
  } else if (p.root == Place::Root::local) {
    const RoundFrame& frame = here().frame;
    if (frame.references[p.id]) {
      place = *frame.references[p.id];
    } else {
      place.root = RoundPlace::Root::cell;
      place.id = frame.cell(p.id);
    }
  } else {
    place.id = p.id;
  }
  for (const Selector& selector : p.path) {
    RoundStep step;
    step.is_field = selector.index == nullptr;
    step.field = selector.field;
    if (selector.index) step.index = eval(*selector.index);
    place.path.push_back(std::move(step));
  }
  place.type = p.type;
  return place;
}

RoundValue RoundInterpreter::read(const RoundPlace& place, SourcePosition position, const std::string& text) {
  RoundValue whole = place.root == RoundPlace::Root::state
                         ? RoundValue::invariant("state" + std::to_string(place.id))
                     : place.root == RoundPlace::Root::cell ? cells_[place.id]
                                                            : place.value;
  RoundValue value = part_of(whole, place.path);
  // A record read from the state or from an array is tracked by its fields from here on.
  if (value.fields.empty() && place.type != kNoType && program_.types[place.type].record() != nullptr)
    value = filled(program_, place.type, value.kind, value.key);
  if (place.root == RoundPlace::Root::state || (lasting(place) && value.has_stale())) {
    RoundAccess reading = access(AccessKind::read, position, text);
    reading.place = place;
    note(std::move(reading));
  }
  return value;
}

void RoundInterpreter::write(const RoundPlace& place, const RoundValue& value, RoundAccess access) {
  if (place.root == RoundPlace::Root::temporary) return;
  if (place.root == RoundPlace::Root::cell) replace_part(cells_[place.id], place.path, value);
  if (!lasting(place)) return;
  if (access.kind == AccessKind::write && value.fixed()) {
    access.kind = AccessKind::set;
    access.key = value.text();
  }
  access.place = place;
  note(std::move(access));
}

}  // namespace strata::ir
