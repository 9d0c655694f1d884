#include "tool/check_command.h"

#include <fmt/format.h>

#include "report/itf_trace.h"
#include "report/json_report.h"
#include "report/text_report.h"
#include "report/units.h"
#include "tool/console.h"
#include "tool/error_states.h"
#include "tool/load_model.h"
#include "tool/output_file.h"
#include "tool/run_search.h"
#include "tool/signals.h"

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
  if (result.counterexamples.empty() || !result.counterexamples.front().has_path()) outputs.trace.discard();
  if (status.ok() && outputs.trace.is_open()) {
    status = outputs.trace.write(itf_trace(model, result.counterexamples.front()));
  }
  return status;
}

RunInfo run_info(const Options& options, const Algorithm& algorithm, const SearchOptions& search) {
  RunInfo run;
  run.version = STRATA_VERSION;
  run.algorithm = algorithm.name;
  run.threads = search.threads;
  run.deadlock = search.deadlock;
  run.trace = options.trace;
  run.store = search.store;
  return run;
}

}  // namespace

int check_command(const Options& options) {
  const Result<const Algorithm*> algorithm = choose_algorithm(options);
  if (!algorithm.ok()) return fail(algorithm.status());
  Result<SearchOptions> search = search_options(options);
  if (!search.ok()) return fail(search.status());
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());

  const StopSignals signals;
  const DiskSignal disk_signal;
  native::LoadStats stats;
  const Result<std::unique_ptr<Model>> model = load_model(options, &stats);
  if (!model.ok() && signals.stop())
    return fail({StatusCode::interrupted, "interrupted while loading the model"});
  if (!model.ok()) return fail(model.status());

  search->deadlock = options.deadlock.value_or((*model)->info().deadlock);

  Console console(options);
  console.print(header(**model, **algorithm, *search, stats));
  const Status shown = console.flush();
  if (!shown.ok()) return fail(shown);
  ProgressBoard board;
  const SearchContext context{
      **model, *search, board, signals.stop(), Console::put, &console, &disk_signal.to_disk()};
  Result<SearchResult> result = run_search(**algorithm, context, options.progress);
  if (!result.ok()) return fail(result.status());
  if (result->counterexamples.empty() && (*model)->met_error_state() && !signals.stop()) {
    const Status status = add_error_state(options, **algorithm, context, *result);
    if (!status.ok()) return fail(status);
  }
  result->seconds.compile = stats.seconds;
  const RunInfo run = run_info(options, **algorithm, *search);
  const Status written = write_reports(**model, *result, run, console, *outputs);
  return written.ok() ? exit_code(*result) : fail(written);
}

}  // namespace strata
