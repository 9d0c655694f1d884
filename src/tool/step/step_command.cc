#include "tool/step/step_command.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "check/load_model.h"
#include "check/thread_stack.h"
#include "lang/common/language_options.h"
#include "report/json/itf_trace.h"
#include "report/page/page.h"
#include "report/saved/saved_trace.h"
#include "tool/output/output_file.h"
#include "tool/output/page_info.h"
#include "tool/step/line_reader.h"
#include "tool/step/step_session.h"
#include "tool/step/suite_case.h"
#include "tool/system/console.h"

namespace strata {
namespace {

constexpr const char* kPrompt = "strata> ";

// Adds the last state of the walk to a suite, new or old.
Status save_case(const Model& model, const Options& options, Questions& questions, const std::string& file,
                 const Counterexample& walk) {
  uint64_t left_out = 0;
  // A formula is checked without the property process of a DVE model.
  Options without_process = options;
  if (model.info().language == "dve") without_process.properties = {kNoPropertyName};
  Result<Questions> names = Questions::about(without_process);
  if (!names.ok()) return names.status();
  const std::string condition =
      state_condition(model, walk.steps.back().state.data(), questions, *names, left_out);
  if (condition.empty())
    return Status::usage("save: the language of the model cannot name any part of this state");
  std::string before;
  if (const Result<SourceFile> old = SourceFile::load(file); old.ok()) before = old->text();
  const std::string name =
      fmt::format("step {} of a walk: {}", walk.steps.size() - 1,
                  walk.steps.size() == 1 ? model.start_name(walk.steps.back().rule).text()
                                         : model.rule_name(walk.steps.back().rule).text());
  const Result<std::string> text = with_case(before, options, file, name, condition);
  if (!text.ok()) return text.status();
  Result<OutputFile> output = OutputFile::open("save", file);
  if (!output.ok()) return output.status();
  if (left_out != 0)
    print_note(fmt::format(
        "{} parts of the state are not in the case: the language of the model cannot name them", left_out));
  return output->write(*text);
}

Status save_walk(const Model& model, const Options& options, Questions& questions, const std::string& file,
                 const Counterexample& walk) {
  if (file.ends_with(".suite.json")) return save_case(model, options, questions, file, walk);
  Result<OutputFile> output = OutputFile::open("save", file);
  if (!output.ok()) return output.status();
  if (!file.ends_with(".html"))
    return output->write_pieces([&](const TextSink& sink) { write_itf_trace(model, walk, sink); });
  RunInfo run;
  run.version = STRATA_VERSION;
  return output->write_pieces(
      [&](const TextSink& sink) { write_trace_page(model, walk, run, page_info(options, {}), sink); });
}

Result<std::vector<Value>> saved_states(const std::string& file) {
  const Result<SourceFile> source = SourceFile::load(file);
  if (!source.ok()) return source.status();
  const Result<SavedTrace> trace = SavedTrace::read(*source);
  if (!trace.ok()) return trace.status();
  return trace->states();
}

// Lines that do not come from a terminal are shown too, so that what is printed tells what was asked.
Result<int> converse(StepSession& session, const Console& console, const std::string& along) {
  LineReader reader(session.words());
  if (reader.is_interactive()) console.print("`help` lists the commands.\n");
  if (Status status = session.begin(along); !status.ok()) return status;
  int code = 0;
  while (!session.ended()) {
    if (Status status = console.flush(); !status.ok()) return status;
    const std::optional<std::string> line = reader.read(kPrompt);
    if (!line) {
      if (reader.is_interactive()) console.print("\n");
      break;
    }
    if (!reader.is_interactive()) console.print(fmt::format("{}{}\n", kPrompt, *line));
    const Status status = session.run(*line);
    if (status.ok()) continue;
    console.print(status.message() + (status.message().ends_with('\n') ? "" : "\n"));
    if (!reader.is_interactive()) code = status_exit_code(status.code());
  }
  return code;
}

Result<int> step_through(const Options& options) {
  if (options.model == "-")
    return Status::usage("strata step reads its commands from standard input; the model must be a file");
  Result<Questions> questions = Questions::about(options);
  if (!questions.ok()) return questions.status();
  const Result<std::unique_ptr<Model>> model = load_model(options, console_remarks(), nullptr, true);
  if (!model.ok()) return model.status();
  questions->show_values_of(**model);
  const Console console(options);
  return with_room_for_states((*model)->info(), [&]() -> Result<int> {
    StepSession session(**model, options.deadlock.value_or((*model)->info().deadlock), options.seed,
                        *questions);
    session.print_with([&](std::string_view text) { console.print(text); });
    session.save_with([&](const std::string& file, const Counterexample& walk) {
      return save_walk(**model, options, *questions, file, walk);
    });
    session.open_with(saved_states);
    return converse(session, console, options.along);
  });
}

}  // namespace

int step_command(const Options& options) {
  const Result<int> code = step_through(options);
  return code.ok() ? *code : fail(code.status());
}

}  // namespace strata
