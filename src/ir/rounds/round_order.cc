#include "ir/rounds/round_order.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata::ir {
namespace {

bool is_write(const RoundAccess& access) {
  return access.kind != AccessKind::read && access.kind != AccessKind::leave &&
         access.kind != AccessKind::discard;
}

// Locals that are only set need no order if they are not read afterwards. One that is added to may leave its range in
// one order and not in another.
bool only_sets(const RoundAccess& access) {
  return access.place.root == RoundPlace::Root::cell &&
         (access.kind == AccessKind::write || access.kind == AccessKind::set);
}

// Only the iteration of one and the same element makes both accesses.
bool in_one_round(const RoundAccess& a, const RoundAccess& b) {
  return std::any_of(a.only.begin(), a.only.end(),
                     [&](const std::string& key) { return b.only.count(key) > 0; });
}

bool commute(const RoundAccess& a, const RoundAccess& b) {
  if (!a.place.same_variable(b.place) || !may_meet(a.place.path, b.place.path) || in_one_round(a, b))
    return true;
  if (a.kind != b.kind || a.kind == AccessKind::write || a.kind == AccessKind::read) return false;
  if (a.kind == AccessKind::add) return true;
  // If the paths differ in length, one place is a part of the other.
  return a.key == b.key && (a.place.path.size() == b.place.path.size() || a.key == "undefined");
}

class Order {
 public:
  Order(const RoundEffects& effects, const std::string& rounds, SourcePosition position)
      : effects_(effects), rounds_(rounds), position_(position) {}

  RoundOrder take() { return std::move(order_); }

  bool followed() {
    if (!effects_.complete)
      add(position_, fmt::format("{} calls a recursive function or is too long to analyse", rounds_));
    return effects_.complete;
  }
  void assumptions() {
    for (const RoundAccess& access : effects_.accesses)
      if (access.kind == AccessKind::discard)
        add(access.position, fmt::format("an assumption ends {} before iterations that may fail", rounds_));
  }
  // The first iteration that returns determines the returned value and which iterations do not run.
  void returns() {
    const RoundAccess* first = nullptr;
    for (const RoundAccess& access : effects_.accesses) {
      if (access.kind != AccessKind::leave) continue;
      if (first == nullptr) first = &access;
      if (access.key.empty() || access.key != first->key)
        return add(access.position,
                   fmt::format("the returned value depends on which iteration of {} comes first", rounds_));
    }
    if (first == nullptr) return;
    for (const RoundAccess& access : effects_.accesses) {
      if (!is_write(access)) continue;
      if (!only_sets(access))
        return add(access.position,
                   fmt::format("iterations of {} change {} until one returns, so the result depends on which "
                               "iteration comes first",
                               rounds_, access.text));
      order_.leftovers.push_back(access);
    }
  }
  void pairs() {
    for (const RoundAccess& writing : effects_.accesses)
      if (is_write(writing)) partners(writing);
  }
  void changes() {
    for (const RoundAccess& access : effects_.accesses)
      if (is_write(access))
        return add(access.position,
                   fmt::format("{} changes {} and ends at the first element that decides the result", rounds_,
                               access.text));
  }

 private:
  void partners(const RoundAccess& writing) {
    for (const RoundAccess& other : effects_.accesses) {
      if ((!is_write(other) && other.kind != AccessKind::read) || commute(writing, other)) continue;
      if (other.kind == AccessKind::read)
        return add(
            other.position,
            fmt::format("an iteration of {} reads {}, which another iteration may have changed (line {})",
                        rounds_, other.text, writing.position.line));
      if (only_sets(writing) && only_sets(other)) {
        order_.leftovers.push_back(writing);
        continue;
      }
      return add(writing.position,
                 fmt::format("{} keeps the value of the last iteration of {}", writing.text, rounds_));
    }
  }
  void add(SourcePosition position, std::string reason) {
    order_.conflicts.push_back({std::move(reason), position});
  }

  const RoundEffects& effects_;
  const std::string& rounds_;
  const SourcePosition position_;
  RoundOrder order_;
};

}  // namespace

RoundOrder order_of_rounds(const RoundEffects& effects, const std::string& rounds, SourcePosition position) {
  Order order(effects, rounds, position);
  if (order.followed()) {
    order.assumptions();
    order.returns();
    order.pairs();
  }
  return order.take();
}

RoundOrder order_of_tests(const RoundEffects& effects, const std::string& rounds, SourcePosition position) {
  Order order(effects, rounds, position);
  if (order.followed()) {
    order.assumptions();
    order.changes();
  }
  return order.take();
}

}  // namespace strata::ir
