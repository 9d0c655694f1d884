// The domain of the abstract interpretation in round_effects.h: what is known of a value in one iteration ("round") of
// a loop, compared with the other iterations.
//
//   undefined, constant   the same in all iterations, and known
//   own                   the element of the iteration
//   invariant             the same in all iterations, not known; equal keys mean equal values
//   varying               computed in this iteration, may differ between iterations
//   stale                 may be left over from an earlier iteration: reading it makes the order matter
//
// A record has one abstract value per field. An array or multiset has one for all its elements together.
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
  std::vector<RoundValue> fields;  // of a record; `kind` is then unused

  static RoundValue constant(int64_t value) { return {ValueKind::constant, std::to_string(value), {}}; }
  static RoundValue own() { return {ValueKind::own, "", {}}; }
  static RoundValue varying() { return {ValueKind::varying, "", {}}; }
  static RoundValue invariant(std::string key) { return {ValueKind::invariant, std::move(key), {}}; }

  bool is(ValueKind wanted) const { return fields.empty() && kind == wanted; }
  bool is_constant(int64_t value) const { return is(ValueKind::constant) && key == std::to_string(value); }
  // The same in all iterations.
  bool fixed() const;
  bool has_stale() const;
  // Equal texts for equal values, if fixed().
  std::string text() const;
  friend bool operator==(const RoundValue&, const RoundValue&) = default;
};

// A value of the type whose scalars, arrays and multisets are all of this kind; the keys of invariants name the
// fields.
RoundValue filled(const Program& program, TypeId type, ValueKind kind, const std::string& key = "");
// The abstract value of a value that is one of the two.
RoundValue join(const RoundValue& a, const RoundValue& b);

// One step of a path: from a place to a field or an element.
struct RoundStep {
  bool is_field = true;
  uint32_t field = 0;
  RoundValue index;  // if the step leads to an element
  friend bool operator==(const RoundStep&, const RoundStep&) = default;
};
using RoundPath = std::vector<RoundStep>;

// Whether two iterations may touch a common part if they follow these paths from the same variable.
bool may_meet(const RoundPath& a, const RoundPath& b);
bool has_own_step(const RoundPath& path);

// The part of a value to which a path leads.
RoundValue part_of(const RoundValue& value, const RoundPath& path);
// Replaces that part of a value. An index leads to one of several elements, so the old value of the others is kept
// by joining.
void replace_part(RoundValue& value, const RoundPath& path, const RoundValue& part, size_t from = 0);

}  // namespace strata::ir
