#include "ir/rounds/later_use.h"

#include <algorithm>

namespace strata::ir {
namespace {

class UseFinder {
 public:
  UseFinder(const Program& program, const RoundFrame& frame, const RoundPlace& part, uint32_t calls = 0)
      : program_(program), frame_(frame), part_(part), calls_(calls) {}

  LaterUse block(const Block& b, size_t from = 0) {
    for (size_t i = from; i < b.size(); ++i) {
      const LaterUse use = statement(b[i]);
      // If a return may have come before, the write counts for nothing: it may not have been executed.
      if (use == LaterUse::read || (use == LaterUse::overwritten && !left_)) return use;
    }
    return LaterUse::none;
  }

  // A loop may run again or not, so it never certainly overwrites.
  LaterUse again(const Stmt& loop) {
    if (loop.value && reads(*loop.value)) return LaterUse::read;
    return block(loop.body) == LaterUse::read ? LaterUse::read : LaterUse::none;
  }

 private:
  bool own() const { return part_.id >= frame_.first && part_.id < frame_.end(); }

  LaterUse statement(const Stmt& s) {
    switch (s.op) {
      case StmtOp::assign:
        if (reads(*s.value) || reads_indices(*s.place)) return LaterUse::read;
        return overwrites(*s.place) ? LaterUse::overwritten : LaterUse::none;
      case StmtOp::clear:
      case StmtOp::undefine:
        if (reads_indices(*s.place)) return LaterUse::read;
        return overwrites(*s.place) ? LaterUse::overwritten : LaterUse::none;
      case StmtOp::if_then: return branches(s);
      case StmtOp::for_loop:
      case StmtOp::while_loop:
        if (reads(s.domain)) return LaterUse::read;
        return again(s);
      case StmtOp::bind_place: frame_.references[s.local] = named_place(frame_, *s.place); return bound(s);
      case StmtOp::bind_value: return reads(*s.value) ? LaterUse::read : block(s.body);
      // After a return the locals of this callable are gone; the locals of a caller are kept.
      case StmtOp::return_:
        if (s.value && reads(*s.value)) return LaterUse::read;
        left_ = left_ || !own();
        return own() ? LaterUse::overwritten : LaterUse::none;
      case StmtOp::error: return LaterUse::none;
      case StmtOp::call: return call(*s.value);
      default: return touches(s) ? LaterUse::read : LaterUse::none;
    }
  }
  LaterUse bound(const Stmt& s) { return reads_indices(*s.place) ? LaterUse::read : block(s.body); }
  bool touches(const Stmt& s) {
    if (s.value && reads(*s.value)) return true;
    if (s.place && (meets(*s.place) || reads_indices(*s.place))) return true;
    return std::any_of(s.put_places.begin(), s.put_places.end(), [&](const auto& p) { return meets(*p); });
  }
  LaterUse branches(const Stmt& s) {
    bool all = !s.branches.empty() && s.branches.back().condition == nullptr;
    for (const Branch& b : s.branches) {
      if (b.condition && reads(*b.condition)) return LaterUse::read;
      const LaterUse use = block(b.block);
      if (use == LaterUse::read) return use;
      all = all && use == LaterUse::overwritten;
    }
    return all ? LaterUse::overwritten : LaterUse::none;
  }

  // ---- expressions

  bool reads(const Expr& e) {
    if (e.op == ExprOp::call) return call(e) == LaterUse::read;
    if (e.place && (meets(*e.place) || reads_indices(*e.place))) return true;
    if (reads(e.domain)) return true;
    return std::any_of(e.args.begin(), e.args.end(), [&](const ExprPtr& a) { return reads(*a); });
  }
  bool reads(const Domain& d) {
    for (const ExprPtr* bound : {&d.from, &d.to, &d.by})
      if (*bound && reads(**bound)) return true;
    return false;
  }
  bool reads_indices(const Place& p) {
    if (p.value && reads(*p.value)) return true;
    return std::any_of(p.path.begin(), p.path.end(),
                       [&](const Selector& s) { return s.index && reads(*s.index); });
  }
  // In a function, the part is known by the names of the var parameters that refer to it.
  LaterUse call(const Expr& e) {
    for (const Argument& a : e.arguments)
      if ((a.value && reads(*a.value)) || (a.place && reads_indices(*a.place))) return LaterUse::read;
    const Function& function = program_.functions[e.function];
    RoundFrame frame(function.locals, frame_.end() + 1'000'000 * (calls_ + 1));
    bool given = false;
    for (uint32_t i = 0; i < e.arguments.size(); ++i) {
      if (!e.arguments[i].place) continue;
      frame.references[i] = named_place(frame_, *e.arguments[i].place);
      given = given || meets(*e.arguments[i].place);
    }
    if (!given) return LaterUse::none;
    constexpr uint32_t kDeepest = 10;
    if (calls_ == kDeepest) return LaterUse::read;
    return UseFinder(program_, frame, part_, calls_ + 1).block(function.body);
  }

  // ---- places

  bool meets(const Place& p) const {
    const RoundPlace place = named_place(frame_, p);
    return place.same_variable(part_) && may_meet(place.path, part_.path);
  }
  // Whether the assignment writes the whole part.
  bool overwrites(const Place& p) const {
    const RoundPlace place = named_place(frame_, p);
    if (!place.same_variable(part_) || place.path.size() > part_.path.size()) return false;
    for (size_t i = 0; i < place.path.size(); ++i)
      if (!place.path[i].is_field || !(place.path[i] == part_.path[i])) return false;
    return true;
  }

  const Program& program_;
  RoundFrame frame_;
  const RoundPlace& part_;
  const uint32_t calls_;
  bool left_ = false;  // a return was met after which the part still exists
};

}  // namespace

RoundPlace named_place(const RoundFrame& frame, const Place& p) {
  RoundPlace place;
  if (p.root == Place::Root::value) {
    place.root = RoundPlace::Root::temporary;
  } else if (p.root == Place::Root::local && frame.references[p.id]) {
    place = *frame.references[p.id];
  } else {
    place.root = p.root == Place::Root::local ? RoundPlace::Root::cell : RoundPlace::Root::state;
    place.id = p.root == Place::Root::local ? frame.cell(p.id) : p.id;
  }
  for (const Selector& selector : p.path)
    place.path.push_back({selector.index == nullptr, selector.field, RoundValue::varying()});
  place.type = p.type;
  return place;
}

LaterUse later_use(const Program& program, const RoundFrame& frame, const RoundPlace& part,
                   const Rest* rest) {
  UseFinder finder(program, frame, part);
  for (; rest != nullptr; rest = rest->outer) {
    if (const LaterUse use = finder.block(*rest->block, rest->next); use != LaterUse::none) return use;
    if (rest->loop != nullptr && finder.again(*rest->loop) == LaterUse::read) return LaterUse::read;
  }
  return LaterUse::none;
}

}  // namespace strata::ir
