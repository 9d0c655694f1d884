#include "tool/check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/memory_budget.h"
#include "report/itf_trace.h"
#include "report/json_report.h"
#include "report/progress_printer.h"
#include "report/text_report.h"
#include "report/units.h"
#include "search/algorithm.h"
#include "tool/command_line.h"
#include "tool/console.h"
#include "tool/load_model.h"
#include "tool/machine.h"
#include "tool/output_file.h"
#include "tool/signals.h"

namespace strata {
namespace {

Result<const Algorithm*> choose_algorithm(const Options& options) {
  const Algorithm* algorithm = find_algorithm(options.algorithm);
  if (algorithm == nullptr) {
    std::string names;
    for (const Algorithm& row : algorithms()) names += std::string(names.empty() ? "" : ", ") + row.name;
    return Status::usage(
        fmt::format("--algorithm: there is no algorithm '{}'; this version has {}\nTry 'strata algorithms'.",
                    options.algorithm, names));
  }
  for (const auto& [name, value] : options.parameters) {
    const bool known =
        std::any_of(algorithm->parameters.begin(), algorithm->parameters.end(),
                    [&, &wanted = name](const auto& parameter) { return wanted == parameter.name; });
    if (!known) {
      return Status::usage(
          fmt::format("--set {}={}: the algorithm {} has no such parameter\nTry 'strata algorithms'.", name,
                      value, algorithm->name));
    }
  }
  return algorithm;
}

Result<SearchOptions> search_options(const Options& options) {
  SearchOptions search;
  const uint64_t usable = usable_memory();
  if (!options.memory && usable == 0) {
    return Status::usage("the system does not say how much memory it has; say it with --memory SIZE");
  }
  search.memory = options.memory.value_or(std::max(kLeastMemory, usable / 10 * 8));
  if (usable != 0 && search.memory > usable) {
    fmt::print(stderr, "strata: warning: --memory {} is more than the {} that this process can have\n",
               bytes_text(search.memory), bytes_text(usable));
  }
  search.threads = options.threads.value_or(std::min(usable_cores(), 1024u));
  search.deadlock = options.deadlock;
  search.bound = options.bound;
  search.time_limit = options.time_limit;
  search.max_errors = options.max_errors;
  search.parameters = options.parameters;
  return search;
}

ProgressMode progress_mode(ProgressChoice choice) {
  switch (choice) {
    case ProgressChoice::automatic:
      return isatty(STDERR_FILENO) ? ProgressMode::updating : ProgressMode::sparse;
    case ProgressChoice::plain: return ProgressMode::plain;
    case ProgressChoice::json: return ProgressMode::json;
    case ProgressChoice::off: return ProgressMode::off;
  }
  return ProgressMode::off;
}

std::string header(const Model& model, const Algorithm& algorithm, const SearchOptions& search,
                   const native::LoadStats& stats) {
  return fmt::format("Strata {}: {} ({} bits a state), {} in {:.2f}s\nAlgorithm {}, {} thread{}, memory {}\n",
                     STRATA_VERSION, model.info().path, model.info().state_bits,
                     stats.from_cache ? "loaded" : "compiled", stats.seconds, algorithm.name, search.threads,
                     search.threads == 1 ? "" : "s", bytes_text(search.memory));
}

SearchResult stopped_at_once(const std::string& message) {
  SearchResult result;
  result.verdict = Verdict::incomplete;
  result.stop = StopReason::memory;
  result.stop_message = message;
  result.peak_rss = peak_resident_bytes();
  return result;
}

Result<SearchResult> run_search(const Algorithm& algorithm, const SearchContext& context,
                                ProgressChoice progress) {
  const auto start = std::chrono::steady_clock::now();
  Result<SearchResult> result = [&] {
    const ProgressPrinter printer(context.progress, progress_mode(progress), stderr);
    return algorithm.run(context);
  }();
  // A limit that leaves no room to begin is a result like any other, so that --json reports it too.
  if (!result.ok() && result.status().code() == StatusCode::limit)
    result = stopped_at_once(result.status().message());
  if (!result.ok()) return result;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (result->seconds.search <= 0) result->seconds.search = elapsed.count();
  if (result->memory_budget == 0) result->memory_budget = context.options.memory;
  return result;
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
  run.deadlock = options.deadlock;
  run.trace = options.trace;
  return run;
}

}  // namespace

int check_command(const Options& options) {
  const Result<const Algorithm*> algorithm = choose_algorithm(options);
  if (!algorithm.ok()) return fail(algorithm.status());
  const Result<SearchOptions> search = search_options(options);
  if (!search.ok()) return fail(search.status());
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());

  const StopSignals signals;
  native::LoadStats stats;
  const Result<std::unique_ptr<Model>> model = load_model(options, &stats);
  if (!model.ok() && signals.stop())
    return fail({StatusCode::interrupted, "interrupted while loading the model"});
  if (!model.ok()) return fail(model.status());

  Console console(options);
  console.print(header(**model, **algorithm, *search, stats));
  const Status shown = console.flush();
  if (!shown.ok()) return fail(shown);
  ProgressBoard board;
  const SearchContext context{**model, *search, board, signals.stop(), Console::put, &console};
  Result<SearchResult> result = run_search(**algorithm, context, options.progress);
  if (!result.ok()) return fail(result.status());
  result->seconds.compile = stats.seconds;
  const RunInfo run = run_info(options, **algorithm, *search);
  const Status written = write_reports(**model, *result, run, console, *outputs);
  return written.ok() ? exit_code(*result) : fail(written);
}

}  // namespace strata
