// The command `strata`.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/memory_budget.h"
#include "base/process/own_stack.h"
#include "store/log/disk_space.h"
#include "tool/command/algorithms_command.h"
#include "tool/command/check_command.h"
#include "tool/command/info_command.h"
#include "tool/command/ltl_command.h"
#include "tool/command/simulate_command.h"
#include "tool/page/trace_command.h"
#include "tool/options/command_line.h"
#include "tool/system/console.h"
#include "tool/system/ranks.h"

namespace strata {
namespace {

// A search may be that of several processes.
int run_search_command(const Options& options) {
  const Result<std::unique_ptr<Ranks>> ranks = Ranks::join();
  if (!ranks.ok()) return fail(ranks.status());
  return options.command == kResume ? resume_command(options, **ranks) : check_command(options, **ranks);
}

int run_command(const Options& options) {
  switch (options.command) {
    case kCheck:
    case kResume: return run_search_command(options);
    case kInfo: return info_command(options);
    case kSimulate: return simulate_command(options);
    case kAlgorithms: return algorithms_command(options);
    case kLtl: return ltl_command(options);
    case kTrace: return trace_command(options);
    case kNoCommand: break;
  }
  return fail(Status::internal("a command without a function"));
}

int run(std::vector<std::string> arguments) {
  if (arguments.empty()) return fail(Status::usage("no command given\n\n" + general_help()));
  const std::string first = arguments.front();
  arguments.erase(arguments.begin());
  const bool help = first == "--help" || first == "-h" || first == "help";
  if (help && arguments.empty()) return std::fputs(general_help().c_str(), stdout) < 0;
  if (first == "--version") return std::puts("strata " STRATA_VERSION) < 0;

  const Result<Command> command = parse_command(help ? arguments.front() : first);
  if (!command.ok()) return fail(command.status());
  if (help || (!arguments.empty() && arguments.front() == "-h"))
    return std::fputs(command_help(*command).c_str(), stdout) < 0;
  const Result<Options> options = parse_options(*command, arguments);
  if (!options.ok()) return fail(options.status());
  if (options->help) return std::fputs(command_help(*command).c_str(), stdout) < 0;
  return run_command(*options);
}

int run_safely(int argc, char** argv) {
  try {
    return run(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc));
  } catch (const std::bad_alloc&) {
    return fail(Status::system("the system has no more memory to give; try a smaller --memory"));
  } catch (const std::exception& error) {
    return fail(Status::internal(error.what()));
  }
}

}  // namespace
}  // namespace strata

int main(int argc, char** argv) {
  strata::keep_heap_small();
  const int code = strata::run_on_own_stack([&] { return strata::run_safely(argc, argv); });
  strata::DiskSpace::free_after_the_end();
  return code;
}
