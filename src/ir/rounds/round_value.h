// What is known of a value in one round of a loop, compared with the other rounds: the domain of the abstract
// interpretation in round_effects.h.
//
//   undefined, constant   the same in all rounds, and which one is known
//   own                   the element that the round belongs to
//   invariant             the same in all rounds; equal keys mean equal values
//   varying               made in this round, and perhaps another one in each
//   stale                 what an earlier round may have left: to read it makes the order of the rounds matter
//
// A value of a record has one for each field. An array or a multiset has one for all its elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/program.h"

namespace strata::ir {

enum class ValueKind { undefined, constant, own, invariant, varying, stale };

struct RoundValue {
  ValueKind kind = ValueKind::varying;
  std::string key;                 // constant, invariant
  std::vector<RoundValue> fields;  // of a record; the kind says nothing then

  static RoundValue constant(int64_t value) { return {ValueKind::constant, std::to_string(value), {}}; }
  static RoundValue own() { return {ValueKind::own, "", {}}; }
  static RoundValue varying() { return {ValueKind::varying, "", {}}; }
  static RoundValue invariant(std::string key) { return {ValueKind::invariant, std::move(key), {}}; }

  bool is(ValueKind wanted) const { return fields.empty() && kind == wanted; }
  bool is_constant(int64_t value) const { return is(ValueKind::constant) && key == std::to_string(value); }
  // The same in all rounds.
  bool fixed() const;
  bool has_stale() const;
  // Equal texts for equal values, where it is fixed.
  std::string text() const;
  friend bool operator==(const RoundValue&, const RoundValue&) = default;
};

// A value of the type whose scalars, arrays and multisets all are of this kind; keys of invariants name the fields.
RoundValue filled(const Program& program, TypeId type, ValueKind kind, const std::string& key = "");
// What holds of a value that is one or the other.
RoundValue join(const RoundValue& a, const RoundValue& b);

// A step from a place to a part of it.
struct RoundStep {
  bool is_field = true;
  uint32_t field = 0;
  RoundValue index;  // of an element
  friend bool operator==(const RoundStep&, const RoundStep&) = default;
};
using RoundPath = std::vector<RoundStep>;

// Whether two rounds may touch a common part when they go these ways from the same variable.
bool may_meet(const RoundPath& a, const RoundPath& b);
bool has_own_step(const RoundPath& path);

// The part of a value that a path leads to.
RoundValue part_of(const RoundValue& value, const RoundPath& path);
// The value with that part replaced. What an index leads to is one of several elements, which the others stay beside.
void replace_part(RoundValue& value, const RoundPath& path, const RoundValue& part, size_t from = 0);

}  // namespace strata::ir
