// The command `strata`.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/process/own_stack.h"
#include "base/system/process_memory.h"
#include "cluster/launch.h"
#include "report/result.h"
#include "store/log/disk_space.h"
#include "tool/about/cache_command.h"
#include "tool/about/completion.h"
#include "tool/about/devices.h"
#include "tool/about/manual_page.h"
#include "tool/about/version.h"
#include "tool/check/check_command.h"
#include "tool/command/algorithms_command.h"
#include "tool/command/graph_command.h"
#include "tool/command/info_command.h"
#include "tool/command/ltl_command.h"
#include "tool/command/simulate_command.h"
#include "tool/command/trace_command.h"
#include "tool/lsp/lsp_command.h"
#include "tool/murphi/murphi_command.h"
#include "tool/options/command_line.h"
#include "tool/step/step_command.h"
#include "tool/suite/suite_command.h"
#include "tool/system/console.h"
#include "tool/system/last_resort.h"
#include "tool/system/signals.h"

namespace strata {
namespace {

int run_command(const Options& options) {
  switch (options.command) {
    case kCheck: return options.models.size() > 1 ? check_models_command(options) : check_command(options);
    case kSuite: return suite_command(options);
    case kResume: return resume_command(options);
    case kInfo: return options.devices ? devices_command(options) : info_command(options);
    case kSimulate: return simulate_command(options);
    case kStep: return step_command(options);
    case kLsp: return lsp_command();
    case kAlgorithms: return algorithms_command(options);
    case kLtl: return ltl_command(options);
    case kGraph: return graph_command(options);
    case kTrace: return trace_command(options);
    case kCache: return cache_command(options);
    case kMurphi:
    case kLibrary:
    case kNoCommand: break;
  }
  return fail(Status::internal("a command without a function"));
}

int print_page(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return std::fputs(manual_page(kNoCommand).c_str(), stdout) < 0;
  const Result<Command> command = parse_command(arguments.front());
  if (!command.ok()) return fail(command.status());
  return std::fputs(manual_page(*command).c_str(), stdout) < 0;
}

int print_completion(const std::vector<std::string>& arguments) {
  const Result<std::string> script = completion(arguments.empty() ? "" : arguments.front());
  return script.ok() ? std::fputs(script->c_str(), stdout) < 0 : fail(script.status());
}

int run(std::vector<std::string> arguments) {
  if (arguments.empty()) return fail(Status::usage("no command given\n\n" + general_help()));
  const std::string first = arguments.front();
  arguments.erase(arguments.begin());
  const bool help = first == "--help" || first == "-h" || first == "help";
  if (help && arguments.empty()) return std::fputs(general_help().c_str(), stdout) < 0;
  if (first == "--version") return std::fputs(version_text().c_str(), stdout) < 0;
  if (first == "--man") return print_page(arguments);
  if (first == "--completion") return print_completion(arguments);

  const Result<Command> command = parse_command(help ? arguments.front() : first);
  if (!command.ok()) return fail(command.status());
  if (*command == kMurphi) return murphi_command(help ? std::vector<std::string>{"--help"} : arguments);
  if (help || (!arguments.empty() && arguments.front() == "-h"))
    return std::fputs(command_help(*command).c_str(), stdout) < 0;
  const Result<Options> options = parse_options(*command, arguments);
  // Only rank 0 prints usage errors.
  const bool speaks = cluster::detect_launch().rank == 0;
  if (!options.ok()) return speaks ? fail(options.status()) : status_exit_code(options.status().code());
  if (options->help) return std::fputs(command_help(*command).c_str(), stdout) < 0;
  return run_command(*options);
}

int run_safely(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    return fail_out_of_memory();
  } catch (const std::system_error& error) {
    return fail(Status::system(std::string("the system refused: ") + error.what()));
  } catch (const std::exception& error) {
    return fail(Status::internal(error.what()));
  }
}

}  // namespace
}  // namespace strata

// This constructor runs before those of other files, because they may find no memory.
[[gnu::constructor(101)]] static void begin() {
  strata::survive_requests();
  strata::end_in_order_at_last();
}

int main(int argc, char** argv) {
  strata::keep_heap_small();
  const int code = strata::run_on_own_stack([&] { return strata::run_safely(argc, argv); });
  strata::remove_what_is_left();
  strata::DiskSpace::free_after_the_end();
  return code;
}
