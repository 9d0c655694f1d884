#include "tool/command/simulate_command.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text/units.h"
#include "check/load_model.h"
#include "check/thread_stack.h"
#include "engine/trace/replay.h"
#include "engine/trace/simulate.h"
#include "property/answer/error_states.h"
#include "report/json/coverage.h"
#include "report/json/itf_trace.h"
#include "report/json/json_stream.h"
#include "report/page/page.h"
#include "report/text/text_report.h"
#include "report/trace/trace_text.h"
#include "tool/output/fail_run.h"
#include "tool/output/output_file.h"
#include "tool/output/page_info.h"
#include "tool/system/console.h"
#include "tool/system/signals.h"
#include "tool/system/standard_input.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

SimulateOptions simulate_options(const Options& options, const Model& model) {
  SimulateOptions simulate;
  simulate.seed = options.seed;
  simulate.threads = options.threads.value_or(1);
  simulate.steps = options.steps;
  simulate.depth = options.depth;
  simulate.time_limit = options.time_limit;
  simulate.deadlock = options.deadlock.value_or(model.info().deadlock);
  return simulate;
}

double steps_per_second(const SimulateResult& result) {
  return result.seconds > 0 ? static_cast<double>(result.steps) / result.seconds : 0;
}

std::string last_state(const Model& model, const SimulateResult& result) {
  if (result.path.empty()) return "";
  std::string out = "\nLast state of the walk:\n\n";
  for (const Leaf& leaf : leaves(model.describe(result.path.back().state.data()))) {
    out += fmt::format("{}:{}\n", leaf.path, leaf.text);
  }
  return out;
}

Counterexample last_walk(const SimulateResult& result) {
  Counterexample walk;
  walk.failed = false;
  walk.steps = result.path;
  walk.text.message = fmt::format("A random walk of {} steps without an error.", walk.steps.size() - 1);
  return walk;
}

// As the result of a search that saw a part of the states, for the texts about coverage.
SearchResult as_search(const SimulateResult& result) {
  SearchResult search;
  search.verdict = Verdict::incomplete;
  search.states = static_cast<uint64_t>(result.seen.different());
  search.transitions = result.transitions;
  search.coverage = result.coverage;
  return search;
}

std::string seeds_text(const Options& options, const SimulateResult& result) {
  const unsigned threads = options.threads.value_or(1);
  if (threads == 1) return fmt::format("seed {}", options.seed);
  std::string text =
      fmt::format("{} threads with seeds {} to {}", threads, options.seed, options.seed + threads - 1);
  if (result.failure)
    text += fmt::format("; the error is that of seed {}, after {} steps", result.seed, result.failed_after);
  return text;
}

// How much was seen. A random walk cannot know how much there is.
std::string seen_text(const StatesSeen& seen) {
  if (seen.visits() == 0) return "";
  const double newness = 100 * seen.newness();
  return fmt::format(
      "\t{}{:.0f} different states; a further step leads to a new one with a probability of {} %\n",
      seen.is_exact() ? "" : "about ", seen.different(),
      newness < 0.01 ? "less than 0.01" : fmt::format("about {:.{}f}", newness, newness < 1 ? 2 : 0));
}

std::string simulate_text(const Model& model, const SimulateResult& result, const Options& options) {
  std::string out;
  if (result.failure) out += error_trace(model, *result.failure, options.trace);
  out += kSeparator;
  if (result.failure) {
    out += fmt::format("\nResult:\n\n\t{}\n", failure_line(model.info(), result.failure->text));
  } else {
    out += "\nStatus:\n\n\tThe random walk found no error; only `strata check` sees all states.\n";
  }
  out += fmt::format(
      "\nSimulation:\n\n\t{} steps in {:.2f}s ({}/s), {} enabled rules tried\n"
      "\t{} walk{} from a start state, the deepest of {} steps\n\t{}\n",
      result.steps, result.seconds, count_text(steps_per_second(result)), result.transitions, result.walks,
      result.walks == 1 ? "" : "s", result.deepest, seeds_text(options, result));
  out += seen_text(result.seen);
  out += coverage_section(model.info(), as_search(result), options.coverage);
  if (!result.failure && options.trace != TraceMode::off) out += last_state(model, result);
  return out;
}

void write_simulate_json(const Model& model, const SimulateResult& result, const Options& options,
                         const TextSink& sink) {
  JsonStream stream;
  Json object;
  object["strata"] = STRATA_VERSION;
  object["model"] = model.info().path;
  object["seed"] = options.seed;
  object["threads"] = options.threads.value_or(1);
  object["verdict"] = result.failure ? Json(verdict_name(verdict_of(result.failure->text))) : Json(nullptr);
  object["message"] = result.failure ? Json(failure_line(model.info(), result.failure->text)) : Json(nullptr);
  object["steps"] = result.steps;
  object["walks"] = result.walks;
  object["transitions"] = result.transitions;
  object["deepest"] = result.deepest;
  object["seconds"] = result.seconds;
  object["steps_per_second"] = steps_per_second(result);
  object["length"] = result.failure ? Json(result.failure->length()) : Json(nullptr);
  object["failed"] =
      result.failure ? Json{{"seed", result.seed}, {"steps", result.failed_after}} : Json(nullptr);
  object["different_states"] = {{"number", static_cast<uint64_t>(result.seen.different())},
                                {"exact", result.seen.is_exact()},
                                {"new_next", result.seen.newness()}};
  object["coverage"] = coverage_json(model.info(), as_search(result), stream);
  stream.write(object, sink);
  sink("\n");
}

// A page with the path of the error, or with the last walk.
void write_walk_page(const Model& model, const SimulateResult& result, const Options& options,
                     const TextSink& sink) {
  RunInfo run;
  run.version = STRATA_VERSION;
  write_trace_page(model, result.failure ? *result.failure : last_walk(result), run, page_info(options, {}),
                   sink);
}

int simulate_exit_code(const SimulateResult& result) {
  SearchResult as_search;
  if (result.failure) {
    as_search.verdict = verdict_of(result.failure->text);
  } else if (result.stop == StopReason::interrupted) {
    as_search.verdict = Verdict::incomplete;
    as_search.stop = result.stop;
  }
  return exit_code(as_search);
}

// Writes the files even if printing fails.
Status write_reports(const Model& model, const SimulateResult& result, const Options& options,
                     const SimulateWords& words, const Console& console, Outputs& outputs) {
  if (words.report)
    words.report(model, result, [&](std::string_view piece) { console.print(piece); });
  else
    console.print(simulate_text(model, result, options));
  const Status printed = console.flush();
  Status status;
  if (outputs.json.is_open())
    status =
        outputs.write_json([&](const TextSink& sink) { write_simulate_json(model, result, options, sink); });
  if (!result.failure && result.path.empty()) outputs.report.discard();
  if (status.ok() && outputs.report.is_open())
    status = outputs.report.write_pieces(
        [&](const TextSink& sink) { write_walk_page(model, result, options, sink); });
  if (!result.failure && result.path.empty()) outputs.trace.discard();
  if (status.ok() && outputs.trace.is_open())
    status = outputs.trace.write_pieces([&](const TextSink& sink) {
      write_itf_trace(model, result.failure ? *result.failure : last_walk(result), sink);
    });
  return status.ok() ? printed : status;
}

// Loads the model, walks and reports; the exit code.
Result<int> walk(const Options& options, const SimulateWords& words, const StopSignals& signals,
                 Outputs& outputs) {
  native::LoadStats stats;
  const Result<std::unique_ptr<Model>> model = load_model(options, console_remarks(), &stats, true);
  if (!model.ok() || signals.stop()) return loading_failed(signals.stop(), model.status());
  print_note(stats.note);
  Console console(options);
  if (words.header) console.print(words.header(**model));
  Result<SimulateResult> result = with_room_for_states((*model)->info(), [&] {
    Result<SimulateResult> walked =
        simulate(**model, simulate_options(options, **model), signals.stop(), Console::put, &console);
    if (walked.ok() && walked->failure) explain_error_state(**model, *walked->failure);
    return walked;
  });
  if (!result.ok()) return result.status();
  const Status written = write_reports(**model, *result, options, words, console, outputs);
  if (!written.ok()) return written;
  return simulate_exit_code(*result);
}

}  // namespace

int simulate_command(Options options, const SimulateWords& words) {
  const StopSignals signals;
  Result<Outputs> outputs = open_outputs(options);
  if (!outputs.ok()) return fail(outputs.status());
  if (Status status = read_standard_input(options); !status.ok()) return fail_run(options, status, *outputs);
  const Result<int> code = walk(options, words, signals, *outputs);
  return code.ok() ? *code : fail_run(options, code.status(), *outputs);
}

}  // namespace strata
