#include "ir/symmetry/reduction.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostic_line.h"

namespace strata::ir {
namespace {

// native/symmetry/permutations.h stores the number of an element in a byte.
constexpr uint64_t kMostElements = 254;

bool in_state(const Program& program, const Scalarset& scalarset) {
  return std::any_of(program.state.begin(), program.state.end(),
                     [&](const StateVariable& v) { return mentions(program, v.type, scalarset); });
}

// Whether the values distinguish the processes: a rule has a parameter of the type.
bool tells_processes(const Program& program, const Scalarset& scalarset) {
  const auto has = [&](const Binding& b) {
    return b.kind == Binding::Kind::parameter && b.domain.type != kNoType &&
           mentions(program, b.domain.type, scalarset);
  };
  return std::any_of(program.rules.begin(), program.rules.end(), [&](const Rule& rule) {
    return std::any_of(rule.bindings.begin(), rule.bindings.end(), has);
  });
}

// The first asymmetry of a kind, in the order of the text.
const Asymmetry* first_of(const Program& program, uint32_t scalarset, bool proved) {
  for (const Asymmetry& a : program.asymmetries)
    if (a.scalarset == scalarset && (a.kind == Asymmetry::Kind::unproved) != proved) return &a;
  return nullptr;
}

constexpr const char* kAdvice =
    "In a loop, write only to the element of the iteration, add up, or set one value; to pick any element, "
    "use "
    "a ruleset. --symmetry exact assumes that the model is symmetric and tests states of the search";

}  // namespace

bool has_values(const ScalarType& type, const Scalarset& scalarset) {
  return std::any_of(type.segments.begin(), type.segments.end(),
                     [&](const Segment& s) { return !s.prefix.empty() && s.lo == scalarset.lo; });
}

bool over_reduced(const Program& program, const Domain& domain) {
  if (program.trusted_symmetry || domain.type == kNoType) return false;
  if (program.types[domain.type].scalar() == nullptr) return false;
  return std::any_of(program.reduced.begin(), program.reduced.end(), [&](uint32_t i) {
    return has_values(*program.types[domain.type].scalar(), program.scalarsets[i]);
  });
}

bool mentions(const Program& program, TypeId id, const Scalarset& scalarset) {
  const Type& type = program.types[id];
  if (const ScalarType* s = type.scalar()) return has_values(*s, scalarset);
  if (const ArrayType* a = type.array())
    return mentions(program, a->index, scalarset) || mentions(program, a->element, scalarset);
  if (const MultisetType* m = type.multiset()) return mentions(program, m->element, scalarset);
  const std::vector<Field>& fields = type.record()->fields;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& f) { return mentions(program, f.type, scalarset); });
}

std::vector<std::string> choose_reduction(Program& program, const ReductionRequest& request) {
  std::vector<std::string> notes;
  program.reduced.clear();
  const SymmetryMode mode = request.mode.value_or(SymmetryMode::exact);
  if (mode == SymmetryMode::off) return notes;
  program.trusted_symmetry = false;
  uint64_t elements = 0;
  for (uint32_t i = 0; i < program.scalarsets.size(); ++i) {
    const Scalarset& scalarset = program.scalarsets[i];
    if (scalarset.size() < 2 || !in_state(program, scalarset)) continue;
    const auto leave = [&](SourcePosition at, const std::string& reason) {
      notes.push_back(note_at(program.path, at,
                              fmt::format("{} is not reduced by symmetry: {}", scalarset.name, reason)));
    };
    const Asymmetry* const broken = first_of(program, i, true);
    const Asymmetry* const unproved = first_of(program, i, false);
    if (broken != nullptr) {
      leave(broken->position, broken->reason);
    } else if (unproved != nullptr && !request.mode) {
      leave(unproved->position, fmt::format("{}. {}", unproved->reason, kAdvice));
    } else if (request.fairness && tells_processes(program, scalarset)) {
      leave({}, "--fairness tells the processes apart");
    } else if (elements + scalarset.size() > kMostElements) {
      leave({}, fmt::format("the scalarsets have more than {} values", kMostElements));
    } else {
      program.reduced.push_back(i);
      elements += scalarset.size();
      if (unproved == nullptr) continue;
      program.trusted_symmetry = true;
      notes.push_back(
          note_at(program.path, unproved->position,
                  fmt::format("the symmetry of {} is not proved: {}; states of the search are tested",
                              scalarset.name, unproved->reason)));
    }
  }
  return notes;
}

}  // namespace strata::ir
