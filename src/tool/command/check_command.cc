#include "tool/command/check_command.h"

#include <fmt/format.h>

#include "report/itf_trace.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "report/units.h"
#include "tool/command/error_states.h"
#include "tool/command/goals.h"
#include "tool/command/run_search.h"
#include "tool/command/task.h"
#include "tool/system/console.h"
#include "tool/system/output_file.h"
#include "tool/system/signals.h"

namespace strata {
namespace {

std::string header(const Model& model, const Algorithm& algorithm, const SearchOptions& search,
                   const native::LoadStats& stats) {
  return fmt::format("Strata {}: {} ({} bits a state), {} in {:.2f}s\nAlgorithm {}, {} thread{}, memory {}\n",
                     STRATA_VERSION, model.info().path, model.info().state_bits,
                     stats.from_cache ? "loaded" : "compiled", stats.seconds, algorithm.name, search.threads,
                     search.threads == 1 ? "" : "s", bytes_text(search.memory));
}

Status write_reports(const Model& model, const SearchResult& result, const RunInfo& run,
                     const Console& console, Outputs& outputs) {
  console.print(text_report(model, result, run));
  Status status = console.flush();
  if (status.ok() && outputs.json.is_open()) status = outputs.json.write(json_report(model, result, run));
  const Counterexample* shown = result.witness                   ? &*result.witness
                                : result.counterexamples.empty() ? nullptr
                                                                 : &result.counterexamples.front();
  if (shown == nullptr || !shown->has_path()) outputs.trace.discard();
  if (status.ok() && outputs.trace.is_open()) status = outputs.trace.write(itf_trace(model, *shown));
  return status;
}

RunInfo run_info(const Options& options, const Algorithm& algorithm, const SearchOptions& search,
                 const std::string& property) {
  RunInfo run;
  run.version = STRATA_VERSION;
  run.algorithm = algorithm.name;
  run.threads = search.threads;
  run.deadlock = search.deadlock;
  run.trace = options.trace;
  run.store = search.store;
  run.property = property;
  return run;
}

}  // namespace

int check_command(const Options& options) {
  const Result<const Algorithm*> chosen = choose_algorithm(options);
  if (!chosen.ok()) return fail(chosen.status());
  Result<SearchOptions> search = search_options(options);
  if (!search.ok()) return fail(search.status());
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());

  const StopSignals signals;
  const DiskSignal disk_signal;
  native::LoadStats stats;
  Result<Task> task = load_task(options, &stats);
  if (!task.ok() && signals.stop())
    return fail({StatusCode::interrupted, "interrupted while loading the model"});
  if (!task.ok()) return fail(task.status());
  const Result<const Algorithm*> algorithm = fit_algorithm(*task, **chosen, options);
  if (!algorithm.ok()) return fail(algorithm.status());

  const Model& model = task->searched();
  search->deadlock = options.deadlock.value_or(task->derived ? DeadlockMode::off : model.info().deadlock);
  if ((*algorithm)->has(trait::one_thread)) search->threads = 1;

  Console console(options);
  console.print(header(model, **algorithm, *search, stats));
  if (!task->note.empty()) console.print(fmt::format("Note: {}.\n", task->note));
  const Status shown = console.flush();
  if (!shown.ok()) return fail(shown);
  ProgressBoard board;
  const SearchContext context{
      model, *search, board, signals.stop(), Console::put, &console, &disk_signal.to_disk()};
  Result<SearchResult> result = run_search(**algorithm, context, options.progress);
  if (!result.ok()) return fail(result.status());
  if (const Status status = conclude(*task, *result); !status.ok()) return fail(status);
  const bool erred = result->counterexamples.empty() && task->model->met_error_state();
  if (erred && (task->derived || (*algorithm)->has(trait::cycles))) {
    console.print("Note: the model has run-time errors; without the formula, check shows one.\n");
  } else if (erred && !signals.stop()) {
    const Status status = add_error_state(options, **algorithm, context, *result);
    if (!status.ok()) return fail(status);
  }
  const bool has_goals = task->kind == Task::Kind::safety && !model.info().goals.empty();
  if (has_goals && result->verdict == Verdict::holds && !(*algorithm)->has(trait::cycles)) {
    if (const Status status = add_goals_result(options, context, *result); !status.ok()) return fail(status);
  }
  result->seconds.compile = stats.seconds;
  const RunInfo run = run_info(options, **algorithm, *search, task->property);
  const Status written = write_reports(model, *result, run, console, *outputs);
  return written.ok() ? exit_code(*result) : fail(written);
}

}  // namespace strata
