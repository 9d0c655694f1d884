#include "tool/resume/run_checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/random.h"
#include "engine/ranks/joint.h"
#include "tool/system/console.h"

namespace strata {
namespace {

// Whether a search that ended for this reason can continue.
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
  const Checkpoints::Options where{options_.checkpoint, options_.disks, options_.checkpoint_every, from,
                                   id_of_new()};
  // The processor continues what a device began, and the other way round.
  const std::string name = algorithm.has(trait::on_device) ? "auto" : algorithm.name;
  const StoredRun run = describe_run(options_, sources, name, info);
  if (Status status = open_saved(where, run); !status.ok()) return status;
  if (Status status = agree_on_maker(); !status.ok()) return status;
  add_up_resumed();
  checkpoints_->tell(print_note);
  search.disk.disks = checkpoints_->folder().folders();
  return {};
}

// The id of new folders: the same on all ranks, also after their number has changed.
std::string RunCheckpoints::id_of_new() const {
  if (regroup_ != nullptr) return regroup_->saved.id;
  const std::string own = CheckpointFolder::new_id();
  if (exchange_ == nullptr || options_.resumes) return own;
  const std::string first = Joint(*exchange_).all(own).front();
  return first.empty() ? own : first;
}

// Checks that all ranks restore checkpoints of the same processes and time, and agrees on an id for the next ones.
Status RunCheckpoints::agree_on_maker() const {
  std::vector<uint64_t> makers =
      old_ranks_ ? old_ranks_->makers() : std::vector{checkpoints_->restored_maker()};
  uint64_t least = makers.empty() ? UINT64_MAX : *std::min_element(makers.begin(), makers.end());
  uint64_t largest = makers.empty() ? 0 : *std::max_element(makers.begin(), makers.end());
  uint64_t maker = unique_number();
  if (exchange_ != nullptr) {
    const Joint joint(*exchange_);
    least = joint.least(least);
    joint.largest({&largest, 1});
    joint.largest({&maker, 1});
  }
  checkpoints_->set_maker(maker);
  if (least >= largest) return {};
  return Status::usage(fmt::format(
      "the checkpoints of the processes in '{}' were not made together: a folder of one of them is from a "
      "copy of the run that went on by itself; put the folders of one copy back together",
      options_.run_folder.empty() ? options_.checkpoint : options_.run_folder));
}

// Begins a run, or continues one of the same or of another number of ranks.
Status RunCheckpoints::open_saved(const Checkpoints::Options& where, const StoredRun& run) {
  const std::string& described = regroup_ == nullptr ? options_.checkpoint : regroup_->described;
  std::string text = run.text();
  if (options_.resumes) {
    const Result<StoredRun> stored = read_stored_run(described);
    if (!stored.ok()) return stored.status();
    if (Status status = check_same(*stored, run, described); !status.ok()) return status;
    text = stored->text();
  }
  if (regroup_ != nullptr) {
    if (Status status = open_origin(); !status.ok()) return status;
  }
  const bool goes_on = options_.resumes && regroup_ == nullptr;
  Result<std::unique_ptr<Checkpoints>> opened =
      goes_on ? Checkpoints::open(where) : Checkpoints::create(where, text);
  if (!opened.ok()) return opened.status();
  checkpoints_ = std::move(*opened);
  return regroup_ != nullptr && !old_ranks_ ? discard_origin() : Status();
}

// Locks the folders of the old ranks that this rank reads.
Status RunCheckpoints::open_origin() {
  const SavedSet& saved = regroup_->saved;
  if (saved.number == 0) return {};
  std::vector<std::unique_ptr<Checkpoints>> own;
  for (const uint64_t k : regroup_->own) {
    const RankFolder& folder = saved.folders[k];
    Checkpoints::Options where{path_of(regroup_->folder, folder), {}, options_.checkpoint_every};
    if (saved.number != folder.last) where.from = CheckpointFolder::From::previous;
    Result<std::unique_ptr<Checkpoints>> opened = Checkpoints::open(where);
    if (!opened.ok()) return opened.status();
    own.push_back(std::move(*opened));
  }
  old_ranks_ = std::make_unique<OldRanks>(std::move(own), regroup_->passes, saved.ranks);
  return {};
}

// The old ranks had no checkpoint: the run starts from the beginning.
Status RunCheckpoints::discard_origin() const {
  for (const uint64_t k : regroup_->own) {
    const std::string path = path_of(regroup_->folder, regroup_->saved.folders[k]);
    if (Status status = CheckpointFolder::discard(path); !status.ok()) return status;
  }
  return {};
}

// Each rank counts its own states. If the number of ranks changes, rank 0 takes over the counts of the old ranks.
void RunCheckpoints::add_up_resumed() {
  resumed_ = old_ranks_ ? old_ranks_->resumed() : checkpoints_->resumed();
  if (exchange_ == nullptr) return;
  const Joint joint(*exchange_);
  uint64_t count = resumed_.size();
  joint.largest({&count, 1});
  resumed_.resize(count);
  constexpr double kMicroseconds = 1e6;
  for (Checkpoints::Resumed& one : resumed_) {
    auto time = static_cast<uint64_t>(one.seconds * kMicroseconds);
    joint.largest({&time, 1});
    joint.sum({&one.states, 1});
    one.seconds = static_cast<double>(time) / kMicroseconds;
  }
  if (!old_ranks_) return;
  std::vector<Checkpoints::Resumed> kept = resumed_;
  if (exchange_->rank() > 0)
    for (Checkpoints::Resumed& one : kept) one.states = 0;
  checkpoints_->inherit(std::move(kept));
}

// The last checkpoint, with the states of all ranks.
Checkpoints::Resumed RunCheckpoints::last() const {
  Checkpoints::Resumed last = checkpoints_->last();
  if (checkpoints_->made() == 0 && !resumed_.empty()) return resumed_.back();
  if (checkpoints_->last_of_all() != 0) last.states = checkpoints_->last_of_all();
  return last;
}

std::string RunCheckpoints::start_line() const {
  if (!checkpoints_ || !options_.resumes) return "";
  if (resumed_.empty()) return "There is no checkpoint: the run starts from the beginning\n";
  const Checkpoints::Resumed& from = resumed_.back();
  return fmt::format("Resumed from {} state{} after {:.1f} s\n", from.states, from.states == 1 ? "" : "s",
                     from.seconds);
}

void RunCheckpoints::describe(const SearchResult& result, RunInfo& run) const {
  if (!checkpoints_) return;
  for (const Checkpoints::Resumed& resumed : resumed_)
    run.resumptions.push_back({resumed.seconds, resumed.states});
  CheckpointInfo info;
  info.folder = options_.checkpoint;
  info.every = options_.checkpoint_every;
  info.made = checkpoints_->made();
  info.seconds = checkpoints_->seconds();
  info.stands = keeps(result) && (checkpoints_->stands() || is_elsewhere());
  info.states = last().states;
  info.at_seconds = last().seconds;
  if (keeps(result)) info.resume = resume_command();
  run.checkpoint = info;
}

// If the search had no room for its first states, no checkpoint can be continued.
bool RunCheckpoints::keeps(const SearchResult& result) const {
  const bool began = result.states > 0 || result.stop == StopReason::interrupted;
  return at_a_limit(result.stop) && (checkpoints_->stands() || options_.resumes || began);
}

// With several ranks, the user named the folder around those of the ranks.
std::string RunCheckpoints::resume_command() const {
  const std::string folder = options_.run_folder.empty() ? options_.checkpoint : options_.run_folder;
  const std::string launcher = options_.ranks <= 1 ? "" : fmt::format("mpirun -n {} ", options_.ranks);
  return fmt::format("{}strata resume {}", launcher, shell_word(folder));
}

std::string RunCheckpoints::resume_lines() const {
  const std::string command = resume_command();
  if (!checkpoints_->stands() && !is_elsewhere())
    return fmt::format(
        "\nNo checkpoint was made: a resumed run starts from the beginning.\nResume with: {}\n", command);
  const Checkpoints::Resumed there = last();
  return fmt::format("\nThe last checkpoint has {} state{}, after {:.1f} s.\nResume with: {}\n", there.states,
                     there.states == 1 ? "" : "s", there.seconds, command);
}

std::string RunCheckpoints::end(const SearchResult& result) {
  if (!checkpoints_) return "";
  if (keeps(result)) {
    const std::string lines = resume_lines();
    // The checkpoint of the old ranks remains; remove the incomplete new one.
    if (is_elsewhere()) checkpoints_->remove();
    return lines;
  }
  checkpoints_->remove();
  if (is_elsewhere()) old_ranks_->retire();
  return "";
}

std::string RunCheckpoints::end(const Status& failure) {
  if (!checkpoints_ || failure.ok()) return "";
  if (options_.resumes || checkpoints_->stands()) {
    const bool damaged = failure.message().find(" is damaged") != std::string::npos;
    return resume_lines() +
           (damaged ? "The checkpoint before the last one may be intact: to use it, add --previous\n" : "");
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
