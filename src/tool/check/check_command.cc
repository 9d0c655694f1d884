#include "tool/check/check_command.h"

#include <fmt/format.h>

#include <string_view>

#include "base/hash.h"
#include "base/text/units.h"
#include "check/check.h"
#include "check/check_device.h"
#include "check/load_model.h"
#include "device/choose_device.h"
#include "liveness/cycle_algorithms.h"
#include "report/text/text_report.h"
#include "tool/check/check_files.h"
#include "tool/check/check_properties.h"
#include "tool/output/fail_run.h"
#include "tool/output/output_file.h"
#include "tool/output/page_info.h"
#include "tool/ranks/ranks.h"
#include "tool/resume/run_checkpoints.h"
#include "tool/resume/stored_run.h"
#include "tool/system/console.h"
#include "tool/system/signals.h"
#include "tool/system/standard_input.h"

namespace strata {
namespace {

std::string header(const Model& model, const Symmetry*, const Algorithm& algorithm,
                   const SearchOptions& search, const native::LoadStats& stats) {
  return fmt::format("Strata {}: {} ({} bits a state), {} in {:.2f}s\nAlgorithm {}, {} thread{}, memory {}\n",
                     STRATA_VERSION, model.info().path, model.info().state_bits,
                     stats.from_cache ? "loaded" : "compiled", stats.seconds, algorithm.name, search.threads,
                     search.threads == 1 ? "" : "s", bytes_text(search.memory));
}

// The output of --plan.
std::string plan_text(const SearchResult& result) {
  if (result.states == 0 && !result.stop_message.empty()) return fmt::format("\n{}.\n", result.stop_message);
  const std::string so_far =
      fmt::format("{} state{} in {:.1f} s", count_text(static_cast<double>(result.states)),
                  result.states == 1 ? "" : "s", result.seconds.search);
  if (result.verdict != Verdict::holds && result.verdict != Verdict::incomplete)
    return fmt::format("\nForecast: an error was found already, after {}.\n", so_far);
  if (result.stop == StopReason::none || result.stop == StopReason::bound)
    return fmt::format("\nForecast: the search is done, {}.\n", so_far);
  if (!result.forecast) return fmt::format("\nForecast: none yet, after {}.\n", so_far);
  return fmt::format("\nForecast after {}: {}.\n", so_far, forecast_text(*result.forecast));
}

// Writes the files even if printing fails.
Status write_reports(const Answered& answered, const PageInfo& page, bool plan, const CheckWords& words,
                     const Console& console, Outputs& outputs) {
  const auto print = [&](std::string_view piece) { console.print(piece); };
  if (plan)
    console.print(plan_text(answered.result));
  else if (words.report)
    words.report(answered.model, answered.result, answered.run, print);
  else
    write_text_report(answered.model, answered.result, answered.run, print);
  const Status printed = console.flush();
  const Status status = write_files({{answered}}, page, outputs);
  return status.ok() ? printed : status;
}

Status print_start(const Check& check, const std::string& resumed, const CheckWords& words,
                   const Console& console) {
  const auto& say = words.header ? words.header : header;
  const Task& task = check.task();
  const native::LoadStats& stats = check.file().stats();
  console.print(say(check.model(), task.model->symmetry(), check.algorithm(), check.search_options(), stats) +
                resumed);
  if (check.device() != nullptr)
    console.print(fmt::format("Device {}, {}\n", check.device()->info().name, check.device()->info().driver));
  if (!task.note.empty()) console.print(fmt::format("Note: {}.\n", task.note));
  print_note(stats.note);
  return console.flush();
}

// Refuses options that a run of several ranks cannot have.
Status check_shared(const Task& task, const Options& options, const Algorithm& algorithm) {
  if (task.seeks_cycles() || task.kind == Task::Kind::recurrence) {
    return Status::usage(
        "this property needs a search that several processes cannot share (for cycles, or for states that "
        "every state can reach); check without mpirun");
  }
  if (!algorithm.has(trait::distributed)) {
    return Status::usage(
        fmt::format("--algorithm {}: several processes cannot share this search; choose auto or ram, or "
                    "check without mpirun",
                    algorithm.name));
  }
  if (!task.searched().info().goals.empty()) {
    return Status::usage(
        "the model has liveness properties, which only one process can check; check without mpirun, or "
        "remove them");
  }
  if (!options.keep.empty()) return Status::usage("--keep does not work with several processes");
  return {};
}

// An error unless all ranks check the same model with the same question.
Status agree(const Ranks& ranks, const Options& options, const ModelFile& file, const ModelInfo& info) {
  std::string arguments;
  for (const std::string& argument : options.arguments) arguments += argument + '\0';
  const auto value = [](const std::string& text) {
    return cluster::hash_value(hash_bytes(text.data(), text.size()), text.size());
  };
  const Result<std::string> program = cluster::program_hash();
  if (!program.ok()) return program.status();
  const Result<uint64_t> model = file.identity();
  if (!model.ok()) return model.status();
  return ranks.agree({{"the build of strata", *program},
                      {"the model", cluster::hash_value(*model)},
                      {"the options", value(arguments)},
                      {"the size of a state", std::to_string(info.state_bits)}});
}

// Checks that the search suits checkpoints and several ranks.
Status check_kept_and_shared(const Check& check, const Options& options, const Ranks& ranks) {
  if (Status status = check_resumable(options, check.algorithm(), all_algorithms()); !status.ok())
    return status;
  if (!ranks.several()) return {};
  if (Status status = check_shared(check.task(), options, check.algorithm()); !status.ok()) return status;
  return agree(ranks, options, check.file(), check.model().info());
}

// After a long search by the processor, on a machine with a GPU that nothing was said about.
std::string device_hint(const Options& options, const Check& check, const SearchResult& result) {
  constexpr double kLongSeconds = 60;
  if (!options.device.empty() || result.seconds.search < kLongSeconds) return "";
  if (check.algorithm().name != std::string_view("auto") || !refuse_device(check.task(), options).empty())
    return "";
  const device::DeviceList list = device::list_devices(device::library_places());
  if (list.devices.empty() || list.compiler.empty()) return "";
  return fmt::format("this machine has a GPU, {}; --device auto searches on it", list.devices.front().name);
}

// Loads the model, searches and reports; the exit code.
Result<int> check_model(const Options& options, const CheckWords& words, Ranks& ranks,
                        const StopSignals& signals, Outputs& outputs, RunCheckpoints& checkpoints,
                        Console& console) {
  const DiskSignal disk_signal;
  CheckpointSignal checkpoint_signal(!options.checkpoint.empty());
  const CheckEnvironment environment{signals.stop(),   console_remarks(),      Console::put,
                                     &console,         &disk_signal.to_disk(), &disk_signal.progress(),
                                     ranks.exchange(), ranks.on_this_host()};
  Check check(options, environment);
  Result<std::vector<Asking>> askings = check.properties();
  if (!askings.ok()) return loading_failed(signals.stop(), askings.status());
  if (askings->size() > 1)
    return check_properties(options, environment, std::move(*askings), outputs, console);
  if (Status status = check.prepare(askings->front()); !status.ok()) return status;
  if (Status status = check_kept_and_shared(check, options, ranks); !status.ok()) return status;
  const Status opened = checkpoints.open(check.algorithm(), check.model().info(), check.file().sources(),
                                         check.search_options());
  if (!opened.ok()) return opened;
  if (checkpoints.get() != nullptr) checkpoint_signal.serve(checkpoints.get()->asked());
  if (Status status = print_start(check, checkpoints.start_line(), words, console); !status.ok())
    return status;

  ranks.share(check.board());
  Result<Answer> answer = check.search({checkpoints.get(), checkpoints.old_ranks()}, words.watch);
  if (!answer.ok()) return answer.status();
  if (!answer->note.empty()) console.print(fmt::format("Note: {}.\n", answer->note));
  const SearchResult& result = answer->result;
  RunInfo info = check.run_info();
  info.colour = console.colour() && !ranks.several();  // a launcher's terminal is not the user's
  checkpoints.describe(result, info);
  const Status written =
      write_reports({check.model(), result, info}, page_info(options, check.file().sources()), options.plan,
                    words, console, outputs);
  if (!written.ok()) return written;
  console.print(checkpoints.end(result));
  print_note(device_hint(options, check, result));
  const bool planned = options.plan && result.stop != StopReason::interrupted && result.states > 0;
  return planned ? 0 : exit_code(result);
}

int end_early(Ranks& ranks, const Status& status) {
  ranks.fail(status);
  const int code = fail(status);
  ranks.finish();
  return code;
}

// Everything but the end of the transport: when this function returns, all files are written or removed.
int search_and_report(Options& options, Ranks& ranks, const StopSignals& signals, const CheckWords& words) {
  Result<Outputs> outputs = open_outputs(options);
  Status status = outputs.ok() ? read_standard_input(options) : outputs.status();
  if (!status.ok()) {
    ranks.fail(status);
    return outputs.ok() ? fail_run(options, status, *outputs) : fail(status);
  }
  RunCheckpoints checkpoints(options, ranks.regroup(), ranks.exchange());
  Console console(options);
  const Result<int> code = check_model(options, words, ranks, signals, *outputs, checkpoints, console);
  const Status flushed = console.flush();
  if (!code.ok()) ranks.fail(code.status());
  int number = code.ok() && flushed.ok() ? *code : 0;
  if (!code.ok()) {
    number = fail_run(options, code.status(), *outputs);
    console.print(checkpoints.end(code.status()));
  } else if (!flushed.ok()) {
    number = fail(flushed);
  }
  return number;
}

// When a rank ends with an error, the launcher kills all others. So each rank waits here until all ranks have
// finished their work.
int search_command(const Options& asked, Ranks& ranks, const StopSignals& signals, const CheckWords& words) {
  Options options = ranks.without_reports(asked);
  const int code = search_and_report(options, ranks, signals, words);
  ranks.remove_folders(options.run_folder);
  ranks.finish();
  return code;
}

}  // namespace

int check_command(const Options& options, const CheckWords& words) {
  const StopSignals signals;
  const Result<std::unique_ptr<Ranks>> ranks = Ranks::join(signals.stop());
  if (!ranks.ok()) return fail(ranks.status());
  const Result<Options> own = (*ranks)->adapt(options);
  return own.ok() ? search_command(*own, **ranks, signals, words) : end_early(**ranks, own.status());
}

int resume_command(const Options& options) {
  const StopSignals signals;
  const Result<std::unique_ptr<Ranks>> ranks = Ranks::join(signals.stop());
  if (!ranks.ok()) return fail(ranks.status());
  const Result<Options> own = (*ranks)->adapt(options);
  if (!own.ok()) return end_early(**ranks, own.status());
  const Regroup* const regroup = (*ranks)->regroup();
  Result<Options> check = resumed_options(*own, regroup == nullptr ? own->checkpoint : regroup->described);
  if (!check.ok()) return end_early(**ranks, check.status());
  (*ranks)->name_disks(*check);
  check->checkpoint = own->checkpoint;
  check->run_folder = own->run_folder;
  check->ranks = own->ranks;
  check->previous = own->previous;
  check->anew = own->anew;
  return search_command(*check, **ranks, signals, {});
}

}  // namespace strata
