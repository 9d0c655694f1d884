#include "tool/murphi/murphi_command.h"

#include <fmt/format.h>

#include <chrono>
#include <system_error>
#include <thread>

#include "base/locks/mutex.h"
#include "check/load_model.h"
#include "tool/check/check_command.h"
#include "tool/command/simulate_command.h"
#include "tool/murphi/emit_murphi.h"
#include "tool/murphi/murphi_options.h"
#include "tool/murphi/murphi_report.h"
#include "tool/options/command_line.h"
#include "tool/system/console.h"

namespace strata {
namespace {

// Prints a line when the number of states has passed another multiple of `every`; at most twenty lines a
// second. A search that was too fast for a line prints one at its end, because scripts look for one.
class ProgressLines {
 public:
  ProgressLines(const ProgressBoard& board, uint64_t every) : board_(board), every_(every) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      // One line, at the end.
    }
  }
  ~ProgressLines() {
    {
      const MutexLock lock(mutex_);
      end_ = true;
    }
    ended_.notify_one();
    if (thread_.joinable()) thread_.join();
    look();
  }
  ProgressLines(const ProgressLines&) = delete;
  ProgressLines& operator=(const ProgressLines&) = delete;

 private:
  void run() {
    MutexLock lock(mutex_);
    while (!ended_.wait_for(lock, std::chrono::milliseconds(50), [this]() REQUIRES(mutex_) { return end_; }))
      look();
  }

  void look() {
    const uint64_t states = board_.states.load(std::memory_order_relaxed), round = states / every_;
    if (round == 0 || round == last_) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    const std::string line =
        murphi_progress(states, seconds.count(), board_.transitions.load(std::memory_order_relaxed),
                        board_.queue.load(std::memory_order_relaxed));
    std::fputs(((last_ == 0 ? "\nProgress Report:\n\n" : "") + line).c_str(), stdout);
    std::fflush(stdout);
    last_ = round;
  }

  const ProgressBoard& board_;
  const uint64_t every_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  uint64_t last_ = 0;
  Mutex mutex_;
  ConditionVariable ended_;
  bool end_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

int print(const std::string& text) { return std::fputs(text.c_str(), stdout) < 0 ? 153 : 0; }

// A message on standard error, and CMurphi's exit code.
int fail_murphi(const Status& status) { return murphi_exit_code(fail(status)); }

// The options of CMurphi as those of a command of Strata.
Result<Options> strata_options(const MurphiOptions& murphi) {
  const Command command = murphi.simulates ? kSimulate : kCheck;
  std::vector<std::string> words = {"--language", "murphi", "--trace", "off"};
  if (murphi.simulates) words.insert(words.end(), {"--steps", std::to_string(UINT64_MAX)});
  words.insert(words.end(), murphi.strata.begin(), murphi.strata.end());
  words.emplace_back("--");
  words.insert(words.end(), murphi.models.begin(), murphi.models.end());
  Result<Options> options = parse_options(command, words);
  if (!options.ok()) return options;
  options->name = murphi.name;
  // CMurphi sees the formulas in the model's text as comments.
  if (options->named_properties() == 0) options->safety = true;
  options->arguments = words;
  // CMurphi prints progress on standard output.
  if (options->progress == ProgressChoice::automatic) options->progress = ProgressChoice::off;
  return options;
}

int verify(const MurphiOptions& murphi, const Options& options) {
  CheckWords words;
  words.header = [&](const Model& model, const Symmetry* symmetry, const Algorithm&,
                     const SearchOptions& search, const native::LoadStats&) {
    return murphi_header(model, symmetry, murphi, search.memory);
  };
  words.watch = [&](const ProgressBoard& board) -> std::shared_ptr<void> {
    if (murphi.progress_every == 0) return nullptr;
    return std::make_shared<ProgressLines>(board, murphi.progress_every);
  };
  words.report = [&](const Model& model, const SearchResult& result, const RunInfo& run,
                     const TextSink& sink) {
    write_murphi_report(model, result, run, murphi, sink);
    if (result.stop != StopReason::none) print_note(result.stop_message);
  };
  return murphi_exit_code(check_command(options, words));
}

int walk(const MurphiOptions& murphi, const Options& options) {
  SimulateWords words;
  words.header = [&](const Model& model) { return murphi_header(model, nullptr, murphi, 0); };
  words.report = [&](const Model& model, const SimulateResult& result, const TextSink& sink) {
    write_murphi_simulation(model, result, murphi, options.trace, sink);
  };
  return murphi_exit_code(simulate_command(options, words));
}

int print_written(const Result<std::string>& written) {
  return written.ok() ? print(*written) : fail_murphi(written.status());
}

// If the model has an error, the compiler prints it and writes no file.
int compile(const MurphiOptions& murphi) {
  for (const std::string& model : murphi.models) {
    Options options;
    options.model = model;
    options.language = "murphi";
    const Result<ir::Program> program = read_program(options);
    if (!program.ok()) return fail_murphi(program.status());
    print_note(program->note);
  }
  return print_written(murphi.mu ? translate_model(murphi) : emit_programs(murphi));
}

}  // namespace

int murphi_command(const std::vector<std::string>& arguments) {
  const Result<MurphiOptions> murphi = parse_murphi(arguments);
  if (!murphi.ok()) return fail_murphi(murphi.status());
  if (murphi->help) return print(murphi_help());
  if (murphi->licence)
    return print(
        "Strata is free software under the Apache License 2.0, which comes with it as the file LICENSE.\n");
  if (murphi->mu || !murphi->emit.empty()) return compile(*murphi);
  const Result<Options> options = strata_options(*murphi);
  if (!options.ok()) return fail_murphi(options.status());
  for (const std::string& note : murphi->notes) print_note(note);
  return murphi->simulates ? walk(*murphi, *options) : verify(*murphi, *options);
}

}  // namespace strata
