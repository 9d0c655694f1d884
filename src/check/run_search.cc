#include "check/run_search.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <set>
#include <system_error>

#include "base/process/leftovers.h"
#include "base/process/out_of_memory.h"
#include "base/sanitized.h"
#include "base/system/machine.h"
#include "base/system/process_memory.h"
#include "base/system/terminal.h"
#include "base/text/units.h"
#include "liveness/cycle_algorithms.h"
#include "property/answer/share_search.h"
#include "property/ask/fit_algorithm.h"
#include "report/progress/progress_printer.h"

namespace strata {
namespace {

// How long --plan searches.
constexpr double kPlanSeconds = 10;

// Where the files of a search go that was given no --disk.
std::string default_disk() {
  const char* folder = std::getenv("TMPDIR");
  return folder != nullptr && *folder != '\0' ? folder : "/var/tmp";
}

DiskSpace::Options disk_options(const Options& options) {
  DiskSpace::Options disk;
  disk.disks = options.disks.empty() ? std::vector{default_disk()} : options.disks;
  disk.limit = options.disk_limit.value_or(UINT64_MAX);
  disk.keep_folder = options.keep;
  return disk;
}

ProgressMode progress_mode(ProgressChoice choice) {
  switch (choice) {
    case ProgressChoice::automatic:
      return is_terminal(stderr) ? ProgressMode::updating : ProgressMode::sparse;
    case ProgressChoice::plain: return ProgressMode::plain;
    case ProgressChoice::json: return ProgressMode::json;
    case ProgressChoice::off: return ProgressMode::off;
  }
  return ProgressMode::off;
}

// The memory and disk that a search may use, for its forecast.
ForecastLimits limits_of(const Algorithm& algorithm, const SearchOptions& options, uint64_t memory) {
  ForecastLimits limits;
  limits.memory = memory;
  if (!algorithm.has(trait::on_disk)) return limits;
  limits.goes_to_disk = true;
  const DiskSpace::Options& disk = options.disk;
  std::set<dev_t> file_systems;
  uint64_t free = 0;
  for (const std::string& folder : disk.keep_folder.empty() ? disk.disks : std::vector{disk.keep_folder}) {
    limits.folder += (limits.folder.empty() ? "" : ", ") + folder;
    struct stat about {};
    std::error_code error;
    const std::filesystem::space_info space = std::filesystem::space(folder, error);
    if (error || stat(folder.c_str(), &about) != 0) continue;
    if (file_systems.insert(about.st_dev).second) free += space.available;
  }
  limits.disk = std::min(free, disk.limit);
  return limits;
}

// A refusal by the search, most often of a parameter, with the name of the option.
Status refusal(const Algorithm& algorithm, const Status& status) {
  if (status.message().starts_with("--")) return status;
  return Status::usage(fmt::format("--algorithm {}: {}{}", algorithm.name, status.message(), kTryAlgorithms));
}

// However small --memory is, a search may use half of it; so the process must not hold much more than the
// other half before.
Status check_process(const SearchOptions& options) {
  constexpr uint64_t kBeyond = 5 << 20;
  const uint64_t held = trimmed_resident_bytes();
  if (kSanitized || options.memory < kLeastMemory || held <= options.memory / 2 + kBeyond) return {};
  return Status::limit(
      fmt::format(
          "--memory {} is too small for this model: the process holds {} before it searches; raise it to {}",
          options.given_memory(), mebibytes_text(held), options.enough_memory(2 * (held - kBeyond))),
      Reason::memory_to_begin);
}

}  // namespace

Result<const Algorithm*> choose_algorithm(const Options& options) {
  const Algorithm* algorithm = find_row(all_algorithms(), options.algorithm);
  if (algorithm == nullptr) {
    std::string names;
    for (const Algorithm& row : all_algorithms()) names += std::string(names.empty() ? "" : ", ") + row.name;
    return Status::usage(fmt::format("--algorithm: there is no algorithm '{}'; this version has {}{}",
                                     options.algorithm, names, kTryAlgorithms));
  }
  SearchOptions wanted;
  wanted.parameters = options.parameters;
  wanted.store = options.store;
  if (Status status = check_algorithm(*algorithm, wanted); !status.ok()) return status;
  return algorithm;
}

Result<SearchOptions> search_options(const Options& options, const Notes& notes, uint64_t processes) {
  SearchOptions search;
  const uint64_t usable = machine_memory();
  if (!options.memory && usable == 0) {
    return Status::usage("the system does not say how much memory it has; set --memory SIZE");
  }
  search.memory = options.memory.value_or(std::max(kLeastMemory, usable / 10 * 8 / processes));
  if (usable != 0 && search.memory > usable) {
    notes.warning(fmt::format("--memory {} is more than the {} that this process can get",
                              bytes_text(search.memory), bytes_text(usable)));
  }
  const unsigned cores = std::max(usable_cores() / static_cast<unsigned>(processes), 1u);
  search.threads = options.threads.value_or(std::min(cores, 1024u));
  search.bound = options.bound;
  search.time_limit = options.plan ? options.time_limit.value_or(kPlanSeconds) : options.time_limit;
  search.max_errors = options.max_errors;
  search.parameters = options.parameters;
  search.store = options.store;
  search.fold = options.fold;
  search.disk = disk_options(options);
  search.trace = options.wants_paths();
  return search;
}

Status check_disk(const Options& options, const Algorithm& algorithm, const SearchOptions& search,
                  const Notes& notes) {
  const bool own_folder = !search.disk.keep_folder.empty() || !options.checkpoint.empty();
  if (!algorithm.has(trait::on_disk) || own_folder) return {};
  for (const std::string& folder : search.disk.disks) {
    std::string path = folder + "/strata-try-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) {
      enter_leftover(path);
      if (remove_leftover(path)) forget_leftover(path);
      continue;
    }
    const std::string why = std::strerror(errno);
    if (!options.disks.empty())
      return Status::usage(fmt::format("--disk {}: no file can be created there: {}", folder, why));
    notes.warning(
        fmt::format("no file can be created in {}: {}; a search that does not fit into memory will end "
                    "incomplete; name another folder with --disk",
                    folder, why));
  }
  return {};
}

namespace {

// If the system refuses memory or threads in the midst of a search, the search ends with a message.
template <class Function>
Result<SearchResult> or_refusal(const Function& function) {
  try {
    return function();
  } catch (const std::bad_alloc&) {
    return Status::system(kOutOfMemory);
  } catch (const std::system_error& error) {
    return Status::system(
        fmt::format("the system refused a resource that the search needs: {}", error.code().message()));
  }
}

}  // namespace

Result<SearchResult> run_search(const Algorithm& algorithm, const SearchContext& context,
                                const ProgressSettings& settings) {
  const auto start = std::chrono::steady_clock::now();
  Result<SearchResult> result = or_refusal([&]() -> Result<SearchResult> {
    if (Status status = check_process(context.options); !status.ok()) return status;
    context.progress.restart();
    const ProgressPrinter printer(context.progress, progress_mode(settings.progress), stderr,
                                  limits_of(algorithm, context.options, settings.memory), settings.asked);
    Result<SearchResult> found = algorithm.run(context);
    if (!found.ok()) return found;
    found->forecast = printer.forecast();
    found->forecasts = printer.forecasts();
    found->series = printer.series();
    return found;
  });
  // A limit that leaves no room to begin is a result like any other, so that --json reports it too.
  if (leaves_no_room(result.status())) {
    result = stopped_at_once(context, result.status());
    result->peak_rss = peak_resident_bytes();
  }
  if (!result.ok() && result.status().code() == StatusCode::usage) return refusal(algorithm, result.status());
  if (!result.ok()) return result;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (result->seconds.search <= 0) result->seconds.search = elapsed.count();
  if (result->memory_budget == 0) result->memory_budget = context.options.memory;
  for (const AlgorithmParameter& parameter : algorithm.parameters)
    result->parameters.emplace_back(parameter.name, value_of(algorithm, context.options, parameter.name));
  return result;
}

}  // namespace strata
