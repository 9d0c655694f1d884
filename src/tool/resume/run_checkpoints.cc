#include "tool/resume/run_checkpoints.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "tool/resume/stored_run.h"
#include "tool/system/console.h"

namespace strata {
namespace {

// A search that ended so can go on.
bool at_a_limit(StopReason stop) { return stop != StopReason::none && stop != StopReason::bound; }

}  // namespace

Status check_resumable(const Options& options, const Algorithm& algorithm,
                       const std::vector<Algorithm>& all) {
  if (options.checkpoint.empty() || algorithm.has(trait::resumable)) return {};
  if (find_row(all, algorithm.name) == nullptr)
    return Status::usage("--checkpoint: the search that this property needs cannot be resumed");
  std::string names;
  for (const Algorithm& row : all)
    if (row.has(trait::resumable) && row.has(trait::cycles) == algorithm.has(trait::cycles))
      names += (names.empty() ? "" : ", ") + std::string(row.name);
  const char* kind = algorithm.has(trait::cycles) ? "search for cycles" : "search";
  return Status::usage(fmt::format("--checkpoint: the algorithm {} cannot be resumed; {}", algorithm.name,
                                   names.empty()
                                       ? fmt::format("no {} of this version can", kind)
                                       : fmt::format("choose one that can with --algorithm: {}", names)));
}

Status RunCheckpoints::open(const Algorithm& algorithm, const ModelInfo& info,
                            const std::vector<SourceFile>& sources, SearchOptions& search) {
  if (options_.checkpoint.empty()) return {};
  const CheckpointFolder::From from = options_.anew       ? CheckpointFolder::From::none
                                      : options_.previous ? CheckpointFolder::From::previous
                                                          : CheckpointFolder::From::last;
  const Checkpoints::Options where{options_.checkpoint, options_.disks, options_.checkpoint_every, from};
  const StoredRun run = describe_run(options_, sources, algorithm.name, info);
  if (options_.resumes) {
    const Result<StoredRun> stored = read_stored_run(options_.checkpoint);
    if (!stored.ok()) return stored.status();
    if (Status status = check_same(*stored, run, options_.checkpoint); !status.ok()) return status;
  }
  Result<std::unique_ptr<Checkpoints>> opened =
      options_.resumes ? Checkpoints::open(where) : Checkpoints::create(where, run.text());
  if (!opened.ok()) return opened.status();
  checkpoints_ = std::move(*opened);
  checkpoints_->tell(print_note);
  search.disk.disks = checkpoints_->folder().folders();
  return {};
}

std::string RunCheckpoints::start_line() const {
  if (!checkpoints_ || !options_.resumes) return "";
  if (!checkpoints_->stands()) return "No checkpoint was made before: the run begins anew\n";
  const Checkpoints::Resumed& last = checkpoints_->last();
  return fmt::format("Resumed from {} state{} after {:.1f} s\n", last.states, last.states == 1 ? "" : "s",
                     last.seconds);
}

void RunCheckpoints::describe(const SearchResult& result, RunInfo& run) const {
  if (!checkpoints_) return;
  for (const Checkpoints::Resumed& resumed : checkpoints_->resumed())
    run.resumptions.push_back({resumed.seconds, resumed.states});
  CheckpointInfo info;
  info.folder = options_.checkpoint;
  info.every = options_.checkpoint_every;
  info.made = checkpoints_->made();
  info.seconds = checkpoints_->seconds();
  info.stands = keeps(result) && checkpoints_->stands();
  info.states = checkpoints_->last().states;
  info.at_seconds = checkpoints_->last().seconds;
  if (keeps(result)) info.resume = resume_command();
  run.checkpoint = info;
}

// One that had no room to begin leaves nothing to go on with.
bool RunCheckpoints::keeps(const SearchResult& result) const {
  const bool began = result.states > 0 || result.stop == StopReason::interrupted;
  return at_a_limit(result.stop) && (checkpoints_->stands() || options_.resumes || began);
}

// Of several ranks each has its run in a folder within that of the user.
std::string RunCheckpoints::resume_command() const {
  if (options_.ranks <= 1) return "strata resume " + shell_word(options_.checkpoint);
  const std::string folder = std::filesystem::path(options_.checkpoint).parent_path().string();
  return fmt::format("mpirun -n {} strata resume {}", options_.ranks, shell_word(folder));
}

std::string RunCheckpoints::resume_lines() const {
  const std::string command = resume_command();
  if (!checkpoints_->stands())
    return fmt::format("\nNo checkpoint was made: a resumed run begins anew.\nResume with: {}\n", command);
  const Checkpoints::Resumed& last = checkpoints_->last();
  return fmt::format("\nThe last checkpoint has {} state{}, after {:.1f} s.\nResume with: {}\n", last.states,
                     last.states == 1 ? "" : "s", last.seconds, command);
}

std::string RunCheckpoints::end(const SearchResult& result) {
  if (!checkpoints_) return "";
  if (keeps(result)) return resume_lines();
  checkpoints_->remove();
  return "";
}

std::string RunCheckpoints::end(const Status& failure) {
  if (!checkpoints_ || failure.ok()) return "";
  if (options_.resumes || checkpoints_->stands()) {
    const bool damaged = failure.message().find(" is damaged") != std::string::npos;
    return resume_lines() +
           (damaged ? "From the checkpoint before that one, which may be whole: add --previous\n" : "");
  }
  checkpoints_->remove();
  return "";
}

std::string shell_word(const std::string& word) {
  const auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+=:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace strata
