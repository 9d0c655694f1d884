#include "property/answer/conclude.h"

#include <utility>
#include <vector>

#include "ltl/formula/lasso_word.h"

namespace strata {
namespace {

using Kind = Task::Kind;

Status replay_word(const Task& task, const Counterexample& counterexample) {
  std::vector<uint64_t> letters(counterexample.steps.size());
  std::vector<Failure> failures;
  for (size_t i = 0; i < letters.size(); ++i)
    task.plain().propositions(counterexample.steps[i].state.data(), 1, &letters[i], failures);
  if (failures.empty() && !ltl::holds_on(task.formula, letters, *counterexample.loop)) return {};
  return Status::internal(
      "the counterexample does not replay: the formula holds on it; please report this as a bug of strata");
}

Status replay_fairness(const FairModel& fair, const Counterexample& counterexample) {
  std::vector<const uint8_t*> states;
  std::vector<uint32_t> rules;
  for (size_t i = *counterexample.loop; i < counterexample.steps.size(); ++i) {
    const bool last = i + 1 == counterexample.steps.size();
    states.push_back(counterexample.steps[i].state.data());
    rules.push_back(last ? counterexample.loop_rule : counterexample.steps[i + 1].rule);
  }
  if (fair.is_fair(states, rules)) return {};
  return Status::internal(
      "the counterexample does not replay: it is not fair to every process; please report this as a bug of "
      "strata");
}

Status replay_lasso_of(const Task& task, const Counterexample& lasso) {
  if (task.fair != nullptr) {
    if (Status status = replay_fairness(*task.fair, lasso); !status.ok()) return status;
  }
  return task.formula == nullptr ? Status() : replay_word(task, lasso);
}

// EF p: the state that the safety search reports as an error is the one that the formula asks for.
void turn_round(const Task& task, SearchResult& result) {
  if (result.verdict == Verdict::violated) {
    result.verdict = Verdict::holds;
    result.details.emplace_back("witness_length", result.counterexamples.front().length());
    result.witness = std::move(result.counterexamples.front());
    result.counterexamples.clear();
  } else if (result.verdict == Verdict::holds) {
    result.verdict = Verdict::violated;
    Counterexample none;
    none.text.message = task.message;
    result.counterexamples.push_back(std::move(none));
  }
}

}  // namespace

Status conclude(const Task& task, SearchResult& result) {
  if (task.kind == Kind::safety) return {};
  if (task.kind == Kind::reachability) turn_round(task, result);
  result.formula = task.kind != Kind::own_automaton;
  for (Counterexample& counterexample : result.counterexamples) {
    if (!counterexample.loop) continue;
    counterexample.text.message = task.message;
    if (counterexample.steps.empty()) continue;  // without a path
    if (Status status = replay_lasso_of(task, counterexample); !status.ok()) return status;
  }
  return {};
}

}  // namespace strata
