#include "property/answer/error_states.h"

#include <algorithm>
#include <utility>

namespace strata {

Status add_error_state(const ModelLoader& load, const Runner& run, const Algorithm& algorithm,
                       const SearchContext& context, SearchResult& result) {
  LoadRequest request;
  request.fail_error_states = true;
  const Result<std::unique_ptr<Model>> model = load(request);
  if (!model.ok()) return model.status();
  const SearchOptions options = context.options.after(result.seconds.search - context.seconds_before());
  Result<SearchResult> found = run(algorithm, context.with(**model, options).without_checkpoints());
  if (!found.ok()) return found.status();
  result.seconds.search += found->seconds.search;
  if (found->counterexamples.empty()) {
    add_error_without_path(found->stop_message, result);
    return {};
  }
  for (Counterexample& counterexample : found->counterexamples) explain_error_state(**model, counterexample);
  result.counterexamples = std::move(found->counterexamples);
  result.verdict = found->verdict;
  return {};
}

void add_error_without_path(const std::string& why, SearchResult& result) {
  Counterexample error;
  error.failure.kind = Failure::Kind::runtime;
  error.text.verdict = FailureText::Verdict::error;
  error.text.message = "A run-time error leads to an error state. The search for a path to it did not end" +
                       (why.empty() ? "." : ": " + why);
  result.verdict = Verdict::error;
  result.counterexamples.push_back(std::move(error));
}

void explain_error_state(const Model& model, Counterexample& counterexample) {
  const std::vector<TraceStep>& steps = counterexample.steps;
  if (counterexample.failure.kind != Failure::Kind::runtime || counterexample.failure.rule != kNoRule ||
      steps.size() < 2)
    return;
  Expansion out(model.info(), std::max<uint64_t>(model.info().max_successors, 1));
  out.report_errors = true;
  out.check_properties = false;
  out.deadlock = DeadlockMode::off;
  model.expand(steps[steps.size() - 2].state.data(), 1, out);
  for (const Failure& failure : out.failures)
    if (failure.rule == steps.back().rule) counterexample.text = model.describe_failure(failure);
}

}  // namespace strata
