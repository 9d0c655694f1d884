#include "tool/command/graph_command.h"

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "check/load_model.h"
#include "check/model_file.h"
#include "check/run_search.h"
#include "check/thread_stack.h"
#include "engine/graph/build_graph.h"
#include "property/answer/answer.h"
#include "property/ask/ask.h"
#include "property/ask/fit_algorithm.h"
#include "report/graph/write_graph.h"
#include "tool/output/output_file.h"
#include "tool/system/console.h"
#include "tool/system/signals.h"

namespace strata {
namespace {

constexpr int kIncompleteGraph = 152;  // a limit was reached

// The graph has all states, unless the user asks for one state of each orbit.
Options with_symmetry(Options options) {
  if (!options.symmetry) options.symmetry = ir::SymmetryMode::off;
  return options;
}

// Every name of --label is a variable, or a part of one.
Status check_labels(const Model& model, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const std::string variable = label.substr(0, label.find_first_of(".[{"));
    std::string names;
    bool found = false;
    for (const VariableInfo& info : model.info().variables) {
      found |= info.name == variable || info.name == label;
      names += (names.empty() ? "" : ", ") + info.name;
    }
    if (!found)
      return Status::usage(
          fmt::format("--label: the model has no variable '{}'; its variables are {}", variable, names));
  }
  return {};
}

// The path for --around: to the first error, or to the state that a formula EF p asks for.
Result<Counterexample> find_path(const Options& options, Task& task, const ModelLoader& load,
                                 const StopSignals& signals) {
  const Result<const Algorithm*> chosen = choose_algorithm(options);
  if (!chosen.ok()) return chosen.status();
  Result<SearchOptions> search = search_options(options, console_remarks());
  if (!search.ok()) return search.status();
  const Result<const Algorithm*> algorithm = fit_algorithm(task, **chosen, *search, options.deadlock);
  if (!algorithm.ok()) return algorithm.status();
  search->deadlock = options.deadlock.value_or(task.deadlock());
  if ((*algorithm)->has(trait::one_thread)) search->threads = 1;
  ProgressBoard board;
  const SearchContext context{task.searched(), *search, board, signals.stop()};
  const Runner run = [&](const Algorithm& row, const SearchContext& with) {
    return run_search(row, with, {ProgressChoice::off, nullptr, search->memory});
  };
  Result<Answer> answer = find_answer(task, **algorithm, context, load, run);
  if (!answer.ok()) return answer.status();
  SearchResult& result = answer->result;
  if (result.witness) return std::move(*result.witness);
  if (!result.counterexamples.empty() && !result.counterexamples.front().steps.empty())
    return std::move(result.counterexamples.front());
  if (signals.stop()) return Status(StatusCode::interrupted, "interrupted; no graph was written");
  if (result.stop != StopReason::none) return Status::limit("--around: " + result.stop_message);
  return Status::usage("--around needs a counterexample, but no error was found; omit --around");
}

// Loads the model, builds the graph and writes it; the exit code.
Result<int> draw(const Options& options, const StopSignals& signals, GraphFormat format, OutputFile& file) {
  ModelFile source(options, console_remarks());
  const ModelLoader load = [&](const LoadRequest& request) { return source.load(request); };
  const Result<std::vector<Asking>> askings = source.properties();
  if (!askings.ok()) return askings.status();
  Result<Task> task =
      ask(source.question(options.named_properties() != 0 ? askings->back() : askings->front()), load);
  if (!task.ok() || signals.stop()) return loading_failed(signals.stop(), task.status());
  print_note(source.stats().note);
  if (Status status = check_labels(*task->model, options.labels); !status.ok()) return status;
  return with_room_for_states(task->model->info(), [&]() -> Result<int> {
    GraphOptions wanted;
    wanted.states = options.graph_states;
    wanted.deadlock = options.deadlock.value_or(task->deadlock());
    wanted.labels = options.labels;
    std::optional<Counterexample> path;
    if (options.around) {
      Result<Counterexample> found = find_path(options, *task, load, signals);
      if (!found.ok()) return found.status();
      path = std::move(*found);
      wanted.around = &*path;
      wanted.distance = *options.around;
    }
    // A path consists of states, not of orbits.
    BuiltGraph built = build_graph(path ? task->plain() : task->searched(), wanted, signals.stop());
    if (signals.stop()) return Status(StatusCode::interrupted, "interrupted; no graph was written");
    built.graph.version = STRATA_VERSION;
    built.graph.model = task->model->info().path;
    const Status written =
        file.write_pieces([&](const TextSink& sink) { write_graph(built.graph, format, sink); });
    if (!written.ok()) return written;
    std::fprintf(stderr, "%s: %zu states, %zu edges%s%s\n", options.output.c_str(), built.graph.states.size(),
                 built.graph.edges.size(), built.graph.note.empty() ? "" : ". ", built.graph.note.c_str());
    return built.limited ? kIncompleteGraph : 0;
  });
}

}  // namespace

int graph_command(const Options& given) {
  const Options options = with_symmetry(given);
  const StopSignals signals;
  if (options.output.empty())
    return fail(Status::usage(
        "strata graph needs a file to write: -o FILE, with the suffix .dot, .json, .graphml or .aut"));
  const std::optional<GraphFormat> format = graph_format(options.output);
  if (!format)
    return fail(Status::usage(fmt::format(
        "-o: the suffix of '{}' is not a known format; use .dot (or .gv), .json, .graphml or .aut",
        options.output)));
  if (Status status = refuse_overwriting("-o", options.output, options.model); !status.ok())
    return fail(status);
  Result<OutputFile> file = OutputFile::open("-o", options.output);
  if (!file.ok()) return fail(file.status());
  const Result<int> code = draw(options, signals, *format, *file);
  return code.ok() ? *code : fail(code.status());
}

}  // namespace strata
