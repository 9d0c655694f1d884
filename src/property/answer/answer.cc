#include "property/answer/answer.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "engine/ranks/search_ranks.h"
#include "property/answer/conclude.h"
#include "property/answer/error_states.h"
#include "property/answer/search_goals.h"
#include "property/answer/share_search.h"
#include "property/symmetry/unfold.h"

namespace strata {
namespace {

// A run-time error that leads to a state is not reported by any search, so it must be reported here.
bool met_untold_error(const Task& task, const SearchResult& result) {
  return result.counterexamples.empty() && reached_error_state(*task.model);
}

// If the user asks about a formula, a run-time error is not an answer.
bool asks_for_errors(const Task& task, const Algorithm& algorithm) {
  return task.asks_model() && !algorithm.has(trait::cycles);
}

bool has_open_goals(const Task& task, const Algorithm& algorithm, const SearchResult& result) {
  return task.kind == Task::Kind::safety && !task.searched().info().goals.empty() &&
         result.verdict == Verdict::holds && !algorithm.has(trait::cycles);
}

// Without a proof of the symmetry, a result is valid only if no compared state showed a difference.
Status check_trust(const Task& task, const SearchContext& context) {
  if (task.views.quotient() == nullptr || task.model->symmetry()->proved()) return {};
  const std::string difference = task.views.quotient()->difference();
  if (!make_ranks(context.exchange)->any(!difference.empty())) return {};
  return Status::model(difference.empty() ? task.model->info().path +
                                                ": another process found that the model does not "
                                                "treat the values of its scalarsets alike"
                                          : difference);
}

Status unfold_all(const Task& task, const SearchContext& context, SearchResult& result) {
  if (task.views.quotient() == nullptr) return {};
  const Unfolding unfolding{*task.model->symmetry(), task.plain(), task.model->info().state_bits,
                            context.options.deadlock};
  for (Counterexample& counterexample : result.counterexamples) {
    const Status status = unfold(unfolding, counterexample);
    if (!status.ok() && !unfolding.symmetry.proved())
      return Status::model(
          fmt::format("{}: the model does not treat the values of its scalarsets alike: {}; --symmetry off "
                      "checks it as it is",
                      task.model->info().path, status.message()));
    if (!status.ok()) return status;
  }
  return {};
}

// Paths are paths of the plain model.
void explain_all(const Task& task, SearchResult& result) {
  for (Counterexample& counterexample : result.counterexamples)
    if (!counterexample.steps.empty() && counterexample.failure.kind == Failure::Kind::property &&
        counterexample.failure.rule == kNoRule && !counterexample.loop)
      counterexample.cause =
          task.plain().explain_failure(counterexample.failure, counterexample.steps.back().state.data());
}

}  // namespace

Result<Answer> find_answer(const Task& task, const Algorithm& algorithm, const SearchContext& context,
                           const ModelLoader& load, const Runner& run) {
  Result<SearchResult> found = run(algorithm, context);
  if (Status status = check_trust(task, context); !status.ok()) return status;
  if (!found.ok()) return found.status();
  Answer answer{std::move(*found), ""};
  SearchResult& result = answer.result;
  if (Status status = unfold_all(task, context, result); !status.ok()) return status;
  if (Status status = conclude(task, result); !status.ok()) return status;
  explain_all(task, result);
  const std::unique_ptr<SearchRanks> ranks = make_ranks(context.exchange);
  if (ranks->any(met_untold_error(task, result))) {
    if (!asks_for_errors(task, algorithm)) {
      answer.note = "the model has run-time errors; without the formula, check shows one";
    } else if (ranks->any(context.stop)) {
      add_error_without_path("the run was interrupted", result);
    } else {
      const Status status = add_error_state(load, run, algorithm, context, result);
      if (!status.ok()) return status;
    }
  }
  if (has_open_goals(task, algorithm, result)) {
    if (Status status = add_goals(run, algorithm, context, result); !status.ok()) return status;
    if (Status status = check_trust(task, context); !status.ok()) return status;
    if (Status status = unfold_all(task, context, result); !status.ok()) return status;
  }
  // Without a lost rank's part, there is no answer.
  const Status trouble = ranks->status();
  // A rank that ran out of memory or disk space is a result, too.
  if (!trouble.ok() && !leaves_no_room(trouble)) return trouble;
  return answer;
}

}  // namespace strata
