#include "ir/symmetry/order_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/rounds/later_use.h"
#include "ir/rounds/round_effects.h"
#include "ir/rounds/round_order.h"
#include "ir/symmetry/reduction.h"
#include "ir/symmetry/slots.h"
#include "ir/walker.h"

namespace strata::ir {
namespace {

// Values that depend on the order and that a call leaves in locals of its callers, which must not read them.
using Leftovers = std::vector<std::pair<RoundAccess, std::string>>;

class Prover {
 public:
  Prover(const Program& program, const OrderFinding& found) : program_(program), found_(found) {}

  void rule(const Rule& rule) {
    RoundFrame frame = outermost(rule.locals, rule.bindings);
    add_adding(rule.body);
    if (rule.guard) {
      const Rest rest{&rule.body, 0, nullptr, nullptr};
      expression(*rule.guard, frame, &rest);
    }
    body(rule.body, frame, nullptr, nullptr);
    if (const std::optional<SourcePosition> again = slot_used_again(program_, rule))
      slots_matter(*again, "the rule");
  }
  void property(const Property& property) {
    RoundFrame frame = outermost(property.locals, property.bindings);
    if (property.condition) expression(*property.condition, frame, nullptr);
  }
  std::vector<const Stmt*> take_gathering() { return std::move(gathering_); }

 private:
  RoundFrame outermost(const std::vector<Local>& locals, const std::vector<Binding>& bindings) {
    cells_.clear();
    known_.clear();
    adding_.clear();
    functions_add_.clear();
    RoundFrame frame = enter(locals);
    for (const Binding& b : bindings) {
      if (b.value) expression(*b.value, frame, nullptr);
      if (b.place) indices(*b.place, frame, nullptr);
      if (b.kind == Binding::Kind::alias_place) frame.references[b.local] = named_place(frame, *b.place);
      if (b.kind == Binding::Kind::choose) frame.multisets[b.local] = b.place.get();
    }
    return frame;
  }
  RoundFrame enter(const std::vector<Local>& locals) {
    const RoundFrame frame(locals, static_cast<uint32_t>(cells_.size()));
    for (const Local& local : locals) cells_.push_back(local.type);
    return frame;
  }

  // ---- statements

  void body(const Block& b, RoundFrame& frame, const Rest* outer, const Stmt* loop) {
    for (size_t i = 0; i < b.size(); ++i) {
      const Rest rest{&b, i + 1, loop, outer};
      statement(b[i], frame, &rest);
    }
  }
  void statement(const Stmt& s, RoundFrame& frame, const Rest* rest) {
    // The rest of the same statement may read what the expression leaves.
    const Rest here{rest->block, rest->next - 1, rest->loop, rest->outer};
    if (s.place) indices(*s.place, frame, &here);
    if (s.op == StmtOp::multiset_remove) {
      if (!is_slot_of(frame, *s.value, *s.place, s.place->path.size()))
        slots_matter(s.position, s.place->text);
    } else if (s.op == StmtOp::call) {
      arguments(*s.value, frame, &here);
      call(*s.value, frame, rest);
    } else if (s.op != StmtOp::multiset_remove_where && s.value) {
      expression(*s.value, frame, &here);
    }
    bounds(s.domain, frame, &here);
    for (const Branch& b : s.branches) {
      if (b.condition) expression(*b.condition, frame, &here);
      body(b.block, frame, rest, nullptr);
    }
    if (s.op == StmtOp::bind_place) frame.references[s.local] = named_place(frame, *s.place);
    if (s.op == StmtOp::for_loop) loop(s, frame, rest);
    if (s.op == StmtOp::multiset_remove_where) removal(s, frame, rest);
    const bool repeated = s.op == StmtOp::for_loop || s.op == StmtOp::while_loop;
    body(s.body, frame, rest, repeated ? &s : nullptr);
  }
  void loop(const Stmt& s, RoundFrame& frame, const Rest* rest) {
    const std::vector<uint32_t> sets = scalarsets_of(s.domain.type);
    if (sets.empty()) return;
    const std::string rounds = fmt::format("the loop over {}", program_.scalarsets[sets[0]].name);
    Repetition repetition;
    repetition.local = s.local;
    repetition.body = &s.body;
    repetition.position = s.position;
    const RoundEffects found = effects(repetition, frame);
    for (const RoundAccess& access : found.accesses)
      if (access.statement != nullptr) gathering_.push_back(access.statement);
    conclude(order_of_rounds(found, rounds, s.position), sets, frame, rest);
  }
  void removal(const Stmt& s, RoundFrame& frame, const Rest* rest) {
    frame.multisets[s.local] = s.place.get();
    expression(*s.value, frame, rest);
    const std::vector<uint32_t> sets = orders_of(s.place->type);
    if (sets.empty()) return;
    Repetition repetition;
    repetition.local = s.local;
    repetition.condition = s.value.get();
    repetition.multiset = s.place.get();
    repetition.removes = true;
    repetition.position = s.position;
    const std::string rounds = fmt::format("the removal from {}", s.place->text);
    conclude(order_of_rounds(effects(repetition, frame), rounds, s.position), sets, frame, rest);
  }
  RoundEffects effects(const Repetition& repetition, const RoundFrame& frame) const {
    return effects_of_round(program_, repetition, frame, cells_);
  }

  // ---- expressions

  void indices(const Place& p, RoundFrame& frame, const Rest* rest) {
    if (p.value) expression(*p.value, frame, rest);
    for (size_t i = 0; i < p.path.size(); ++i) {
      const Selector& selector = p.path[i];
      if (!selector.index) continue;
      if (is_slot(frame, *selector.index)) {
        if (!is_slot_of(frame, *selector.index, p, i)) slots_matter(p.position, p.text);
      } else {
        expression(*selector.index, frame, rest);
      }
    }
  }
  void bounds(const Domain& d, RoundFrame& frame, const Rest* rest) {
    for (const ExprPtr* bound : {&d.from, &d.to, &d.by})
      if (*bound) expression(**bound, frame, rest);
  }
  void expression(const Expr& e, RoundFrame& frame, const Rest* rest) {
    if (is_slot(frame, e)) return slots_matter(e.position, e.place->text);
    if (compares_slots(frame, e)) return;
    for (const ExprPtr& a : e.args)
      if (!is_test(e)) expression(*a, frame, rest);
    if (e.place) indices(*e.place, frame, rest);
    bounds(e.domain, frame, rest);
    arguments(e, frame, rest);
    if (e.op == ExprOp::call) call(e, frame, rest);
    if (is_test(e)) test(e, frame, rest);
  }
  void arguments(const Expr& e, RoundFrame& frame, const Rest* rest) {
    for (const Argument& a : e.arguments) {
      if (a.value) expression(*a.value, frame, rest);
      if (a.place) indices(*a.place, frame, rest);
    }
  }
  static bool is_test(const Expr& e) {
    return e.op == ExprOp::for_all || e.op == ExprOp::exists || e.op == ExprOp::multiset_count;
  }
  // A condition that is evaluated for several elements.
  void test(const Expr& e, RoundFrame& frame, const Rest* rest) {
    const bool counts = e.op == ExprOp::multiset_count;
    if (counts) frame.multisets[e.local] = e.place.get();
    expression(*e.args[0], frame, rest);
    const std::vector<uint32_t> sets = counts ? orders_of(e.place->type) : scalarsets_of(e.domain.type);
    if (sets.empty()) return;
    Repetition repetition;
    repetition.local = e.local;
    repetition.condition = e.args[0].get();
    repetition.position = e.position;
    const std::string what = counts                    ? "the count of " + e.place->text
                             : e.op == ExprOp::for_all ? "forall over " + program_.scalarsets[sets[0]].name
                                                       : "exists over " + program_.scalarsets[sets[0]].name;
    conclude(order_of_tests(effects(repetition, frame), what, e.position), sets, frame, rest);
  }
  // ---- calls

  void call(const Expr& e, RoundFrame& frame, const Rest* rest) {
    const Function& function = program_.functions[e.function];
    std::string name = std::to_string(e.function);
    RoundFrame inner(function.locals, 0);
    for (uint32_t i = 0; i < e.arguments.size(); ++i) {
      if (!e.arguments[i].place) continue;
      inner.references[i] = named_place(frame, *e.arguments[i].place);
      name += "|" + text_of(*inner.references[i]);
    }
    const auto [known, added] = known_.try_emplace(name);
    if (!added) {
      recursive_.insert(active_.count(name) > 0 ? name : "");
      return discharge(known->second, frame, rest);
    }
    // A recursive function that passes its own variables as var parameters makes a different call each time.
    constexpr uint64_t kDeepest = 3;
    if (running_.count(e.function) >= kDeepest) {
      for (const uint32_t set : all_scalarsets())
        found_(set, e.position, fmt::format("{} calls itself with its own variables", function.name));
      return;
    }
    inner.first = enter(function.locals).first;
    Leftovers* const outer = leftovers_;
    Leftovers own;
    leftovers_ = &own;
    active_.insert(name);
    const auto running = running_.insert(e.function);
    body(function.body, inner, nullptr, nullptr);
    active_.erase(name);
    running_.erase(running);
    leftovers_ = outer;
    // A recursive call returned before this result was known.
    if (recursive_.count(name) > 0)
      for (const auto& [access, reason] : own) report(access, reason);
    known_[name] = own;
    discharge(own, frame, rest);
  }
  static std::string text_of(const RoundPlace& place) {
    std::string text = fmt::format("{}:{}", static_cast<int>(place.root), place.id);
    for (const RoundStep& step : place.path) text += step.is_field ? "." + std::to_string(step.field) : "[]";
    return text;
  }

  // ---- findings

  void conclude(const RoundOrder& order, const std::vector<uint32_t>& sets, const RoundFrame& frame,
                const Rest* rest) {
    for (const RoundConflict& conflict : order.conflicts)
      for (const uint32_t set : sets) found_(set, conflict.position, conflict.reason);
    Leftovers leftovers;
    for (const RoundAccess& access : order.leftovers)
      leftovers.emplace_back(
          access,
          fmt::format("{} keeps the value of the last iteration of the loop over {} and is read afterwards",
                      access.text, program_.scalarsets[sets[0]].name));
    for (auto& [access, reason] : leftovers) sets_of_[access.position].insert(sets.begin(), sets.end());
    discharge(leftovers, frame, rest);
  }
  // Leftovers that are never read do no harm; those that a caller may read are passed on to the caller.
  void discharge(const Leftovers& leftovers, const RoundFrame& frame, const Rest* rest) {
    for (const auto& [access, reason] : leftovers) {
      const bool own = access.place.id >= frame.first;
      const LaterUse use = later_use(program_, frame, access.place, rest);
      if (use == LaterUse::overwritten) continue;
      if (use == LaterUse::none && own) continue;
      if (use == LaterUse::none && leftovers_ != nullptr)
        leftovers_->emplace_back(access, reason);
      else
        report(access, reason);
    }
  }
  void report(const RoundAccess& access, const std::string& reason) {
    for (const uint32_t set : sets_of_[access.position]) found_(set, access.position, reason);
  }
  void slots_matter(SourcePosition position, const std::string& text) {
    for (uint32_t i = 0; i < program_.scalarsets.size(); ++i)
      found_(i, position, fmt::format("{} depends on the slot of a member in another multiset", text));
  }

  // ---- scalarsets with several values

  std::vector<uint32_t> scalarsets_of(TypeId type) const {
    if (type == kNoType || type == kInteger || program_.types[type].scalar() == nullptr) return {};
    return scalarsets_in(type);
  }
  // The scalarsets that may determine the order of a multiset's slots: those of its members' values, by which states
  // sort the members, and those of loops in which the rule adds members.
  std::vector<uint32_t> orders_of(TypeId multiset) const {
    std::vector<uint32_t> sets = scalarsets_in(multiset);
    for (const uint32_t set : adding_)
      if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(set);
    return sets;
  }
  // Whether the statements add to a multiset, directly or through functions. The scalarsets of loops that do are
  // inserted into adding_.
  bool add_adding(const Block& b) {
    bool adds = false;
    Walker walker;
    walker.on_expr = [&](const Expr& e) {
      if (e.op == ExprOp::call) adds = function_adds(e.function) || adds;
    };
    walker.on_stmt = [&](const Stmt& s) {
      adds = adds || s.op == StmtOp::multiset_add;
      if (s.op != StmtOp::for_loop || !add_adding(s.body)) return;
      for (const uint32_t set : scalarsets_of(s.domain.type)) adding_.insert(set);
    };
    walker.block(b);
    return adds;
  }
  // A recursive call adds nothing to the result.
  bool function_adds(uint32_t function) {
    const auto [known, added] = functions_add_.try_emplace(function, false);
    if (added) {
      const bool adds = add_adding(program_.functions[function].body);
      functions_add_[function] = adds;
      return adds;
    }
    return known->second;
  }
  std::vector<uint32_t> all_scalarsets() const {
    std::vector<uint32_t> sets;
    for (uint32_t i = 0; i < program_.scalarsets.size(); ++i)
      if (program_.scalarsets[i].size() > 1) sets.push_back(i);
    return sets;
  }
  std::vector<uint32_t> scalarsets_in(TypeId type) const {
    std::vector<uint32_t> sets;
    for (uint32_t i = 0; i < program_.scalarsets.size(); ++i)
      if (program_.scalarsets[i].size() > 1 && mentions(program_, type, program_.scalarsets[i]))
        sets.push_back(i);
    return sets;
  }

  const Program& program_;
  const OrderFinding& found_;
  std::vector<TypeId> cells_;               // the locals of the callables that are being analysed
  std::map<std::string, Leftovers> known_;  // by function and var parameters
  std::set<std::string> active_,
      recursive_;                    // calls that are being analysed; those of them that were called again
  std::multiset<uint32_t> running_;  // the functions of the calls that are being analysed
  std::map<SourcePosition, std::set<uint32_t>> sets_of_;  // of the loop that leaves a value there
  Leftovers* leftovers_ = nullptr;                        // of the function that is being analysed
  std::set<uint32_t> adding_;               // the scalarsets of loops in which the rule adds to a multiset
  std::map<uint32_t, bool> functions_add_;  // whether they add to a multiset, as far as known
  std::vector<const Stmt*> gathering_;
};

}  // namespace

std::vector<const Stmt*> find_orders(const Program& program, const OrderFinding& found) {
  Prover prover(program, found);
  for (const std::vector<Rule>* rules : {&program.starts, &program.rules})
    for (const Rule& rule : *rules) prover.rule(rule);
  for (const Property& property : program.properties) prover.property(property);
  return prover.take_gathering();
}

}  // namespace strata::ir
