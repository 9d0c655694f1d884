#include "property/ask/fit_algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "liveness/cycle_algorithms.h"
#include "liveness/recurrence/recurrence.h"

namespace strata {
namespace {

using Kind = Task::Kind;

bool is_named(const Algorithm& algorithm, std::string_view name) { return algorithm.name == name; }

// Options that a search for cycles does not support.
Status refuse_options(const SearchOptions& options, std::optional<DeadlockMode> deadlock) {
  if (deadlock.value_or(DeadlockMode::off) != DeadlockMode::off) {
    return Status::usage(
        "--deadlock: a search for cycles looks for no deadlocks; --finite says what the end of a path means");
  }
  if (options.bound) return Status::usage("--bound: a search for cycles cannot be bounded in depth");
  if (options.max_errors != 1)
    return Status::usage("--max-errors: a search for cycles ends with its first counterexample");
  return {};
}

// AG EF p has a search of its own, which --algorithm cannot replace.
Result<const Algorithm*> fit_recurrence(const Algorithm& chosen, const SearchOptions& options) {
  const bool in_ram = is_named(chosen, "ram");
  if (!in_ram && !is_named(chosen, "auto")) {
    return Status::usage(fmt::format(
        "--algorithm {}: AG EF has a search of its own, in RAM and then on disk; leave --algorithm out, or "
        "take ram for RAM alone",
        chosen.name));
  }
  const Algorithm& algorithm = in_ram ? recurrence_in_ram() : recurrence_algorithm();
  if (Status status = check_algorithm(algorithm, options); !status.ok()) return status;
  return &algorithm;
}

Result<const Algorithm*> fit_safety(const Algorithm& chosen) {
  if (!chosen.has(trait::cycles)) return &chosen;
  return Status::usage(
      fmt::format("--algorithm {}: it looks for cycles, which only a formula asks for (--ltl, --automaton, "
                  "--property, or a property process); for other errors choose another one",
                  chosen.name));
}

// Any search can count the states of a model with a property process.
void leave_automaton_out(const Algorithm& algorithm, Task& task) {
  task.kind = Kind::safety;
  task.property.clear();
  task.message.clear();
  task.note = fmt::format(
      "whether the property process accepts a path is not checked: {} looks for errors of states and rules",
      algorithm.name);
}

}  // namespace

Status check_algorithm(const Algorithm& algorithm, const SearchOptions& options) {
  for (const auto& [name, value] : options.parameters) {
    const bool known =
        std::any_of(algorithm.parameters.begin(), algorithm.parameters.end(),
                    [&, &wanted = name](const auto& parameter) { return wanted == parameter.name; });
    if (!known) {
      return Status::usage(fmt::format("--set {}={}: the algorithm {} has no such parameter{}", name, value,
                                       algorithm.name, kTryAlgorithms));
    }
  }
  if (Status status = check_values(algorithm, options); !status.ok()) return status;
  if (!algorithm.has(trait::signatures) && !options.store.exact()) {
    return Status::usage(
        fmt::format("--store signatures: the algorithm {} keeps states exactly; {}", algorithm.name,
                    algorithm.has(trait::cycles) ? "so does every search for cycles of this version"
                                                 : "choose another one, for example --algorithm part"));
  }
  return {};
}

Result<const Algorithm*> fit_algorithm(Task& task, const Algorithm& chosen, const SearchOptions& options,
                                       std::optional<DeadlockMode> deadlock) {
  if (task.kind == Kind::recurrence) return fit_recurrence(chosen, options);
  if (!task.seeks_cycles()) return fit_safety(chosen);
  const Algorithm* algorithm = is_named(chosen, "auto") ? &automatic_cycles() : &chosen;
  if (!algorithm->has(trait::cycles) && task.kind == Kind::own_automaton) {
    leave_automaton_out(*algorithm, task);
    return algorithm;
  }
  if (!algorithm->has(trait::cycles)) {
    return Status::usage(
        fmt::format("--algorithm {}: it looks for errors of states and rules, not for cycles; choose "
                    "one that does, for example ndfs or owcty, or leave --algorithm out",
                    algorithm->name));
  }
  if (Status status = refuse_options(options, deadlock); !status.ok()) return status;
  if (Status status = check_algorithm(*algorithm, options); !status.ok()) return status;
  return algorithm;
}

}  // namespace strata
